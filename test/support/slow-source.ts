/** A whole state as the source of a partial one: every account and every slot has to be loaded before it can be read. */

import type { Address, Hash } from '../../lib/base/hex.ts'
import { EMPTY_BYTES, asHash, stripZeros, fromHex } from '../../lib/base/hex.ts'
import { NotLoadedError } from '../../lib/base/routine.ts'
import type { AccountProof, StateSource } from '../../lib/state/state-source.ts'
import type { AccountFields } from '../../lib/state/account.ts'
import { StateRoot } from '../../lib/state/state-root.ts'

/** A source that answers from a whole state, later. */
export class SlowSource implements StateSource {
  readonly stateRoot: Hash
  /** What was loaded, in the order of the loads. */
  readonly loads: string[] = []
  readonly #whole: StateRoot
  readonly #loaded = new Set<string>()
  readonly #delay: (what: string) => Promise<void>

  /** `delay` is what a load waits for; it may reject. */
  constructor(whole: StateRoot, delay: (what: string) => Promise<void> = () => Promise.resolve()) {
    this.stateRoot = whole.hash
    this.#whole = whole
    this.#delay = delay
  }

  account(address: Address): AccountFields | undefined {
    this.#require(address)
    const account = this.#whole.account(address)
    if (account === undefined) return undefined
    const { nonce, balance, code, codeHash } = account
    return { nonce, balance, code, codeHash }
  }

  storage(address: Address, slot: Hash): Uint8Array {
    this.#require(`${address} ${slot}`)
    const value = stripZeros(fromHex(this.#whole.storageAt(address, slot)))
    return value.length === 0 ? EMPTY_BYTES : value
  }

  changes(): boolean {
    return false
  }

  proof(address: Address, slots: readonly Hash[]): AccountProof {
    this.#require(`proof of ${address}`)
    return this.#whole.prove(address, slots)
  }

  expect(): undefined {
    return undefined
  }

  /** The state of this source, without changes. */
  get root(): StateRoot {
    return new StateRoot(undefined, this)
  }

  #require(what: string): void {
    if (this.#loaded.has(what)) return
    throw new NotLoadedError(what, async () => {
      await this.#delay(what)
      if (!this.#loaded.has(what)) this.loads.push(what)
      this.#loaded.add(what)
    })
  }
}

/** Runs a read again after each load, until it succeeds. */
export async function loaded<T>(read: () => T): Promise<T> {
  for (;;) {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof NotLoadedError)) throw error
      await error.load()
    }
  }
}

/** An account as two states are compared by it; undefined if it does not exist. */
export interface ShownAccount {
  readonly nonce: bigint
  readonly balance: bigint
  readonly codeHash: Hash
  /** Slots that are not zero. */
  readonly storage: Readonly<Record<string, Hash>>
}

/** The accounts at these addresses, with their values at these slots. */
export async function contentOf(
  root: StateRoot,
  { addresses, slots }: { readonly addresses: Iterable<Address>; readonly slots: readonly Hash[] },
): Promise<Readonly<Record<Address, ShownAccount | undefined>>> {
  const content: Record<Address, ShownAccount | undefined> = {}
  for (const address of addresses) {
    const account = await loaded(() => root.account(address))
    if (account === undefined) {
      content[address] = undefined
      continue
    }
    const storage: Record<string, Hash> = {}
    for (const slot of slots) {
      const value = await loaded(() => root.storageAt(address, slot))
      if (value !== ZERO) storage[slot] = value
    }
    const { nonce, balance, codeHash } = account
    content[address] = { nonce, balance, codeHash, storage }
  }
  return content
}

const ZERO = asHash(`0x${'00'.repeat(32)}`)

/** Addresses and slots of all accounts that a state holds itself. */
export function keysOf(root: StateRoot): {
  readonly addresses: readonly Address[]
  readonly slots: readonly Hash[]
} {
  const entries = [...root.trie.entries()].map(([, entry]) => entry)
  const slots = entries.flatMap(({ storage }) => [...storage.entries()].map(([, { slot }]) => slot))
  return { addresses: entries.map(({ address }) => address), slots }
}
