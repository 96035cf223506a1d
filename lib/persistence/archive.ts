/**
 * The format of a state file: lines of JSON, compressed with gzip. The first names format and version, the last holds
 * the SHA-256 of all lines before it. Written and read as a stream; nothing is believed before the last line was read.
 */

import { createHash } from 'node:crypto'
import { Readable, pipeline } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import * as z from 'zod'
import { NodeError } from '../base/errors.ts'

const FORMAT = 'dev-node-state'
const NOT_OURS = 'this is no state file of dev-node'

/** Raised whenever a reader of the version before would misunderstand what is written. */
const VERSION = 1

/** Characters handed to the compressor at a time; other requests are answered in between. */
const PIECE_LENGTH = 65_536

/** Characters of the longest line: a text cannot be much longer, and a few bytes can unpack to any number of them. */
const MAX_LINE_LENGTH = 2 ** 29 - 65_536

/** The compressed file of some lines. */
export function compressed(lines: Iterable<string>): Readable {
  return zipped(sealedLines(lines))
}

/** A text that is made while it is read, compressed with gzip. */
export function zipped(texts: Iterable<string>): Readable {
  const stream = createGzip({ level: 3 })
  // What fails is told to whoever reads.
  pipeline(textStream(texts), stream, () => undefined)
  return stream
}

/** A text that is made while it is read. */
export function textStream(texts: Iterable<string>): Readable {
  return Readable.from(inPieces(texts))
}

function* sealedLines(lines: Iterable<string>): IterableIterator<string> {
  const sum = createHash('sha256')
  const summed = (line: string): string => {
    const text = `${line}\n`
    sum.update(text)
    return text
  }
  yield summed(JSON.stringify({ format: FORMAT, version: VERSION }))
  for (const line of lines) yield summed(line)
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
 * The lines of a compressed file, without the first and the last, as they are read. They count once all were read.
 * @throws NodeError 'invalidState' for what is no state file, one of another version, and, at the end, one that was cut
 * or changed
 */
export async function* readLines(file: Readable): AsyncGenerator<string, void, undefined> {
  const sum = createHash('sha256')
  let [read, last] = [0, '']
  for await (const line of linesOf(file)) {
    if (read === 0) checkHeader(line)
    else sum.update(`${last}\n`)
    if (read > 1) yield last
    read++
    last = line
  }
  if (read === 0) throw new NodeError('invalidState', NOT_OURS)
  if (last === JSON.stringify({ sha256: sum.digest('hex') })) return
  throw new NodeError('invalidState', 'the state file was cut short or changed: its check sum is wrong')
}

async function* linesOf(file: Readable): AsyncGenerator<string, void, undefined> {
  // A line of many accounts is long: its beginning is not looked at again with every piece that comes.
  let begun: string[] = []
  let length = 0
  const unzipped = createGunzip().setEncoding('utf8')
  pipeline(file, unzipped, () => undefined)
  try {
    for await (const piece of unzipped) {
      const [end = '', ...others] = String(piece).split('\n')
      begun.push(end)
      length += end.length
      if (length > MAX_LINE_LENGTH)
        throw new NodeError('invalidState', 'the state file has a line without an end')
      const rest = others.pop()
      if (rest === undefined) continue
      yield begun.join('')
      yield* others
      begun = [rest]
      length = rest.length
    }
  } catch (error) {
    if (error instanceof NodeError) throw error
    throw new NodeError('invalidState', `this is no whole state file: ${reasonOf(error)}`, { cause: error })
  }
}

const header = z.object({ format: z.literal(FORMAT), version: z.unknown() })

function checkHeader(line: string): void {
  const parsed = header.safeParse(parse(line))
  if (!parsed.success) throw new NodeError('invalidState', NOT_OURS)
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
