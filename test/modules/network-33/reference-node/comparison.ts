/** Compares a recorded answer with this node's, place by place. */

import type { HashPairs } from './hash-pairs.ts'

/** One place at which two answers differ. */
export interface Found {
  /** As in `.result[3].output`; `http` is the status of the response. */
  readonly path: string
  readonly recorded: unknown
  readonly own: unknown
}

/** What is compared. */
export interface Answers {
  readonly method: string
  readonly recorded: unknown
  readonly own: unknown
  /** Recorded arrays and objects that may go on. */
  readonly open: ReadonlySet<unknown>
  readonly pairs: HashPairs
}

/** Members that contain a hash of a block. */
const BLOCK_HASHES = new Set([
  'blockHash',
  'parentHash',
  'parentBlockHash',
  'blockHashForMergedMining',
  'blockImportedHash',
  'uncles',
])

/** Members that derive from tries, from header fields or from the clock. Only their shapes are compared. */
const DERIVED = new Set([
  'stateRoot',
  'receiptsRoot',
  'transactionsRoot',
  'root',
  'size',
  'timestamp',
  'extraData',
  'sha3Uncles',
  'hashForMergedMining',
  'auxMergedMiningHeader',
  'auxMergedMiningCoinbaseTransaction',
  'auxMergedMiningMerkleProof',
])

/** Methods whose result is the encoding of a header or of a trie. */
const ENCODED = /^node_getRawBlockHeader|^node_getTransactionReceiptNodes|^node_getRawTransactionReceipt/

/** An item of the changes of a filter, which is a hash for a filter of blocks or pending transactions. */
const FILTER_ITEM = /^\.result\[\d+\]$/
const SENDING = /^(eth_send|personal_send)/
/** Methods whose result is random. */
const RANDOM = /^eth_new|^eth_subscribe$|^personal_newAccount$/

/** All places at which the answers differ. Learns the pairs of hashes in them. */
export function compareAnswers(answers: Answers): readonly Found[] {
  const { recorded, own } = answers
  const found: Found[] = []
  const [recordedOutcome, ownOutcome] = [outcomeOf(recorded), outcomeOf(own)]
  if (recordedOutcome !== undefined && ownOutcome !== undefined && recordedOutcome !== ownOutcome)
    return [{ path: `.${recordedOutcome}`, recorded: memberOf(recorded), own: memberOf(own) }]
  const parents = { parent: undefined, ownParent: undefined }
  compare(answers, { recorded, own, path: '', key: '', ...parents, isAligned: true }, found)
  return found
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether an answer is a result or an error; undefined if it is neither. */
export const outcomeOf = (answer: unknown): 'result' | 'error' | undefined => {
  if (!isRecord(answer)) return undefined
  if ('error' in answer) return 'error'
  return 'result' in answer ? 'result' : undefined
}

const memberOf = (answer: unknown): unknown =>
  isRecord(answer) ? (answer['error'] ?? answer['result']) : answer

interface Place extends Found {
  /** Name of the nearest member. */
  readonly key: string
  /** The objects of that member. */
  readonly parent: unknown
  readonly ownParent: unknown
  /** Whether both values surely stand for the same. Items of lists of other lengths may not. */
  readonly isAligned: boolean
}

function compare(answers: Answers, place: Place, found: Found[]): void {
  const { recorded, own, path } = place
  if (Array.isArray(recorded) && Array.isArray(own)) {
    const matched = matchTransactions(answers.pairs, recorded, own)
    if (matched !== undefined) return compareMatched(answers, place, matched, found)
    const isOpen = answers.open.has(recorded)
    const isLong = isOpen ? own.length >= recorded.length : own.length === recorded.length
    if (!isLong) found.push({ path: `${path}.length`, recorded: recorded.length, own: own.length })
    const isAligned = place.isAligned && isLong
    for (let at = 0; at < Math.min(recorded.length, own.length); at++)
      compare(
        answers,
        { ...place, recorded: recorded[at], own: own[at], path: `${path}[${at}]`, isAligned },
        found,
      )
  } else if (isRecord(recorded) && isRecord(own)) {
    const isOpen = answers.open.has(recorded)
    const isAligned = place.isAligned && canBeOneBlock(heightOf(recorded), heightOf(own))
    const parents = { parent: recorded, ownParent: own, isAligned }
    for (const key of new Set([...Object.keys(recorded), ...(isOpen ? [] : Object.keys(own))]))
      compare(
        answers,
        { recorded: recorded[key], own: own[key], path: `${path}.${key}`, key, ...parents },
        found,
      )
  } else if (!isEqual(answers, place)) found.push({ path, recorded, own })
}

/** Hash of a transaction, or of an item that is one. */
const hashOf = (item: unknown): unknown => (isRecord(item) ? item['hash'] : item)

interface Match {
  /** In the recorded order. */
  readonly recorded: readonly unknown[]
  readonly own: readonly unknown[]
  readonly missing: readonly unknown[]
  readonly extra: readonly unknown[]
  readonly isSameOrder: boolean
}

/** Pairs the transactions of two lists by their hashes; undefined if that is what their order does anyway. */
function matchTransactions(
  pairs: HashPairs,
  recorded: readonly unknown[],
  own: readonly unknown[],
): Match | undefined {
  const wanted = recorded.map((item) => pairs.translate(hashOf(item)))
  const hashes = own.map(hashOf)
  if (![...wanted, ...hashes].every(isHash) || wanted.every((hash, index) => hash === hashes[index]))
    return undefined
  const isKnown = wanted.map((hash) => hashes.includes(hash))
  if (!isKnown.includes(true)) return undefined
  const missing = recorded.filter((_, index) => isKnown[index] === false)
  const extra = own.filter((item) => !wanted.includes(hashOf(item)))
  // Transactions that have other hashes here can be paired by their order only.
  const arePaired = missing.length === extra.length
  const others = arePaired ? [...extra] : []
  const kept = recorded.filter((_, index) => arePaired || isKnown[index])
  const matched = kept.map((item) => {
    const at = hashes.indexOf(pairs.translate(hashOf(item)))
    return at < 0 ? others.shift() : own[at]
  })
  const places = matched.map((item) => own.indexOf(item))
  const isSameOrder = places.every((at, index) => index === 0 || at > (places[index - 1] ?? 0))
  return {
    recorded: kept,
    own: matched,
    isSameOrder,
    ...(arePaired ? { missing: [], extra: [] } : { missing, extra }),
  }
}

const isHash = (value: unknown): boolean => typeof value === 'string' && /^0x[0-9a-f]{64}$/.test(value)

function compareMatched(answers: Answers, place: Place, match: Match, found: Found[]): void {
  const { path } = place
  const { recorded, own, missing, extra, isSameOrder } = match
  if (!isSameOrder)
    found.push({ path: `${path}.order`, recorded: recorded.map(hashOf), own: own.map(hashOf) })
  for (const item of missing) found.push({ path: `${path}.missing`, recorded: item, own: undefined })
  for (const item of extra) found.push({ path: `${path}.extra`, recorded: undefined, own: item })
  for (const [at, item] of recorded.entries())
    compare(answers, { ...place, recorded: item, own: own[at], path: `${path}[${at}]` }, found)
}

/** The block of a block, a transaction, a log or a trace. */
const heightOf = (value: Readonly<Record<string, unknown>>): unknown =>
  'parentHash' in value ? value['number'] : value['blockNumber']

/** The pending block has no height, or that which it will have. */
const canBeOneBlock = (recorded: unknown, own: unknown): boolean =>
  recorded === own || recorded === null || own === null

function isEqual({ method, pairs }: Answers, place: Place): boolean {
  const { recorded, own, path, key, parent, isAligned } = place
  if (typeof recorded !== 'string' || typeof own !== 'string') return recorded === own
  const isOfTransaction = isTransactionHash(method, path, key)
  if (isOfTransaction && pairs.ownOf(recorded) === own) return true
  // A transaction should have the same hash. If not, it is told once.
  if (isOfTransaction && isAligned && isHash(own)) pairs.learn(recorded, own)
  if (recorded === own) return true
  if (key === 'data' && isFeeLog(parent)) return isEqualFeeLog(pairs, place, recorded, own)
  if (DERIVED.has(key) || (path.startsWith('.result') && ENCODED.test(method)))
    return shapeOf(recorded) === shapeOf(own)
  if (path === '.result' && RANDOM.test(method)) return pairs.learn(recorded, own)
  // The blocks of a filter have no numbers, and the lists may be shifted: they teach nothing.
  if (FILTER_ITEM.test(path) && /^eth_getFilter/.test(method)) return pairs.arePossible(recorded, own)
  if (isByNature(key, parent) && shapeOf(recorded) === shapeOf(own))
    return pairs.ownOf(recorded) === own || (isAligned && pairs.learn(recorded, own))
  // The texts name the hash of a header that was mined again.
  if (key === 'message' && method.startsWith('mnr_')) return withoutHashes(recorded) === withoutHashes(own)
  return !isOfTransaction && pairs.translate(recorded) === own
}

const withoutHashes = (text: string): string => text.replace(/\b[0-9a-f]{64}\b/g, 'hash')

/** Address of the fee contract. The data of its logs begins with the hash of a block, after two bytes of RLP. */
const FEE_CONTRACT = '0x0000000000000000000000000000000001000008'
const HASH_IN_LOG = { start: 6, end: 70 }

const isFeeLog = (parent: unknown): boolean => isRecord(parent) && parent['address'] === FEE_CONTRACT

function isEqualFeeLog(pairs: HashPairs, { isAligned }: Place, recorded: string, own: string): boolean {
  const blockOf = (data: string): string => `0x${data.slice(HASH_IN_LOG.start, HASH_IN_LOG.end)}`
  if (isAligned) pairs.learn(blockOf(recorded), blockOf(own))
  return pairs.translate(recorded) === own
}

function isByNature(key: string, parent: unknown): boolean {
  if (BLOCK_HASHES.has(key)) return true
  return key === 'hash' && isRecord(parent) && 'parentHash' in parent
}

const isTransactionHash = (method: string, path: string, key: string): boolean =>
  key === 'transactionHash' ||
  key === 'transactions' ||
  key === 'hash' ||
  (path === '.result' && SENDING.test(method))

/** Kind of a text: a hash, an address, a quantity, data. */
function shapeOf(text: string): string {
  if (/^[0-9a-f]{64}$/.test(text)) return 'digits of a hash'
  if (!/^0x[0-9a-f]*$/.test(text)) return 'text'
  if (text.length === 66) return 'hash'
  if (text.length === 42) return 'address'
  if (text.length < 20 && /^0x(0|[1-9a-f][0-9a-f]*)$/.test(text)) return 'quantity'
  return text.length % 2 === 0 ? 'data' : 'digits'
}
