/**
 * Writes an Anvil state (--dump-state, anvil_dumpState) as Anvil 1.7 reads it: the accounts, and the newest block
 * without its transactions. The reader is in anvil-state.ts.
 */

import { bytesToBigInt, toHex, toQuantity, toWord } from '../base/hex.ts'
import type { Address } from '../base/hex.ts'
import type { ChainEntry } from '../chain/chain-entry.ts'
import type { Header } from '../consensus/header-fields.ts'
import { networkBlobSchedule } from '../config/active-eips.ts'
import type { Network } from '../config/network.ts'
import { blobBaseFee } from '../evm/blob-gas.ts'
import type { Account } from '../state/account.ts'
import type { StateRoot } from '../state/state-root.ts'

/** The text of an Anvil state, in short pieces that are generated on demand. */
export function* anvilStateTexts(
  { block: { header }, state }: ChainEntry,
  network: Network,
): IterableIterator<string> {
  yield `{"block":${json(blockEnvironment(header, network))},"accounts":{`
  yield* accountTexts(state)
  yield `},"best_block_number":${header.number}`
  yield `,"blocks":[{"header":${json(headerMembers(header))},"transactions":[],"ommers":[]}]`
  yield ',"transactions":[],"historical_states":null}'
}

/** A value of an Anvil state. A bigint is a bare number of any size, as serde writes u64 and u128. */
type AnvilValue = string | bigint | null | undefined | { readonly [name: string]: AnvilValue }

/** JSON of a value without undefined members. */
function json(value: Exclude<AnvilValue, undefined>): string {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'string' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [`"${name}":${json(member)}`],
  )
  return `{${members.join(',')}}`
}

/** The BlockEnv of revm: 256-bit amounts as quantities, smaller ones as numbers. */
function blockEnvironment(header: Header, network: Network): AnvilValue & object {
  return {
    number: toQuantity(header.number),
    timestamp: toQuantity(header.timestamp),
    difficulty: toQuantity(header.difficulty),
    beneficiary: header.coinbase,
    prevrandao: header.mixHash,
    gas_limit: header.gasLimit,
    basefee: header.baseFeePerGas ?? 0n,
    blob_excess_gas_and_price: blobGasAndPrice(header, network),
  }
}

/** Excess blob gas of a block and its blob base fee; null before Cancun. */
function blobGasAndPrice({ excessBlobGas }: Header, network: Network): AnvilValue {
  if (excessBlobGas === undefined) return null
  return {
    excess_blob_gas: excessBlobGas,
    blob_gasprice: blobBaseFee(networkBlobSchedule(network), excessBlobGas),
  }
}

const quantityOf = (value: bigint | undefined) => (value === undefined ? undefined : toQuantity(value))

/** The members of a header, with their JSON-RPC names. */
function headerMembers(header: Header): AnvilValue & object {
  return {
    parentHash: header.parentHash,
    sha3Uncles: header.unclesHash,
    miner: header.coinbase,
    stateRoot: header.stateRoot,
    transactionsRoot: header.transactionsRoot,
    receiptsRoot: header.receiptsRoot,
    logsBloom: toHex(header.logsBloom),
    difficulty: toQuantity(header.difficulty),
    number: toQuantity(header.number),
    gasLimit: toQuantity(header.gasLimit),
    gasUsed: toQuantity(header.gasUsed),
    timestamp: toQuantity(header.timestamp),
    extraData: toHex(header.extraData),
    mixHash: header.mixHash,
    nonce: toHex(header.nonce),
    baseFeePerGas: quantityOf(header.baseFeePerGas),
    withdrawalsRoot: header.withdrawalsRoot,
    blobGasUsed: quantityOf(header.blobGasUsed),
    excessBlobGas: quantityOf(header.excessBlobGas),
    parentBeaconBlockRoot: header.parentBeaconBlockRoot,
    requestsHash: header.requestsHash,
  }
}

/** The members of the `accounts` object. */
function* accountTexts(state: StateRoot): IterableIterator<string> {
  let separator = ''
  for (const [address, account] of state.accounts()) {
    yield separator
    yield* accountText(address, account)
    separator = ','
  }
}

function* accountText(address: Address, account: Account): IterableIterator<string> {
  const { nonce, balance, code, storage } = account
  yield `"${address}":{"nonce":${nonce},"balance":"${toQuantity(balance)}","code":"${toHex(code)}","storage":{`
  let separator = ''
  for (const [, { slot, value }] of storage.entries()) {
    yield `${separator}"${slot}":"${toWord(bytesToBigInt(value))}"`
    separator = ','
  }
  yield '}}'
}
