/** Contracts that are named by address and ABI. */

import { describe, expect, test } from '@jest/globals'
import { JsonRpcProvider } from 'ethers'
import { getAddress } from 'viem'
import type { ReceiptObject, RpcMethods } from '../../../lib/embed/rpc-types.ts'
import { asAddress } from '../../../lib/base/hex.ts'
import { loadContracts } from '../../support/contracts.ts'
import { call, freshNode, refusal } from '../../support/node.ts'
import { COW } from '../../support/signing.ts'
import { hardhat2 } from '../../support/artifact-projects.ts'
import { withLedger } from '../../support/ledger.ts'
import type { LedgerScene } from '../../support/ledger.ts'
import { PATH, plain, withShop } from '../../support/shop.ts'
import { talkingNode } from '../../support/talker.ts'

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
