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

const SENDING = /^(eth_send|personal_send)/
const FILTERS = /^eth_new|^eth_subscribe$/

/** All places at which the answers differ. Learns the pairs of hashes in them. */
export function compareAnswers(answers: Answers): readonly Found[] {
  const { recorded, own } = answers
  const found: Found[] = []
  const [recordedOutcome, ownOutcome] = [outcomeOf(recorded), outcomeOf(own)]
  if (recordedOutcome !== undefined && ownOutcome !== undefined && recordedOutcome !== ownOutcome)
    return [{ path: `.${recordedOutcome}`, recorded: memberOf(recorded), own: memberOf(own) }]
  compare(answers, { recorded, own, path: '', key: '', parent: undefined }, found)
  return found
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const outcomeOf = (answer: unknown): 'result' | 'error' | undefined => {
  if (!isRecord(answer)) return undefined
  if ('error' in answer) return 'error'
  return 'result' in answer ? 'result' : undefined
}

const memberOf = (answer: unknown): unknown => (isRecord(answer) ? (answer['error'] ?? answer['result']) : answer)

interface Place extends Found {
  /** Name of the nearest member. */
  readonly key: string
  /** The recorded object of that member. */
  readonly parent: unknown
}

function compare(answers: Answers, place: Place, found: Found[]): void {
  const { recorded, own, path } = place
  if (Array.isArray(recorded) && Array.isArray(own)) {
    const isOpen = answers.open.has(recorded)
    if (isOpen ? own.length < recorded.length : own.length !== recorded.length)
      found.push({ path: `${path}.length`, recorded: recorded.length, own: own.length })
    for (let at = 0; at < Math.min(recorded.length, own.length); at++)
      compare(answers, { ...place, recorded: recorded[at], own: own[at], path: `${path}[${at}]` }, found)
  } else if (isRecord(recorded) && isRecord(own)) {
    const isOpen = answers.open.has(recorded)
    for (const key of new Set([...Object.keys(recorded), ...(isOpen ? [] : Object.keys(own))]))
      compare(
        answers,
        { recorded: recorded[key], own: own[key], path: `${path}.${key}`, key, parent: recorded },
        found,
      )
  } else if (!isEqual(answers, place)) found.push({ path, recorded, own })
}

function isEqual({ method, pairs }: Answers, { recorded, own, path, key, parent }: Place): boolean {
  if (recorded === own) return true
  if (typeof recorded !== 'string' || typeof own !== 'string') return false
  if (DERIVED.has(key) || (path.startsWith('.result') && ENCODED.test(method)))
    return shapeOf(recorded) === shapeOf(own)
  const known = pairs.ownOf(recorded)
  if (known !== undefined) return known === own
  if (isByNature(method, path, key, parent) && shapeOf(recorded) === shapeOf(own)) return pairs.learn(recorded, own)
  // A transaction should have the same hash. What follows is told by the pair.
  if (isTransactionHash(method, path, key)) pairs.learn(recorded, own)
  return pairs.translate(recorded) === own
}

function isByNature(method: string, path: string, key: string, parent: unknown): boolean {
  if (BLOCK_HASHES.has(key)) return true
  if (key === 'hash') return isRecord(parent) && 'parentHash' in parent
  if (path === '.result') return FILTERS.test(method)
  return /^eth_getFilter/.test(method) && /^\.result\[\d+\]$/.test(path)
}

const isTransactionHash = (method: string, path: string, key: string): boolean =>
  key === 'transactionHash' || key === 'transactions' || key === 'hash' || (path === '.result' && SENDING.test(method))

/** Kind of a text: a hash, an address, a quantity, data. */
function shapeOf(text: string): string {
  if (/^[0-9a-f]{64}$/.test(text)) return 'digits of a hash'
  if (!/^0x[0-9a-f]*$/.test(text)) return 'text'
  if (text.length === 66) return 'hash'
  if (text.length === 42) return 'address'
  if (text.length < 20 && /^0x(0|[1-9a-f][0-9a-f]*)$/.test(text)) return 'quantity'
  return text.length % 2 === 0 ? 'data' : 'digits'
}
