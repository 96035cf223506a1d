/**
 * The file in which the facts about one block travel to another machine. A line names format, block and SHA-256, and then the compressed
 * facts follow, each with a line for its key and one for its value, sorted by key. Equal facts give equal bytes.
 */

import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import { asHash, toHex } from '../base/hex.ts'
import { reasonOf } from '../base/system-errors.ts'
import { sha256 } from '../crypto/sha256.ts'
import type { ForkedBlock } from './cached-forks.ts'
import { addFacts } from './fact-store.ts'
import { remoteFailed } from './remote-error.ts'

/** The facts about a block: values as JSON by key. */
export interface KnownFork {
  readonly block: ForkedBlock
  readonly facts: ReadonlyMap<string, string>
}

const NAME = 'dev-node-fork-cache'

/** Number of the format. Files of a higher one are refused. */
const FORMAT = 1

/** Brotli, because the bytes of gzip differ between processors. Higher qualities take four times as long for the same size. */
const COMPRESSION = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 5,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
  },
}

/** The content of the file. */
export async function packFork({ block, facts }: KnownFork): Promise<Buffer> {
  const packed = await promisify(brotliCompress)(linesOf(facts), COMPRESSION)
  const { chainId, blockNumber, blockHash } = block
  const title = `${NAME} ${FORMAT} ${chainId} ${blockNumber} ${blockHash}`
  return Buffer.concat([Buffer.from(`${title} ${checksum(title, packed)}\n`), packed])
}

const checksum = (title: string, packed: Uint8Array): string =>
  toHex(sha256(Buffer.concat([Buffer.from(`${title}\n`), packed])))

function linesOf(facts: ReadonlyMap<string, string>): Buffer {
  const sorted = [...facts].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Buffer.concat(sorted.map(([key, value]) => Buffer.from(`${key}\n${value}\n`)))
}

/** Format, chain id, block and SHA-256 in the first line. */
const TITLE = /^\S+ (\d+) (\d{1,20}) (\d{1,20}) (0x[0-9a-f]{64}) (0x[0-9a-f]{64})$/

/** Longest first line. */
const MAX_TITLE = 256

/** The facts in a file. @throws NodeError 'remoteFailed' with what is wrong with the file */
export async function unpackFork(file: Buffer): Promise<KnownFork> {
  const [title = '', ...rest] = file.toString('latin1', 0, MAX_TITLE).split('\n')
  if (!title.startsWith(`${NAME} `) || rest.length === 0)
    throw remoteFailed('it is not a file of dev-node cache export, or it is cut short')
  const format = Number(title.split(' ')[1])
  if (format > FORMAT)
    throw remoteFailed(`it has format ${format} of a newer release; this one reads format ${FORMAT}`)
  const [, , chainId, blockNumber, blockHash, given] = TITLE.exec(title) ?? []
  if (chainId === undefined || blockNumber === undefined || blockHash === undefined)
    throw remoteFailed('its first line is damaged')
  const packed = file.subarray(title.length + 1)
  const found = checksum(title.slice(0, title.lastIndexOf(' ')), packed)
  if (found !== given)
    throw remoteFailed(`it is damaged or cut short: its SHA-256 is ${found}, its first line says ${given}`)
  const block = { chainId: BigInt(chainId), blockNumber: BigInt(blockNumber), blockHash: asHash(blockHash) }
  return { block, facts: await unpackFacts(packed) }
}

async function unpackFacts(packed: Buffer): Promise<ReadonlyMap<string, string>> {
  const lines = await promisify(brotliDecompress)(packed, { maxOutputLength: 2 ** 31 }).catch(
    (cause: unknown) => {
      throw remoteFailed(`its facts cannot be unpacked: ${reasonOf(cause)}`)
    },
  )
  const facts = new Map<string, string>()
  addFacts(facts, lines)
  if (!linesOf(facts).equals(lines)) throw remoteFailed('its facts are not in order')
  for (const [key, value] of facts)
    if (!isFact(key, value)) throw remoteFailed(`its fact "${key.slice(0, 80)}" is none`)
  return facts
}

/** Whether a line is the key of a fact (remote.ts), and another one its value. */
function isFact(key: string, value: string): boolean {
  const [, params = ''] = /^(?:absent )?\w+ (\[.*\])$/.exec(key) ?? []
  try {
    JSON.parse(params)
    JSON.parse(value)
    return true
  } catch {
    return false
  }
}
