/** Notifications to subscribers as JSON text. What many hear is rendered once. */

import { toQuantity } from '../../base/hex.ts'
import { unreachable } from '../../base/invariant.ts'
import type { Block } from '../../chain/block.ts'
import type { Network } from '../../config/network.ts'
import type { Happening } from '../../filters/happening.ts'
import { namedMembers } from '../names.ts'
import { renderHeader } from './block.ts'
import { minedLogText } from './log-text.ts'
import { renderPending } from './transaction.ts'

/** Words happenings as notifications (geth, rpc/subscription.go; node-rpc 9). */
export class NotificationWriter {
  readonly #network: Network
  /** Texts of happenings that are just being told to everybody. */
  readonly #texts = new WeakMap<Happening, string>()

  constructor(network: Network) {
    this.#network = network
  }

  /** The notification for one subscription. */
  write(id: string, happening: Happening): string {
    return `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${id}","result":${this.#resultOf(happening)}}}`
  }

  #resultOf(happening: Happening): string {
    const known = this.#texts.get(happening)
    if (known !== undefined) return known
    const text = this.#textOf(happening)
    this.#texts.set(happening, text)
    return text
  }

  #textOf(happening: Happening): string {
    switch (happening.kind) {
      case 'heads':
        return headText(happening.block, this.#network)
      case 'logs':
        return minedLogText(happening.log)
      case 'hashes':
        return JSON.stringify(happening.transaction.hash)
      case 'transactions':
        return JSON.stringify(renderPending(happening.transaction))
      case 'syncing':
        return 'false'
      case 'reverts':
        return JSON.stringify({
          head: { number: toQuantity(happening.head.header.number), hash: happening.head.hash },
          removed: happening.removed.map(({ hash }) => hash),
        })
      default:
        return unreachable(happening)
    }
  }
}

function headText(block: Block, network: Network): string {
  return JSON.stringify(namedMembers(network.names, renderHeader({ block, isPending: false })))
}
