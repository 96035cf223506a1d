/** Text that is generated while it is read, so that memory never holds a long response. A slow reader slows the generation. */

import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { NodeError } from './errors.ts'
import { nextTurn } from './host.ts'

/** Minimum characters of a piece, except the last one. */
export const PIECE_LENGTH = 65_536

export interface TextSink {
  /**
   * Adds text, up to the end of a value, a bracket, a comma or a colon. Returns a promise if the piece is full: the writer continues when it resolves. The promise never rejects.
   * @throws AbandonedError if the reader has closed the text
   */
  readonly write: (text: string) => Promise<void> | undefined
  /** Yields to the event loop; never rejects. @throws AbandonedError if the reader has closed the text */
  readonly pause: () => Promise<void>
}

/** Stops the generation of a text after its reader has closed it. */
export class AbandonedError extends Error {
  constructor() {
    super('the reader of the text is gone')
    this.name = 'AbandonedError'
  }
}

/** A text in pieces, which can be read once. The generation begins with the first read. */
export class TextStream implements AsyncIterable<string> {
  readonly #produce: (sink: TextSink) => Promise<void>

  constructor(produce: (sink: TextSink) => Promise<void>) {
    this.#produce = produce
  }

  /** The pieces, in order; throws the error of their generation. */
  async *[Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
    for await (const piece of new TextProducer(this.#produce).pieces) yield String(piece)
  }

  /** The whole text. @throws NodeError 'limitExceeded' if it is longer than `limit` bytes */
  collect(limit = Infinity): Promise<string> {
    return text(limitBytes(this, limit))
  }
}

/** The same pieces, up to `limit` bytes. @throws NodeError 'limitExceeded' at the piece that exceeds the limit */
export async function* limitBytes(
  pieces: AsyncIterable<string>,
  limit: number,
): AsyncGenerator<string, void, undefined> {
  let length = 0
  for await (const piece of pieces) {
    length += Buffer.byteLength(piece)
    if (length > limit) throw tooLong(limit)
    yield piece
  }
}

export const tooLong = (limit: number): NodeError =>
  new NodeError('limitExceeded', `response exceeds the limit of ${limit} bytes`)

/** Pieces of a text, which can be read once. */
export type TextPieces = AsyncGenerator<string, void, undefined>

/** Reads the beginning of a text. A text shorter than `PIECE_LENGTH` has no rest. */
export async function readBeginning(
  pieces: TextPieces,
): Promise<{ readonly beginning: string; readonly rest: TextPieces | undefined }> {
  let beginning = ''
  while (beginning.length < PIECE_LENGTH) {
    const next = await pieces.next()
    if (next.done === true) return { beginning, rest: undefined }
    beginning += next.value
  }
  return { beginning, rest: pieces }
}

/** Writes text to a stream of pieces, and waits while a full piece is unread. */
class TextProducer implements TextSink {
  readonly pieces: Readable
  #parts: string[] = []
  #length = 0
  /** Continues the generation; the first call begins it. */
  #resume: () => void

  constructor(produce: (sink: TextSink) => Promise<void>) {
    this.#resume = () => this.#begin(produce)
    // The stream buffers one piece, so that the next one is only made when this one is read.
    this.pieces = new Readable({ objectMode: true, highWaterMark: 1, read: () => this.#resume() })
    // Wakes a writer that waits for a reader who is gone: its next write throws AbandonedError.
    this.pieces.once('close', () => this.#resume())
  }

  readonly write = (written: string): Promise<void> | undefined => {
    this.#checkReader()
    this.#parts.push(written)
    this.#length += written.length
    if (this.#length < PIECE_LENGTH) return undefined
    const isRead = new Promise<void>((resolve) => (this.#resume = resolve))
    this.#pushPiece()
    return isRead.then(nextTurn)
  }

  readonly pause = (): Promise<void> => {
    this.#checkReader()
    return nextTurn()
  }

  #begin(produce: (sink: TextSink) => Promise<void>): void {
    this.#resume = () => undefined
    void produce(this).then(
      () => this.#end(),
      (error: unknown) => this.pieces.destroy(error instanceof Error ? error : new Error(String(error))),
    )
  }

  #pushPiece(): void {
    this.pieces.push(this.#parts.join(''))
    this.#parts = []
    this.#length = 0
  }

  #end(): void {
    if (this.#length > 0) this.#pushPiece()
    this.pieces.push(null)
  }

  #checkReader(): void {
    if (this.pieces.destroyed) throw new AbandonedError()
  }
}
