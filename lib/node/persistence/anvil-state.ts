/**
 * Reads and writes Anvil states (--dump-state, anvil_dumpState): the accounts, and number, time, gas limit and base fee of the
 * newest block. Blocks and transactions are not read, because their parent states are missing. Anvil 1.7 can read the result.
 */

import { constants, gunzipSync } from 'node:zlib'
import * as z from 'zod'
import { NodeError } from '../../base/errors.ts'
import { bigIntToBytes, toWord, bytesToBigInt, toHex, toQuantity } from '../../base/hex.ts'
import { jsonValue } from '../../base/json-text.ts'
import { withHash, type Block } from '../../chain/block.ts'
import { BlockReservation } from '../../chain/block-reservation.ts'
import { ChainEntry } from '../../chain/chain-entry.ts'
import { describeIssues } from '../../config/issues.ts'
import type { Network } from '../../config/network.ts'
import { unixTime } from '../../config/option-values.ts'
import { address, bytes, gasFrom, hash, quantityBetween, uint64, uint256 } from '../../config/values.ts'
import { withDifference } from '../../state/difference.ts'
import type { AccountDifference } from '../../state/account.ts'
import type { Services } from '../services.ts'
import { StateRoot } from '../../state/state-root.ts'
import type { Header } from '../../networks/consensus/consensus.ts'
import { activeEips } from '../../config/active-eips.ts'
import { blobBaseFee } from '../../evm/transaction.ts'

const blockNumber = quantityBetween(0n, BigInt(Number.MAX_SAFE_INTEGER), 'a block number')

const account = z.object({
  nonce: uint64,
  balance: uint256,
  code: bytes,
  storage: z.record(z.string(), uint256).default({}),
})

/** The members that are read, as Anvil 1.7 writes them. */
const anvilState = z.object({
  block: z.object({
    number: blockNumber,
    timestamp: unixTime,
    gas_limit: gasFrom(1n),
    basefee: uint256,
  }),
  accounts: z.record(z.string(), account),
  best_block_number: blockNumber.nullish(),
})

type AnvilState = z.output<typeof anvilState>

/** Whether the first bytes of a file are those of an Anvil state, compressed or not. */
export const isAnvilState = (beginning: Uint8Array): boolean =>
  /^\s*\{\s*"(block|accounts|best_block_number|blocks|transactions)"/.test(textOf(beginning))

/** Whether content starts with the magic number of gzip (RFC 1952). */
const isCompressed = ([first, second]: Uint8Array): boolean => first === 0x1f && second === 0x8b

/** The text of content. Compressed content may be incomplete. */
function textOf(content: Uint8Array): string {
  if (!isCompressed(content)) return Buffer.from(content).toString('utf8')
  try {
    return gunzipSync(content, { finishFlush: constants.Z_SYNC_FLUSH }).toString('utf8')
  } catch {
    return ''
  }
}

type AnvilChain = Pick<Services, 'chain' | 'network'>

/** The newest block of an Anvil state, with its accounts. The blocks below are empty. @throws NodeError 'invalidState' */
export function readAnvilState(content: Uint8Array, { network, chain }: AnvilChain): ChainEntry {
  const obstacle = obstacleOf({ network, chain })
  if (obstacle !== undefined) throw invalid(obstacle)
  const json = jsonValue(withExactIntegers(textOf(content)))
  if (json === undefined) throw invalid('it was cut short or is not JSON')
  const parsed = anvilState.safeParse(json)
  if (!parsed.success)
    throw invalid(`it is not as Anvil 1.7 writes it: ${describeIssues(parsed.error.issues)}`)
  const { block, accounts, best_block_number: best } = parsed.data
  const state = withDifference(StateRoot.empty, Object.entries(accounts).map(accountOf))
  return newestEntry(chain.genesis.block, { ...block, number: best ?? block.number }, state)
}

/** Why a chain has no Anvil state: Anvil does not support its network, or the chain is a fork. */
function obstacleOf({ network, chain }: AnvilChain): string | undefined {
  if (!network.sharesEthereumFormats)
    return `it is of an Ethereum chain, this node runs ${network.name} (--network ethereum)`
  return chain.remote && 'this node continues a remote chain, of which it does not have the whole state'
}

/** Rejects Anvil states of forks and of networks that Anvil does not support. @throws NodeError of the kind */
export function checkHasAnvilState(chain: AnvilChain, kind: 'invalidOption' | 'invalidParams'): void {
  const obstacle = obstacleOf(chain)
  if (obstacle !== undefined)
    throw new NodeError(kind, `an Anvil state cannot be written: ${obstacle}`, { code: 'DN-ANVIL' })
}

const invalid = (reason: string): NodeError =>
  new NodeError('invalidState', `the Anvil state cannot be loaded: ${reason}`, { code: 'DN-ANVIL' })

/** Quotes long integers in JSON text: Anvil writes u64 and u128 as bare numbers, which JSON.parse rounds above 2^53. */
function withExactIntegers(text: string): string {
  const tokens = /("[^"\\]*(?:\\.[^"\\]*)*")|-?\d{16,}(?![\d.eE])/g
  return text.replace(tokens, (token, quoted: string | undefined) => quoted ?? `"${token}"`)
}

function accountOf([name, account]: [string, AnvilState['accounts'][string]]): AccountDifference {
  const words = Object.entries(account.storage).map(
    ([slot, value]) => [slotOf(slot), bigIntToBytes(value)] as const,
  )
  return { address: read(address, name), account: { ...account, storage: words } }
}

const slotOf = (name: string) => (name.length === 66 ? read(hash, name) : toWord(read(uint256, name)))

function read<Output>(schema: z.ZodType<Output>, text: string): Output {
  const parsed = schema.safeParse(text)
  if (parsed.success) return parsed.data
  throw invalid(describeIssues(parsed.error.issues))
}

/** The block with this number and timestamp. Empty blocks below it are one second apart if the timestamp exceeds the number. */
function newestEntry(genesis: Block, block: AnvilState['block'], state: StateRoot): ChainEntry {
  const { number, timestamp } = block
  const first = withHash({
    ...genesis,
    header: {
      ...genesis.header,
      stateRoot: state.hash,
      gasLimit: block.gas_limit,
      baseFeePerGas: block.basefee,
      timestamp: timestamp > number ? timestamp - number : 0n,
    },
  })
  const entry = new ChainEntry({ block: first, state, parent: undefined })
  return number === 0n ? entry : new BlockReservation(entry, { number, timestamp }).makeLast()
}

/** The text of an Anvil state, in short pieces that are generated on demand. */
export function* anvilStateTexts(
  { block: { header }, state }: ChainEntry,
  network: Network,
): IterableIterator<string> {
  yield `{"block":${blockEnvironment(header, network)},"accounts":{`
  yield* accountTexts(state)
  yield `},"best_block_number":${header.number}`
  yield `,"blocks":[{"header":${JSON.stringify(headerMembers(header))},"transactions":[],"ommers":[]}]`
  yield ',"transactions":[],"historical_states":null}'
}

/** The BlockEnv of revm: 256-bit amounts as quantities, smaller ones as bare numbers of any size, as serde writes u64 and u128. */
function blockEnvironment(header: Header, network: Network): string {
  const { number, timestamp, difficulty, baseFeePerGas = 0n, excessBlobGas } = header
  const quantities = `"number":"${toQuantity(number)}","timestamp":"${toQuantity(timestamp)}","difficulty":"${toQuantity(difficulty)}"`
  const hex = `"beneficiary":"${header.coinbase}","prevrandao":"${header.mixHash}"`
  const numbers = `"gas_limit":${header.gasLimit},"basefee":${baseFeePerGas}`
  const blobs =
    excessBlobGas === undefined
      ? 'null'
      : `{"excess_blob_gas":${excessBlobGas},"blob_gasprice":${blobBaseFee(activeEips(network).blobs, excessBlobGas)}}`
  return `{${quantities},${hex},${numbers},"blob_excess_gas_and_price":${blobs}}`
}

/** The members of a header of Ethereum, with their JSON-RPC names. */
function headerMembers({
  unclesHash,
  coinbase,
  paidFees: _,
  minimumGasPrice: __,
  consensus: ___,
  own: ____,
  ...rest
}: Header) {
  const members = Object.entries({ sha3Uncles: unclesHash, miner: coinbase, ...rest })
  return Object.fromEntries(members.map(([name, value]) => [name, toWire(value)]))
}

function toWire(value: unknown): unknown {
  if (typeof value === 'bigint') return toQuantity(value)
  return value instanceof Uint8Array ? toHex(value) : value
}

function* accountTexts(state: StateRoot): IterableIterator<string> {
  let separator = ''
  for (const [address, { nonce, balance, code, storage }] of state.accounts()) {
    yield `${separator}"${address}":{"nonce":${nonce},"balance":"${toQuantity(balance)}","code":"${toHex(code)}"`
    yield ',"storage":{'
    separator = ''
    for (const [, { slot, value }] of storage.entries()) {
      yield `${separator}"${slot}":"${toWord(bytesToBigInt(value))}"`
      separator = ','
    }
    yield '}}'
    separator = ','
  }
}
