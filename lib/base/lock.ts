/** A fair read/write lock: requests enter in the order of arrival, reads side by side, writes alone. */

/** How a request enters: beside other reads, or alone. */
export type Access = 'read' | 'write'

interface Waiter {
  readonly access: Access
  readonly enter: () => void
}

/** Serialises writes and lets reads between them run together; nobody is overtaken. */
export class Lock {
  #readers = 0
  #writing = false
  readonly #queue: Waiter[] = []

  /** Runs the task once it may enter. Work that can enter at once and is synchronous is answered synchronously. */
  run<T>(access: Access, task: () => T | Promise<T>): T | Promise<T> {
    if (this.#mayEnter(access)) return this.#hold(access, task)
    return new Promise<void>((enter) => {
      this.#queue.push({ access, enter })
    }).then(() => this.#work(access, task))
  }

  #mayEnter(access: Access): boolean {
    if (this.#queue.length > 0 || this.#writing) return false
    return access === 'read' || this.#readers === 0
  }

  #hold<T>(access: Access, task: () => T | Promise<T>): T | Promise<T> {
    this.#take(access)
    return this.#work(access, task)
  }

  #work<T>(access: Access, task: () => T | Promise<T>): T | Promise<T> {
    let result: T | Promise<T>
    try {
      result = task()
    } catch (error) {
      this.#release(access)
      throw error
    }
    if (!(result instanceof Promise)) {
      this.#release(access)
      return result
    }
    return result.finally(() => this.#release(access))
  }

  #take(access: Access): void {
    if (access === 'write') this.#writing = true
    else this.#readers++
  }

  #release(access: Access): void {
    if (access === 'write') this.#writing = false
    else this.#readers--
    this.#admit()
  }

  #admit(): void {
    for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
      if (this.#writing || (next.access === 'write' && this.#readers > 0)) return
      this.#queue.shift()
      // Held from now on, so that nobody slips in before the waiter's continuation runs.
      this.#take(next.access)
      next.enter()
    }
  }
}
