/** Reads the test vectors of the Ethereum Foundation in fixtures/vectors. */

import { readFileSync } from 'node:fs'
import { fromHex } from '../../lib/base/hex.ts'

/** The cases of a vector file: name and content. */
export function readVectors(path: string): [name: string, content: any][] {
  const text = readFileSync(new URL(`../../fixtures/vectors/${path}`, import.meta.url), 'utf8')
  return Object.entries(JSON.parse(text))
}

/** Bytes of a text that is hex if it has the prefix, and stands for itself if not. */
export function bytesOf(text: string): Uint8Array {
  return text.startsWith('0x') ? fromHex(text) : new Uint8Array(Buffer.from(text))
}
