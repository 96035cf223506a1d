/** Text that is made while it is read: a long answer is never whole in memory. Who reads slowly slows the making down. */

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
    const handover = new Handover()
    void this.#produce(handover).then(
      () => handover.end(),
      (error: unknown) => handover.fail(error),
    )
    try {
      for (;;) {
        const piece = await handover.take()
        if (piece === undefined) return
        yield piece
      }
    } finally {
      handover.abandon()
    }
  }

  /**
   * The whole text.
   * @throws NodeError 'limitExceeded' when it is longer than so many bytes
   */
  async collect(limit = Infinity): Promise<string> {
    const pieces: string[] = []
    for await (const piece of limited(this, limit)) pieces.push(piece)
    return pieces.join('')
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

/** Between the maker, who waits while a full piece is not taken, and the reader, who waits while there is none. */
class Handover implements TextSink {
  #parts: string[] = []
  #length = 0
  #isEnded = false
  #isAbandoned = false
  #failure: { readonly error: unknown } | undefined
  #wakeReader: () => void = () => undefined
  #wakeMaker: () => void = () => undefined

  readonly write = (text: string): Promise<void> | undefined => {
    this.#checkReader()
    this.#parts.push(text)
    this.#length += text.length
    if (this.#length < CHUNK_LENGTH) return undefined
    this.#wakeReader()
    return new Promise<void>((resolve) => (this.#wakeMaker = resolve)).then(nextTurn)
  }

  readonly pause = (): Promise<void> => {
    this.#checkReader()
    return nextTurn()
  }

  end(): void {
    this.#isEnded = true
    this.#wakeReader()
  }

  fail(error: unknown): void {
    this.#failure = { error }
    this.end()
  }

  /** The next piece; nothing at the end. */
  async take(): Promise<string | undefined> {
    while (!this.#isEnded && this.#length < CHUNK_LENGTH) {
      await new Promise<void>((resolve) => (this.#wakeReader = resolve))
    }
    if (this.#failure !== undefined) throw this.#failure.error
    if (this.#parts.length === 0) return undefined
    const piece = this.#parts.join('')
    this.#parts = []
    this.#length = 0
    this.#wakeMaker()
    return piece
  }

  abandon(): void {
    this.#isAbandoned = true
    this.#wakeMaker()
  }

  #checkReader(): void {
    if (this.#isAbandoned) throw new AbandonedError()
  }
}
