/** What is in a contract: sources, variables, instructions; and the ABI of native contracts. */

import { rm } from 'node:fs/promises'
import { describe, expect, test } from '@jest/globals'
import { ContractFactory, JsonRpcProvider } from 'ethers'
import type { RpcMethods } from '../../../lib/embedded/rpc-types.ts'
import { compileProject, hardhat2, writeProject } from '../../support/artifact-projects.ts'
import { withLedger } from '../../support/ledger.ts'
import { call, freshNode, refusal } from '../../support/node.ts'
import { withServer } from '../../support/server.ts'
import { PATH, plain, withShop } from '../../support/shop.ts'
import { COW } from '../../support/signing.ts'

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

/** The variables of the store by name, read with some keys. */
async function withStore(
  check: (read: (keys?: readonly string[]) => Promise<Stored>, owner: string) => Promise<void>,
) {
  const folder = await writeProject(hardhat2(run))
  await withServer({ network: 'ethereum', artifacts: [`${folder}/artifacts`] }, async ({ url }) => {
    const provider = new JsonRpcProvider(url, undefined, { staticNetwork: true })
    const signer = await provider.getSigner(0)
    const { abi, evm } = run.output.contracts['contracts/Store.sol']!['Store']!
    const store = await new ContractFactory(abi as never, evm.bytecode.object, signer).deploy()
    const at = await store.getAddress()
    await check(
      (keys = []) => provider.send('dev_storageVariables', [at, 'latest', keys]) as Promise<Stored>,
      (await signer.getAddress()).toLowerCase(),
    )
    provider.destroy()
  })
  await rm(folder, { recursive: true })
}

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
    const provider = new JsonRpcProvider(url, undefined, { staticNetwork: true })
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
}, 60_000)

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
