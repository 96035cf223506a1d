/** Makes the transactions of the auxiliary chain that peg coins in (node-next 4.2). */

import { EMPTY_BYTES, fromHex, type Address } from '../../../base/hex.ts'
import { keccak256 } from '../../../crypto/keccak.ts'
import { hash160 } from '../../../crypto/ripemd160.ts'
import { curve } from '../../../crypto/secp256k1.ts'
import { writeAuxTransaction, type AuxInput } from '../bridge/aux-transaction.ts'
import { SCRIPT_ADDRESS_VERSION, multisig, push } from '../bridge/federation.ts'

/** Stands for a signature, because nothing executes the scripts. */
const SIGNATURE = new Uint8Array(71).fill(0x30)

/** The script and witness items with which an input spends an output. */
export interface SenderInput {
  readonly script: Uint8Array
  readonly witness?: readonly Uint8Array[]
}

/** Kinds of senders, by the first input of a transaction. */
export const SENDER_TYPES = ['keyHash', 'nestedWitnessKeyHash', 'multisig', 'unknown'] as const

type SenderType = (typeof SENDER_TYPES)[number]

/** Script and witness of an input by kind of sender, for a compressed public key. */
export const SENDER_INPUTS: Readonly<Record<SenderType, (key: Uint8Array) => SenderInput>> = {
  keyHash: (key) => ({ script: Uint8Array.of(...push(SIGNATURE), ...push(key)) }),
  nestedWitnessKeyHash: (key) => ({
    script: Uint8Array.from(push(Uint8Array.of(0, ...push(hash160(key))))),
    witness: [SIGNATURE, key],
  }),
  multisig: (key) => ({
    script: Uint8Array.of(0, ...push(SIGNATURE), ...push(Uint8Array.from(multisig([key], 1)))),
  }),
  // A native witness key hash. Its input has no script, so the Bridge does not know its sender.
  unknown: (key) => ({ script: EMPTY_BYTES, witness: [SIGNATURE, key] }),
}

interface PegInParts {
  readonly spent: Pick<AuxInput, 'previousId' | 'previousIndex'>
  readonly senderType: SenderType
  /** Private key of the sender; by default that of the phrase "depositor". */
  readonly senderKey?: Uint8Array | undefined
  readonly sat: bigint
  readonly federationScript: Uint8Array
  /** The account named by an output (version 1). By default it is the account of the sender's key (version 0). */
  readonly receiver?: Address | undefined
  /** Version and hash of the refund address; only with a receiver. */
  readonly refundAddress?: Uint8Array | undefined
}

const DEPOSITOR_KEY = keccak256(new TextEncoder().encode('depositor'))

/** The bytes of a transaction that pays the federation. */
export function pegInTransaction(parts: PegInParts): Uint8Array {
  const {
    spent,
    senderType,
    senderKey = DEPOSITOR_KEY,
    sat,
    federationScript,
    receiver,
    refundAddress,
  } = parts
  const key = curve.encodePoint(curve.publicKey(senderKey))
  const { script, witness = [] } = SENDER_INPUTS[senderType](key)
  const named = receiver && { sat: 0n, script: receiverScript(receiver, refundAddress) }
  const payment = { sat, script: federationScript }
  const outputs = named === undefined ? [payment] : [payment, named]
  return writeAuxTransaction([{ ...spent, script, sequence: 0xffff_ffff }], outputs, [witness])
}

/** Prefix and version of the data that names a receiver. */
const PAYLOAD_PREFIX = fromHex('0x52534b5401')

/** The script that names a receiver: OP_RETURN and a push. The kind of a refund address is 1 for a key and 2 for a script. */
function receiverScript(receiver: Address, refundAddress: Uint8Array | undefined): Uint8Array {
  const [version, ...hash] = refundAddress ?? []
  const refund = version === undefined ? [] : [version === SCRIPT_ADDRESS_VERSION ? 2 : 1, ...hash]
  return Uint8Array.of(0x6a, ...push(Uint8Array.of(...PAYLOAD_PREFIX, ...fromHex(receiver), ...refund)))
}
