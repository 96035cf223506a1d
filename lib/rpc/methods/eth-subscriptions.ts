/** Methods that manage subscriptions. Events are pushed over the connection that subscribed. */

import * as z from 'zod'
import { NodeError } from '../../base/errors.ts'
import type { SubscriptionFilter } from '../../chain/filters/subscriptions.ts'
import { boolean, oneOf, optional } from '../../schema/wire.ts'
import { logRequest } from '../../schema/requests.ts'
import { dataText, flag } from '../../schema/results.ts'
import { invalidParams, param, writeMethod } from '../../kernel/method.ts'
import type { RequestContext } from '../../kernel/request-context.ts'

const KINDS = ['newHeads', 'logs', 'newPendingTransactions', 'syncing', 'chainReverted'] as const
type Kind = (typeof KINDS)[number]

/** Options of the kinds that have some. */
const EXPECTED = new Map<Kind, string>([
  ['logs', 'a filter by address and topics'],
  ['newPendingTransactions', 'true or false'],
])

const options = z.union([boolean, logRequest], 'expected a filter by address and topics, true or false')

type SubscribeOptions = z.output<typeof options> | undefined

/** Some clients send an empty object for kinds without options. */
const isBlank = (given: SubscribeOptions): boolean =>
  typeof given === 'object' ? given.addresses.length === 0 && given.topics.length === 0 : given === undefined

/** @throws NodeError 'invalidParams' when the options are those of another kind */
function wantedOf(asked: Kind, given: SubscribeOptions): SubscriptionFilter {
  // Block bounds do not apply to later events; the reference reads and ignores them (node-rpc 9).
  if (asked === 'logs' && typeof given !== 'boolean') {
    const { addresses = [], topics = [] } = given ?? {}
    return { kind: 'logs', filter: { addresses, topics } }
  }
  if (asked === 'newPendingTransactions' && typeof given === 'boolean') {
    return { kind: given ? 'transactions' : 'hashes' }
  }
  if (asked === 'logs' || !isBlank(given)) {
    throw invalidParams(`params[1] (options): expected ${EXPECTED.get(asked) ?? 'nothing'} for ${asked}`)
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

export const subscribe = writeMethod({
  name: 'eth_subscribe',
  summary:
    'Pushes events to this connection, a WebSocket or a local socket, as eth_subscription notifications: newHeads, logs, newPendingTransactions, syncing, chainReverted.',
  params: [
    param('kind', oneOf(KINDS), 'Kind of events.'),
    param(
      'options',
      optional(options),
      'For logs a filter; for newPendingTransactions true for whole transactions.',
    ),
  ],
  result: dataText,
  errors: ['needsSocket'],
  example: { params: ['newHeads'], refusal: 'needsSocket' },
  run: ({ kind, options: given }, _, context) => {
    const wanted = wantedOf(kind, given)
    return subscriberOf(context).subscribe(wanted)
  },
})

export const unsubscribe = writeMethod({
  name: 'eth_unsubscribe',
  summary: 'Ends a subscription of this connection; false if it has none with this id.',
  params: [param('id', z.string('expected the id of a subscription'), 'As eth_subscribe returned it.')],
  result: flag,
  errors: ['needsSocket'],
  example: { params: ['0x00112233445566778899aabbccddeeff'], refusal: 'needsSocket' },
  run: ({ id }, _, context) => subscriberOf(context).unsubscribe(id.toLowerCase()),
})
