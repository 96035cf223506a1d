/** Permissions of a set-code transaction: accounts let the code of others run as their own (EIP-7702). */

import { NodeError } from '../base/errors.ts'
import { EMPTY_BYTES, ZERO_ADDRESS, bigIntToBytes, bigIntToBytes32, fromHex } from '../base/hex.ts'
import type { Address } from '../base/hex.ts'
import { encodeRlp } from '../base/rlp.ts'
import { recoverAddress } from '../crypto/address.ts'
import { keccak256 } from '../crypto/keccak.ts'
import type { State } from '../state/state.ts'
import type { Observer } from './observer.ts'
import type { Rules } from './rules/rules.ts'
import { MAX_S } from './transaction.ts'
import type { Authorization } from './transaction.ts'

/** First bytes of the code of an account that delegates; the address follows. */
const DELEGATION_PREFIX = Uint8Array.of(0xef, 0x01, 0x00)

/** What a permission is signed behind. */
const SIGNATURE_PREFIX = 0x05

/** Nonces are below this, so that they can be raised (EIP-2681). */
const MAX_NONCE = 2n ** 64n - 1n

/** Whether the code is a delegation, whose account still has a key. */
export const isDelegation = (code: Uint8Array): boolean =>
  DELEGATION_PREFIX.every((byte, index) => code[index] === byte)

/** Where permissions are applied. */
interface AuthorizationEnvironment {
  readonly rules: Rules
  /** What permissions are signed for, unless they are for all chains. */
  readonly chainId: bigint
  readonly state: State
  readonly observer?: Observer | undefined
}

/** Who permitted something, whether it held or not, and the gas to be given back. */
interface Authorized {
  readonly authorities: readonly Address[]
  /** For accounts that were there before. */
  readonly refund: number
}

/** Sets the code of every account that permits it; a permission that does not hold is passed over. */
export function applyAuthorizations(
  place: AuthorizationEnvironment,
  authorizations: readonly Authorization[],
): Authorized {
  const authorities: Address[] = []
  let refund = 0
  for (const authorization of authorizations) {
    const authority = authorityOf(authorization, place.chainId)
    if (authority === undefined) continue
    authorities.push(authority)
    place.observer?.onAccountAccess?.(authority)
    const account = place.state.account(authority)
    if (!mayDelegate(place.state, authorization, authority)) continue
    if (account !== undefined) refund += place.rules.transaction.authorizationRefund
    delegate(place.state, authority, authorization.address)
  }
  return { authorities, refund }
}

/** Who signed the permission; nobody if it is not for this chain, or the signature is none. */
function authorityOf(authorization: Authorization, ownChainId: bigint): Address | undefined {
  const { chainId, address, nonce, yParity, r, s } = authorization
  if (chainId !== 0n && chainId !== ownChainId) return undefined
  if (nonce >= MAX_NONCE || s > MAX_S || yParity > 1n) return undefined
  const list = encodeRlp([bigIntToBytes(chainId), fromHex(address), bigIntToBytes(nonce)])
  const hash = keccak256(Uint8Array.of(SIGNATURE_PREFIX, ...list))
  const recovery = yParity === 0n ? 0 : 1
  try {
    return recoverAddress(hash, { r: bigIntToBytes32(r), s: bigIntToBytes32(s), recovery })
  } catch (error) {
    if (error instanceof NodeError) return undefined
    throw error
  }
}

function mayDelegate(state: State, { nonce }: Authorization, authority: Address): boolean {
  const code = state.code(authority)
  return (code.length === 0 || isDelegation(code)) && (state.account(authority)?.nonce ?? 0n) === nonce
}

/** The zero address takes a delegation back. */
function delegate(state: State, authority: Address, to: Address): void {
  const { nonce, balance } = state.account(authority) ?? { nonce: 0n, balance: 0n }
  state.putAccount(authority, { nonce: nonce + 1n, balance })
  const code = to === ZERO_ADDRESS ? EMPTY_BYTES : Uint8Array.of(...DELEGATION_PREFIX, ...fromHex(to))
  state.putCode(authority, code)
}
