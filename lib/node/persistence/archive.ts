/**
 * The format of a state file: lines of JSON, compressed with gzip. The first line contains format and version, the last the SHA-256
 * of all lines before it. It is written and read as a stream, so readers must not use it before its last line.
 */

import { createHash } from 'node:crypto'
import { Readable, pipeline } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import { NodeError } from '../../base/errors.ts'
import { isJsonObject, jsonValue } from '../../base/json-text.ts'
import { reasonOf } from '../../base/system-errors.ts'
import { invalidState } from './records.ts'

const FORMAT = 'dev-node-state'
const NOT_A_STATE_FILE = 'this is not a state file of dev-node'

/** Version of the format. It rises with every change that older releases would misread. */
const VERSION = 1

/** Characters per chunk for the compressor. Between chunks the node handles other requests. */
const PIECE_LENGTH = 65_536

/** Maximum length of a line. Strings cannot be much longer, and a few compressed bytes can expand to any length. */
const MAX_LINE_LENGTH = 2 ** 29 - 65_536

/** The compressed state file with these lines. */
export const compressed = (lines: Iterable<string>): Readable => zipped(sealedLines(lines))

/** A text that is generated on demand, compressed with gzip. */
export function zipped(texts: Iterable<string>): Readable {
  const stream = createGzip({ level: 3 })
  // The stream's reader gets the error.
  pipeline(textStream(texts), stream, () => undefined)
  return stream
}

/** A text that is generated on demand. */
export const textStream = (texts: Iterable<string>): Readable => Readable.from(inPieces(texts))

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

/** The same text in larger pieces, because passing a piece to the thread of the compressor has a cost. */
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
 * The lines of a compressed file as a stream, without first and last. They are valid only after all were read. @throws NodeError
 * 'invalidState' if the file is not a state file, has a different version, or, at the end, if it was cut short or changed
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
  if (read === 0) throw invalidState(NOT_A_STATE_FILE)
  if (last === JSON.stringify({ sha256: sum.digest('hex') })) return
  throw invalidState('the state file was cut short or changed: its checksum is wrong')
}

async function* linesOf(file: Readable): AsyncGenerator<string, void, undefined> {
  // Lines can be long. Joining pieces only at the end avoids searching and copying earlier ones again.
  let pieces: string[] = []
  let length = 0
  const unzipped = createGunzip().setEncoding('utf8')
  pipeline(file, unzipped, () => undefined)
  try {
    for await (const piece of unzipped) {
      const [end = '', ...others] = String(piece).split('\n')
      pieces.push(end)
      length += end.length
      if (length > MAX_LINE_LENGTH) throw invalidState('the state file has a line without an end')
      const rest = others.pop()
      if (rest === undefined) continue
      yield pieces.join('')
      yield* others
      pieces = [rest]
      length = rest.length
    }
  } catch (error) {
    if (error instanceof NodeError) throw error
    throw invalidState(`the state file cannot be decompressed: ${reasonOf(error)}`, { cause: error })
  }
}

function checkHeader(line: string): void {
  const header = jsonValue(line)
  if (!isJsonObject(header) || header['format'] !== FORMAT) throw invalidState(NOT_A_STATE_FILE)
  if (header['version'] === VERSION) return
  throw invalidState(
    `the state file has version ${String(header['version'])}; this release reads version ${VERSION}`,
    { code: 'DN-VERSION' },
  )
}
