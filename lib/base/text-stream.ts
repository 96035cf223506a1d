/** Text that is made while it is read: a long answer is never whole in memory. Who reads slowly slows the making down. */

import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { NodeError } from './errors.ts'
import { nextTurn } from './host.ts'

/** Characters that are handed over at once; more only where one piece is longer. */
export const CHUNK_LENGTH = 65_536

/** Where text is written to. */
export interface TextSink {
  /**
   * Adds text. A promise says that enough is waiting: write on once it is resolved. It is never rejected.
   * @throws AbandonedError when nobody reads any more
   */
  readonly write: (text: string) => Promise<void> | undefined
  /**
   * Lets others have a turn. The promise is never rejected.
   * @throws AbandonedError when nobody reads any more
   */
  readonly pause: () => Promise<void>
}

/** Ends the making of a text that nobody reads any more. */
export class AbandonedError extends Error {
  constructor() {
    super('the reader of the text is gone')
    this.name = 'AbandonedError'
  }
}

/** A text in pieces, to be read once. It is made from the first read on. */
export class TextStream implements AsyncIterable<string> {
  readonly #produce: (sink: TextSink) => Promise<void>

  constructor(produce: (sink: TextSink) => Promise<void>) {
    this.#produce = produce
  }

  /** The pieces, in order; throws where making them failed. */
  async *[Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
    for await (const piece of new Maker(this.#produce).pieces) yield String(piece)
  }

  /**
   * The whole text.
   * @throws NodeError 'limitExceeded' when it is longer than so many bytes
   */
  collect(limit = Infinity): Promise<string> {
    return text(limited(this, limit))
  }
}

/**
 * The same pieces, as long as they are not more than so many bytes.
 * @throws NodeError 'limitExceeded' at the piece that goes beyond
 */
export async function* limited(
  pieces: AsyncIterable<string>,
  limit: number,
): AsyncGenerator<string, void, undefined> {
  let length = 0
  for await (const piece of pieces) {
    length += Buffer.byteLength(piece)
    if (length > limit) throw new NodeError('limitExceeded', `answer exceeds the limit of ${limit} bytes`)
    yield piece
  }
}

/**
 * The beginning of a text and the rest of it. A text shorter than a piece is whole in its beginning, and has no rest.
 */
export async function begun(pieces: AsyncIterable<string>): Promise<{
  readonly beginning: string
  readonly rest: AsyncGenerator<string, void, undefined> | undefined
}> {
  const iterator = pieces[Symbol.asyncIterator]()
  let beginning = ''
  while (beginning.length < CHUNK_LENGTH) {
    const next = await iterator.next()
    if (next.done === true) return { beginning, rest: undefined }
    beginning += next.value
  }
  return { beginning, rest: remaining(iterator) }
}

async function* remaining(iterator: AsyncIterator<string>): AsyncGenerator<string, void, undefined> {
  try {
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value
  } finally {
    await iterator.return?.()
  }
}

/** Writes text to a stream of pieces, and waits while a full piece is not read. */
class Maker implements TextSink {
  readonly pieces: Readable
  #parts: string[] = []
  #length = 0
  /** Goes on with the making; the first time begins it. */
  #resume: () => void

  constructor(produce: (sink: TextSink) => Promise<void>) {
    this.#resume = () => this.#begin(produce)
    // One piece is kept, so that the next one is only made when this one is read.
    this.pieces = new Readable({ objectMode: true, highWaterMark: 1, read: () => this.#resume() })
    this.pieces.once('close', () => this.#resume())
  }

  readonly write = (written: string): Promise<void> | undefined => {
    this.#checkReader()
    this.#parts.push(written)
    this.#length += written.length
    if (this.#length < CHUNK_LENGTH) return undefined
    const isRead = new Promise<void>((resolve) => (this.#resume = resolve))
    this.#handOver()
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

  #handOver(): void {
    this.pieces.push(this.#parts.join(''))
    this.#parts = []
    this.#length = 0
  }

  #end(): void {
    if (this.#length > 0) this.#handOver()
    this.pieces.push(null)
  }

  #checkReader(): void {
    if (this.pieces.destroyed) throw new AbandonedError()
  }
}
