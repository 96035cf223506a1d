/** A fork behind a proxy whose faults a test switches on and off. */

import { inspect } from 'node:util'
import type { Host } from '../../../lib/base/host.ts'
import type { OptionsInput } from '../../../lib/modules/options.ts'
import type { Node } from '../../../lib/node/node.ts'
import { loadContracts } from '../../support/contracts.ts'
import { withFaultProxy } from '../../support/fault-proxy.ts'
import type { FaultProxy, ProxiedMessage, ProxyFault } from '../../support/fault-proxy.ts'
import { fingerprint } from '../../support/fingerprint.ts'
import { askerOf, withFork } from '../../support/fork-pair.ts'
import type { Ask } from '../../support/peer-process.ts'
import { loadRemote } from './remote-world.ts'
import type { RemoteWorld } from './remote-world.ts'
import { withServer } from '../../support/server.ts'
import { addressOf } from '../../support/transactions.ts'

/** A part of the path of the URL of the remote, which no text may show. */
export const SECRET = 'k3y-0f-th3-us3r'

/** An account with coins on the remote, which the fork may impersonate. */
export const SENDER = addressOf(0xa11ce)

/** A fork, and the faults of its remote. */
export interface FaultyFork {
  readonly node: Node
  readonly ask: Ask
  /** Asks the remote itself. */
  readonly remote: Ask
  readonly world: RemoteWorld
  readonly proxy: FaultProxy
  /** The fault of every request from now on. */
  fault: (message: ProxiedMessage) => ProxyFault
}

let known: { readonly world: RemoteWorld; readonly state: unknown } | undefined

/** Gives a new server the contracts: deployed once, then loaded as a state. */
async function prepared(remote: Ask): Promise<RemoteWorld> {
  if (known === undefined) {
    const world = await loadRemote(remote, await loadContracts())
    await remote('hardhat_setBalance', [SENDER, '0x21e19e0c9bab2400000'])
    await remote('evm_mine')
    known = { world, state: await remote('dev_dumpState') }
  } else await remote('dev_loadState', [known.state])
  return known.world
}

/** Runs a test with a fork of a remote that has contracts. Without a host, no timer of the fork fires. */
export async function withFaultyFork(
  run: (fork: FaultyFork) => Promise<void>,
  { options = {}, host }: { readonly options?: OptionsInput; readonly host?: Host } = {},
): Promise<void> {
  await withServer({ autoImpersonate: true }, async (server) => {
    const remote = askerOf(server)
    const world = await prepared(remote)
    let fault: FaultyFork['fault'] = () => 'pass'
    const script = (message: ProxiedMessage) => fault(message)
    await withFaultProxy(
      script,
      async (proxy) => {
        const url = `${proxy.httpUrl}/v3/${SECRET}`
        await withFork(
          url,
          async ({ node, ask }) => {
            await run({
              node,
              ask,
              remote,
              world,
              proxy,
              get fault() {
                return fault
              },
              set fault(next) {
                fault = next
              },
            })
          },
          { autoImpersonate: true, forkRetries: 0, ...options },
          host,
        )
      },
      { targetPort: server.port },
    )
  })
}

/** Values of a node, and the answers that clients see. */
export async function snapshotOf({ node, ask }: Pick<FaultyFork, 'node' | 'ask'>): Promise<unknown> {
  return {
    cells: fingerprint(node.instance),
    head: await ask('eth_getBlockByNumber', ['latest', true]),
    pool: await ask('txpool_content'),
    automine: await ask('hardhat_getAutomine'),
  }
}

/** The error of a request that must fail. */
export async function errorOf(request: Promise<unknown>): Promise<any> {
  return request.then(
    (result) => {
      throw new Error(`it answered ${inspect(result)}`)
    },
    (error: unknown) => error,
  )
}
