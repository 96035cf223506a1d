/** Delegations of a simulated set-code transaction (EIP-7702). Those of a real one are the library's work. */

import type { EVM } from '@ethereumjs/evm'
import { isEOACode7702Tx } from '@ethereumjs/tx'
import type { TypedTransaction } from '@ethereumjs/tx'
import { bytesToBigInt, concatBytes, createAccount, eoaCode7702RecoverAuthority } from '@ethereumjs/util'
import type {
  Account as LibraryAccount,
  Address as LibraryAddress,
  EOACode7702AuthorizationListBytesItem as LibraryAuthorization,
} from '@ethereumjs/util'
import { toHex } from '../base/hex.ts'

/** First bytes of the code of an account that delegates; the address follows. */
const DELEGATION_PREFIX = Uint8Array.of(0xef, 0x01, 0x00)

const NO_ADDRESS = toHex(new Uint8Array(20))

/**
 * Sets the code of every account that permits it; a permission that does not hold is passed over.
 * Answers the gas that is given back for accounts that were there before.
 */
export async function applyDelegations(evm: EVM, inner: TypedTransaction): Promise<bigint> {
  if (!isEOACode7702Tx(inner)) return 0n
  const refund = evm.common.param('perEmptyAccountCost') - evm.common.param('perAuthBaseGas')
  let refunded = 0n
  for (const authorization of inner.authorizationList) {
    const authority = authorityOf(authorization)
    if (authority === undefined) continue
    evm.journal.addAlwaysWarmAddress(authority.toString())
    const account = await evm.stateManager.getAccount(authority)
    if (!(await mayDelegate(evm, authorization, authority))) continue
    if (account !== undefined) refunded += refund
    await delegate(evm, authority, { account: account ?? createAccount({}), to: authorization[1] })
  }
  return refunded
}

/** Who signed the permission; nobody if the signature is none. */
function authorityOf(authorization: LibraryAuthorization): LibraryAddress | undefined {
  try {
    return eoaCode7702RecoverAuthority(authorization)
  } catch {
    return undefined
  }
}

async function mayDelegate(
  evm: EVM,
  [chainId, , nonce]: LibraryAuthorization,
  authority: LibraryAddress,
): Promise<boolean> {
  const wanted = bytesToBigInt(chainId)
  if (wanted !== 0n && wanted !== evm.common.chainId()) return false
  const code = await evm.stateManager.getCode(authority)
  const isPlain = code.length === 0 || toHex(code.subarray(0, 3)) === toHex(DELEGATION_PREFIX)
  const account = await evm.stateManager.getAccount(authority)
  return isPlain && (account?.nonce ?? 0n) === bytesToBigInt(nonce)
}

/** The zero address takes a delegation back. */
async function delegate(
  evm: EVM,
  authority: LibraryAddress,
  { account, to }: { readonly account: LibraryAccount; readonly to: Uint8Array },
): Promise<void> {
  account.nonce++
  await evm.journal.putAccount(authority, account)
  const isTakenBack = toHex(to) === NO_ADDRESS
  await evm.stateManager.putCode(
    authority,
    isTakenBack ? new Uint8Array(0) : concatBytes(DELEGATION_PREFIX, to),
  )
}
