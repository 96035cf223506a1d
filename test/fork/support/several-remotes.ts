/** Several remotes of one chain: proxies with faults in front of one node, which a test can put in front of another node. */

import type { OptionsInput } from '../../../lib/modules/options.ts'
import type { ForkedBlock } from '../../../lib/fork/cached-forks.ts'
import { withFaultProxy } from '../../support/fault-proxy.ts'
import type { FaultProxy, ProxiedMessage, ProxyFault } from '../../support/fault-proxy.ts'
import { askerOf } from '../../support/fork-pair.ts'
import type { Ask } from '../../support/peer-process.ts'
import { withServer } from '../../support/server.ts'

/** Newest block of the chain. */
export const HEIGHT = 12

/** Accounts of the chain, and their balance, which other chains do not have. */
export const RICH_ACCOUNTS = Array.from(
  { length: 30 },
  (_, index) => `0x${(0x7a00 + index).toString(16).repeat(10)}`,
)
export const RICH = RICH_ACCOUNTS[0]!
export const RICH_BALANCE = '0x2a'

/** One of several remotes. */
export interface Remote {
  readonly proxy: FaultProxy
  /** With a part that no text may show. */
  readonly url: string
  /** The fault of every message from now on. */
  fault: (message: ProxiedMessage) => ProxyFault
  /** Methods that it was asked since the last call. */
  readonly asked: () => readonly string[]
}

/** The remotes, and their chain. */
export interface Remotes {
  readonly remotes: readonly Remote[]
  readonly urls: readonly string[]
  readonly chain: ForkedBlock
  /** Asks the node behind them. */
  readonly ask: Ask
}

/** A part of every URL, which no text may show. */
export const URL_KEY = 'k3y-of-the-provider'

/** Runs a test with so many remotes of one chain. */
export async function withRemotes(count: number, run: (remotes: Remotes) => Promise<void>): Promise<void> {
  await withChain({ network: 'ethereum' }, async ({ port }) => {
    const ask = askerOf({ port })
    const block = await ask('eth_getBlockByNumber', ['latest', false])
    const chain = {
      chainId: BigInt(await ask('eth_chainId')),
      blockNumber: BigInt(HEIGHT),
      blockHash: block.hash,
    }
    await withProxies(port, count, (remotes) =>
      run({ remotes, urls: remotes.map(({ url }) => url), chain, ask }),
    )
  })
}

/** Runs a test with a node whose chain has the account. */
export const withChain = (options: OptionsInput, run: (server: { readonly port: number }) => Promise<void>) =>
  withServer(options, async (server) => {
    const ask = askerOf(server)
    const rich = options.accounts === 3 ? [] : RICH_ACCOUNTS
    await Promise.all(rich.map((account) => ask('hardhat_setBalance', [account, RICH_BALANCE])))
    await ask('hardhat_mine', [`0x${HEIGHT.toString(16)}`])
    await run(server)
  })

/** Runs a test with a remote of another chain. Its id may be the same: the genesis differs. */
export const withOtherChain = (chainId: number, run: (remote: Remote) => Promise<void>) =>
  withChain({ network: 'ethereum', chainId, accounts: 3 }, ({ port }) =>
    withProxies(port, 1, ([remote]) => run(remote!)),
  )

async function withProxies(
  targetPort: number,
  count: number,
  run: (remotes: readonly Remote[]) => Promise<void>,
): Promise<void> {
  if (count === 0) return run([])
  let fault: Remote['fault'] = () => 'pass'
  await withFaultProxy(
    (message) => fault(message),
    async (proxy) => {
      let seen = 0
      const remote: Remote = {
        proxy,
        url: `${proxy.httpUrl}/v1/${URL_KEY}`,
        get fault() {
          return fault
        },
        set fault(next) {
          fault = next
        },
        asked: () => {
          const messages = proxy.received.slice(seen)
          seen = proxy.received.length
          return messages.flatMap(({ requests }) => requests.map(({ method }) => method))
        },
      }
      await withProxies(targetPort, count - 1, (others) => run([remote, ...others]))
    },
    { targetPort },
  )
}
