/**
 * The file in which the facts about one block travel to another machine. A line names format, block and SHA-256, and then the compressed
 * facts follow, each with a line for its key and one for its value, sorted by key. Equal facts give equal bytes.
 */

import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import { asHash, toHex } from '../base/hex.ts'
import { sha256 } from '../crypto/sha256.ts'
import type { ForkedBlock } from './cached-forks.ts'
import { addFacts } from './fact-store.ts'
import { remoteFailed } from './remote-error.ts'

/** The facts about a block: values as JSON by key. */
export interface KnownFork {
  readonly block: ForkedBlock
  readonly facts: ReadonlyMap<string, string>
}

/** Brotli, because the bytes of gzip differ between processors. Higher qualities take four times as long for the same size. */
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** The content of the file. */
export async function packFork({ block, facts }: KnownFork): Promise<Buffer> {
  const sorted = [...facts].toSorted(([one], [other]) => (one < other ? -1 : 1))
  const lines = sorted.map(([key, value]) => Buffer.from(`${key}\n${value}\n`))
  const packed = await promisify(brotliCompress)(Buffer.concat(lines), COMPRESSION)
  const { chainId, blockNumber, blockHash } = block
  const title = `dev-node-fork-cache 1 ${chainId} ${blockNumber} ${blockHash}`
  return Buffer.concat([Buffer.from(`${title} ${checksum(title, packed)}\n`), packed])
}

const checksum = (title: string, packed: Uint8Array): string =>
  toHex(sha256(Buffer.concat([Buffer.from(`${title}\n`), packed])))

/** The first line, with the number of the format, the block, and the SHA-256 of the rest. */
const TITLE = /^(dev-node-fork-cache 1 (\d{1,20}) (\d{1,20}) (0x[0-9a-f]{64})) (0x[0-9a-f]{64})\n/

/** Bytes that hold the longest first line. */
const MAX_TITLE = 256

/** The facts in a file. @throws NodeError 'remoteFailed' with what is wrong with the file, errors of Brotli */
export async function unpackFork(file: Buffer): Promise<KnownFork> {
  const [line, title = '', chainId = '', blockNumber = '', blockHash = '', given] =
    TITLE.exec(file.toString('latin1', 0, MAX_TITLE)) ?? []
  if (line === undefined)
    throw remoteFailed(
      'it is not a file of dev-node cache export that this release can read, or it is cut short',
    )
  const packed = file.subarray(line.length)
  const found = checksum(title, packed)
  if (found !== given)
    throw remoteFailed(`it is damaged or cut short: its SHA-256 is ${found}, its first line says ${given}`)
  const block = { chainId: BigInt(chainId), blockNumber: BigInt(blockNumber), blockHash: asHash(blockHash) }
  const facts = new Map<string, string>()
  addFacts(facts, await promisify(brotliDecompress)(packed, { maxOutputLength: 2 ** 31 }))
  return { block, facts }
}
