/** Keccak-512, loaded at its first use, because only ethash needs it. */

import { lazyPart } from '../base/lazy-part.ts'
import type { HashFunction } from './keccak.ts'

/** Keccak-512 of bytes: 64 bytes. */
export const loadKeccak512: () => Promise<HashFunction> = lazyPart('keccak-512', async () => {
  const { keccak512 } = await import('ethereum-cryptography/keccak.js')
  // The library refuses subclasses and arrays of another realm; a plain view passes.
  return (data) => keccak512(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
})
