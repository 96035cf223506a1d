/** The remote of a fork: its clients, and the store of answers that never change. */

import { toQuantity } from '../base/hex.ts'
import { NotLoadedError } from '../base/routine.ts'
import { keyOf, type BlockId, type Question } from './question.ts'
import type { FactStore } from './fact-store.ts'
import type { RemoteClient } from './remote-client.ts'
import { RemoteError, isFailedExecution } from './remote-error.ts'
import { checkCanonical } from './remote-member.ts'
import type { RemotesOfChain } from './remote-set.ts'

/** What is known about a remote when its fork is opened. */
export interface RemoteFacts {
  readonly block: BlockId
  /** Whether the remote was unavailable, so that the fork began with the cache. */
  readonly isAway: boolean
}

/** Answers questions from the store or the remote. */
export class Remote {
  readonly remotes: RemotesOfChain
  /** Methods that the remote is known to lack. */
  readonly #missing: Set<string>
  readonly #store: FactStore
  readonly #block: BlockId
  readonly #isAway: boolean
  /** Clients whose remotes do not accept block hashes (EIP-1898). Others answer an error for a hash that was reorganized away. */
  readonly #refusesHashes = new WeakSet<RemoteClient>()

  constructor(remotes: RemotesOfChain, store: FactStore, { block, isAway }: RemoteFacts) {
    this.remotes = remotes
    this.#store = store
    this.#block = block
    this.#isAway = isAway
    // Access lists only save time, so an unavailable remote is not asked for them.
    this.#missing = new Set(isAway ? ['eth_createAccessList'] : [])
  }

  has(method: string): boolean {
    return !this.#missing.has(method)
  }

  /** Writes the answers that are not on disk yet. */
  close(): Promise<void> {
    return this.#store.close()
  }

  /** The stored answer; undefined if the question must be asked. */
  recall(question: Question): unknown {
    const key = keyOf(question)
    const known = this.#store.get(key)
    if (known !== undefined || !this.#isAway) return known
    return this.#store.get(absenceKey(key)) === undefined ? undefined : null
  }

  /** Stores an answer that arrived in another way. */
  remember(question: Question, answer: unknown): void {
    this.#store.put(keyOf(question), answer)
  }

  /**
   * The answer to a question, which is stored. A null is not final: the object may appear later or on another remote. So a stored
   * null is used only while the remote is unavailable. @throws NodeError 'remoteFailed'
   */
  async ask(question: Question): Promise<unknown> {
    const known = this.recall(question)
    if (known !== undefined) return known
    const answer = await this.#outcome(question)
    if (answer === null) this.#store.put(absenceKey(keyOf(question)), true)
    else if (answer !== undefined) this.remember(question, answer)
    return answer
  }

  /** The answer, or the message of a failed execution if the question allows that. */
  async #outcome(question: Question): Promise<unknown> {
    try {
      return await this.remotes.use(question, async (client) => {
        const answer = await this.#request(client, question)
        question.check?.(answer)
        return answer
      })
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error
      if (error.reason === 'methodNotFound') this.#missing.add(question.method)
      if (question.mayFail !== true || !isFailedExecution(error)) throw error
      return { failure: error.remote.message }
    }
  }

  /** Asks a remote without storing the answer. @throws NodeError 'remoteFailed', also if it no longer has the block */
  async #request(client: RemoteClient, { method, params, block }: Question): Promise<unknown> {
    if (block === undefined) return requestOnChain(client, { method, params }, this.#block)
    const byNumber = { method, params: [...params, toQuantity(block.number)] }
    if (this.#refusesHashes.has(client)) return requestOnChain(client, byNumber, block)
    try {
      return await client.request(method, [...params, { blockHash: block.hash }])
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error
      if (isRefusedForm(error)) {
        this.#refusesHashes.add(client)
        return requestOnChain(client, byNumber, block)
      }
      if (error.reason !== 'methodNotFound' && !error.isTransient && !isFailedExecution(error))
        await checkCanonical(client, block)
      throw error
    }
  }
}

/**
 * The answer to a request that depends on the remote's chain. The same message checks the block. @throws NodeError 'remoteFailed',
 * also if the remote no longer has the block
 */
async function requestOnChain(
  client: RemoteClient,
  { method, params }: { readonly method: string; readonly params: readonly unknown[] },
  block: BlockId,
): Promise<unknown> {
  const [answer, check] = await Promise.allSettled([
    client.request(method, params),
    checkCanonical(client, block),
  ])
  if (answer.status === 'rejected' && !(answer.reason instanceof RemoteError)) throw answer.reason
  if (check.status === 'rejected') throw check.reason
  if (answer.status === 'rejected') throw answer.reason
  return answer.value
}

const absenceKey = (key: string): string => `absent ${key}`

const INVALID_PARAMS = -32602

/** Whether the remote does not understand block objects, as opposed to not having the block. */
const isRefusedForm = ({ reason, remote: { code, message } }: RemoteError): boolean =>
  reason === 'other' &&
  (code === INVALID_PARAMS || /invalid (argument|type|block|param)|cannot unmarshal/i.test(message))

/** A kind of fact: its questions, and how to read the answers. */
export interface FactKind<Key, Fact> {
  readonly questions: (key: Key) => readonly Question[]
  /**
   * Reads the answers. If there are several questions, each answer has been checked before. @throws NodeError 'remoteFailed' for
   * invalid answers
   */
  readonly read: (answers: readonly unknown[], key: Key) => Fact
}

export class FactTable<Key extends string | number, Fact> {
  readonly #remote: Remote
  readonly #kind: FactKind<Key, Fact>
  readonly #facts = new Map<Key, { readonly fact: Fact }>()

  constructor(remote: Remote, kind: FactKind<Key, Fact>) {
    this.#remote = remote
    this.#kind = kind
  }

  get(key: Key): Fact {
    const known = this.#facts.get(key) ?? this.#recall(key)
    if (known !== undefined) return known.fact
    throw new NotLoadedError(this.#kind.questions(key).map(keyOf).join(), () => this.load(key))
  }

  has(key: Key): boolean {
    return (this.#facts.get(key) ?? this.#recall(key)) !== undefined
  }

  /** Adds a fact that came with another answer. */
  set(key: Key, fact: Fact): void {
    this.#facts.set(key, { fact })
  }

  /** Asks the remote for a fact unless it is known. The client sends equal concurrent questions once. */
  async load(key: Key): Promise<void> {
    if (this.has(key)) return
    const questions = this.#kind.questions(key)
    const read = (answers: readonly unknown[]): void => this.set(key, this.#kind.read(answers, key))
    const check = questions.length === 1 ? (answer: unknown) => read([answer]) : undefined
    try {
      const answers = await Promise.all(questions.map((question) => this.#remote.ask({ check, ...question })))
      if (!this.#facts.has(key)) read(answers)
    } catch (error) {
      // The remote may have turned out to lack a method. Some facts then need other questions.
      const [question] = this.#kind.questions(key)
      if (question?.method === questions[0]?.method) throw error
      await this.load(key)
    }
  }

  #recall(key: Key): { readonly fact: Fact } | undefined {
    const answers = this.#kind.questions(key).map((question) => this.#remote.recall(question))
    if (answers.includes(undefined)) return undefined
    this.set(key, this.#kind.read(answers, key))
    return this.#facts.get(key)
  }
}
