import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { toHex } from '../../../../lib/base/hex.ts'
import type { RpcMethods } from '../../../../lib/embed/rpc-types.ts'
import type { Node } from '../../../../lib/node/node.ts'
import { assembleCode } from '../../../support/bytecode.ts'
import { cpuMs } from '../../../support/cpu-time.ts'
import { withFork } from '../../../support/forked-node.ts'
import { call, freshNode, refusal } from '../../../support/node.ts'
import { ONE_BYTE, PAYER, RECEIVER, send, withHistory } from '../otterscan.ts'
import { ask, rpc, withServer } from '../../../support/server.ts'
import { runs } from '../../../support/transaction-steps.ts'

type Page = RpcMethods['dev_addressTransactions']['result']

const pageOf = (node: Node, ...params: readonly unknown[]): Promise<Page> =>
  call(node, 'dev_addressTransactions', params)

const hashesOf = ({ transactions }: Page) => transactions.map(({ hash }) => hash)

/** All pages, each newest first, from the newest or from the oldest. */
async function walked(node: Node, address: string, count: number, direction: 'before' | 'after') {
  const pages: (readonly string[])[] = []
  let range: object | undefined =
    direction === 'before' ? {} : { after: { blockNumber: 0, transactionIndex: 99 } }
  while (range !== undefined) {
    const page: Page = await pageOf(node, address, range, count)
    if (direction === 'before') pages.push(hashesOf(page))
    else pages.unshift(hashesOf(page))
    const next: object | null = direction === 'before' ? page.older : page.newer
    range = next === null ? undefined : { [direction]: next }
  }
  return pages.flat()
}

/** The transactions of an address in all blocks, newest first. */
async function searched(node: Node, address: string): Promise<readonly string[]> {
  const hashes: string[] = []
  for (let number = Number(await call(node, 'eth_blockNumber')); number >= 0; number--) {
    const receipts = await call(node, 'eth_getBlockReceipts', [number])
    for (const { transactionHash, from, to, contractAddress } of receipts.toReversed())
      if ([from, to, contractAddress].includes(address)) hashes.push(transactionHash)
  }
  return hashes
}

describe.each(['ethereum', 'network-33'])('on %s', (network) => {
  test('has what the account sent, received, or was created by', async () => {
    const { node, sender, other, transfer, creation, payment, revert, last, contractAddress } =
      await withHistory(network)
    const { transactions, ...rest } = await pageOf(node, sender)
    expect(rest).toEqual({ total: 5, firstBlock: '0x0', older: null, newer: null })
    expect(transactions.map(({ hash }) => hash)).toEqual([last, revert, payment, creation, transfer])
    expect(transactions.map(({ status }) => status)).toEqual(['0x1', '0x0', '0x1', '0x1', '0x1'])
    for (const { hash, status, gasUsed, contractAddress: created, ...transaction } of transactions) {
      expect({ hash, ...transaction }).toEqual(await call(node, 'eth_getTransactionByHash', [hash]))
      expect(await call(node, 'eth_getTransactionReceipt', [hash])).toMatchObject({
        gasUsed,
        contractAddress: created,
        status,
      })
    }
    expect(hashesOf(await pageOf(node, contractAddress))).toEqual([creation])
    expect(hashesOf(await pageOf(node, other))).toEqual([last])
    expect(hashesOf(await pageOf(node, PAYER))).toEqual([payment])
    // The payment reaches the receiver by a call of the contract.
    expect(hashesOf(await pageOf(node, RECEIVER))).toEqual([transfer])
  })
})

test('refuses too many, and two directions', async () => {
  const node = await freshNode()
  const reasonOf = async (...params: readonly unknown[]) =>
    (await refusal(node, 'dev_addressTransactions', [RECEIVER, ...params])).message
  expect(await reasonOf({}, 101)).toContain('expected a number from 1 to 100')
  expect(await reasonOf({}, 0)).toContain('expected a number from 1 to 100')
  const place = { blockNumber: 1 }
  expect(await reasonOf({ before: place, after: place })).toContain('expected {before} or {after}')
  expect(await reasonOf({ before: 5 })).toContain('expected {blockNumber, transactionIndex}')
})

const anyCommand = fc.record({
  kind: fc.constantFrom(
    'send',
    'send',
    'send',
    'create',
    'many',
    'snapshot',
    'revert',
    'reorganize',
    'reserve',
  ),
  which: fc.nat(2),
  to: fc.nat(2),
})

type Command = typeof anyCommand extends fc.Arbitrary<infer Value> ? Value : never

async function run(node: Node, snapshots: string[], { kind, which, to }: Command): Promise<void> {
  const accounts = node.funded.map(({ address }) => address)
  const transfer = { from: accounts[which]!, to: accounts[to]!, value: '0x1' }
  const height = Number(await call(node, 'eth_blockNumber'))
  const id = snapshots.at(-1 - which)
  if (kind === 'send') await send(node, transfer)
  if (kind === 'create') await send(node, { from: accounts[which]!, data: toHex(assembleCode(ONE_BYTE)) })
  if (kind === 'reserve') await call(node, 'hardhat_mine', [3 + which])
  if (kind === 'snapshot') snapshots.push(await call(node, 'evm_snapshot'))
  if (kind === 'revert' && id !== undefined) await call(node, 'evm_revert', [id])
  if (kind === 'reorganize' && height > which) await call(node, 'anvil_reorg', [1 + which, []])
  if (kind !== 'many') return
  await call(node, 'evm_setAutomine', [false])
  for (let sent = 0; sent <= to; sent++) await send(node, transfer)
  await call(node, 'evm_mine')
  await call(node, 'evm_setAutomine', [true])
}

test.each(['ethereum', 'network-33'])(
  'agrees with a search of all blocks after reverts, reorganizations and in worlds on %s',
  (network) =>
    fc.assert(
      fc.asyncProperty(
        fc.array(anyCommand, { minLength: 4, maxLength: 20 }),
        fc.nat(9),
        fc.constantFrom(1, 2, 3, 100),
        async (commands, at, count) => {
          const node = await freshNode({ network, dialect: 'ethereum' })
          const chains = [{ node, snapshots: [] as string[] }]
          for (const [index, command] of commands.entries()) {
            for (const { node: chain, snapshots } of chains) await run(chain, snapshots, command)
            // The index of the shared blocks exists already, or not yet.
            if (index === at) await pageOf(node, RECEIVER)
            if (index === 5) {
              chains.push({ node: node.worlds.acquire('other').chain, snapshots: [] })
            }
            for (const { node: chain } of index % 3 === 0 ? chains : [])
              for (const { address } of chain.funded.slice(0, 3)) {
                const all = await searched(chain, address)
                for (const direction of ['before', 'after'] as const)
                  expect(await walked(chain, address, count, direction)).toEqual(all)
              }
          }
          await node.close()
        },
      ),
      runs(6),
    ),
)

test('a fork has its own transactions, and does not ask the remote for them', async () => {
  await withServer({ network: 'ethereum' }, async ({ port }) => {
    const [from] = JSON.parse((await ask({ port }, { body: rpc('eth_accounts') })).text).result
    const transfer = { from, to: RECEIVER, value: '0x1' }
    await ask({ port }, { body: rpc('eth_sendTransaction', [transfer]) })
    await withFork({ port }, { network: 'ethereum' }, async ({ node, asked }) => {
      const sent = await send(node, transfer)
      asked()
      const page = await pageOf(node, from)
      expect(hashesOf(page)).toEqual([sent])
      expect(page).toMatchObject({ total: 1, firstBlock: '0x2' })
      expect(asked()).toEqual([])
    })
  })
})

const hashesOnPage = ({ txs }: { txs: readonly { hash: string }[] }) => txs.map(({ hash }) => hash)

describe.each(['ethereum', 'network-33'])('on %s', (network) => {
  test('ots_getContractCreator finds the creation, and null for accounts without one', async () => {
    const { node, sender, creation, payment, contractAddress } = await withHistory(network)
    expect(await call(node, 'ots_getContractCreator', [contractAddress])).toEqual({
      hash: creation,
      creator: sender,
    })
    const [{ to: inner }] = await call(node, 'ots_getInternalOperations', [payment])
    // Nothing was stored there as code.
    expect(await call(node, 'ots_getContractCreator', [inner])).toBeNull()
    expect(await call(node, 'ots_getContractCreator', [PAYER])).toBeNull()
    expect(await call(node, 'ots_hasCode', [contractAddress, 'latest'])).toBe(true)
    expect(await call(node, 'ots_hasCode', [contractAddress, '0x1'])).toBe(false)
  })

  test('pages of the history of an account have no gaps and no repetitions', async () => {
    const { node, sender, transfer, creation, payment, revert, last } = await withHistory(network)
    const newestFirst = [last, revert, payment, creation, transfer]
    for (const direction of ['Before', 'After'] as const) {
      const pages: (readonly string[])[] = []
      for (let block = '0x0', isEnd = false; !isEnd;) {
        const page = await call(node, `ots_searchTransactions${direction}`, [sender, block, 2])
        expect(page.receipts.map((receipt: any) => receipt.transactionHash)).toEqual(hashesOnPage(page))
        expect(page[direction === 'Before' ? 'firstPage' : 'lastPage']).toBe(block === '0x0')
        if (direction === 'Before') pages.push(hashesOnPage(page))
        else pages.unshift(hashesOnPage(page))
        isEnd = page[direction === 'Before' ? 'lastPage' : 'firstPage']
        block = page.txs.at(direction === 'Before' ? -1 : 0).blockNumber
      }
      expect(pages.flat()).toEqual(newestFirst)
      expect(pages).toHaveLength(3)
    }
  })

  test('the history has internal calls, and is empty for an account without calls', async () => {
    const { node, transfer, payment } = await withHistory(network)
    const page = await call(node, 'ots_searchTransactionsBefore', [RECEIVER, 0, 10])
    expect(hashesOnPage(page)).toEqual([payment, transfer])
    expect([page.firstPage, page.lastPage]).toEqual([true, true])
    const { timestamp } = await call(node, 'eth_getBlockByNumber', ['0x3'])
    expect(page.receipts[0].timestamp).toBe(timestamp)
    const unused = await call(node, 'ots_searchTransactionsAfter', [`0x${'ee'.repeat(20)}`, 0, 10])
    expect(unused).toEqual({ txs: [], receipts: [], firstPage: true, lastPage: true })
  })
})

test.each(['ethereum', 'network-33'])('searches skip a billion reserved blocks on %s', async (network) => {
  const node = await freshNode({ network, dialect: 'ethereum' })
  const sender = node.funded[0]!.address
  const first = await send(node, { to: RECEIVER, value: '0x1' })
  await call(node, 'hardhat_mine', ['0x3b9aca00'])
  const creation = await send(node, { data: toHex(assembleCode(ONE_BYTE)) })
  const { contractAddress } = await call(node, 'eth_getTransactionReceipt', [creation])
  await call(node, 'hardhat_mine', ['0x3b9aca00'])
  await call(node, 'eth_getBlockByNumber', ['latest'])
  const startMs = cpuMs()
  expect(hashesOnPage(await call(node, 'ots_searchTransactionsBefore', [sender, 0, 9]))).toEqual([
    creation,
    first,
  ])
  expect(hashesOnPage(await call(node, 'ots_searchTransactionsAfter', [sender, 2, 9]))).toEqual([creation])
  expect(await call(node, 'ots_getContractCreator', [contractAddress])).toEqual({
    hash: creation,
    creator: sender,
  })
  expect(await call(node, 'ots_getContractCreator', [RECEIVER])).toBeNull()
  expect(await call(node, 'ots_getTransactionBySenderAndNonce', [sender, 1])).toBe(creation)
  expect(cpuMs() - startMs).toBeLessThan(5000)
})
