/** Builds signed legacy transactions member by member, so that each member can be wrong. */

import { bigIntToBytes, stripZeros } from '../../lib/base/hex.ts'
import { encodeRlp } from '../../lib/base/rlp.ts'
import type { RlpInput } from '../../lib/base/rlp.ts'
import { keccak256 } from '../../lib/crypto/keccak.ts'
import { curve } from '../../lib/crypto/secp256k1.ts'
import { fromHex, toHex } from '../../lib/base/hex.ts'
import type { Hex } from '../../lib/base/hex.ts'

/** Key of an account of network 33, by its phrase: cow, cow1 ... */
export const keyOf = (phrase: string): Uint8Array => keccak256(Buffer.from(phrase))

/** The first two accounts of network 33. */
export const COW = '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826'
export const COW1 = '0x7986b3df570230288501eea3d890bd66948c9b79'

/** Members to sign. */
export interface Legacy {
  readonly nonce?: bigint
  readonly gasPrice?: bigint
  readonly gas?: bigint
  readonly to?: string
  readonly value?: bigint
  readonly data?: string
  /** Absent: signed for every chain, as before EIP-155. */
  readonly chainId?: bigint | undefined
  readonly key?: Uint8Array
}

/** The nine members of a signed transaction: by default `cow` sends 1 wei to `cow1` on chain 33. */
export function legacyMembers(given: Legacy = {}): readonly Uint8Array[] {
  const fields = {
    nonce: 0n,
    gasPrice: 0n,
    gas: 21_000n,
    to: COW1,
    value: 1n,
    data: '0x',
    chainId: 33n,
    ...given,
  }
  const { chainId, key = keyOf('cow') } = fields
  const unsigned = [
    ...[fields.nonce, fields.gasPrice, fields.gas].map(bigIntToBytes),
    fromHex(fields.to),
    bigIntToBytes(fields.value),
    fromHex(fields.data),
  ]
  const protection = chainId === undefined ? [] : [chainId, 0n, 0n].map(bigIntToBytes)
  const { r, s, recovery } = curve.sign(keccak256(encodeRlp([...unsigned, ...protection])), key)
  const v = chainId === undefined ? 27n : chainId * 2n + 35n
  return [...unsigned, bigIntToBytes(v + BigInt(recovery)), stripZeros(r), stripZeros(s)]
}

/** RLP of members as hex. */
export const encoded = (members: RlpInput): Hex => toHex(encodeRlp(members))

/** A signed transaction as hex. */
export const signed = (given: Legacy = {}): Hex => encoded(legacyMembers(given))

/** A tuple of a set-code transaction (EIP-7702): by default of `cow1`, for the contract at address 4 on chain 33. */
export interface Tuple {
  readonly chainId?: bigint
  readonly address?: string
  readonly nonce?: bigint
  readonly key?: Uint8Array
}

/** The six members of a signed tuple. */
export function tupleMembers(given: Tuple = {}): RlpInput[] {
  const fields = {
    chainId: 33n,
    address: `0x${'04'.padStart(40, '0')}`,
    nonce: 0n,
    key: keyOf('cow1'),
    ...given,
  }
  const signed = [bigIntToBytes(fields.chainId), fromHex(fields.address), bigIntToBytes(fields.nonce)]
  const { r, s, recovery } = curve.sign(keccak256(Uint8Array.of(5, ...encodeRlp(signed))), fields.key)
  return [...signed, bigIntToBytes(BigInt(recovery)), stripZeros(r), stripZeros(s)]
}

/** Members of a typed transaction to sign, in their order; a type has some of them. */
const TYPED = {
  chainId: bigIntToBytes(33n),
  nonce: new Uint8Array(0),
  gasPrice: new Uint8Array(0),
  maxPriorityFeePerGas: new Uint8Array(0),
  maxFeePerGas: new Uint8Array(0),
  gasLimit: bigIntToBytes(100_000n),
  to: fromHex(COW1),
  value: bigIntToBytes(1n),
  data: new Uint8Array(0),
  accessList: [],
  authorizationList: [],
} as const satisfies Readonly<Record<string, RlpInput>>

/** Values of members to sign. */
export type TypedMembers = { readonly [Name in keyof typeof TYPED]?: RlpInput }

/** Members that a type does not have. */
const ABSENT: Readonly<Record<number, readonly string[]>> = {
  1: ['maxPriorityFeePerGas', 'maxFeePerGas', 'authorizationList'],
  2: ['gasPrice', 'authorizationList'],
  4: ['gasPrice'],
}

/** A typed transaction, signed by `cow`; `change` replaces its members, signature included. */
export function typed(
  type: number,
  given: TypedMembers = {},
  change: (members: RlpInput[]) => RlpInput[] = (members) => members,
): Hex {
  const members = Object.entries({ ...TYPED, ...given })
    .filter(([name]) => !ABSENT[type]?.includes(name))
    .map(([, value]): RlpInput => value)
  const { r, s, recovery } = curve.sign(keccak256(Uint8Array.of(type, ...encodeRlp(members))), keyOf('cow'))
  const signature = [bigIntToBytes(BigInt(recovery)), stripZeros(r), stripZeros(s)]
  return toHex(Uint8Array.of(type, ...encodeRlp(change([...members, ...signature]))))
}
