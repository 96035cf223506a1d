/** Forks that continue after a transaction of a block. The remote is a real node behind a socket. */

import { expect, test } from '@jest/globals'
import { withNode, withRemote } from '../support/forks.ts'
import type { TestRemote } from '../support/forks.ts'
import { fromHex, toHex } from '../../lib/base/hex.ts'
import { encodeRlp } from '../../lib/base/rlp.ts'
import { keccak256 } from '../../lib/crypto/keccak.ts'
import { withFaultProxy } from '../support/fault-proxy.ts'
import { call } from '../support/node.ts'

/** Creates a contract whose code is one zero byte. */
const CREATION = '0x60016000f3'
const TO = '0x00000000000000000000000000000000000000aa'

/** Mines a block with three transfers and two creations, and returns the hashes. */
async function fillBlock(remote: TestRemote): Promise<readonly string[]> {
  const [from] = await remote.call('eth_accounts')
  await remote.call('evm_setAutomine', [false])
  const hashes = []
  for (const [index, request] of [{}, { data: CREATION }, {}, { data: CREATION }, {}].entries()) {
    const target = 'data' in request ? {} : { to: TO, value: `0x${(index + 1).toString(16)}` }
    hashes.push(await remote.call('eth_sendTransaction', [{ from, gas: '0x200000', ...request, ...target }]))
  }
  await remote.call('evm_mine')
  await remote.call('evm_setAutomine', [true])
  await remote.call('evm_mine')
  return hashes
}

test.each(['ethereum', 'network-33'])('on %s the first block ends with the transaction', (network) =>
  withRemote({ network }, async (remote) => {
    const hashes = await fillBlock(remote)
    const receipts = await Promise.all(hashes.map((hash) => remote.call('eth_getTransactionReceipt', [hash])))
    const block = await remote.call('eth_getBlockByHash', [receipts[2].blockHash, false])
    await withNode({ forkUrl: remote.url, forkTransaction: hashes[2]! }, async (node) => {
      const head = await call(node, 'eth_getBlockByNumber', ['latest', false])
      expect(head.transactions).toEqual(hashes.slice(0, 3))
      const { number, timestamp, miner, gasLimit, parentHash } = block
      expect(head).toMatchObject({ number, timestamp, miner, gasLimit, parentHash })
      for (const [index, receipt] of receipts.slice(0, 3).entries()) {
        const own = await call(node, 'eth_getTransactionReceipt', [hashes[index]])
        // The local block has fewer transactions, so its hash is another.
        expect({ ...own, blockHash: receipt.blockHash }).toEqual(receipt)
      }
      expect(await call(node, 'eth_getBalance', [TO])).toBe('0x4')
      expect(await call(node, 'eth_getCode', [receipts[1].contractAddress])).toBe('0x00')
      expect(await call(node, 'eth_getCode', [receipts[3].contractAddress])).toBe('0x')
      await call(node, 'evm_mine')
      await call(node, 'evm_reset')
      expect(await call(node, 'eth_getBlockByNumber', ['latest', false])).toEqual(head)
    })
  }),
)

test('a world may continue after a transaction, and an unknown one is refused', () =>
  withRemote({ network: 'ethereum' }, async (remote) => {
    const hashes = await fillBlock(remote)
    await withNode({ network: 'ethereum' }, async (node) => {
      const world = { id: 'a', fork: { url: remote.url, transaction: hashes[0] } }
      expect(await call(node, 'dev_createWorld', [world])).toMatchObject({ blockNumber: '0x1' })
      expect(await call(node.worlds.all[0]!.chain, 'eth_getBalance', [TO])).toBe('0x1')
      const unknown = { url: remote.url, transaction: `0x${'11'.repeat(32)}` }
      await expect(call(node, 'dev_createWorld', [{ id: 'b', fork: unknown }])).rejects.toThrow(
        `the remote ${remote.url} has no mined transaction 0x1111`,
      )
    })
  }))

const DEPOSITOR = '0x00000000000000000000000000000000de9051d0'

/** A deposit of the OP Stack as its nodes answer: it mints 9 wei, of which it sends 5. */
const DEPOSIT = {
  type: '0x7e',
  hash: '',
  from: DEPOSITOR,
  to: TO,
  nonce: '0x0',
  gas: '0xf4240',
  gasPrice: '0x0',
  value: '0x5',
  input: '0x',
  v: '0x0',
  r: '0x0',
  s: '0x0',
  mint: '0x9',
  sourceHash: `0x${'cd'.repeat(32)}`,
  isSystemTx: false,
  depositReceiptVersion: '0x1',
}

const encodedDeposit = encodeRlp([
  fromHex(DEPOSIT.sourceHash),
  fromHex(DEPOSITOR),
  fromHex(TO),
  Uint8Array.of(9),
  Uint8Array.of(5),
  fromHex('0x0f4240'),
  new Uint8Array(),
  new Uint8Array(),
])
const DEPOSIT_BYTES = toHex(Uint8Array.of(0x7e, ...encodedDeposit))
DEPOSIT.hash = toHex(keccak256(fromHex(DEPOSIT_BYTES)))

/** Members of receipts that only rollups have. */
const ROLLUP_MEMBERS = { l1Fee: '0x1234', l1GasUsed: '0x10', depositNonce: '0x0' }

/** Runs a test with a proxy that adds a transaction to the beginning of a block, and members to receipts. */
const withRollup = (
  remote: TestRemote,
  { first, height }: { readonly first: typeof DEPOSIT; readonly height: number },
  run: (url: string) => Promise<void>,
) => {
  const place = { blockNumber: `0x${height.toString(16)}`, transactionIndex: '0x0' }
  const changed = (item: any): any => {
    if (Array.isArray(item)) return item.map(changed)
    const { result } = item
    if (Array.isArray(result?.transactions) && BigInt(result.number) === BigInt(height)) {
      const added = { ...first, ...place, blockHash: result.hash }
      return { ...item, result: { ...result, transactions: [added, ...result.transactions] } }
    }
    if (!Array.isArray(result)) return item
    const [receipt] = result
    const { from, to, hash, type } = first
    const own = { from, to, type, transactionHash: hash, gasUsed: '0x5208', cumulativeGasUsed: '0x5208' }
    const receipts = [{ ...receipt, ...own, contractAddress: null, effectiveGasPrice: '0x0' }, ...result]
    return { ...item, result: receipts.map((each) => ({ ...each, ...ROLLUP_MEMBERS })) }
  }
  const port = Number(new URL(remote.url).port)
  return withFaultProxy(
    () => ({ change: changed }),
    ({ httpUrl }) => run(httpUrl),
    { targetPort: port },
  )
}

test('a deposit of the OP Stack runs with its effects, and keeps its members', () =>
  withRemote({ network: 'ethereum' }, async (remote) => {
    const hashes = await fillBlock(remote)
    await withRollup(remote, { first: DEPOSIT, height: 1 }, async (forkUrl) => {
      await withNode({ forkUrl, forkTransaction: hashes[0]! }, async (node) => {
        const head = await call(node, 'eth_getBlockByNumber', ['latest', true])
        expect(head.transactions.map(({ hash }: typeof DEPOSIT) => hash)).toEqual([DEPOSIT.hash, hashes[0]])
        expect(head.transactions[0]).toMatchObject(DEPOSIT)
        expect(await call(node, 'eth_getBalance', [DEPOSITOR])).toBe('0x4')
        expect(await call(node, 'eth_getTransactionCount', [DEPOSITOR])).toBe('0x1')
        expect(await call(node, 'eth_getBalance', [TO])).toBe('0x6')
        for (const hash of [DEPOSIT.hash, hashes[0]])
          expect(await call(node, 'eth_getTransactionReceipt', [hash])).toMatchObject(ROLLUP_MEMBERS)
        expect(await call(node, 'debug_getRawTransaction', [DEPOSIT.hash])).toBe(DEPOSIT_BYTES)
        const dump = await call(node, 'anvil_dumpState', [])
        expect(await call(node, 'anvil_loadState', [dump])).toBe(true)
      })
      await withNode({ forkUrl, forkBlockNumber: 1n }, async (node) => {
        expect(await call(node, 'eth_getTransactionByHash', [DEPOSIT.hash])).toMatchObject(DEPOSIT)
        expect(await call(node, 'eth_getTransactionReceipt', [hashes[2]])).toMatchObject(ROLLUP_MEMBERS)
        const trace = await call(node, 'debug_traceTransaction', [DEPOSIT.hash, { tracer: 'callTracer' }])
        expect(trace).toMatchObject({ from: DEPOSITOR, to: TO, value: '0x5', gasUsed: '0x5208' })
        expect(await call(node, 'debug_traceTransaction', [hashes[0]])).toMatchObject({ failed: false })
      })
    })
  }))

test('a transaction that Arbitrum makes is refused with the advice to name a block', () =>
  withRemote({ network: 'ethereum' }, async (remote) => {
    const hashes = await fillBlock(remote)
    const first = { ...DEPOSIT, type: '0x6a' }
    await withRollup(remote, { first, height: 1 }, async (forkUrl) => {
      await expect(withNode({ forkUrl, forkTransaction: hashes[0]! }, async () => undefined)).rejects.toThrow(
        `transaction ${DEPOSIT.hash} of type 106 cannot be run here, because its rules are those of another network: continue from a whole block, with --fork-block-number 0 or 1, instead of --fork-transaction`,
      )
    })
  }))
