/** Keeps the banned addresses. A local chain has no peers. */

import type { Cell, ChainInstance } from '../instance/chain-instance.ts'

/** Reputation of a peer; all numbers are counts (node-rpc 5.14). */
export interface PeerScore {
  readonly successfulHandshakes: number
  readonly failedHandshakes: number
  readonly invalidHeader: number
  readonly validBlocks: number
  readonly invalidBlocks: number
  readonly validTransactions: number
  readonly invalidTransactions: number
  readonly invalidNetworks: number
  readonly invalidMessages: number
  readonly repeatedMessages: number
  readonly timeoutMessages: number
  readonly unexpectedMessages: number
}

/** A peer and its reputation. */
export interface Peer extends PeerScore {
  /** First eight digits of the node id, or an address. */
  readonly id: string
  readonly type: 'node' | 'address'
  readonly score: number
  readonly punishments: number
  readonly goodReputation: boolean
  /** Milliseconds since the epoch; zero without punishment. */
  readonly punishedUntil: number
}

/** Names of the counts. */
export const SCORE_NAMES = [
  'successfulHandshakes',
  'failedHandshakes',
  'invalidHeader',
  'validBlocks',
  'invalidBlocks',
  'validTransactions',
  'invalidTransactions',
  'invalidNetworks',
  'invalidMessages',
  'repeatedMessages',
  'timeoutMessages',
  'unexpectedMessages',
] as const satisfies readonly (keyof PeerScore)[]

/** The peers of one node. */
export class PeerTable {
  readonly #banned: Cell<ReadonlySet<string>>
  // Always empty, as the node has no connections to other nodes.
  readonly #peers: readonly Peer[] = []

  constructor(instance: ChainInstance) {
    // Bans belong to the network, not to the chain: a revert keeps them.
    this.#banned = instance.cell('bannedAddresses', 'keep', new Set<string>())
  }

  /** Known peers. */
  get peers(): readonly Peer[] {
    return this.#peers
  }

  /** Banned addresses as they were given, in the order of the bans. */
  get banned(): readonly string[] {
    return [...this.#banned.value]
  }

  /** Bans an address or a range of addresses. */
  ban(address: string): void {
    this.#banned.value = new Set([...this.#banned.value, address])
  }

  /** Ends the ban of an address; an address that is not banned is no error. */
  unban(address: string): void {
    this.#banned.value = new Set([...this.#banned.value].filter((other) => other !== address))
  }
}
