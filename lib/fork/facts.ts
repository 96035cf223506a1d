/** Facts about the remote chain that are loaded when they are first read. They never change, so they stay in memory. */

import { NotLoadedError } from '../base/not-loaded.ts'
import type { Question, Remote } from './remote.ts'

/** A kind of fact: its questions, and how to read the answers. */
export interface FactKind<Key, Fact> {
  /** Name of the kind in messages to developers. */
  readonly name: string
  readonly questions: (key: Key) => readonly Question[]
  /** @throws NodeError 'remoteFailed' for answers that make no sense */
  readonly read: (answers: readonly unknown[], key: Key) => Fact
}

/** The facts of one kind. */
export class FactTable<Key extends string | number, Fact> {
  readonly #remote: Remote
  readonly #kind: FactKind<Key, Fact>
  readonly #facts = new Map<Key, { readonly fact: Fact }>()

  constructor(remote: Remote, kind: FactKind<Key, Fact>) {
    this.#remote = remote
    this.#kind = kind
  }

  /** The fact of a key. @throws NotLoadedError */
  get(key: Key): Fact {
    const known = this.#facts.get(key) ?? this.#recall(key)
    if (known !== undefined) return known.fact
    throw new NotLoadedError(`${this.#kind.name} ${key}`, () => this.load(key))
  }

  /** Whether the fact is in memory or in the cache. */
  has(key: Key): boolean {
    return (this.#facts.get(key) ?? this.#recall(key)) !== undefined
  }

  /** Adds a fact that another answer contained. */
  set(key: Key, fact: Fact): void {
    this.#facts.set(key, { fact })
  }

  /** Asks the remote for a fact, unless it is known. The client sends equal questions at the same time once. */
  async load(key: Key): Promise<void> {
    if (this.has(key)) return
    const questions = this.#kind.questions(key)
    const answers = await Promise.all(questions.map((question) => this.#remote.ask(question)))
    this.set(key, this.#kind.read(answers, key))
  }

  /** Reads the fact from cached answers, if all of them are cached. */
  #recall(key: Key): { readonly fact: Fact } | undefined {
    const answers = this.#kind.questions(key).map((question) => this.#remote.recall(question))
    if (answers.includes(undefined)) return undefined
    this.set(key, this.#kind.read(answers, key))
    return this.#facts.get(key)
  }
}
