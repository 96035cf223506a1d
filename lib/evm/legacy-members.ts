/**
 * Decodes legacy transactions of merged-mining networks (node-chain 7.1-7.3). These networks accept leading zeros in price
 * and gas, and hash and sign the bytes as received.
 */

import { PHRASES } from '../config/phrases.ts'
import { NodeError } from '../base/errors.ts'
import { bytesToBigInt, stripZeros } from '../base/hex.ts'
import type { RlpItem } from '../base/rlp.ts'
import { bytesAt, readNumber, unreadable } from './rlp-members.ts'
import { LEGACY_TYPE, type TransactionFields, type TransactionSignature } from './transaction.ts'
import { readReceiver } from './transaction-members.ts'
import { readSignature } from './transaction-signature.ts'

/** Maximum bytes of a nonce, and of a gas limit without leading zeros. */
const MAX_NUMBER_BYTES = 8

/** Maximum bytes of a gas price without leading zeros. */
const MAX_PRICE_BYTES = 32

/** Maximum gas limit of a transaction. */
const MAX_GAS_LIMIT = 2n ** 60n

/** Largest chain id of which every `v` has one byte: that of 110 is 255 or 256 (EIP-155). */
const MAX_SHORT_CHAIN_ID = 109n

/**
 * Reads the members before the signature.
 * @throws NodeError 'invalidTransaction', or 'transactionRejected' if the pool of the reference node rejects it
 */
export function readLegacyFields(items: readonly RlpItem[]): TransactionFields {
  const at = (position: number): Uint8Array => bytesAt(items, position)
  const gasPrice = readPadded('gas price', at(1), MAX_PRICE_BYTES)
  return {
    type: LEGACY_TYPE,
    nonce: readNonce(at(0)),
    maxFeePerGas: gasPrice,
    maxPriorityFeePerGas: gasPrice,
    gasLimit: readGasLimit(at(2)),
    to: readReceiver(at(3)),
    value: readNumber('value', at(4)),
    data: at(5),
  }
}

/** Reads the signature of a transaction for this chain. @throws NodeError 'invalidTransaction' */
export function readLegacySignature(items: readonly RlpItem[], chainId: bigint): TransactionSignature {
  const bytes = bytesAt(items, -3)
  if (bytes.length !== 1 && chainId <= MAX_SHORT_CHAIN_ID) {
    throw unreadable(`v has ${bytes.length} bytes, expected 1`)
  }
  return readSignature(LEGACY_TYPE, items)
}

function readNonce(bytes: Uint8Array): bigint {
  const { length } = bytes
  if (length > MAX_NUMBER_BYTES) {
    throw new NodeError(
      'transactionRejected',
      `invalid nonce: it has ${length} bytes, at most ${MAX_NUMBER_BYTES} are accepted`,
      { phrases: PHRASES.nonceTooLong(length, MAX_NUMBER_BYTES) },
    )
  }
  if (bytes[0] === 0) {
    const phrases = PHRASES.nonceNotCanonical()
    throw new NodeError('transactionRejected', 'invalid nonce: it has leading zeros', { phrases })
  }
  return bytesToBigInt(bytes)
}

function readGasLimit(bytes: Uint8Array): bigint {
  const gasLimit = readPadded('gas limit', bytes, MAX_NUMBER_BYTES)
  if (gasLimit > MAX_GAS_LIMIT) throw unreadable(`gas limit ${gasLimit} is above ${MAX_GAS_LIMIT}`)
  return gasLimit
}

/** A number that may have leading zeros. */
function readPadded(name: string, bytes: Uint8Array, maxBytes: number): bigint {
  const { length } = stripZeros(bytes)
  if (length > maxBytes) throw unreadable(`the ${name} has ${length} bytes, at most ${maxBytes}`)
  return bytesToBigInt(bytes)
}
