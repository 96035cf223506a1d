/** Methods about the reputation of peers. A local node has no peers, and only keeps the list of banned addresses. */

import * as z from 'zod'
import { isBannable } from '../../peers/ban.ts'
import { SCORE_NAMES } from '../../peers/peer-table.ts'
import type { PeerTable } from '../../peers/peer-table.ts'
import { nothing, text } from '../../schema/results.ts'
import { method, param } from '../method.ts'

const counts = z.record(z.enum(SCORE_NAMES), z.int())
const peerList = z
  .array(
    counts.and(
      z.object({
        id: z.string(),
        type: z.enum(['node', 'address']),
        score: z.int(),
        punishments: z.int(),
        goodReputation: z.boolean(),
        punishedUntil: z.int(),
      }),
    ),
  )
  .readonly()

const ANY = '192.168.51.1'
const address = param(
  'address',
  z.string({ error: 'expected an address' }).refine(isBannable, { error: 'invalid banned address' }),
  'IP address, or a range as in 192.168.51.1/16; host names are not resolved.',
)

const banAddress = method({
  name: 'sco_banAddress',
  summary: 'Bans peers at an address from now on, also after a revert.',
  params: [address],
  result: nothing,
  access: 'write',
  example: { params: [ANY], result: null },
  run: ({ address: banned }, { peers }) => {
    peers.ban(banned)
    return null
  },
})

const unbanAddress = method({
  name: 'sco_unbanAddress',
  summary: 'Ends the ban of an address.',
  params: [address],
  result: nothing,
  access: 'write',
  example: { params: [ANY], result: null },
  run: ({ address: banned }, { peers }) => {
    peers.unban(banned)
    return null
  },
})

const bannedAddresses = method({
  name: 'sco_bannedAddresses',
  summary: 'Banned addresses, as they were given.',
  params: [],
  result: z.array(text).readonly(),
  access: 'read',
  example: { after: [{ method: 'sco_banAddress', params: [ANY] }], params: [], result: [ANY] },
  run: (_, { peers }) => peers.banned,
})

const list = method({
  name: 'sco_peerList',
  summary: 'Every known peer and its reputation: none, the chain is local.',
  params: [],
  result: peerList,
  access: 'read',
  example: { params: [], result: [] },
  run: (_, { peers }) => peers.peers,
})

/** Sums over all peers (node-rpc 5.14). */
function summaryOf({ peers }: PeerTable) {
  const sum = (value: (peer: (typeof peers)[number]) => number) =>
    peers.reduce((total, peer) => total + value(peer), 0)
  const totals = Object.fromEntries(SCORE_NAMES.map((name) => [name, sum((peer) => peer[name])]))
  const good = peers.filter(({ goodReputation }) => goodReputation).length
  return {
    count: peers.length,
    ...totals,
    peersTotalScore: sum(({ score }) => score),
    punishments: sum(({ punishments }) => punishments),
    goodReputationCount: good,
    badReputationCount: peers.length - good,
  }
}

const reputationSummary = method({
  name: 'sco_reputationSummary',
  summary: 'Sums of the reputation of all peers.',
  params: [],
  result: z.record(z.string(), z.int()),
  access: 'read',
  example: { params: [] },
  run: (_, { peers }) => summaryOf(peers),
})

const clearPeerScoring = method({
  name: 'sco_clearPeerScoring',
  summary: 'Deletes the reputation of a peer, and answers the new sco_peerList.',
  params: [
    param(
      'id',
      z.string({ error: 'expected a peer' }).refine((id) => isBannable(id) || /^[0-9a-fA-F]+$/.test(id), {
        error: 'expected an IP address or the hex digits of a node id',
      }),
      'IP address or node id of the peer.',
    ),
  ],
  result: peerList,
  access: 'read',
  example: { params: ['3fd44f66'], result: [] },
  // There are no peers to delete: an unknown peer changes nothing.
  run: ({ id }, { peers }) => peers.peers.filter((peer) => peer.id !== id),
})

export const scoMethods = [
  banAddress,
  unbanAddress,
  bannedAddresses,
  list,
  reputationSummary,
  clearPeerScoring,
]
