/** Computes the difference of two states from hook events, without those of failed frames. */

import type { Address, Hash } from '../../lib/base/hex.ts'
import { EMPTY_BYTES, asAddress, asHash, toHex } from '../../lib/base/hex.ts'
import type { SyncObserver } from '../../lib/evm/observer.ts'
import type { State } from '../../lib/state/state.ts'

/** The account and its changed member: balance, nonce, code or a slot. */
type Subject = `${Address} ${'balance' | 'nonce' | 'code' | Hash}`

/** Values before and now, as text. */
type Changes = Map<Subject, readonly [before: string, now: string]>

/** Observes one execution. */
export class ChangedState {
  /** Changes outside of frames, and of each running frame. */
  readonly #layers: Changes[] = [new Map()]

  readonly observer: SyncObserver = {
    onBalanceChange: (address, before, now) => this.#note(`${address} balance`, String(before), String(now)),
    onNonceChange: (address, before, now) => this.#note(`${address} nonce`, String(before), String(now)),
    onCodeChange: (address, before, now) => this.#note(`${address} code`, toHex(before), toHex(now)),
    onStorageChange: ({ address, slot, previous, value }) =>
      this.#note(`${address} ${slot}`, toHex(previous), toHex(value)),
    onEnter: () => void this.#layers.push(new Map()),
    onExit: ({ status }) => {
      const changes = this.#layers.pop() ?? new Map()
      if (status !== 'success') return
      for (const [subject, [before, now]] of changes) this.#note(subject, before, now)
    },
  }

  /** Accounts that are different now. */
  get addresses(): readonly Address[] {
    return [...new Set([...this.#changes.keys()].map((subject) => asAddress(subject.split(' ')[0]!)))]
  }

  /** The changes of the hooks that differ from the two states. */
  complaints(before: State, after: State): readonly string[] {
    return [...this.#changes].flatMap(([subject, [was, is]]) => {
      const found = [valueOf(before, subject), valueOf(after, subject)]
      return found[0] === was && found[1] === is
        ? []
        : [`${subject}: told ${was} to ${is}, found ${String(found)}`]
    })
  }

  get #changes(): Changes {
    const [outermost = new Map()] = this.#layers
    return new Map([...outermost].filter(([, [before, now]]) => before !== now)) as Changes
  }

  #note(subject: Subject, before: string, now: string): void {
    const layer = this.#layers.at(-1)!
    layer.set(subject, [layer.get(subject)?.[0] ?? before, now])
  }
}

function valueOf(state: State, subject: Subject): string {
  const [address, member] = subject.split(' ') as [Address, string]
  const account = state.account(address)
  if (member === 'balance') return String(account?.balance ?? 0n)
  if (member === 'nonce') return String(account?.nonce ?? 0n)
  if (member === 'code') return toHex(account?.code ?? EMPTY_BYTES)
  return toHex(state.storage(address, asHash(member)))
}
