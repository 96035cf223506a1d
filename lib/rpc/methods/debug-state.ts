/** Methods that inspect states, the mempool and the message queue, and return witnesses for stateless execution. */

import { invalidParams } from '../../base/errors.ts'
import * as z from 'zod'
import { bytesToBigInt, toHash, toHex, toWord } from '../../base/hex.ts'
import type { BlockRef } from '../../chain/miner/block-resolver.ts'
import type { Node } from '../../node/node.ts'
import { simpleBlockRef } from '../../schema/requests.ts'
import { address, data, hash, index } from '../../schema/wire.ts'
import { dataText, hashText, quantityText } from '../../schema/results.ts'
import { param, readMethod } from '../../kernel/method.ts'
import { COW1, account, stateBlock } from './params.ts'

type ReplayedChain = Pick<Node, 'blockResolver' | 'replayer'>

/** Length of a slot's hash in bytes. */
const KEY_LENGTH = 32

const startKey = data.refine((key) => key.length <= KEY_LENGTH, 'expected at most 32 bytes')

/** Part of a contract's storage, by the hashes of the slots. */
const storageRange = z.strictObject({
  storage: z.record(hashText, z.strictObject({ key: hashText, value: hashText })),
  nextKey: hashText.nullable(),
})

export const storageRangeAt = readMethod({
  name: 'debug_storageRangeAt',
  summary: 'Storage of a contract before a transaction of a block, ordered by the hashes of the slots.',
  params: [
    param('block', simpleBlockRef, 'Hash, number or tag of the block.'),
    param('txIndex', index, 'Index of the transaction; the number of transactions for the state after all.'),
    param('address', address, 'The contract.'),
    param('startKey', startKey, 'Hash, or beginning of a hash, to start from.'),
    param('limit', index, 'Maximum words to return.'),
  ],
  result: storageRange,
  errors: ['unknownBlock'],
  example: {
    params: ['earliest', 0, '0x0000000000000000000000000000000001000006', '0x00', 10],
    result: { storage: {}, nextKey: null },
  },
  run: async ({ block, txIndex, address: contract, startKey: start, limit }, node: ReplayedChain) => {
    const state = await stateBefore(node, block, txIndex)
    const key = new Uint8Array(KEY_LENGTH)
    key.set(start)
    const slots: [string, { key: string; value: string }][] = []
    let nextKey: string | null = null
    for (const [slotHash, { slot, value }] of state.wholeStorage(contract).entries(key)) {
      if (slots.length >= limit) {
        nextKey = toHash(slotHash)
        break
      }
      slots.push([toHash(slotHash), { key: slot, value: toWord(bytesToBigInt(value)) }])
    }
    return { storage: Object.fromEntries(slots), nextKey }
  },
})

/** The state before a transaction. @throws NodeError 'unknownBlock', 'invalidParams' */
async function stateBefore({ blockResolver, replayer }: ReplayedChain, block: BlockRef, position: number) {
  const entry = blockResolver.entryAt(block)
  const { length } = entry.block.receipts
  if (position > length) {
    throw invalidParams(
      `params[1] (txIndex): transaction index ${position} is out of range, the block has ${length} transactions`,
    )
  }
  return replayer.stateAfter(entry, position)
}

export const codeByHash = readMethod({
  name: 'debug_codeByHash',
  summary: 'The code with a hash, if an account has it after a block, or null. Searches every account.',
  params: [param('hash', hash, 'Hash of the code.'), stateBlock],
  result: dataText.nullable(),
  example: { params: [`0x${'00'.repeat(32)}`], result: null },
  run: ({ hash: wanted, block }, { blockResolver }: Pick<Node, 'blockResolver'>) => {
    const { state } = blockResolver.at(block)
    for (const [, { codeHash, code }] of state.accounts()) {
      if (codeHash === wanted) return toHex(code)
    }
    if (!state.isPartial) return null
    throw invalidParams(
      `params[0] (hash): no account that differs from the block that this chain was forked from has code with hash ${wanted}; those of the remote cannot be searched`,
    )
  },
})

export const wireProtocolQueueSize = readMethod({
  name: 'debug_wireProtocolQueueSize',
  summary: 'Number of queued messages of peers: always 0, as the node has no peers.',
  result: quantityText,
  example: { params: [], result: '0x0' },
  run: () => '0x0',
})

/** Maximum quota: 2,000 seconds of nine tenths of a block's gas limit (node-rpc 6, row 18). */
const QUOTA_IN_BLOCKS = 2000 * 0.9

export const accountTransactionQuota = readMethod({
  name: 'debug_accountTransactionQuota',
  summary:
    'Gas that an account can send at once to a mempool with a gas quota per sender; null if it has sent no transaction. Without --gas-quota this node has no quota, so it is always the whole.',
  params: [account],
  result: z.strictObject({ timestamp: z.int(), availableVirtualGas: z.number() }).nullable(),
  example: { params: [COW1], result: null },
  run: (
    { address: sender },
    { chain: { head }, mempool, clock, quotas }: Pick<Node, 'chain' | 'clock' | 'mempool' | 'quotas'>,
  ) => {
    if (quotas !== undefined) return quotas.of(sender) ?? null
    if (mempool.nextNonce(sender, head.state.nonce(sender)) === 0n) return null
    const availableVirtualGas = Number(head.block.header.gasLimit) * QUOTA_IN_BLOCKS
    return { timestamp: Number(clock.now) * 1000, availableVirtualGas }
  },
})
