/** Keccak-512, loaded at its first use, because only ethash needs it. */

import { plainView } from '../base/hex.ts'
import { lazyPart } from '../base/lazy-part.ts'
import type { HashFunction } from './keccak.ts'

/** Keccak-512 of bytes: 64 bytes. */
export const loadKeccak512: () => Promise<HashFunction> = lazyPart('keccak-512', async () => {
  const { keccak512 } = await import('ethereum-cryptography/keccak.js')
  return (data) => keccak512(plainView(data))
})
