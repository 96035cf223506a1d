/** Contracts that are named by address and ABI, and names in the log and in explanations, as the client and the terminal get them. */

import { describe, expect, test } from '@jest/globals'
import { JsonRpcProvider, Interface } from 'ethers'
import { getAddress } from 'viem'
import type { ReceiptObject, RpcMethods } from '../../../lib/embed/rpc-types.ts'
import { asAddress } from '../../../lib/base/hex.ts'
import { loadContracts } from '../../support/contracts.ts'
import { call, freshNode, refusal } from '../../support/node.ts'
import { COW } from '../../support/signing.ts'
import { hardhat2, compileProject, writeProject } from '../../support/artifact-projects.ts'
import { withLedger } from '../../support/ledger.ts'
import type { LedgerScene } from '../../support/ledger.ts'
import { PATH, plain, withShop } from '../../support/shop.ts'
import { talkingNode } from '../../support/talker.ts'
import type { RequestLogEntry } from '../../../lib/config/request-log.ts'
import { answerOf, withServer } from '../../support/server.ts'
import { join } from 'node:path'

const NAMED = { name: 'Bank', abi: [{ type: 'function', name: 'pay', inputs: [], outputs: [] }] }

test('the custom errors of a named contract have names in the log and in errors, also after a revert', async () => {
  const { node, talker, request, logged } = await talkingNode()
  const { abi } = (await loadContracts()).Talker
  const snapshot = await call(node, 'evm_snapshot')
  expect(await call(node, 'dev_addContract', [talker, { name: 'Talker', abi }])).toBeNull()
  await call(node, 'evm_revert', [snapshot])
  const { error, transaction } = await logged('eth_sendTransaction', [request('refuse', [8])], 'hardhat')
  const name = `Refused(${getAddress(talker)}, [8, 2], (3, "shield"))`
  expect(transaction?.reason).toBe(`custom error ${name}`)
  const quoted = `Refused("${getAddress(talker)}", [8, 2], [3, "shield"])`
  expect(error?.message).toContain(`reverted with custom error '${quoted}'`)
})

test('a later name replaces an earlier one, and a world begins with the names of the default chain', async () => {
  const node = await freshNode()
  await call(node, 'dev_addContract', [COW, NAMED])
  await call(node, 'dev_addContract', [COW, { ...NAMED, name: 'Vault' }])
  const { chain: world } = node.worlds.create('other')
  expect(world.namedContracts.at(asAddress(COW))).toMatchObject({ name: 'Vault', abi: NAMED.abi })
  await call(world, 'dev_addContract', [COW, NAMED])
  expect(node.namedContracts.at(asAddress(COW))?.name).toBe('Vault')
})

test.each([
  ['no name', { abi: [] }, 'name of the contract'],
  ['an ABI that is no list', { name: 'Bank', abi: 'pay()' }, 'the ABI, a list of objects'],
  [
    'a wrong item',
    { name: 'Bank', abi: [...NAMED.abi, { type: 'event', inputs: 5 }] },
    'abi[1] is not an item',
  ],
])('%s is refused', async (_case, contract, text) => {
  const { kind, message } = await refusal(await freshNode(), 'dev_addContract', [COW, contract])
  expect({ kind, message }).toEqual({ kind: 'invalidParams', message: expect.stringContaining(text) })
})

type ContractSearch = RpcMethods['dev_findContracts']['result']
type Contract = NonNullable<RpcMethods['dev_getContract']['result']>

/** Address of a minimal proxy (EIP-1167). */
async function cloneOf(scene: LedgerScene, ledger: string): Promise<string> {
  const cloner = scene.at(await scene.deploy('Cloner'), 'Cloner')
  const { hash } = (await cloner['clone']!(ledger)) as { readonly hash: string }
  const { logs } = (await scene.send('eth_getTransactionReceipt', [hash])) as ReceiptObject
  return getAddress(`0x${logs[0]!.data.slice(-40)}`)
}

describe('dev_findContracts', () => {
  test('finds contracts by names of theirs, of functions and events, by selectors and addresses', () =>
    withShop(hardhat2(plain), async ({ url, shop, token }) => {
      const provider = new JsonRpcProvider(url, undefined, { staticNetwork: true, batchMaxCount: 1 })
      const [shopAt, tokenAt] = await Promise.all([shop.getAddress(), token.getAddress()])
      const find = async (text: string) => provider.send('dev_findContracts', [text]) as Promise<object>
      expect(await find('SHO')).toEqual({
        contracts: [{ address: shopAt.toLowerCase(), name: 'Shop', functions: [], events: [] }],
        hasMore: false,
      })
      expect(await find('approve')).toEqual({
        contracts: [{ address: tokenAt.toLowerCase(), name: 'Token', functions: ['approve'], events: [] }],
        hasMore: false,
      })
      const moves = { address: tokenAt.toLowerCase(), name: 'Token', functions: ['transfer', 'transferFrom'] }
      expect(await find('transfer')).toMatchObject({ contracts: [{ ...moves, events: ['Transfer'] }] })
      expect(await find('0xA9059C')).toMatchObject({ contracts: [{ functions: ['transfer'], events: [] }] })
      expect(await find(shopAt.slice(0, 10))).toMatchObject({ contracts: [{ name: 'Shop', functions: [] }] })
      expect(await find('nothing of the kind')).toEqual({ contracts: [], hasMore: false })
      provider.destroy()
    }))

  test('finds a contract behind a proxy, and no more than a hundred', () =>
    withLedger(async (scene) => {
      const ledger = await scene.deploy('Ledger')
      const user = scene.at(ledger).interface.encodeFunctionData('initialize', [scene.user])
      const proxy = await scene.deploy('ERC1967Proxy', ledger, user)
      const found = await scene.send('dev_findContracts', ['ledger'])
      expect(found).toEqual({
        contracts: expect.arrayContaining([
          { address: ledger.toLowerCase(), name: 'Ledger', functions: [], events: [] },
          { address: proxy.toLowerCase(), name: 'ERC1967Proxy', functions: [], events: [] },
        ]),
        hasMore: false,
      })
      const code = await scene.send('eth_getCode', [ledger, 'latest'])
      for (let at = 0; at < 100; at++)
        await scene.send('hardhat_setCode', [`0x${String(at).padStart(40, 'f')}`, code])
      const { contracts, hasMore } = (await scene.send('dev_findContracts', ['ledger'])) as ContractSearch
      expect({ found: contracts.length, hasMore }).toEqual({ found: 100, hasMore: true })
    }))
})

describe('dev_getContract', () => {
  test('knows a contract of the artifacts by its code, and a named one', () =>
    withShop(hardhat2(plain), async ({ url, shop }) => {
      const provider = new JsonRpcProvider(url, undefined, { staticNetwork: true, batchMaxCount: 1 })
      const at = (await shop.getAddress()).toLowerCase()
      expect(await provider.send('dev_getContract', [at])).toEqual({
        address: at,
        name: 'Shop',
        file: PATH,
        compiler: expect.stringMatching(/^0\.8\.\d+/),
        abi: plain.output.contracts[PATH]!['Shop']!.abi,
      })
      // The shop was not there at the beginning.
      expect(await provider.send('dev_getContract', [at, '0x0'])).toBeNull()
      await provider.send('dev_addContract', [at, NAMED])
      expect(await provider.send('dev_getContract', [at])).toEqual({ address: at, ...NAMED })
      provider.destroy()
    }))

  test.each(['ERC1967Proxy', 'a clone'])('knows the contract behind %s', (kind) =>
    withLedger(async (scene) => {
      const ledger = await scene.deploy('Ledger')
      const user = scene.at(ledger).interface.encodeFunctionData('initialize', [scene.user])
      const proxy = kind === 'a clone' ? await cloneOf(scene, ledger) : await scene.deploy(kind, ledger, user)
      const found = (await scene.send('dev_getContract', [proxy])) as Contract
      expect(found.implementation).toMatchObject({ name: 'Ledger', address: ledger.toLowerCase() })
      expect(found.name).toBe(kind === 'a clone' ? undefined : kind)
    }),
  )
})

type Listed = RpcMethods['dev_contracts']['result']

describe('dev_contracts', () => {
  test('lists contracts of transactions, of contracts and of edits, with what was sent to them', () =>
    withLedger(async (scene) => {
      const ledger = (await scene.deploy('Ledger')).toLowerCase()
      const clone = (await cloneOf(scene, ledger)).toLowerCase()
      const failing = { from: scene.user, to: clone, data: '0x12345678', gas: '0x186a0' }
      await scene.send('eth_sendTransaction', [failing]).catch(() => undefined)
      const edited = `0x${'ff'.repeat(20)}`
      await scene.send('hardhat_setCode', [edited, '0x00'])
      await scene.send('hardhat_setBalance', [edited, '0x7'])
      const { contracts, total } = (await scene.send('dev_contracts', [])) as Listed
      expect(total).toBe(contracts.length)
      const nothing = { transactionHash: null, transactions: 0, failed: 0, gasUsed: '0x0' }
      expect(contracts.slice(0, 2)).toEqual([
        { address: edited, balance: '0x7', blockNumber: '0x4', ...nothing },
        {
          address: clone,
          implementation: ledger,
          balance: '0x0',
          blockNumber: '0x3',
          transactionHash: null,
          transactions: 1,
          failed: 1,
          gasUsed: expect.stringMatching(/^0x5/),
        },
      ])
      expect(contracts[2]).toMatchObject({ name: 'Cloner', blockNumber: '0x2', transactions: 2, failed: 0 })
      const { hash } = (await scene.send('eth_getBlockByNumber', ['0x1', true])).transactions[0] as {
        hash: string
      }
      expect(contracts[3]).toMatchObject({
        name: 'Ledger',
        file: 'contracts/Ledger.sol',
        transactionHash: hash,
        transactions: 1,
      })
      expect(contracts.slice(4).every(({ blockNumber }) => blockNumber === '0x0')).toBe(true)
    }))
})

const BANK_PATH = 'contracts/Bank.sol'
const run = compileProject({
  [BANK_PATH]: `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
contract Coin {
    string public symbol = "MTK";
    uint8 public decimals = 6;
    mapping(address => uint256) public balances;
    event Transfer(address indexed from, address indexed to, uint256 value);
    function approve(address, uint256) external {}
    function transferFrom(address from, address to, uint256 value) external {
        balances[to] += value;
        emit Transfer(from, to, value);
    }
}
contract Bank {
    Coin coin;
    constructor(Coin first) { coin = first; }
    function deposit(uint256 amount) external { coin.transferFrom(msg.sender, address(this), amount); }
}
`,
})
const { Bank, Coin } = run.output.contracts[BANK_PATH]!
const [bank, coin] = [Bank!, Coin!].map(({ abi }) => new Interface(abi as never))
const PROXY_BEFORE = '363d3d373d3d3d363d73'
const PROXY_AFTER = '5af43d82803e903d91602b57fd5bf3'

/** Sends transactions, and returns what the log says and the explanation of the last one. */
async function sent(artifacts: boolean) {
  const entries: RequestLogEntry[] = []
  const folder = await writeProject(artifacts ? hardhat2(run) : [])
  const options = {
    network: 'ethereum',
    ...(artifacts && { artifacts: [join(folder, 'artifacts')] }),
  } as const
  let [explained, described]: any[] = []
  await withServer(
    options,
    async ({ url }) => {
      const ask = async (method: string, ...params: readonly unknown[]): Promise<any> => {
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        })
        return ((await response.json()) as { result: unknown }).result
      }
      const accounts = (await ask('eth_accounts')) as readonly string[]
      const send = (from: number, request: object): Promise<string> =>
        ask('eth_sendTransaction', { from: accounts[from], ...request })
      const deployed = async (data: string) =>
        (await ask('eth_getTransactionReceipt', await send(0, { data }))).contractAddress as string
      const token = await deployed(`0x${Coin!.evm.bytecode.object}`)
      const vault = await deployed(`0x${Bank!.evm.bytecode.object}${bank!.encodeDeploy([token]).slice(2)}`)
      const clone = await deployed(`0x3d602d80600a3d3981f3${PROXY_BEFORE}${token.slice(2)}${PROXY_AFTER}`)
      await send(2, { to: accounts[3], value: '0x14d1120d7b160000' })
      await send(1, { to: token, data: coin!.encodeFunctionData('approve', [vault, 2_500_000n]) })
      await send(1, { to: clone, data: coin!.encodeFunctionData('approve', [clone, 1n]) })
      const hash = await send(1, { to: vault, data: bank!.encodeFunctionData('deposit', [12_000_000n]) })
      explained = await ask('dev_explainTransaction', hash)
      await ask('evm_setAutomine', false)
      const pooled = await send(1, {
        to: vault,
        data: bank!.encodeFunctionData('deposit', [1n]),
        gas: '0x30d40',
      })
      described = await ask('dev_describeTransactions', [hash, pooled, `0x${'ee'.repeat(32)}`])
    },
    { onRequest: (entry) => entries.push(entry) },
  )
  return { actions: entries.flatMap(({ transaction }) => transaction?.action ?? []), explained, described }
}

describe('with artifacts', () => {
  test('transactions are functions of contracts with amounts of tokens, by accounts', async () => {
    const { actions, explained, described } = await sent(true)
    expect(described).toEqual([
      { from: 'account 1', call: 'Bank.deposit(12 MTK)' },
      { from: 'account 1', call: 'Bank.deposit(1)' },
      null,
    ])
    expect(actions).toEqual([
      expect.stringMatching(/^new Coin at 0x[0-9a-f]{40} from account 0$/),
      expect.stringMatching(/^new Bank at 0x[0-9a-f]{40} from account 0$/),
      expect.stringMatching(/^new contract at 0x[0-9a-f]{40} from account 0$/),
      '1.5 ether to account 3 from account 2',
      'Coin.approve(Bank, 2.5 MTK) from account 1',
      'Coin (proxy).approve(Coin (proxy), 1) from account 1',
      'Bank.deposit(12 MTK) from account 1',
    ])
    expect(Object.values(explained.names)).toEqual(expect.arrayContaining(['account 1', 'Bank', 'Coin']))
    const token = explained.tokens[0].token
    expect(explained.units).toEqual({ [token]: { symbol: 'MTK', decimals: 6 } })
    // The fees of the miner are left out.
    expect(explained.balances).toHaveLength(1)
  })
})

describe('without artifacts', () => {
  test('transactions have the functions of common standards, and tokens their symbols', async () => {
    const { actions } = await sent(false)
    expect(actions.slice(3, 5)).toEqual([
      '1.5 ether to account 3 from account 2',
      expect.stringMatching(/^MTK\.approve\(0x\w{40}, 2\.5 MTK\) from account 1$/),
    ])
  })
})

test('a call of the Bridge has the name of its function, also by a selector of its own', () =>
  withServer({ federation: 'off' }, async ({ url, accounts }) => {
    const request = { from: accounts[0]!.address, to: '0x0000000000000000000000000000000001000006' }
    const sent = { ...request, data: '0x0c5a9990', gas: '0xf4240' }
    const { result, error } = await answerOf(url, 'eth_sendTransaction', [sent])
    const described = await answerOf(url, 'dev_describeTransactions', [[result ?? error.data?.txHash]])
    expect(described.result).toMatchObject([{ call: 'bridge.updateCollections()' }])
  }))
