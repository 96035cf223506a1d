/** Counts the votes of authorizers; a proposal wins with more than half of the voters. Terms: bridge.ts. */

import type { Address } from '../../../base/hex.ts'
import { toHex } from '../../../base/hex.ts'
import type { BridgeStorage } from './bridge-storage.ts'
import { StoredList, addressField, rawField } from './stored-list.ts'
import type { Stored } from './stored-list.ts'

const VOTE = {
  /** The proposal as bytes, which are equal for equal proposals. */
  proposal: rawField,
  voter: addressField,
}

/** A vote of a voter for a proposal. */
type Vote = Stored<typeof VOTE>

/** An election that lasts until a proposal has the votes of more than half of the voters. */
export class Election {
  readonly #storage: BridgeStorage
  readonly #votes: StoredList<typeof VOTE>
  readonly #voters: ReadonlySet<Address>

  constructor(storage: BridgeStorage, name: string, voters: ReadonlySet<Address>) {
    this.#storage = storage
    this.#votes = new StoredList(`election/${name}`, VOTE)
    this.#voters = voters
  }

  mayVote(voter: Address): boolean {
    return this.#voters.has(voter)
  }

  /** Whether the voter has voted for the proposal. */
  hasVoted({ proposal, voter }: Vote): boolean {
    const isSame = (vote: Vote) => vote.voter === voter && toHex(vote.proposal) === toHex(proposal)
    return this.#votes.read(this.#storage).some(isSame)
  }

  /** Counts a vote. Returns whether the proposal has won. The votes for a winning proposal are removed. */
  vote(vote: Vote): boolean {
    const votes = [...this.#votes.read(this.#storage), ...(this.hasVoted(vote) ? [] : [vote])]
    const others = votes.filter(({ proposal }) => toHex(proposal) !== toHex(vote.proposal))
    const isWon = votes.length - others.length > this.#voters.size / 2
    this.#votes.write(this.#storage, isWon ? others : votes)
    return isWon
  }

  /** Removes all votes. */
  clear(): void {
    this.#votes.write(this.#storage, [])
  }
}
