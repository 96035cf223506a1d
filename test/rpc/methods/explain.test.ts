import { rm } from 'node:fs/promises'
import { describe, expect, test } from '@jest/globals'
import { ContractFactory, JsonRpcProvider, Contract, type BaseContract } from 'ethers'
import type { RpcMethods } from '../../../lib/embed/rpc-types.ts'
import {
  foundry,
  hardhat2,
  hardhat3,
  truffle,
  compileProject,
  writeProject,
  type SolcContract,
  type SolcRun,
} from '../../support/artifact-projects.ts'
import { withLedger } from '../../support/ledger.ts'
import { call, freshNode, refusal } from '../../support/node.ts'
import { withServer } from '../../support/server.ts'
import {
  PATH,
  compiledAs,
  failed,
  lineOf,
  plain,
  withShop,
  type Explained,
  type Scene,
} from '../../support/shop.ts'
import { COW } from '../../support/signing.ts'

const gasLimit = 500_000

/** The steps of a call in short. */
const steps = (call: Explained['call']): readonly unknown[] =>
  call.steps.map((step) => {
    if ('console' in step) return step.console
    if ('event' in step) return [step.event.event, step.event.values?.map(({ value }) => value)]
    const { contract, function: name, status, isCaught = false } = step.call
    return [`${contract}.${name}`, status, isCaught, steps(step.call)]
  })

describe.each([
  ['Hardhat 2', () => hardhat2(plain)],
  ['Hardhat 3', () => hardhat3(compiledAs('project/'))],
  ['Foundry', () => foundry(plain)],
  ['Truffle', () => truffle(compiledAs('project:/'))],
])('explanations with artifacts of %s', (_tool, files) => {
  test('a success has names, arguments, events, console output and changes of variables', async () => {
    await withShop(files(), async ({ shop, token, buyer, explain }) => {
      const explained = await explain(shop['buy']!(2))
      const [at, spender] = [await token.getAddress(), await shop.getAddress()]
      expect(explained).toMatchObject({ status: 'success' })
      expect(explained.stack).toBeUndefined()
      expect(explained.call).toMatchObject({
        kind: 'call',
        contract: 'Shop',
        function: 'buy(uint256)',
        arguments: [{ name: 'count', type: 'uint256', value: '2' }],
      })
      const moved = ['Transfer(address,address,uint256)', [buyer, spender, '200']]
      expect(steps(explained.call)).toEqual([
        'sold 0',
        ['Token.transferFrom(address,address,uint256)', 'success', false, [moved]],
      ])
      const address = at.toLowerCase()
      expect(explained.tokens).toEqual([
        { token: address, from: buyer.toLowerCase(), to: spender.toLowerCase(), amount: '0xc8' },
      ])
      const variables = explained.storage.map(({ variable, before, after }) => [variable, before, after])
      const [b, s] = [buyer.toLowerCase(), spender.toLowerCase()]
      expect(variables).toEqual([
        ['sold', '0', '2'],
        [`allowances[${b}][${s}]`, '5000', '4800'],
        [`balances[${b}]`, '1000', '800'],
        [`balances[${s}]`, '0', '200'],
      ])
    })
  })

  test('a failure has the reason and the Solidity stack over both contracts', async () => {
    await withShop(files(), async ({ shop, buyer, explain }) => {
      const explained = await explain(failed(shop, 'buy', 30))
      expect(explained.reason).toEqual({
        kind: 'custom error',
        message: `reverted with custom error 'TooPoor(${buyer}, 1000, 3000)'`,
      })
      expect(explained.stack?.map(({ contract, function: name, line }) => [contract, name, line])).toEqual([
        ['Token', '_move', lineOf('revert TooPoor')],
        ['Token', 'transferFrom', lineOf('_move(from, to, value);')],
        ['Shop', 'buy', lineOf('require(token.transferFrom')],
      ])
      expect(explained.stack?.[0]).toMatchObject({
        file: PATH,
        excerpt: 'if (balances[from] < value) revert TooPoor(from, balances[from], value);',
      })
      expect(explained.storage).toEqual([])
    })
  })
})

describe('explanations', () => {
  test('a caught failure is marked', async () => {
    await withShop(hardhat2(plain), async ({ shop, explain }) => {
      const explained = await explain(shop['tryBuy']!(40, { gasLimit }))
      expect(explained.status).toBe('success')
      expect(explained.call.results).toEqual([{ name: '', type: 'bool', value: false }])
      const inner = ['Token.transferFrom(address,address,uint256)', 'reverted', false, []]
      expect(steps(explained.call)).toEqual([['Shop.buy(uint256)', 'reverted', true, ['sold 0', inner]]])
    })
  })

  test('a deployment has the arguments of the constructor', async () => {
    await withShop(hardhat2(plain), async ({ shop, token, explain }) => {
      const { abi, evm } = plain.output.contracts[PATH]!['Token']!
      const factory = new ContractFactory(abi as never, evm.bytecode.object, token.runner)
      const deployed = await factory.deploy(7)
      const { call, storage } = await explain(Promise.resolve(deployed.deploymentTransaction()!))
      expect(call).toMatchObject({
        kind: 'create',
        contract: 'Token',
        function: 'constructor',
        arguments: [{ name: 'supply', type: 'uint256', value: '7' }],
      })
      expect(storage.map(({ variable, type, after }) => [variable, type, after])).toEqual([
        ['name', 'string', '"Coin"'],
        ['decimals', 'uint8', '18'],
        [expect.stringMatching(/^balances\[0x/), 'uint256', '7'],
      ])
      expect(await shop.getAddress()).not.toBe(await deployed.getAddress())
    })
  })

  test('calls are explained as transactions are', async () => {
    await withShop(hardhat2(plain), async ({ shop, buyer, explainCall }) => {
      const data = shop.interface.encodeFunctionData('buy', [30])
      const explained = await explainCall({ from: buyer, to: await shop.getAddress(), data })
      expect(explained.stack).toHaveLength(3)
      const unknown = await explainCall({ to: await shop.getAddress(), data: '0x12345678' })
      expect(unknown.reason?.message).toBe(
        "function selector was not recognized and there's no fallback function",
      )
    })
  })

  test('without artifacts the tree has addresses and data, and the stack the address', async () => {
    const files = [['artifacts/empty.json', {}]] as const
    await withShop(files, async ({ shop, explain }) => {
      const explained = await explain(failed(shop, 'buy', 30))
      const address = (await shop.getAddress()).toLowerCase()
      expect(explained.call).toMatchObject({ to: address, status: 'reverted' })
      expect(explained.call.contract).toBeUndefined()
      expect(explained.reason?.message).toMatch(
        /^reverted with an unrecognized custom error \(return data: 0x/,
      )
      expect(explained.stack?.at(-1)).toEqual({ address })
    })
  })
})

type Steps = NonNullable<RpcMethods['dev_traceSteps']['result']>
type Sources = NonNullable<RpcMethods['dev_transactionSources']['result']>
type Logs = readonly {
  pc: number
  op: string
  gas: number
  gasCost: number
  depth: number
  stack: string[]
}[]

/** A failed purchase, and how to ask about it. */
const withFailure = (
  run: (ask: <T>(method: string, ...params: unknown[]) => Promise<T>, scene: Scene) => Promise<void>,
  name = 'buy',
  given = 30,
) =>
  withShop(hardhat2(plain), async (scene) => {
    const { hash } = await failed(scene.shop, name, given)
    const provider = scene.shop.runner!.provider as JsonRpcProvider
    await run((method, ...params) => provider.send(method, [hash, ...params]), scene)
  })

describe('dev_traceSteps', () => {
  test('has the instructions of debug_traceTransaction, in any parts', () =>
    withFailure(async (ask) => {
      const { structLogs: logs } = await ask<{ structLogs: Logs }>('debug_traceTransaction')
      const parts: Steps['steps'][number][] = []
      for (let from = 0; from < logs.length; from += 300) {
        const answer = await ask<Steps>('dev_traceSteps', from, 300)
        expect([answer.total, answer.from]).toEqual([logs.length, from])
        parts.push(...answer.steps)
      }
      const common = ({ pc, op, gas, gasCost, stack }: Logs[number] | Steps['steps'][number]) => [
        pc,
        op,
        gas,
        gasCost,
        stack,
      ]
      expect(parts.map(common)).toEqual(logs.map(common))
      expect(parts.map(({ depth }) => depth + 1)).toEqual(logs.map(({ depth }) => depth))
    }))

  test('has memory when it changes, and the slots', () =>
    withFailure(async (ask) => {
      const { structLogs: logs } = await ask<{ structLogs: readonly { memory: string[] }[] }>(
        'debug_traceTransaction',
      )
      const { steps } = await ask<Steps>('dev_traceSteps', 0, 1000)
      let memory = '0x'
      for (const [index, step] of steps.entries()) {
        memory = step.memory ?? memory
        expect(memory).toBe(`0x${logs[index]!.memory.map((word) => word.slice(2)).join('')}`)
      }
      const read = steps.find(({ op }) => op === 'SLOAD')!
      expect(read.storage).toEqual({ slot: expect.any(String), value: expect.any(String) })
    }))

  test('names the line of an instruction', () =>
    withFailure(async (ask) => {
      const { structLogs: logs } = await ask<{ structLogs: Logs }>('debug_traceTransaction')
      const at = logs.findIndex(({ op }) => op === 'REVERT')
      const { steps } = await ask<Steps>('dev_traceSteps', at, 1)
      expect(steps[0]).toMatchObject({ op: 'REVERT', source: { path: PATH, line: lineOf('revert') } })
      const [source] = (await ask<Sources>('dev_transactionSources')).filter(
        ({ id }) => id === steps[0]!.source!.id,
      )
      const { start, end } = steps[0]!.source!
      expect(Buffer.from(source!.content!).subarray(start, end).toString()).toMatch(/^TooPoor\(/)
    }))

  test('has at most 1,000 instructions', async () => {
    const node = await freshNode({ network: 'ethereum' })
    const unknown = `0x${'ab'.repeat(32)}`
    expect((await refusal(node, 'dev_traceSteps', [unknown, 0, 1001])).message).toContain('at most 1000')
    expect(await call(node, 'dev_traceSteps', [unknown])).toBeNull()
  })
})

type Stored = NonNullable<RpcMethods['dev_storageVariables']['result']>

const run = compileProject({
  'contracts/Store.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
contract Store {
    struct Item { uint128 amount; bool isOpen; }
    int16 low = -2; bool flag = true; address owner;
    string text = "Coin"; string long; bytes empty;
    uint64[3] fixedList = [uint64(7), 8, 9];
    uint256[] numbers; Item[] items; string huge;
    mapping(address => uint256) balances;
    mapping(address => mapping(uint8 => Item)) nested;
    constructor() {
        owner = msg.sender;
        long = "A text of more than thirty-one bytes, in two slots.";
        for (uint256 i; i < 130; i++) numbers.push(i);
        items.push(Item(5, true)); items.push(Item(6, false));
        balances[msg.sender] = 12; nested[msg.sender][3] = Item(4, true);
        huge = string(new bytes(5000));
    }
}`,
})

/** A new contract of a project with one, on a chain that knows its artifacts. */
async function withDeployed(
  project: SolcRun,
  check: (contract: BaseContract, provider: JsonRpcProvider, owner: string) => Promise<void>,
) {
  const folder = await writeProject(hardhat2(project))
  await withServer({ network: 'ethereum', artifacts: [`${folder}/artifacts`] }, async ({ url }) => {
    const provider = new JsonRpcProvider(url, undefined, { staticNetwork: true, batchMaxCount: 1 })
    const signer = await provider.getSigner(0)
    const [{ abi, evm }] = Object.values(Object.values(project.output.contracts)[0]!) as [SolcContract]
    const contract = await new ContractFactory(abi as never, evm.bytecode.object, signer).deploy()
    await check(contract, provider, (await signer.getAddress()).toLowerCase())
    provider.destroy()
  })
  await rm(folder, { recursive: true })
}

/** The variables of the store by name, read with some keys. */
const withStore = (
  check: (read: (keys?: readonly string[]) => Promise<Stored>, owner: string) => Promise<void>,
) =>
  withDeployed(run, async (store, provider, owner) => {
    const at = await store.getAddress()
    const read = (keys: readonly string[] = []): Promise<Stored> =>
      provider.send('dev_storageVariables', [at, 'latest', keys])
    await check(read, owner)
  })

const guarded = compileProject({
  'contracts/Guarded.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;
contract Guarded {
    error Locked(uint256, address);
    uint128 left = 5; uint128 taken;
    mapping(address => mapping(uint256 => uint256)) paid;
    bool transient isLocked; uint256 transient depth;
    function enter(uint256 amount) external {
        if (isLocked) revert Locked(amount, msg.sender);
        isLocked = true;
        depth = amount;
        paid[msg.sender][amount] += left;
        this.enter(amount + 1);
    }
}`,
})

test('a step has the variables of its slot, transient ones too, and an error the arguments that have no names', () =>
  withDeployed(guarded, async (contract, provider, owner) => {
    const to = await contract.getAddress()
    const data = contract.interface.encodeFunctionData('enter', [3n])
    const request = { from: owner, to, data, gas: '0x7a120' }
    const hash: string = await provider.send('eth_sendTransaction', [request])
    const { total } = (await provider.send('dev_traceSteps', [hash, 0, 1])) as Steps
    const { steps: all } = (await provider.send('dev_traceSteps', [hash, 0, total])) as Steps
    const named = all.flatMap(({ op, variable }) => (variable === undefined ? [] : [`${op} ${variable}`]))
    const key = `paid[${owner}][3]`
    expect(named.filter((text, index) => text !== named[index - 1])).toEqual([
      'TLOAD isLocked',
      'TSTORE isLocked',
      'TSTORE depth',
      'SLOAD left, taken',
      `SLOAD ${key}`,
      `SSTORE ${key}`,
      'TLOAD isLocked',
    ])
    expect(await provider.send('dev_explainTransaction', [hash])).toMatchObject({
      reason: { message: `reverted with custom error 'Locked(4, ${to})'` },
    })
  }))

const valuesOf = ({ variables }: Stored) =>
  Object.fromEntries(variables.map(({ variable, value }) => [variable, value]))

describe('dev_storageVariables', () => {
  test('lists values, texts, lists and structs, and says what is left out', () =>
    withStore(async (read, owner) => {
      const found = await read()
      expect(found.isWhole).toBe(false)
      const values = valuesOf(found)
      expect(values).toMatchObject({
        low: '-2',
        flag: 'true',
        owner,
        text: '"Coin"',
        long: '"A text of more than thirty-one bytes, in two slots."',
        empty: '0x',
        'fixedList[0]': '7',
        'fixedList[2]': '9',
        'numbers.length': '130',
        'numbers[99]': '99',
        'items[0].amount': '5',
        'items[1].isOpen': 'false',
      })
      expect(values['huge']).toMatch(/\(5000 bytes\)$/)
      expect(Object.keys(values)).not.toContain('numbers[100]')
      expect(found.variables.find(({ variable }) => variable === 'balances')).toEqual({
        variable: 'balances',
        type: 'mapping(address => uint256)',
        slot: expect.stringMatching(/^0x0{62}[0-9a-f]{2}$/),
        offset: 0,
      })
    }))

  test('reads mappings at keys, and leaves out values of zero', () =>
    withStore(async (read, owner) => {
      const found = valuesOf(await read([owner, `0x${'11'.repeat(20)}`, '0x03']))
      expect(Object.entries(found).filter(([name]) => name.includes('['.concat('0x')))).toEqual([
        [`balances[${owner}]`, '12'],
        [`nested[${owner}][3].amount`, '4'],
        [`nested[${owner}][3].isOpen`, 'true'],
      ])
    }))

  test('is null without a layout, and has a bounded number of keys', async () => {
    const node = await freshNode()
    expect(await call(node, 'dev_storageVariables', [COW])).toBeNull()
    const keys = Array.from({ length: 101 }, () => '0x01')
    const { kind, message } = await refusal(node, 'dev_storageVariables', [COW, 'latest', keys])
    expect({ kind, message }).toEqual({
      kind: 'invalidParams',
      message: expect.stringContaining('at most 100 keys'),
    })
  })
})

test('dev_contractSources has the file of the contract first, and that behind a proxy', async () => {
  await withShop(hardhat2(plain), async ({ url, shop }) => {
    const provider = new JsonRpcProvider(url, undefined, { staticNetwork: true, batchMaxCount: 1 })
    expect(await provider.send('dev_contractSources', [await shop.getAddress()])).toEqual([
      {
        id: expect.any(String),
        path: PATH,
        content: expect.stringContaining('contract Shop'),
      },
    ])
    expect(await provider.send('dev_contractSources', [COW])).toBeNull()
    provider.destroy()
  })
  await withLedger(async ({ deploy, at, user, send }) => {
    const ledger = await deploy('Ledger')
    const data = at(ledger).interface.encodeFunctionData('initialize', [user])
    const proxy = await deploy('ERC1967Proxy', ledger, data)
    const found = (await send('dev_contractSources', [proxy])) as readonly { readonly path: string }[]
    const paths = found.map(({ path }) => path)
    expect(paths[0]).toMatch(/ERC1967Proxy\.sol$/)
    expect(paths).toContain('contracts/Ledger.sol')
    const { variables } = (await send('dev_storageVariables', [proxy])) as Stored
    expect(variables.length).toBeGreaterThan(0)
  })
})

test('dev_instructions names those of the hard fork', async () => {
  const names = await call(await freshNode({ network: 'ethereum' }), 'dev_instructions')
  expect(names).toHaveLength(256)
  expect([0x00, 0x0c, 0x5f, 0x60, 0x7f, 0xf5].map((opcode) => (names as readonly unknown[])[opcode])).toEqual(
    ['STOP', null, 'PUSH0', 'PUSH1', 'PUSH32', 'CREATE2'],
  )
})

describe('dev_getContract of native contracts', () => {
  const BRIDGE = '0x0000000000000000000000000000000001000006'
  type Contract = NonNullable<RpcMethods['dev_getContract']['result']>

  test('has their ABI on network 33', async () => {
    const node = await freshNode()
    const found = (await call(node, 'dev_getContract', [BRIDGE])) as Contract
    expect({ ...found, abi: found.abi.length > 58, bySelector: found.bySelector?.length }).toEqual({
      address: BRIDGE,
      name: 'bridge',
      isNative: true,
      abi: true,
      bySelector: expect.any(Number),
    })
    expect(found.bySelector).toContainEqual(
      expect.objectContaining({ name: 'getAuxBlockchainBestChainHeight', selector: '0x14c89c01' }),
    )
  })

  test('has names elsewhere, and nothing of a contract that the network does not have', async () => {
    const node = await freshNode({ network: 'ethereum' })
    expect(await call(node, 'dev_getContract', [`0x${'02'.padStart(40, '0')}`])).toMatchObject({
      name: 'sha256',
      isNative: true,
      abi: [],
      bySelector: [],
    })
    expect(await call(node, 'dev_getContract', [BRIDGE])).toBeNull()
  })
})

type Failure = RpcMethods['dev_failures']['result'][number]

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Requests to the node of a shop. */
const askerOf =
  ({ shop }: Pick<Scene, 'shop'>) =>
  (method: string, ...params: readonly unknown[]): Promise<any> =>
    (shop.runner!.provider as JsonRpcProvider).send(method, [...params])

const short = ({ kind, contract, function: name, place, removedAt }: Failure) => [
  kind,
  `${contract}.${name}`,
  place?.line,
  removedAt !== undefined,
]

const BUY = ['Shop.buy(uint256)', lineOf('revert TooPoor')]

describe('failures of a chain with known contracts', () => {
  test('a transaction, a call and an estimate stay after evm_revert, newest first', async () => {
    await withShop(hardhat2(plain), async (scene) => {
      const ask = askerOf(scene)
      const { shop, buyer } = scene
      const id = await ask('evm_snapshot')
      const { hash } = await failed(shop, 'buy', 30)
      await shop['buy']!.staticCall(40).catch(() => undefined)
      await shop['buy']!.estimateGas(50).catch(() => undefined)
      const before: readonly Failure[] = await ask('dev_failures')
      expect(before.map(({ removedAt }) => removedAt)).toEqual([undefined, undefined, undefined])
      await ask('evm_revert', id)
      const listed: readonly Failure[] = await ask('dev_failures')
      expect(listed.map(short)).toEqual([
        ['estimate', ...BUY, false],
        ['call', ...BUY, false],
        ['transaction', ...BUY, true],
      ])
      const [estimate, , transaction] = listed
      expect(transaction).toMatchObject({
        id: 1,
        hash,
        world: null,
        time: expect.stringMatching(TIME),
        removedAt: expect.stringMatching(TIME),
        reason: `reverted with custom error 'TooPoor(${buyer}, 1000, 3000)'`,
        arguments: [{ name: 'count', type: 'uint256', value: '30' }],
      })
      expect(await ask('dev_failures', 1)).toEqual([estimate])
    })
  })

  test('after the revert the whole explanation is that of before', async () => {
    await withShop(hardhat2(plain), async (scene) => {
      const ask = askerOf(scene)
      const id = await ask('evm_snapshot')
      await scene.shop['buy']!(1)
      const { hash } = await failed(scene.shop, 'buy', 30)
      await scene.shop['buy']!.staticCall(40).catch(() => undefined)
      const before: readonly Explained[] = [
        await ask('dev_explainTransaction', hash),
        await ask('dev_explainFailure', 2),
      ]
      expect(before.map(({ call: { arguments: given } }) => given?.[0]?.value)).toEqual(['30', '40'])
      await ask('evm_revert', id)
      await ask('evm_mine')
      expect(await ask('dev_explainTransaction', hash)).toBeNull()
      const { removedAt, ...transaction } = await ask('dev_explainFailure', hash)
      expect(removedAt).toMatch(TIME)
      expect([transaction, await ask('dev_explainFailure', 2)]).toEqual(before)
      const { removedAt: same, ...byId } = await ask('dev_explainFailure', 1)
      expect([same, byId]).toEqual([removedAt, transaction])
    })
  })

  test('the same transaction on the chain again is not removed, its first run is', async () => {
    await withShop(hardhat2(plain), async (scene) => {
      const ask = askerOf(scene)
      const id = await ask('evm_snapshot')
      const { hash } = await failed(scene.shop, 'buy', 30)
      await ask('evm_revert', id)
      const again = await failed(scene.shop, 'buy', 30)
      expect(again.hash).toBe(hash)
      const listed: readonly Failure[] = await ask('dev_failures')
      expect(listed.map(({ removedAt }) => removedAt !== undefined)).toEqual([false, true])
      expect((await ask('dev_explainFailure', hash)).removedAt).toBeUndefined()
    })
  })

  test('a transaction is found by the beginning of its hash, also after a revert', async () => {
    await withShop(hardhat2(plain), async (scene) => {
      const ask = askerOf(scene)
      const id = await ask('evm_snapshot')
      const { hash: good } = (await scene.shop['buy']!(1)) as { hash: string }
      const { hash } = await failed(scene.shop, 'buy', 30)
      expect(await ask('dev_findTransactions', hash.slice(0, 10).toUpperCase().replace('X', 'x'))).toEqual([
        hash,
      ])
      await ask('evm_revert', id)
      expect(await ask('dev_findTransactions', hash.slice(0, 10))).toEqual([hash])
      expect(await ask('dev_findTransactions', good.slice(0, 10))).toEqual([good])
      await expect(ask('dev_explainFailure', good)).rejects.toThrow(
        /transaction 0x\w{64} was removed by a revert at \d{4}-/,
      )
    })
  })

  test('those of a world are in the list of the world and of the default chain, also when it is deleted', async () => {
    await withShop(hardhat2(plain), async (scene) => {
      const ask = askerOf(scene)
      const world = new JsonRpcProvider(`${scene.url}/w/one`, undefined, {
        staticNetwork: true,
        batchMaxCount: 1,
      })
      const shop = new Contract(await scene.shop.getAddress(), scene.shop.interface, await world.getSigner(0))
      const { hash } = await failed(shop, 'buy', 30)
      await failed(scene.shop, 'buy', 31)
      expect((await world.send('dev_failures', [])).map((one: Failure) => one.world)).toEqual(['one'])
      world.destroy()
      await ask('dev_deleteWorld', 'one')
      const listed: readonly Failure[] = await ask('dev_failures')
      expect(listed.map((one) => [one.world, ...short(one).slice(0, 3)])).toEqual([
        [null, 'transaction', ...BUY],
        ['one', 'transaction', ...BUY],
      ])
      expect(await ask('dev_explainFailure', hash)).toMatchObject({ call: { contract: 'Shop' } })
    })
  })
})

/** Init code that reverts with the hash of the block before. */
const REVERTS_WITH_BLOCKHASH = '0x600143034060005260206000fd'

describe('failures without artifacts', () => {
  test('a call sees the blocks before it also after they were removed', async () => {
    const node = await freshNode({ network: 'ethereum' })
    const id = await call(node, 'evm_snapshot')
    for (let count = 0; count < 3; count++) await call(node, 'evm_mine')
    const { hash } = await call(node, 'eth_getBlockByNumber', ['0x2', false])
    await refusal(node, 'eth_call', [{ from: COW, data: REVERTS_WITH_BLOCKHASH }, '0x3'])
    await call(node, 'evm_revert', [id])
    const { call: explained } = await call(node, 'dev_explainFailure', [1])
    expect(explained.output).toBe(hash)
    await node.close()
  })

  test('the newest thousand are kept', async () => {
    const node = await freshNode({ network: 'ethereum' })
    for (let count = 0; count < 1005; count++) await refusal(node, 'eth_call', [{ from: COW, data: '0xfe' }])
    expect(await call(node, 'dev_explainFailure', [5])).toBeNull()
    expect(await call(node, 'dev_explainFailure', [6])).toMatchObject({ status: 'failed' })
    const [newest] = await call(node, 'dev_failures', [1])
    expect(newest).toMatchObject({ id: 1005, kind: 'call', reason: expect.stringContaining('invalid') })
    await node.close()
  })

  test('fewer are kept if they hold much input, or a long chain that was removed', async () => {
    const node = await freshNode({ network: 'ethereum' })
    await call(node, 'hardhat_setCode', [COW, '0xfe'])
    const data = `0x${'00'.repeat(1_000_000)}`
    for (let count = 0; count < 70; count++) await refusal(node, 'eth_call', [{ from: COW, to: COW, data }])
    expect(node.failures.all.length).toBe(67)
    const id = await call(node, 'evm_snapshot')
    for (let count = 0; count < 9000; count++) await call(node, 'evm_mine')
    await refusal(node, 'eth_call', [{ from: COW, to: COW }])
    await call(node, 'evm_revert', [id])
    expect(node.failures.all).toEqual([])
    await node.close()
  })

  test.each([
    [['dev_failures', [0]], 'expected a whole number from 1 to 100'],
    [['dev_explainFailure', ['0x1']], 'expected the id of a failure'],
    [['dev_findTransactions', ['0x']], 'expected 0x and from 1 to 64 digits'],
  ] as const)('refuses %j', async ([method, params], expected) => {
    const node = await freshNode()
    expect((await refusal(node, method, params)).message).toContain(expected)
    await node.close()
  })
})
