/** The proof of a point of a blob (EIP-4844). There are no blobs here, nor the trusted setup that proofs are checked with. */

import { NativeFailure } from './native-contract.ts'
import type { NativeContract } from './native-contract.ts'
import { nativeAddress } from './words.ts'

/** Refuses every proof. */
export const pointEvaluation: NativeContract = {
  address: nativeAddress(0x0a),
  name: 'pointEvaluation',
  gas: () => 50_000,
  run: () => {
    throw new NativeFailure('proofs of blobs cannot be checked: this network has no blob transactions')
  },
}
