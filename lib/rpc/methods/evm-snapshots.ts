/** Methods that take snapshots of the chain, revert to them, reset the chain, and dump and load it as bytes. */

import * as z from 'zod'
import { FORK_BLOCK_EXPECTED, HEADERS_EXPECTED, REMOTE_URLS_EXPECTED } from '../../config/fork-options.ts'
import { readForkBlock, readHeaders, readRemoteUrls } from '../../config/fork-options.ts'
import type { ForkRequest } from '../../node/fork-requests.ts'
import { boolean, hash, optional, quantity64, text, data } from '../../schema/wire.ts'
import { toQuantity, toHex } from '../../base/hex.ts'
import { timeText } from '../../base/host.ts'
import { isJsonObject } from '../../base/json-text.ts'
import type { Node } from '../../node/node.ts'
import { flag, hashText, list, quantityText, dataText } from '../../schema/results.ts'
import { command, control, confirmed } from '../../kernel/control.ts'
import { param, readMethod, writeMethod } from '../../kernel/method.ts'

/** A member that `read` parses; null means absent. */
function member<T>(expected: string, read: (given: unknown) => T | undefined): z.ZodType<T | undefined> {
  return z.unknown().transform((given, context) => {
    if (given === undefined || given === null) return undefined
    const value = read(given)
    if (value === undefined) context.addIssue({ code: 'custom', message: `expected ${expected}` })
    return value
  })
}

/** One URL or several of the same chain. */
const urls = member(REMOTE_URLS_EXPECTED, readRemoteUrls)
const blockNumber = member(FORK_BLOCK_EXPECTED, readForkBlock)

/** A list of "name: value", or an object as in the configuration of Hardhat. */
const headers = member(HEADERS_EXPECTED, (given) =>
  isJsonObject(given)
    ? readHeaders(Object.entries(given).map(([name, value]) => `${name}: ${String(value)}`))
    : readHeaders(given),
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

/** The remote chain that a world continues. */
export const worldFork: z.ZodType<ForkRequest> = z
  .strictObject(
    { url: urls, blockNumber, transaction: hash.optional(), headers },
    'expected {url, blockNumber, transaction, headers}',
  )
  .partial()
  .transform((given) => {
    const { url: forkUrl, blockNumber: forkBlockNumber, transaction, headers: forkHeaders } = given
    return request({ forkUrl, forkBlockNumber, forkTransaction: transaction, forkHeaders }) ?? {}
  })

/** The members that have values; undefined if none has. */
function request(given: ForkRequest): ForkRequest | undefined {
  const members = Object.entries(given).filter(([, value]) => value !== undefined)
  return members.length === 0 ? undefined : Object.fromEntries(members)
}

/** A name must not look like a number, because ids are numbers. */
const snapshotName = text('a name of 1 to 100 characters that is no number', (name) =>
  name.length > 0 && name.length <= 100 && !/^(0x|[0-9])/i.test(name) ? name : undefined,
)

/** A snapshot in a param. */
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
  run: ({ options }, { snapshots }) => toQuantity(snapshots.take(options?.name)),
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
  run: ({ snapshot: ref, options }, { snapshots }, { dialect }) =>
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
      /** The snapshot that was taken or reverted to last before this one. */
      parent: quantityText.nullable(),
    }),
  ),
  example: { params: [], result: [] },
  run: (_, { snapshots }) =>
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
  run: ({ snapshot: ref }, { snapshots }) => snapshots.drop(ref),
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
  run: ({ options }: { readonly options: ForkRequest | undefined }, node: Node) => node.reset(options),
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

/** Anvil's param to keep states of past blocks. It has no effect: they follow from the blocks. */
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
  run: async ({ parts: { format, ...parts } = {} }, { stateKeeper }) =>
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
  run: ({ state }, { stateKeeper }) => stateKeeper.load(state),
})

export const saveState = readMethod({
  name: 'dev_saveState',
  summary: 'Writes the state file of --state or --dump-state to the disk; a killed node continues from it.',
  result: savedState,
  errors: ['invalidState'],
  example: { params: [], refusal: 'invalidState' },
  run: async (_, { stateKeeper, chain }) => {
    const { hash, header } = chain.head.block
    return { path: await stateKeeper.saveHeld(), blockNumber: toQuantity(header.number), blockHash: hash }
  },
})
