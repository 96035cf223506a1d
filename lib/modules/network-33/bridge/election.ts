/** Counts the votes of authorizers; a proposal wins with more than half of the voters. Terms: bridge.ts. */

import { equalBytes, type Address } from '../../../base/hex.ts'
import type { BridgeStorage } from './bridge-storage.ts'
import { StoredList, addressField, rawField, type Stored } from './stored-list.ts'

const VOTE = {
  /** The proposal as bytes, which are equal for equal proposals. */
  proposal: rawField,
  voter: addressField,
}

type Vote = Stored<typeof VOTE>

/** An election that lasts until a proposal has the votes of more than half of the voters. */
export function electionOf(storage: BridgeStorage, name: string, voters: ReadonlySet<Address>) {
  const list = new StoredList(`election/${name}`, VOTE)
  const hasVoted = ({ proposal, voter }: Vote): boolean =>
    list.read(storage).some((vote) => vote.voter === voter && equalBytes(vote.proposal, proposal))
  return {
    mayVote: (voter: Address): boolean => voters.has(voter),
    hasVoted,
    /** Counts a vote. Returns whether the proposal has won. The votes for a winning proposal are removed. */
    vote: (vote: Vote): boolean => {
      const votes = [...list.read(storage), ...(hasVoted(vote) ? [] : [vote])]
      const others = votes.filter(({ proposal }) => !equalBytes(proposal, vote.proposal))
      const isWon = votes.length - others.length > voters.size / 2
      list.write(storage, isWon ? others : votes)
      return isWon
    },
    /** Removes all votes. */
    clear: (): void => list.write(storage, []),
  }
}
