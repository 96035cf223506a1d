/** Typed events between services that must not import each other. Listeners run synchronously, in the order of addition. */

export class Emitter<T> {
  readonly #listeners = new Set<(value: T) => void>()

  /** Calls the listener at every emission until the returned function is called. */
  on(listener: (value: T) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  emit(value: T): void {
    for (const listener of this.#listeners) listener(value)
  }
}
