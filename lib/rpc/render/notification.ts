/** Renders notifications to subscribers as JSON text. An event with many subscribers is rendered once. */

import { toQuantity } from '../../base/hex.ts'
import { unreachable } from '../../base/invariant.ts'
import type { Block } from '../../chain/block.ts'
import type { Network } from '../../config/network.ts'
import type { ChainEvent } from '../../filters/chain-event.ts'
import { namedMembers } from '../names.ts'
import { renderHeader } from './block.ts'
import { minedLogText } from './log-text.ts'
import { renderPending } from './transaction.ts'

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
    return `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${id}","result":${this.#resultOf(event)}}}`
  }

  #resultOf(event: ChainEvent): string {
    const known = this.#texts.get(event)
    if (known !== undefined) return known
    const text = this.#textOf(event)
    this.#texts.set(event, text)
    return text
  }

  #textOf(event: ChainEvent): string {
    switch (event.kind) {
      case 'heads':
        return headText(event.block, this.#network)
      case 'logs':
        return minedLogText(event.log)
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

function headText(block: Block, network: Network): string {
  return JSON.stringify(namedMembers(network.names, renderHeader({ block, isPending: false })))
}
