/** Applies the authorizations of a set-code transaction, which delegate accounts to the code of others (EIP-7702). */

import { NodeError } from '../base/errors.ts'
import { EMPTY_BYTES, ZERO_ADDRESS, bigIntToBytes, bigIntToBytes32, fromHex } from '../base/hex.ts'
import type { Address } from '../base/hex.ts'
import { encodeRlp } from '../base/rlp.ts'
import { recoverAddress } from '../crypto/address.ts'
import { keccak256 } from '../crypto/keccak.ts'
import type { AccountFields } from '../state/account.ts'
import type { State } from '../state/state.ts'
import { encodeDelegation, isExternallyOwned } from './delegation.ts'
import type { ExecutionEnvironment } from './machine/environment.ts'
import { MAX_NONCE } from './transaction-gas.ts'
import { MAX_S } from './transaction.ts'
import type { Authorization } from './transaction.ts'

/** First byte of the signed data of an authorization. */
const SIGNATURE_PREFIX = 0x05

/** All recovered authorities, including those of skipped authorizations, and the gas to refund. */
interface Authorized {
  readonly authorities: readonly Address[]
  /** Refund for accounts that existed before. */
  readonly refund: number
  /** State gas that returns for them (EIP-8037). */
  readonly stateGas: number
}

/** Sets the delegation of every authority and skips invalid authorizations. */
export function applyAuthorizations(
  { block, observer, rules, state }: ExecutionEnvironment,
  authorizations: readonly Authorization[],
): Authorized {
  const authorities: Address[] = []
  let existing = 0
  for (const authorization of authorizations) {
    const authority = authorityOf(authorization, block.context.chainId)
    if (authority === undefined) continue
    authorities.push(authority)
    observer?.onAccountAccess?.(authority)
    block.accesses?.addAccount(state, authority)
    const account = state.account(authority)
    if (!mayDelegate(state, authorization, authority)) continue
    if (earnsRefund(account)) existing++
    delegate(state, authority, authorization.address)
  }
  const refund = existing * rules.transaction.authorizationRefund
  return { authorities, refund, stateGas: existing * (rules.stateGas?.account ?? 0) }
}

/**
 * Whether a valid authorization of an account earns the refund: the account exists (EIP-7702, IP-545). The reference node asks for a
 * delegation that it already has, against the text of IP-545 (node-next 6).
 */
const earnsRefund = (authority: AccountFields | undefined): boolean => authority !== undefined

/** The signers of authorizations that are for this chain and have valid signatures. */
export const authoritiesOf = (
  authorizations: readonly Authorization[],
  ownChainId: bigint,
): readonly Address[] =>
  authorizations
    .map((authorization) => authorityOf(authorization, ownChainId))
    .filter((authority) => authority !== undefined)

/** The signer of an authorization; undefined if it is for another chain or its signature is invalid. */
function authorityOf(authorization: Authorization, ownChainId: bigint): Address | undefined {
  const { chainId, address, nonce, yParity, r, s } = authorization
  if (chainId !== 0n && chainId !== ownChainId) return undefined
  if (nonce > MAX_NONCE || s > MAX_S || yParity > 1n) return undefined
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
  return isExternallyOwned(code) && (state.account(authority)?.nonce ?? 0n) === nonce
}

/** Sets a delegation; the zero address removes it. */
function delegate(state: State, authority: Address, to: Address): void {
  const { nonce, balance } = state.account(authority) ?? { nonce: 0n, balance: 0n }
  state.putAccount(authority, { nonce: nonce + 1n, balance })
  const code = to === ZERO_ADDRESS ? EMPTY_BYTES : encodeDelegation(to)
  state.putCode(authority, code)
}
