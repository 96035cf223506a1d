/** Renders notifications as JSON text. */

import { toQuantity } from '../../base/hex.ts'
import { renderLog, renderPending } from './transaction.ts'
import { unreachable } from '../../base/invariant.ts'
import type { Network } from '../../config/network.ts'
import type { ChainEvent } from '../../chain/filters/chain-event.ts'
import { namedMembers } from '../names.ts'
import { renderHeader } from './block.ts'

/** Writes chain events as notifications (geth, rpc/subscription.go; node-rpc 9). */
export class NotificationWriter {
  readonly #network: Network
  /** Texts of the events that subscribers are being notified of. */
  readonly #texts = new WeakMap<ChainEvent, string>()

  constructor(network: Network) {
    this.#network = network
  }

  /** The notification for one subscription. */
  write(id: string, event: ChainEvent): string {
    return `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${id}","result":${this.resultText(event)}}}`
  }

  /** JSON text of the result that the notifications of an event have. */
  resultText(event: ChainEvent): string {
    const result = this.#texts.get(event) ?? this.#textOf(event)
    this.#texts.set(event, result)
    return result
  }

  #textOf(event: ChainEvent): string {
    switch (event.kind) {
      case 'heads':
        return JSON.stringify(
          namedMembers(this.#network.names, renderHeader({ block: event.block, isPending: false })),
        )
      case 'logs':
        return JSON.stringify(renderLog(event.log))
      case 'hashes':
        return JSON.stringify(event.transaction.hash)
      case 'transactions':
        return JSON.stringify(renderPending(event.transaction))
      case 'syncing':
        return 'false'
      case 'reverts':
        return JSON.stringify({
          head: { number: toQuantity(event.head.header.number), hash: event.head.hash },
          removed: event.removed.map(({ hash }) => hash),
        })
      default:
        return unreachable(event)
    }
  }
}
