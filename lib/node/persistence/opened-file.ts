/** What a start found in a state file. A file of its own, because the declarations that users get have it. */

import type { Hash } from '../../base/hex.ts'

export interface OpenedFile {
  readonly path: string
  /** The head that it had; undefined if there was no file. */
  readonly loaded: { readonly blockNumber: bigint; readonly blockHash: Hash } | undefined
}
