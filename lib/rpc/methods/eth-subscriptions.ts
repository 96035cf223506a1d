/** Methods that manage subscriptions. Events are pushed over the connection that subscribed. */

import * as z from 'zod'
import { NodeError } from '../../base/errors.ts'
import type { SubscriptionFilter } from '../../chain/filters/chain-event.ts'
import { optional, boolean } from '../../schema/wire.ts'
import { logRequest } from '../../schema/requests.ts'
import type { LogRequest } from '../../schema/requests.ts'
import { dataText, flag } from '../../schema/results.ts'
import { method, param } from '../method.ts'
import type { RequestContext } from '../method.ts'

const KINDS = ['newHeads', 'logs', 'newPendingTransactions', 'syncing', 'chainReverted'] as const
type Kind = (typeof KINDS)[number]

const kind: z.ZodType<Kind> = z.enum(KINDS, { error: `expected one of ${KINDS.join(', ')}` })

/** Options of each kind. */
const EXPECTED = {
  newHeads: 'nothing',
  logs: 'a filter by address and topics',
  newPendingTransactions: 'true or false',
  syncing: 'nothing',
  chainReverted: 'nothing',
} as const

type SubscribeOptions = boolean | LogRequest | undefined

/** Some clients send an empty object for kinds without options. */
const isBlank = (options: SubscribeOptions): boolean =>
  typeof options === 'object'
    ? options.addresses.length === 0 && options.topics.length === 0
    : options === undefined

/** @throws NodeError 'invalidParams' when the options are those of another kind */
function wantedOf(asked: Kind, options: SubscribeOptions): SubscriptionFilter {
  // Block bounds do not apply to later events; the reference reads and ignores them (node-rpc 9).
  if (asked === 'logs' && typeof options !== 'boolean') {
    const { addresses = [], topics = [] } = options ?? {}
    return { kind: 'logs', filter: { addresses, topics } }
  }
  if (asked === 'newPendingTransactions' && typeof options === 'boolean') {
    return { kind: options ? 'transactions' : 'hashes' }
  }
  if (asked === 'logs' || !isBlank(options)) {
    throw new NodeError('invalidParams', `params[1] (options): expected ${EXPECTED[asked]} for ${asked}`)
  }
  const kinds = { newHeads: 'heads', newPendingTransactions: 'hashes', chainReverted: 'reverts' } as const
  return { kind: asked === 'syncing' ? asked : kinds[asked] }
}

/** @throws NodeError 'needsSocket' */
function subscriberOf({ subscriber }: RequestContext) {
  if (subscriber !== undefined) return subscriber
  throw new NodeError(
    'needsSocket',
    'notifications not supported: subscriptions need a WebSocket, which the same address serves (ws://), or a local socket (--ipc)',
  )
}

export const subscribe = method({
  name: 'eth_subscribe',
  summary:
    'Pushes events to this connection, a WebSocket or a local socket, as eth_subscription notifications: newHeads, logs, newPendingTransactions, syncing, chainReverted.',
  params: [
    param('kind', kind, 'Kind of events.'),
    param(
      'options',
      optional(
        z.union([boolean, logRequest], { error: 'expected a filter by address and topics, true or false' }),
      ),
      'For logs, a filter by address and topics; for newPendingTransactions, whether to send whole transactions.',
    ),
  ],
  result: dataText,
  access: 'write',
  errors: ['needsSocket'],
  example: { params: ['newHeads'], refusal: 'needsSocket' },
  run: ({ kind: asked, options }, _, context) => {
    const wanted = wantedOf(asked, options)
    return subscriberOf(context).subscribe(wanted)
  },
})

export const unsubscribe = method({
  name: 'eth_unsubscribe',
  summary: 'Ends a subscription of this connection; false if it has none with this id.',
  params: [
    param('id', z.string({ error: 'expected the id of a subscription' }), 'As eth_subscribe returned it.'),
  ],
  result: flag,
  access: 'write',
  errors: ['needsSocket'],
  example: { params: ['0x00112233445566778899aabbccddeeff'], refusal: 'needsSocket' },
  run: ({ id }, _, context) => subscriberOf(context).unsubscribe(id.toLowerCase()),
})
