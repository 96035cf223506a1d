/** A fair read/write lock: requests enter in the order of arrival, reads run concurrently, writes alone. */

import { nextTurn } from './host.ts'
import { finish, isRoutine, type Later } from './routine.ts'

/** Lock mode of a request: concurrent with other reads, or alone. */
export type LockMode = 'read' | 'write'

interface Waiter {
  readonly access: LockMode
  readonly enter: () => void
}

/** Serializes writes and runs the reads between them concurrently, in the order of arrival. */
export class Lock {
  #readers = 0
  #writing = false
  #yielding = false
  #resume: (() => void) | undefined
  readonly #queue: Waiter[] = []

  /**
   * Runs the task when the lock is free for it. If it is free at once, a synchronous task returns its result synchronously.
   * A routine that only reads has the lock until its first pause.
   */
  run<T>(access: LockMode, task: () => Later<T>): T | Promise<T> {
    if (this.#mayEnter(access)) {
      this.#take(access)
      return this.#work(access, task)
    }
    return new Promise<void>((enter) => {
      this.#queue.push({ access, enter })
    }).then(() => this.#work(access, task))
  }

  /**
   * Admits reads for one turn of the event loop, even those queued behind a write; writes stay queued. A long write calls
   * this at a point where reads see a consistent state. Resolves when these reads have ended.
   */
  yieldToReads(): Promise<void> {
    return this.admitReadsDuring(nextTurn())
  }

  /**
   * Admits reads until a promise is settled. A write that waits for something outside of the node calls this at a point where
   * reads see a consistent state. Settles as the promise does, but not before these reads have ended.
   */
  async admitReadsDuring(wait: Promise<void>): Promise<void> {
    this.#yielding = this.#writing
    this.#admit()
    try {
      await wait
    } finally {
      this.#yielding = false
      if (this.#readers > 0 && this.#writing) await new Promise<void>((resume) => (this.#resume = resume))
    }
  }

  /** Finishes a routine of the write that holds the lock. Reads run during its pauses. */
  finish<T>(result: Later<T>): T | Promise<T> {
    return isRoutine(result) ? finish(result, (pause) => this.admitReadsDuring(pause)) : result
  }

  #mayEnter(access: LockMode): boolean {
    if (access === 'read' && this.#yielding) return true
    if (this.#queue.length > 0 || this.#writing) return false
    return access === 'read' || this.#readers === 0
  }

  #work<T>(access: LockMode, task: () => Later<T>): T | Promise<T> {
    let lasting: Promise<T> | undefined
    try {
      const result = task()
      if (access === 'read' && isRoutine(result)) return finish(result)
      const end = this.finish(result)
      if (!(end instanceof Promise)) return end
      lasting = end
    } finally {
      if (lasting === undefined) this.#release(access)
    }
    return lasting.finally(() => this.#release(access))
  }

  #take(access: LockMode): void {
    if (access === 'write') this.#writing = true
    else this.#readers++
  }

  #release(access: LockMode): void {
    if (access === 'write') this.#writing = false
    else this.#readers--
    if (this.#readers === 0) this.#resume?.()
    this.#admit()
  }

  #admit(): void {
    if (this.#yielding) this.#admitReads()
    for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
      if (this.#writing || (next.access === 'write' && this.#readers > 0)) return
      this.#queue.shift()
      this.#letIn(next)
    }
  }

  #admitReads(): void {
    const waiting = this.#queue.splice(0)
    for (const next of waiting) {
      if (next.access === 'read') this.#letIn(next)
      else this.#queue.push(next)
    }
  }

  #letIn({ access, enter }: Waiter): void {
    // Takes the lock before the waiting request continues, so that no other request enters in between.
    this.#take(access)
    enter()
  }
}
