/** Shares values between users, by key: a value is made for its first user and closed after its last one. */

/** The use of a shared value. */
export interface ValueLease<Value> {
  readonly value: Value
  /** Another use of the same value, which ends on its own. */
  readonly share: () => ValueLease<Value>
  /** Ends the use. A second call has no effect. */
  readonly release: () => Promise<void>
}

interface SharedValue<Value> {
  readonly made: Promise<Value>
  users: number
}

/** The shared values of one kind. */
export class SharedValues<Value> {
  readonly #values = new Map<string, SharedValue<Value>>()
  readonly #close: (value: Value) => unknown

  constructor(close: (value: Value) => unknown) {
    this.#close = close
  }

  /** The value of a key; made if it has no user. @throws the error of making it */
  async use(key: string, make: () => Value | Promise<Value>): Promise<ValueLease<Value>> {
    const shared = this.#values.get(key) ?? { made: Promise.resolve().then(make), users: 0 }
    this.#values.set(key, shared)
    shared.users++
    try {
      return this.#lease(key, shared, await shared.made)
    } catch (error) {
      this.#leave(key, shared)
      throw error
    }
  }

  #lease(key: string, shared: SharedValue<Value>, value: Value): ValueLease<Value> {
    let isReleased = false
    return {
      value,
      share: () => {
        shared.users++
        return this.#lease(key, shared, value)
      },
      release: async () => {
        if (isReleased) return
        isReleased = true
        if (this.#leave(key, shared)) await this.#close(value)
      },
    }
  }

  /** Ends a use. Returns whether it was the last one. */
  #leave(key: string, shared: SharedValue<Value>): boolean {
    shared.users--
    if (shared.users > 0) return false
    this.#values.delete(key)
    return true
  }
}
