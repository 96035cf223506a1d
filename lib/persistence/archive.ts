/**
 * The format of a state file: lines of JSON, compressed with gzip. The first names format and version, the last holds
 * the SHA-256 of all lines before it. Written and read as a stream; nothing is believed before the last line was read.
 */

import { createHash } from 'node:crypto'
import { Readable, pipeline } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import { NodeError } from '../base/errors.ts'

const FORMAT = 'dev-node-state'

/** Raised whenever a reader of the version before would misunderstand what is written. */
const VERSION = 1

/** Characters handed to the compressor at a time; other requests are answered in between. */
const PIECE_LENGTH = 65_536

/** The compressed file of some lines. */
export function compressed(lines: Iterable<string>): Readable {
  const zipped = createGzip({ level: 3 })
  // What fails is told to whoever reads.
  pipeline(Readable.from(inPieces(sealedLines(lines))), zipped, () => undefined)
  return zipped
}

function* sealedLines(lines: Iterable<string>): IterableIterator<string> {
  const sum = createHash('sha256')
  for (const line of [JSON.stringify({ format: FORMAT, version: VERSION }), ...lines]) {
    const text = `${line}\n`
    sum.update(text)
    yield text
  }
  yield `${JSON.stringify({ sha256: sum.digest('hex') })}\n`
}

/** The same text in pieces that are worth a turn of the compressor, which works in a thread of its own. */
function* inPieces(texts: Iterable<string>): IterableIterator<string> {
  let piece = ''
  for (const text of texts) {
    piece += text
    if (piece.length < PIECE_LENGTH) continue
    yield piece
    piece = ''
  }
  yield piece
}

/**
 * The lines of a compressed file, without the first and the last.
 * @throws NodeError 'invalidState' for what is no state file, one of another version, and one that was cut or changed
 */
export async function readLines(file: Readable): Promise<readonly string[]> {
  const all: string[] = []
  const sum = createHash('sha256')
  let last: string | undefined
  for await (const line of linesOf(file)) {
    if (last !== undefined) sum.update(`${last}\n`)
    else checkHeader(line)
    all.push(line)
    last = line
  }
  if (last !== JSON.stringify({ sha256: sum.digest('hex') })) {
    throw new NodeError('invalidState', 'the state file was cut short or changed: its check sum is wrong')
  }
  return all.slice(1, -1)
}

async function* linesOf(file: Readable): AsyncIterable<string> {
  let rest = ''
  const unzipped = createGunzip().setEncoding('utf8')
  pipeline(file, unzipped, () => undefined)
  try {
    for await (const piece of unzipped) {
      const lines = `${rest}${String(piece)}`.split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
  } catch (error) {
    if (error instanceof NodeError) throw error
    throw new NodeError('invalidState', `this is no whole state file: ${reasonOf(error)}`, { cause: error })
  }
}

const header = z.object({ format: z.literal(FORMAT), version: z.unknown() })

function checkHeader(line: string): void {
  const parsed = header.safeParse(parse(line))
  if (!parsed.success) throw new NodeError('invalidState', 'this is no state file of dev-node')
  const { version } = parsed.data
  if (version === VERSION) return
  throw new NodeError(
    'invalidState',
    `the state file has version ${String(version)}; this release reads version ${VERSION}`,
  )
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** What went wrong, in the words of whoever it went wrong for. */
export function reasonOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : String(error)
}
