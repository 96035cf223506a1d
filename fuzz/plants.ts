/** Defects to plant in the node, so that tests see that each law can fail. Each is at a method that is otherwise right. */

import { NodeError } from '../lib/base/errors.ts'
import type { Plant } from './state-watch.ts'

const kept: Uint8Array[] = []

/** The defects by name. */
export const PLANTS: Readonly<Record<string, Plant>> = {
  'type error': at('eth_call', () => {
    throw new TypeError('planted')
  }),
  crash: at('eth_call', () => process.exit(3)),
  rejection: at('eth_call', () => void Promise.reject(new Error('planted'))),
  silence: at('eth_call', () => new Promise(() => undefined)),
  // The answer comes, and then hardly anything.
  busy: at('eth_call', block),
  leak: at('eth_call', () => void kept.push(new Uint8Array(2 ** 22).fill(1))),
  change: (name, invoke) => (node, context) => {
    if (name !== 'eth_call') return invoke(node, context)
    node.miner.settings.setNext({ mixHash: node.chain.head.block.hash })
    throw new NodeError('invalidParams', 'planted')
  },
}

/** Keeps the process busy after every turn of its event loop. */
function block(): void {
  setImmediate(() => {
    const until = performance.now() + 400
    while (performance.now() < until) Math.sqrt(2)
    block()
  })
}

/** Runs `before` ahead of calls of the method; a promise of it is waited for. */
function at(method: string, before: () => unknown): Plant {
  return (name, invoke) => {
    if (name !== method) return invoke
    return (node, context) => {
      const result = before()
      return result instanceof Promise ? result.then(() => invoke(node, context)) : invoke(node, context)
    }
  }
}
