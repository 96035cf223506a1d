/** Every read method on remote blocks has the answer that the remote itself gives. */

import { describe, expect, test } from '@jest/globals'
import { dataOf, respond, withFork, withRemoteChain } from '../support/forked-node.ts'
import type { RemoteChain } from '../support/forked-node.ts'
import { call } from '../support/node.ts'

const quantity = (number: number) => `0x${number.toString(16)}`

type Question = readonly [method: string, ...params: unknown[]]

/** The questions about one block of the remote. */
async function questionsAbout(
  { ask, tracer, accounts }: RemoteChain,
  number: number,
): Promise<readonly Question[]> {
  const at = quantity(number)
  const { result: block } = await ask('eth_getBlockByNumber', [at, false])
  // The accounts of the head are funded by the fork, those of earlier blocks are not.
  const previous = number === 0 ? block.hash : block.parentHash
  const slots = [quantity(0), quantity(1), quantity(7)]
  const call = { from: accounts[1], to: tracer, data: '0x' }
  // Dialects differ in it by default.
  const withMemory = { enableMemory: true }
  const callTracer = { tracer: 'callTracer', tracerConfig: { withLog: true } }
  const ofTransactions = (block.transactions as string[]).flatMap((hash, index): Question[] => [
    ['eth_getTransactionByHash', hash],
    ['eth_getTransactionReceipt', hash],
    ['eth_getTransactionByBlockHashAndIndex', block.hash, quantity(index)],
    ['eth_getTransactionByBlockNumberAndIndex', at, quantity(index)],
    ['eth_getRawTransactionByBlockHashAndIndex', block.hash, quantity(index)],
    ['eth_getRawTransactionByBlockNumberAndIndex', at, quantity(index)],
    ['debug_getRawTransaction', hash],
    ['debug_traceTransaction', hash, withMemory],
    ['debug_traceTransaction', hash, callTracer],
    ['debug_traceTransaction', hash, { tracer: 'prestateTracer' }],
    ['debug_traceTransaction', hash, { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }],
    ['debug_traceTransaction', hash, { tracer: '4byteTracer' }],
    ['trace_transaction', hash],
    ['trace_get', hash, ['0x0']],
    ['ots_traceTransaction', hash],
    ['ots_getTransactionError', hash],
    ['ots_getInternalOperations', hash],
    ['node_getRawTransactionReceiptByHash', hash],
    ['node_getTransactionReceiptNodesByHash', block.hash, hash],
  ])
  return [
    ['eth_getBlockByNumber', at, false],
    ['eth_getBlockByNumber', at, true],
    ['eth_getBlockByHash', block.hash, true],
    ['eth_getHeaderByNumber', at],
    ['eth_getHeaderByHash', block.hash],
    ['eth_getBlockTransactionCountByHash', block.hash],
    ['eth_getBlockTransactionCountByNumber', at],
    ['eth_getBlocksByNumber', at],
    ['eth_getBlockReceipts', at],
    ['eth_getBlockReceipts', block.hash],
    ['eth_getBlockReceipts', { blockHash: block.hash, requireCanonical: true }],
    ['eth_getUncleCountByBlockHash', block.hash],
    ['eth_getUncleCountByBlockNumber', at],
    ['eth_getUncleByBlockHashAndIndex', block.hash, '0x0'],
    ['eth_getUncleByBlockNumberAndIndex', at, '0x0'],
    ['eth_getTransactionByBlockNumberAndIndex', at, '0x63'],
    ['eth_getLogs', { blockHash: block.hash }],
    ['eth_getLogs', { fromBlock: at, toBlock: at, address: tracer }],
    ['eth_getBalance', tracer, at],
    ['eth_getBalance', accounts[1], { blockHash: previous }],
    ['eth_getTransactionCount', accounts[0], at],
    ['eth_getCode', tracer, at],
    ['eth_getStorageAt', tracer, '0x0', at],
    ['eth_getStorageValues', { [tracer]: slots }, at],
    ['eth_getAccountInfo', tracer, at],
    ['eth_getAccount', tracer, at],
    ['eth_getAccount', accounts[0], { blockHash: previous }],
    ['eth_getProof', tracer, slots, at],
    ['eth_getProof', accounts[2], [], { blockHash: previous }],
    ['eth_getProof', `0x${'ab'.repeat(20)}`, ['0x0'], at],
    ['eth_call', call, at],
    ['eth_estimateGas', { from: accounts[1], to: accounts[2], value: '0x1' }, at],
    ['eth_createAccessList', call, at],
    ['eth_feeHistory', '0x3', at, [10, 90]],
    ['eth_simulateV1', { blockStateCalls: [{ calls: [call] }] }, at],
    ['debug_traceCall', call, at, callTracer],
    ['debug_getRawHeader', at],
    ['debug_getRawBlock', at],
    ['debug_getRawReceipts', at],
    ['debug_getRawTransactions', block.hash],
    ['debug_traceBlockByHash', block.hash, callTracer],
    ['debug_traceBlockByNumber', at, withMemory],
    ['trace_block', at],
    ['trace_filter', { fromBlock: at, toBlock: at }],
    ['ots_getBlockDetails', at],
    ['ots_getBlockDetailsByHash', block.hash],
    ['ots_getBlockTransactions', at, 0, 10],
    ['ots_hasCode', tracer, at],
    ['node_getRawBlockHeaderByHash', block.hash],
    ['node_getRawBlockHeaderByNumber', at],
    ['dev_getExecutionRequests', at],
    ...ofTransactions,
  ]
}

/**
 * An answer as text. Simulated blocks are without what follows from the state root, which on a fork covers only what differs
 * from the remote.
 */
function shown(method: string, answer: unknown): string {
  const text = JSON.stringify(answer)
  return method === 'eth_simulateV1' ? text.replaceAll(/"(hash\w*|stateRoot)":"0x[0-9a-f]+"/g, '') : text
}

/** The questions whose answer differs, with both answers. */
async function differing(
  remote: RemoteChain,
  questions: readonly Question[],
  options: object,
): Promise<readonly object[]> {
  const found: object[] = []
  await withFork(remote, options, async ({ node }) => {
    for (const [method, ...params] of questions) {
      const { result, error } = await remote.ask(method, params)
      const own = await respond(node, method, params)
      const [there, here] = [result ?? error?.message, own.result ?? own.error].map((one) =>
        shown(method, one),
      )
      if (here !== there)
        found.push({ method, params, here: here?.slice(0, 600), there: there?.slice(0, 600) })
    }
  })
  return found
}

describe.each(['ethereum', 'network-33'])('history of a remote of %s', (network) => {
  test('every read of a remote block is answered as by the remote', async () => {
    await withRemoteChain({ network }, async (remote) => {
      const found: object[] = []
      for (const number of [0, 1, 14, 15, 16, remote.height]) {
        const questions = await questionsAbout(remote, number)
        found.push(...(await differing(remote, questions, { network })))
      }
      expect(found).toEqual([])
    })
  })

  test('logs, filters, fees and searches go over the border', async () => {
    await withRemoteChain({ network }, async (remote) => {
      const { tracer, accounts, height } = remote
      await withFork(remote, { network }, async ({ node, asked }) => {
        const sent = {
          from: accounts[1],
          to: tracer,
          gas: quantity(3_000_000),
          data: await dataOf('nest', [7n]),
        }
        const own = [
          await call(node, 'eth_sendTransaction', [sent]),
          await call(node, 'eth_sendTransaction', [sent]),
        ]
        const { result: remoteLogs } = await remote.ask('eth_getLogs', [
          { fromBlock: '0x0', toBlock: 'latest' },
        ])
        const ownLogs = await call(node, 'eth_getLogs', [{ fromBlock: quantity(height + 1) }])
        expect(ownLogs.length).toBeGreaterThan(1)
        expect(remoteLogs.length).toBeGreaterThan(1)
        const everything = { fromBlock: '0x0', toBlock: 'latest' }
        expect(await call(node, 'eth_getLogs', [everything])).toEqual([...remoteLogs, ...ownLogs])
        const topics = [ownLogs[0].topics[0]]
        const withTopic = (log: any) => log.topics[0] === topics[0]
        const filter = { ...everything, address: tracer, topics }
        const wanted = [...remoteLogs, ...ownLogs].filter(withTopic)
        expect(await call(node, 'eth_getLogs', [filter])).toEqual(wanted)
        const id = await call(node, 'eth_newFilter', [filter])
        expect(await call(node, 'eth_getFilterLogs', [id])).toEqual(wanted)

        const fees = await call(node, 'eth_feeHistory', ['0x5', 'latest', [50]])
        const { result: before } = await remote.ask('eth_feeHistory', ['0x3', quantity(height), [50]])
        expect(fees.oldestBlock).toBe(quantity(height - 2))
        expect(fees.gasUsedRatio.slice(0, 3)).toEqual(before.gasUsedRatio)
        expect(fees.reward.slice(0, 3)).toEqual(before.reward)
        expect(fees.baseFeePerGas.slice(0, 4)).toEqual(before.baseFeePerGas)
        expect(fees.gasUsedRatio).toHaveLength(5)

        const { result: page } = await remote.ask('ots_searchTransactionsBefore', [tracer, 0, 100])
        const found = await call(node, 'ots_searchTransactionsBefore', [tracer, 0, 100])
        expect(found.txs.map((one: any) => one.hash)).toEqual([
          ...own.toReversed(),
          ...page.txs.map((one: any) => one.hash),
        ])
        const upwards = await call(node, 'ots_searchTransactionsAfter', [tracer, 0, 100])
        expect(upwards.txs).toEqual(found.txs)
        const { result: creator } = await remote.ask('ots_getContractCreator', [tracer])
        expect(await call(node, 'ots_getContractCreator', [tracer])).toEqual(creator)
        const { result: flat } = await remote.ask('trace_filter', [{ fromBlock: '0x0' }])
        const joined = await call(node, 'trace_filter', [{ fromBlock: '0x0' }])
        expect(joined.slice(0, flat.length)).toEqual(flat)
        expect(new Set(joined.slice(flat.length).map((one: any) => one.transactionHash))).toEqual(
          new Set(own),
        )

        asked()
        for (const hash of own) {
          await call(node, 'eth_getTransactionByHash', [hash])
          await call(node, 'eth_getTransactionReceipt', [hash])
          await call(node, 'debug_traceTransaction', [hash])
        }
        await call(node, 'eth_blockNumber')
        await call(node, 'eth_getBlockByNumber', ['latest', true])
        expect(asked()).toEqual([])
      })
    })
  })

  test('a transaction and a mined block wait for a remote hash that is not in memory', async () => {
    await withRemoteChain({ network }, async (remote) => {
      await withFork(remote, { network }, async ({ node, asked }) => {
        const [from] = await call(node, 'eth_accounts')
        const to = `0x${'cc'.repeat(20)}`
        /** Sends a transaction to code that stores the hash of a remote block, and returns what the remote was asked. */
        const store = async (number: number, mine: () => Promise<unknown>) => {
          await call(node, 'hardhat_setCode', [to, `0x600${number}40600055`])
          await call(node, 'eth_call', [{ from, to: from }, 'latest'])
          asked()
          await call(node, 'eth_sendTransaction', [{ from, to, gas: '0x20000' }])
          await mine()
          const { hash } = (await remote.ask('eth_getBlockByNumber', [`0x${number}`, false])).result
          expect(await call(node, 'eth_getStorageAt', [to, '0x0', 'latest'])).toBe(hash)
          return asked()
        }
        const height = BigInt(await call(node, 'eth_blockNumber'))
        expect(await store(3, async () => undefined)).toContain('eth_getBlockByNumber')
        await call(node, 'evm_setAutomine', [false])
        expect(await store(4, () => call(node, 'evm_mine'))).toContain('eth_getBlockByNumber')
        expect(BigInt(await call(node, 'eth_blockNumber'))).toBe(height + 2n)
      })
    })
  })
})
