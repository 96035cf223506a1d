/** Methods that take the chain back: snapshots, resets, removed or replaced blocks. Also methods that dump and load it as bytes. */

import { invalidParams } from '../../base/errors.ts'
import * as z from 'zod'
import { toQuantity, toHex, type Hash } from '../../base/hex.ts'
import { timeText } from '../../base/host.ts'
import { isJsonObject } from '../../base/json-text.ts'
import { finish } from '../../base/routine.ts'
import { reorganize, rollBack } from '../../chain/miner/reorganize.ts'
import {
  FORK_BLOCK_EXPECTED,
  HEADERS_EXPECTED,
  REMOTE_URLS_EXPECTED,
  readForkBlock,
  readHeaders,
  readRemoteUrls,
} from '../../config/fork-options.ts'
import { command, control, confirmed } from '../../kernel/control.ts'
import { param, readMethod, writeMethod } from '../../kernel/method.ts'
import type { RequestContext } from '../../kernel/request-context.ts'
import type { ForkRequest } from '../../node/fork-requests.ts'
import type { Node } from '../../node/node.ts'
import { transactionRequest } from '../../schema/requests.ts'
import { flag, hashText, list, quantityText, dataText } from '../../schema/results.ts'
import { boolean, hash, optional, quantity64, text, data, optionalWith, index } from '../../schema/wire.ts'
import { SEND_ERRORS, sendContext, signOrImpersonate, type SendingChain } from './eth-send.ts'

/** A member that `read` parses; null means absent. */
function member<T>(expected: string, read: (written: unknown) => T | undefined): z.ZodType<T | undefined> {
  return z.unknown().transform((written, context) => {
    if (written === undefined || written === null) return undefined
    const value = read(written)
    if (value === undefined) context.addIssue({ code: 'custom', message: `expected ${expected}` })
    return value
  })
}

/** One URL or several of the same chain. */
const urls = member(REMOTE_URLS_EXPECTED, readRemoteUrls)
const blockNumber = member(FORK_BLOCK_EXPECTED, readForkBlock)

/** A list of "name: value", or an object as in the configuration of Hardhat. */
const headers = member(HEADERS_EXPECTED, (written) =>
  isJsonObject(written)
    ? readHeaders(Object.entries(written).map(([name, value]) => `${name}: ${String(value)}`))
    : readHeaders(written),
)

const RESET_EXPECTED = 'expected {forking: {jsonRpcUrl, blockNumber, httpHeaders}}'

const forking = z
  .object({ jsonRpcUrl: urls, blockNumber, httpHeaders: headers }, RESET_EXPECTED)
  .partial()
  .transform(({ jsonRpcUrl, blockNumber, httpHeaders }) =>
    request({ forkUrl: jsonRpcUrl, forkBlockNumber: blockNumber, forkHeaders: httpHeaders }),
  )

/** The options of a reset: the remote chain to continue. Clients that want no fork send members without values. */
export const resetOptions: z.ZodType<ForkRequest | undefined> = z
  .object({ forking: forking.nullish() }, RESET_EXPECTED)
  .transform((options) => options.forking ?? undefined)

export const worldFork: z.ZodType<ForkRequest> = z
  .strictObject(
    { url: urls, blockNumber, transaction: hash.optional(), headers },
    'expected {url, blockNumber, transaction, headers}',
  )
  .partial()
  .transform((fork) => {
    const { url: forkUrl, blockNumber: forkBlockNumber, transaction, headers: forkHeaders } = fork
    return request({ forkUrl, forkBlockNumber, forkTransaction: transaction, forkHeaders }) ?? {}
  })

/** The members with values; undefined if there are none. */
function request(fork: ForkRequest): ForkRequest | undefined {
  const members = Object.entries(fork).filter(([, value]) => value !== undefined)
  return members.length === 0 ? undefined : Object.fromEntries(members)
}

/** A name must not look like a number, because ids are numbers. */
const snapshotName = text('a name of 1 to 100 characters that is no number', (name) =>
  name.length > 0 && name.length <= 100 && !/^(0x|[0-9])/i.test(name) ? name : undefined,
)

export const snapshotRef = z.union(
  [quantity64, snapshotName],
  'expected the id of a snapshot (a hex string such as "0x1") or its name',
)

const snapshotParam = param('snapshot', snapshotRef, 'Id that evm_snapshot returned, or name.')
const takeOptions = z.strictObject({ name: snapshotName.optional() }, 'expected {name}')
const revertOptions = z.strictObject({ keep: boolean.optional() }, 'expected {keep}')

export const snapshot = writeMethod({
  name: 'evm_snapshot',
  aliases: ['anvil_snapshot'],
  summary: 'Captures the chain as it is; returns the id to revert to.',
  params: [
    param('options', optional(takeOptions), '{name}: a name to revert to it by; no two have the same.'),
  ],
  result: quantityText,
  example: { params: [], result: '0x1' },
  run: ({ options }, { snapshots }: Pick<Node, 'snapshots'>) => toQuantity(snapshots.take(options?.name)),
})

export const revert = writeMethod({
  name: 'evm_revert',
  aliases: ['anvil_revert'],
  summary:
    'Puts the chain back to a snapshot; false if the snapshot does not exist, or an error with --strict-revert. It stays valid, without options in dialect hardhat only until then; those taken later are dropped unless they are kept.',
  params: [
    snapshotParam,
    param('options', optional(revertOptions), '{keep: true}: later snapshots stay valid.'),
  ],
  result: flag,
  errors: ['unknownSnapshot'],
  example: { params: ['0x1'], result: false },
  run: ({ snapshot: ref, options }, { snapshots }: Pick<Node, 'snapshots'>, { dialect }) =>
    snapshots.revert(ref, {
      keepsLater: options?.keep === true,
      isUsedUp: dialect === 'hardhat' && options === undefined,
    }),
})

export const listSnapshots = readMethod({
  name: 'dev_snapshots',
  summary: 'Snapshots that can be reverted to, oldest first.',
  result: list(
    z.strictObject({
      id: quantityText,
      name: z.string().nullable(),
      blockNumber: quantityText,
      blockHash: hashText,
      /** Time at which it was taken (ISO 8601). */
      time: z.string(),
      /** The last snapshot taken or reverted to before this one. */
      parent: quantityText.nullable(),
    }),
  ),
  example: { params: [], result: [] },
  run: (_, { snapshots }: Pick<Node, 'snapshots'>) =>
    snapshots.all.map(({ id, name, head, takenAt, parent }) => ({
      id: toQuantity(id),
      name: name ?? null,
      blockNumber: toQuantity(head.number),
      blockHash: head.hash,
      time: timeText(takenAt),
      parent: parent === undefined ? null : toQuantity(parent),
    })),
})

export const dropSnapshot = writeMethod({
  name: 'dev_dropSnapshot',
  summary: 'Forgets a snapshot; false if the snapshot does not exist. Snapshots taken after it stay.',
  params: [snapshotParam],
  result: flag,
  example: { params: ['0x1'], result: false },
  run: ({ snapshot: ref }, { snapshots }: Pick<Node, 'snapshots'>) => snapshots.drop(ref),
})

/** Members that the two methods of resets share. */
const resetDeclaration = {
  summary:
    'Puts the chain back to its first block (the genesis, or the block at which its fork or its world began), or makes it continue a remote chain, and forgets every snapshot. Chain id, hard fork and accounts stay those of the node.',
  params: [
    param(
      'options',
      optional(resetOptions),
      '{forking: {jsonRpcUrl, blockNumber, httpHeaders}}: the remote chain to continue, by default at its newest block that is not reorganized any more. Without jsonRpcUrl: the remote that the chain continues. Without forking: what the chain began with.',
    ),
  ],
  errors: ['remoteFailed'],
  run: ({ options }: { readonly options: ForkRequest | undefined }, node: Pick<Node, 'reset'>) =>
    node.reset(options),
} as const

export const reset = command({
  ...resetDeclaration,
  name: 'evm_reset',
  example: { params: [], result: null },
})

export const hardhatReset = control({
  ...resetDeclaration,
  name: 'hardhat_reset',
  aliases: ['anvil_reset', 'ganache_reset'],
  example: { params: [], result: true },
})

const SELECTION_EXPECTED =
  'expected {blocks, transactions, receipts, snapshots, keystore}, each true or false, and {format}: dev-node or anvil'

const selection = z.strictObject(
  {
    blocks: boolean.exactOptional(),
    transactions: boolean.exactOptional(),
    receipts: boolean.exactOptional(),
    snapshots: boolean.exactOptional(),
    keystore: boolean.exactOptional(),
    format: z.enum(['dev-node', 'anvil']).exactOptional(),
  },
  SELECTION_EXPECTED,
)

/** Anvil's param to keep states of past blocks. It has no effect, because states follow from the blocks. */
const wholeHistory = z.boolean().transform((): z.output<typeof selection> => ({}))

const savedState = z.strictObject({ path: z.string(), blockNumber: quantityText, blockHash: hashText })

export const dumpState = readMethod({
  name: 'dev_dumpState',
  aliases: ['anvil_dumpState', 'hardhat_dumpState', 'ganache_dumpState'],
  summary: 'The whole chain as the bytes of a state file: blocks, state, pool, clock, snapshots.',
  params: [
    param(
      'parts',
      optional(z.union([selection, wholeHistory], SELECTION_EXPECTED)),
      'Parts to include or leave out: blocks, transactions, receipts, snapshots, keystore; the default is --state-parts. With format anvil: accounts and the newest block, as Anvil reads them.',
    ),
  ],
  result: dataText,
  isConfidential: true,
  run: async ({ parts: { format, ...parts } = {} }, { stateKeeper }: Pick<Node, 'stateKeeper'>) =>
    toHex(await stateKeeper.dump(parts, format)),
})

export const loadState = confirmed({
  name: 'dev_loadState',
  aliases: ['anvil_loadState', 'hardhat_loadState', 'ganache_loadState'],
  summary: 'Replaces the chain by a dumped one, and its snapshots by those of the dump, if it has any.',
  params: [
    param('state', data, "Result of dev_dumpState or of Anvil's anvil_dumpState, or bytes of a state file."),
  ],
  isConfidential: true,
  errors: ['invalidState'],
  example: { params: ['0x00'], refusal: 'invalidState' },
  run: ({ state }, { stateKeeper }: Pick<Node, 'stateKeeper'>) => stateKeeper.load(state),
})

export const saveState = readMethod({
  name: 'dev_saveState',
  summary: 'Writes the state file of --state or --dump-state to the disk; a killed node continues from it.',
  result: savedState,
  errors: ['invalidState'],
  example: { params: [], refusal: 'invalidState' },
  run: async (_, { stateKeeper, chain }: Pick<Node, 'chain' | 'stateKeeper'>) => {
    const { hash, header } = chain.head.block
    return { path: await stateKeeper.saveHeld(), blockNumber: toQuantity(header.number), blockHash: hash }
  },
})

export const rollback = command({
  name: 'anvil_rollback',
  summary: 'Removes the newest blocks. Their transactions are not pooled again; the time does not go back.',
  params: [param('depth', optionalWith(index, 1), 'How many blocks; one if left out.')],
  errors: ['invalidParams'],
  example: { params: [0], result: null },
  run: ({ depth }, { chain }: Pick<Node, 'chain'>) => rollBack(chain, depth),
})

const PAIRS_EXPECTED =
  'expected a list of pairs [transaction, block]: a transaction object or a signed transaction, and the index of its block from 0'

const pair = z
  .tuple([z.union([data, transactionRequest], PAIRS_EXPECTED), index], PAIRS_EXPECTED)
  .transform(([transaction, block]) => ({ transaction, block }))

type Placed = z.output<typeof pair>

const pairs = z.array(pair, PAIRS_EXPECTED).readonly()

const depthOrOptions = z.union(
  [
    index.transform((depth) => ({ depth, tx_block_pairs: undefined })),
    z.strictObject({ depth: index, tx_block_pairs: pairs.optional() }),
  ],
  'expected a number of blocks, or {depth, tx_block_pairs}',
)

export const reorg = command({
  name: 'anvil_reorg',
  summary:
    'Replaces the newest blocks by as many others, empty or with the given transactions. Transactions of the old blocks are not pooled again.',
  params: [
    param('depth', depthOrOptions, 'How many blocks; or an object of both params.'),
    param('tx_block_pairs', optional(pairs), 'Transactions, each with the index of its block from 0.'),
  ],
  errors: ['invalidParams', 'miningRefused', 'unknownAccount', 'lockedAccount', ...SEND_ERRORS],
  example: { params: [0, []], result: null },
  run: (
    { depth: options, tx_block_pairs: listed },
    node: SendingChain & Pick<Node, 'chain' | 'instance'>,
    context,
  ) => {
    const { depth, tx_block_pairs: named } = options
    const placed = named ?? listed ?? []
    checkPlaces(placed, depth)
    return node.instance.atomically(() => replaceBlocks({ depth, placed }, node, context))
  },
})

function checkPlaces(placed: readonly Placed[], depth: number): void {
  const beyond = placed.find(({ block }) => block >= depth)
  if (beyond === undefined) return
  throw invalidParams(
    `params[1] (tx_block_pairs): there is no block ${beyond.block}, with depth ${depth} they are counted from 0 to ${depth - 1}`,
  )
}

/** @throws NodeError 'invalidParams' if a transaction did not get into its block, or the error of sending it */
async function replaceBlocks(
  { depth, placed }: { readonly depth: number; readonly placed: readonly Placed[] },
  node: SendingChain & Pick<Node, 'chain' | 'instance'>,
  context: RequestContext,
): Promise<void> {
  const { chain, codec, submission } = node
  const kept = chain.head.block.header.number - BigInt(depth)
  const sent: { readonly hash: Hash; readonly block: number }[] = []
  await reorganize(node, depth, async (block) => {
    for (const { transaction } of placed.filter((pair) => pair.block === block)) {
      const isSigned = transaction instanceof Uint8Array
      const sending = sendContext(node, context)
      const decoded = isSigned
        ? codec.decode(transaction)
        : await finish(signOrImpersonate(transaction, sending))
      await finish(submission.submit(decoded, sending.nextBlock))
      sent.push({ hash: decoded.hash, block })
    }
  })
  for (const { hash, block } of sent) {
    const mined = chain.receipt(hash)
    const number = kept + BigInt(block) + 1n
    if (mined?.entry.block.header.number === number) {
      context.logTransaction(mined.receipt, number)
      continue
    }
    throw invalidParams(
      `params[1] (tx_block_pairs): transaction ${hash} did not get into block ${block}: its nonce, its gas or its fee do not fit there`,
    )
  }
}
