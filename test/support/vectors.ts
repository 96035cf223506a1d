/** Reads the test vectors of the Ethereum Foundation in fixtures/vectors or in a full copy. */

import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { fromHex } from '../../lib/base/hex.ts'

/** The cases of a vector file: name and content. */
export function readVectors(path: string): [name: string, content: any][] {
  const text = readFileSync(new URL(`../../fixtures/vectors/${path}`, import.meta.url), 'utf8')
  return Object.entries(JSON.parse(text))
}

/** Bytes of a text: hex if it has the prefix, UTF-8 otherwise. */
export function bytesOf(text: string): Uint8Array {
  return text.startsWith('0x') ? fromHex(text) : new Uint8Array(Buffer.from(text))
}

/** The folder whose state and transaction tests are run; see `npm run test:vectors`. */
const FOLDER = resolve(process.env['VECTORS'] ?? 'fixtures/vectors')

/** Paths of the files of one kind of tests, below the folder; there is at least one. */
export function vectorFiles(kind: 'BlockchainTests' | 'GeneralStateTests' | 'TransactionTests'): string[] {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => `/${file}`.includes(`/${kind}/`) && /\.json(\.br)?$/.test(file))
  if (files.length === 0) throw new Error(`no ${kind} in ${FOLDER}`)
  return files.sort()
}

/** The tests of such a file by name. */
export function readVectorFile<T>(file: string): readonly (readonly [name: string, test: T])[] {
  const content = readFileSync(join(FOLDER, file))
  const text = (file.endsWith('.br') ? brotliDecompressSync(content) : content).toString()
  return Object.entries(JSON.parse(text) as Record<string, T>)
}
