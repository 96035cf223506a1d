/** A source of partial states whose facts are in memory, so that no read has to wait. */

import { toHash } from '../../lib/base/hex.ts'
import type { Address } from '../../lib/base/hex.ts'
import { ZERO_HASH } from '../../lib/chain/header.ts'
import { keccak256 } from '../../lib/crypto/keccak.ts'
import type { StateSource } from '../../lib/state/state-source.ts'

/** Accounts with nonce 1 and a balance of 5 wei, with this code, if they exist. Every slot of every account is 9. */
export function constantSource(codeOf: (address: Address) => Uint8Array | undefined): StateSource {
  return {
    stateRoot: ZERO_HASH,
    account: (address) => {
      const code = codeOf(address)
      return code && { nonce: 1n, balance: 5n, code, codeHash: toHash(keccak256(code)) }
    },
    storage: () => Uint8Array.of(9),
    changes: () => false,
    proof: () => {
      throw new Error('a constant source has no proofs')
    },
    expect: () => undefined,
  }
}
