/** What a start found in a state file. It is a separate file, because the public declarations include it. */

import type { Hash } from '../../base/hex.ts'

export interface OpenedFile {
  readonly path: string
  /** The head in the file; undefined if there was no file. */
  readonly loaded: { readonly blockNumber: bigint; readonly blockHash: Hash } | undefined
}
