/** Delegations of accounts to the code of others, and the authorizations that set them (EIP-7702). */

import { NodeError } from '../base/errors.ts'
import { EMPTY_BYTES, ZERO_ADDRESS, bigIntToBytes, bigIntToBytes32, fromHex, toAddress } from '../base/hex.ts'
import type { Address } from '../base/hex.ts'
import { encodeRlp } from '../base/rlp.ts'
import { recoverAddress } from '../crypto/address.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { EMPTY_ACCOUNT } from '../state/account.ts'
import type { ExecutionEnvironment } from './machine/environment.ts'
import { MAX_NONCE } from './transaction-gas.ts'
import { MAX_S, type Authorization } from './transaction.ts'

/** The code of a delegated account is this prefix and the address whose code runs instead. */
const PREFIX = [0xef, 0x01, 0x00] as const

/** Length of the prefix and the address in bytes. */
const LENGTH = 23

export const encodeDelegation = (to: Address): Uint8Array => Uint8Array.of(...PREFIX, ...fromHex(to))

/** The address in a delegation; absent for other code (geth, ParseDelegation). */
export function delegationOf(code: Uint8Array): Address | undefined {
  const isDelegation =
    code.length === LENGTH && code[0] === PREFIX[0] && code[1] === PREFIX[1] && code[2] === PREFIX[2]
  return isDelegation ? toAddress(code.subarray(PREFIX.length)) : undefined
}

/** Whether an account with this code can send: it has no code (EIP-3607), or only a delegation (EIP-7702). */
export const isExternallyOwned = (code: Uint8Array): boolean =>
  code.length === 0 || delegationOf(code) !== undefined

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

/** Sets the delegation of every authority, or removes it for the zero address. Invalid authorizations are skipped. */
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
    const { nonce, balance, code } = account ?? EMPTY_ACCOUNT
    if (!isExternallyOwned(code) || nonce !== authorization.nonce) continue
    // EIP-7702, IP-545. Against IP-545, the reference node also refunds for a delegation that the account already has (node-next
    // 6).
    if (account !== undefined) existing++
    state.putAccount(authority, { nonce: nonce + 1n, balance })
    const { address } = authorization
    state.putCode(authority, address === ZERO_ADDRESS ? EMPTY_BYTES : encodeDelegation(address))
  }
  const refund = existing * rules.transaction.authorizationRefund
  return { authorities, refund, stateGas: existing * (rules.stateGas?.account ?? 0) }
}

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
