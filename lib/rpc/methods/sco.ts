/** Methods about the reputation of peers. A local node has no peers, and only keeps the list of banned addresses. */

import * as z from 'zod'
import { bannableAddress, peerId } from '../../schema/peers.ts'
import { text } from '../../schema/results.ts'
import { command } from '../control.ts'
import { method, param } from '../method.ts'

/** Counts of a peer's reputation (node-rpc 5.14). */
const COUNTS = [
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
] as const
const SUMS = ['peersTotalScore', 'punishments', 'goodReputationCount', 'badReputationCount'] as const

const counts = z.record(z.enum(COUNTS), z.int())
const peerList = z
  .array(
    counts.and(
      z.object({
        /** First eight digits of the node id, or an address. */
        id: z.string(),
        type: z.enum(['node', 'address']),
        score: z.int(),
        punishments: z.int(),
        goodReputation: z.boolean(),
        /** Milliseconds since the epoch; zero without punishment. */
        punishedUntil: z.int(),
      }),
    ),
  )
  .readonly()

const ANY = '192.168.51.1'
const address = param(
  'address',
  bannableAddress,
  'IP address, or a range as in 192.168.51.1/16; host names are not resolved.',
)

export const banAddress = command({
  name: 'sco_banAddress',
  summary: 'Bans peers at an address from now on, also after a revert.',
  params: [address],
  example: { params: [ANY], result: null },
  run: ({ address: banned }, { bannedAddresses }) => {
    bannedAddresses.value = new Set([...bannedAddresses.value, banned])
  },
})

export const unbanAddress = command({
  name: 'sco_unbanAddress',
  summary: 'Ends the ban of an address.',
  params: [address],
  example: { params: [ANY], result: null },
  run: ({ address: banned }, { bannedAddresses }) => {
    bannedAddresses.value = new Set([...bannedAddresses.value].filter((other) => other !== banned))
  },
})

export const listBanned = method({
  name: 'sco_bannedAddresses',
  summary: 'Banned addresses, as they were given.',
  result: z.array(text).readonly(),
  example: { after: [{ method: 'sco_banAddress', params: [ANY] }], params: [], result: [ANY] },
  run: (_, { bannedAddresses }) => [...bannedAddresses.value],
})

export const list = method({
  name: 'sco_peerList',
  summary: 'Every known peer and its reputation: none, the chain is local.',
  result: peerList,
  example: { params: [], result: [] },
  run: () => [],
})

export const reputationSummary = method({
  name: 'sco_reputationSummary',
  summary: 'Sums of the reputation of all peers.',
  result: z.record(z.string(), z.int()),
  example: { params: [] },
  run: () => Object.fromEntries(['count', ...COUNTS, ...SUMS].map((name) => [name, 0])),
})

export const clearPeerScoring = method({
  name: 'sco_clearPeerScoring',
  summary: 'Deletes the reputation of a peer, and returns the new sco_peerList.',
  params: [param('id', peerId, 'IP address or node id of the peer.')],
  result: peerList,
  example: { params: ['3fd44f66'], result: [] },
  // There are no peers to delete: an unknown peer changes nothing.
  run: () => [],
})
