/** Recovers the signer of a hash (Yellow Paper, appendix E; node-chain 10.1), or returns the signer that a test has set. */

import { NodeError } from '../../../base/errors.ts'
import { EMPTY_BYTES, fromHex, padTo32, toHash, type Address, type Hash } from '../../../base/hex.ts'
import { recoverAddress } from '../../../crypto/address.ts'
import { asRecovery } from '../../../crypto/curve.ts'
import { keccak256 } from '../../../crypto/keccak.ts'
import type { State } from '../../../state/state.ts'
import { WORD, bytesAt, precompileAddress, type Precompile } from '../../../evm/precompile.ts'

const INPUT_BYTES = 4 * WORD

/** Minimum bytes of the input: without a byte of the last word, s is zero, which is invalid. */
const MIN_INPUT = 3 * WORD + 1

/** Position of the last byte of v. On network 33 the bytes before it are ignored; on Ethereum precompiles.ts checks them. */
const V_BYTE = 2 * WORD - 1

const ADDRESS = precompileAddress(1)

/** Takes hash, v, r and s. Returns the address in a word, or no bytes for an invalid signature. */
export const ecrecover: Precompile = {
  address: ADDRESS,
  name: 'ecrecover',
  maxInput: INPUT_BYTES,
  gas: () => 3000,
  run: ({ input, state }) => {
    const v = input[V_BYTE]
    if (input.length < MIN_INPUT || (v !== 27 && v !== 28)) return EMPTY_BYTES
    const word = (index: number) => bytesAt(input, index * WORD, WORD)
    const impersonated = state.hasStorage(ADDRESS)
      ? state.storage(ADDRESS, slotOf(word(2), word(3), v))
      : EMPTY_BYTES
    if (impersonated.length > 0) return padTo32(impersonated)
    try {
      const signature = { r: word(2), s: word(3), recovery: asRecovery(v - 27) }
      return padTo32(fromHex(recoverAddress(word(0), signature)))
    } catch (error) {
      if (error instanceof NodeError) return EMPTY_BYTES
      throw error
    }
  },
}

/**
 * Makes an account the signer of every hash with a given signature. The zero address removes it. It is kept in the precompile's
 * storage, so that reverts, calls on earlier blocks and replays include it.
 */
export function impersonateSignature(
  state: State,
  { r, s, v }: { readonly r: Uint8Array; readonly s: Uint8Array; readonly v: number },
  signer: Address,
): void {
  const { nonce = 0n, balance = 0n } = state.account(ADDRESS) ?? {}
  // A call clears an account without nonce, balance and code together with its storage (EIP-161).
  if (nonce === 0n) state.putAccount(ADDRESS, { nonce: 1n, balance })
  state.putStorage(ADDRESS, slotOf(r, s, v), fromHex(signer))
}

const slotOf = (r: Uint8Array, s: Uint8Array, v: number): Hash =>
  toHash(keccak256(Uint8Array.of(...r, ...s, v)))
