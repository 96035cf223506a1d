/** Counts the votes of authorizers; a proposal wins with more than half of the voters. Terms: bridge.ts. */

import type { Address } from '../../../base/hex.ts'
import { fromHex, toAddress, toHex } from '../../../base/hex.ts'
import { bytesOf, listOf } from './bridge-storage.ts'
import type { BridgeStorage } from './bridge-storage.ts'

/** A vote of a voter for a proposal. */
interface Vote {
  /** The proposal as bytes, which are equal for equal proposals. */
  readonly proposal: Uint8Array
  readonly voter: Address
}

/** An election that lasts until a proposal has the votes of more than half of the voters. */
export class Election {
  readonly #storage: BridgeStorage
  readonly #valueName: string
  readonly #voters: ReadonlySet<Address>

  constructor(storage: BridgeStorage, name: string, voters: ReadonlySet<Address>) {
    this.#storage = storage
    this.#valueName = `election/${name}`
    this.#voters = voters
  }

  mayVote(voter: Address): boolean {
    return this.#voters.has(voter)
  }

  /** Whether the voter has voted for the proposal. */
  hasVoted({ proposal, voter }: Vote): boolean {
    return this.#votes().some((vote) => vote.voter === voter && toHex(vote.proposal) === toHex(proposal))
  }

  /** Counts a vote. Returns whether the proposal has won. The votes for a winning proposal are removed. */
  vote(vote: Vote): boolean {
    const votes = this.hasVoted(vote) ? this.#votes() : [...this.#votes(), vote]
    const others = votes.filter(({ proposal }) => toHex(proposal) !== toHex(vote.proposal))
    const isWon = votes.length - others.length > this.#voters.size / 2
    this.#put(isWon ? others : votes)
    return isWon
  }

  /** Removes all votes. */
  clear(): void {
    this.#put([])
  }

  #put(votes: readonly Vote[]): void {
    const list = votes.map(({ proposal, voter }) => [proposal, fromHex(voter)])
    this.#storage.putRecord(this.#valueName, list.length === 0 ? undefined : list)
  }

  #votes(): readonly Vote[] {
    return listOf(this.#storage.record(this.#valueName)).map((entry) => {
      const [proposal, voter] = listOf(entry).map(bytesOf)
      return { proposal: proposal ?? new Uint8Array(0), voter: toAddress(voter ?? new Uint8Array(0)) }
    })
  }
}
