/** Pays the federation on the auxiliary chain, and makes a Bridge know the block. */

import { equalBytes, fromHex, toHex } from '../../../../lib/base/hex.ts'
import { hash160 } from '../../../../lib/crypto/ripemd160.ts'
import { doubleSha256, sha256 } from '../../../../lib/crypto/sha256.ts'
import { readAuxTransaction } from '../../../../lib/modules/network-33/bridge/aux-transaction.ts'
import {
  GENESIS_FEDERATION,
  federationOutputScript,
} from '../../../../lib/modules/network-33/bridge/federation.ts'
import {
  AUX_GENESIS_HEADER,
  auxTransaction,
  blockOfTwo,
  keyScript,
  mineHeader,
  mineHeaders,
  shownHash,
} from './aux-chain.ts'
import type { Paid, Spent } from './aux-chain.ts'
import { BridgeBench, COW_KEY } from './bridge.ts'

export const toFederation = (sat: bigint): Paid => ({
  sat,
  script: federationOutputScript(GENESIS_FEDERATION),
})

/** An output that carries data. */
export const carries = (hex: string): Paid => {
  const payload = fromHex(`0x${hex}`)
  return { sat: 0n, script: Uint8Array.from([0x6a, payload.length, ...payload]) }
}

/** An input of the account `cow`. */
export const fromKey: Spent = { script: keyScript(COW_KEY) }

/** A script of one signature of two keys. */
const MULTISIG = Uint8Array.from(
  [[0x51], [33, 2, ...Buffer.alloc(32, 1)], [33, 3, ...Buffer.alloc(32, 2)], [0x52, 0xae]].flat(),
)
const SIGNATURE = new Uint8Array(71).fill(0x30)

/** An input of that script, in the script or in the witness, and the addresses of the senders. */
export const fromMultisig: Spent = {
  script: Uint8Array.from([0, SIGNATURE.length, ...SIGNATURE, MULTISIG.length, ...MULTISIG]),
}
export const fromWitnessMultisig: Spent = {
  script: Uint8Array.from([34, 0, 32, ...sha256(MULTISIG)]),
  witness: [new Uint8Array(0), SIGNATURE, MULTISIG],
}
export const ADDRESSES = {
  multisig: Uint8Array.of(0xc4, ...hash160(MULTISIG)),
  witnessMultisig: Uint8Array.of(0xc4, ...hash160(Uint8Array.of(0, 32, ...sha256(MULTISIG)))),
}

const NO_ID = new Uint8Array(32)

/** Where a transaction is: by default it has three confirmations at height 1. */
interface MinedOptions {
  readonly bench?: BridgeBench
  readonly height?: number
  readonly confirmations?: number
}

/**
 * Makes a Bridge know a block of a coinbase and a transaction, which may be malformed. Returns the calls that register the
 * coinbase, and the transaction: without witness by its id in the block, else by its hash under the witness root.
 */
export function mined(raw: Uint8Array, options: MinedOptions = {}) {
  const { bench = new BridgeBench(), height = 1, confirmations = 3 } = options
  const hash = doubleSha256(raw)
  const id = idOf(raw)
  const witness = blockOfTwo(NO_ID, hash)
  const commitment = doubleSha256(Buffer.concat([witness.root, NO_ID]))
  const coinbase = auxTransaction(
    [{ script: Uint8Array.of(1, 1) }],
    [carries(`aa21a9ed${toHex(commitment).slice(2)}`)],
  )
  const coinbaseId = doubleSha256(coinbase)
  const { root, tree } = blockOfTwo(coinbaseId, id)
  const below = mineHeaders(AUX_GENESIS_HEADER, height - 1)
  const header = mineHeader(below.at(-1) ?? AUX_GENESIS_HEADER, root)
  const headers = [...below, header, ...mineHeaders(header, confirmations - 1)]
  bench.send('receiveHeaders', [headers.map(toHex)])
  const shownTree = toHex(equalBytes(hash, id) ? tree : witness.tree)
  const proof = [toHex(raw), BigInt(height), shownTree] as const
  // The flags show the first transaction instead of the second.
  const coinbaseTree = Uint8Array.from([...tree.slice(0, -1), 0b011])
  const registerCoinbase = () =>
    bench.send('registerAuxCoinbaseTransaction', [
      toHex(coinbase),
      shownHash(header),
      toHex(coinbaseTree),
      toHex(witness.root.slice().reverse()),
      toHex(NO_ID),
    ])
  const register = () => bench.send('registerAuxTransaction', proof)
  return { bench, header, tree, proof, coinbaseId, registerCoinbase, register }
}

function idOf(raw: Uint8Array): Uint8Array {
  try {
    return readAuxTransaction(raw).id
  } catch {
    return doubleSha256(raw)
  }
}
