/** Schemas of objects in params: references to blocks, calls, overrides and log filters. */

import { PHRASES } from '../config/phrases.ts'
import * as z from 'zod'
import { equalBytes, type Address, type Hash } from '../base/hex.ts'
import type { LogFilter } from '../chain/log-index.ts'
import type { BlockRef } from '../chain/miner/block-resolver.ts'
import type { StateOverride } from '../chain/simulation/call-transaction.ts'
import type { TransactionRequest } from '../chain/simulation/transaction-request.ts'
import { address, data, hash, map, optional, quantity, quantity64, slot, text } from './wire.ts'

/** Block tags. No beacon chain finalizes blocks: --slots-in-an-epoch says where `safe` and `finalized` are. */
export const TAGS = ['latest', 'earliest', 'pending', 'safe', 'finalized'] as const
type BlockTag = (typeof TAGS)[number]

const BLOCK = `a block: a number, a hash, one of ${TAGS.join(', ')}, {blockHash, requireCanonical} or {blockNumber}`
const EXPECTED = `expected ${BLOCK}`

const isTag = (value: unknown): value is BlockTag => TAGS.some((tag) => tag === value)

const number: z.ZodType<BlockRef> = quantity.transform((value) => ({ number: value }))
const tag: z.ZodType<BlockRef> = text(BLOCK, (value) => {
  const lower = value.toLowerCase()
  return isTag(lower) ? { tag: lower } : undefined
})
/** The hash of a block, canonical or a side block. */
export const blockHashRef: z.ZodType<BlockRef> = hash.transform((value) => ({
  hash: value,
  requireCanonical: false,
}))

// The reference node expects requireCanonical as text, EIP-1898 as a boolean. Both are accepted.
const flag = z.union(
  [z.boolean(), z.enum(['true', 'false']).transform((value) => value === 'true')],
  'expected true or false',
)
const object: z.ZodType<BlockRef> = z.union([
  z
    .strictObject({ blockHash: hash, requireCanonical: flag.optional() })
    .transform(({ blockHash, requireCanonical = false }) => ({ hash: blockHash, requireCanonical })),
  z.strictObject({ blockNumber: quantity }).transform(({ blockNumber }) => ({ number: blockNumber })),
])

/** A number, a hash or a tag, but not an EIP-1898 object. */
export const simpleBlockRef: z.ZodType<BlockRef> = z.union(
  [tag, blockHashRef, number],
  'expected a block number, hash or tag',
)

export const blockRef: z.ZodType<BlockRef> = z.union([tag, blockHashRef, number, object], EXPECTED)

/** An object schema for which members that are JSON `null` are absent. */
const withoutNulls = <T extends z.ZodType>(schema: T) => z.preprocess(dropNulls, schema)

function dropNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  if (!Object.values(value).includes(null)) return value
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
}

/** The access list of a transaction (EIP-2930). */
export const accessList = z.array(
  z.object({ address, storageKeys: z.array(hash, 'expected an array of 32-byte keys') }),
  'expected an access list',
)

/** The authorizations of a transaction (EIP-7702). */
export const authorizationList = z.array(
  z.object({ chainId: quantity, address, nonce: quantity64, yParity: quantity, r: quantity, s: quantity }),
  'expected an authorization list',
)

/** An array of byte strings of this length. */
function dataOfLength(length: number, what: string) {
  const error = `expected an array of ${what} of ${length} bytes`
  return z.array(data, error).refine((values) => values.every((value) => value.length === length), error)
}

/** Length in bytes of a blob, and of a KZG commitment or proof (EIP-4844). */
const BLOB_LENGTH = 131_072
const KZG_LENGTH = 48

/** Members that exclude a gas price. */
const feeMembers = ['maxFeePerGas', 'maxPriorityFeePerGas'] as const

/** A transaction request. Unknown members are ignored. `input` wins over its other name `data`, and `gas` over `gasLimit`. */
export const transactionRequest: z.ZodType<TransactionRequest> = withoutNulls(
  z.object(
    {
      from: address.optional(),
      to: address.optional(),
      gas: quantity64.optional(),
      gasLimit: quantity64.optional(),
      gasPrice: quantity.optional(),
      maxFeePerGas: quantity.optional(),
      maxPriorityFeePerGas: quantity.optional(),
      value: quantity.optional(),
      data: data.optional(),
      input: data.optional(),
      nonce: quantity64.optional(),
      chainId: quantity64.optional(),
      type: quantity64.optional(),
      accessList: accessList.optional(),
      authorizationList: authorizationList.optional(),
      maxFeePerBlobGas: quantity.optional(),
      blobVersionedHashes: z.array(hash, 'expected an array of 32-byte hashes').optional(),
      blobs: dataOfLength(BLOB_LENGTH, 'blobs').optional(),
      commitments: dataOfLength(KZG_LENGTH, 'commitments').optional(),
      proofs: dataOfLength(KZG_LENGTH, 'proofs').optional(),
    },
    'expected a transaction object',
  ),
).transform((call, context) => {
  // geth, internal/ethapi/transaction_args.go, setFeeDefaults and CallDefaults
  const { gasPrice, gas, gasLimit, data, input } = call
  const other = feeMembers.find((name) => call[name] !== undefined)
  if (gasPrice !== undefined && other !== undefined) {
    const message = `expected either gasPrice or ${other}, not both`
    const params = { phrases: PHRASES.twoPrices(other) }
    context.addIssue({ code: 'custom', message, params })
    return z.NEVER
  }
  if (input !== undefined && data !== undefined && !equalBytes(data, input)) {
    context.addIssue('expected one content of data and input, which are two names of one member')
    return z.NEVER
  }
  if (input === undefined && gasLimit === undefined) return call
  // The object is changed, because a copy without two members is slow.
  return Object.assign(call, {
    gas: gas ?? gasLimit,
    data: input ?? data,
    gasLimit: undefined,
    input: undefined,
  })
})

const slots = map(slot, hash, {
  map: 'expected a map from slot to 32-byte value',
  key: 'expected a storage position of up to 32 bytes',
})

const accountOverride = z
  .strictObject(
    {
      balance: optional(quantity),
      nonce: optional(quantity64),
      code: optional(data),
      state: optional(slots),
      stateDiff: optional(slots),
      movePrecompileToAddress: optional(address),
    },
    'expected an object with balance, nonce, code, state, stateDiff or movePrecompileToAddress',
  )
  .refine(({ state, stateDiff }) => state === undefined || stateDiff === undefined, {
    error: 'expected either state or stateDiff, not both',
    params: { phrases: PHRASES.stateAndDiff() },
  })

/** An object whose keys are addresses, as a map by address. */
const byAddress = <T extends z.ZodType>(value: T, error: string) =>
  map(address, value, { map: error, key: 'expected a 20-byte address' })

export const stateOverride: z.ZodType<StateOverride> = byAddress(
  accountOverride,
  'expected a map from address to override',
)

/** Maximum number of slots per request (geth, maxGetStorageSlots). */
const MAX_SLOTS = 1024

const SLOTS_EXPECTED = `expected a map from address to an array of storage positions, 1 to ${MAX_SLOTS} of them together`

/** The storage slots that a request reads, by contract. */
export const storageSlots: z.ZodType<ReadonlyMap<Address, readonly Hash[]>> = byAddress(
  z.array(slot, 'expected an array of storage positions').max(MAX_SLOTS, SLOTS_EXPECTED),
  SLOTS_EXPECTED,
).refine((given) => {
  const { length } = [...given.values()].flat()
  return length >= 1 && length <= MAX_SLOTS
}, SLOTS_EXPECTED)

export interface LogRequest extends LogFilter {
  readonly fromBlock?: BlockRef | undefined
  readonly toBlock?: BlockRef | undefined
  readonly blockHash?: Hash | undefined
}

const topic = z.union(
  [z.null(), hash, z.array(z.union([z.null(), hash]))],
  'expected a 32-byte topic, null or an array of topics',
)

/** `null` and an empty list match anything. */
function topicChoices(value: z.output<typeof topic>): readonly Hash[] | undefined {
  if (value === null) return undefined
  const choices = typeof value === 'string' ? [value] : value.filter((choice) => choice !== null)
  return choices.length === 0 ? undefined : choices
}

export const logRequest: z.ZodType<LogRequest> = z
  .object(
    {
      fromBlock: optional(simpleBlockRef),
      toBlock: optional(simpleBlockRef),
      blockHash: optional(hash),
      address: optional(
        z.union([address, z.array(address)], 'expected a 20-byte address or an array of them'),
      ),
      topics: optional(z.array(topic, 'expected an array of topics').max(4, 'expected at most 4 topics')),
    },
    'expected a filter object',
  )
  .refine(
    ({ blockHash, fromBlock, toBlock }) => blockHash === undefined || (fromBlock ?? toBlock) === undefined,
    'expected either blockHash or fromBlock and toBlock, not both',
  )
  .transform(({ fromBlock, toBlock, blockHash, address: addresses = [], topics = [] }) => ({
    fromBlock,
    toBlock,
    blockHash,
    addresses: [addresses].flat(),
    topics: topics.map(topicChoices),
  }))
