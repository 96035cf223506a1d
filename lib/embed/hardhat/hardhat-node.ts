/** Makes the provider of Hardhat's network from a node in the same process. The plugins load it with the first request. */

import { Chalk } from 'chalk'
import { RequestLog } from '../../cli/log.ts'
import { shown } from '../../config/console-lines.ts'
import type { ConsoleOutput, NodeHooks } from '../../config/request-log.ts'
import { OPTION_LIST } from '../../config/options.ts'
import type { Options, OptionsInput } from '../../config/options.ts'
import { resolveOptions } from '../../config/resolve-options.ts'
import type { GivenOptions } from '../../config/resolve-options.ts'
import { withCacheFolder } from '../../fork/cache-folder.ts'
import { createNode } from '../../node/node.ts'
import type { Node } from '../../node/node.ts'
import { embedNode } from '../dev-node.ts'
import type { DevNode } from '../dev-node.ts'
import { firstRequests, nodeOptions } from './hardhat-network.ts'
import type { HardhatNetwork } from './hardhat-network.ts'
import { HardhatProvider } from './hardhat-provider.ts'
import type { HardhatErrors } from './hardhat-provider.ts'

/** The Hardhat project that uses the node. */
export interface HardhatProject {
  readonly errors: HardhatErrors
  /** Options of the node that win over those of the network. */
  readonly options: OptionsInput
  /** Has options as the command reads them. They win over those of the network. */
  readonly env?: NonNullable<GivenOptions['env']>
  /** Whether requests are logged from the start. */
  readonly isLogging?: boolean
  /** The options to use instead of the resolved ones. */
  readonly adjusted?: (options: Options) => Options
  /** Called with the node before its first request, and with its hooks. */
  readonly started?: (node: Node, hooks: NodeHooks) => Promise<void>
}

/** A node that behaves as a network of Hardhat. */
export interface StartedNode {
  readonly node: Node
  readonly embedded: DevNode
  readonly hooks: NodeHooks
  /** Whether requests are logged. */
  readonly log: { isOn: boolean }
}

/** Starts a node with the options of the network, which prints the console output of contracts as Hardhat does. */
export async function startHardhatNode(
  network: HardhatNetwork,
  { options, env = {}, adjusted = (given) => given }: Omit<HardhatProject, 'errors'>,
): Promise<StartedNode> {
  const values = { ...withoutNamed(nodeOptions(network), env), ...options }
  const node = await createNode(adjusted(withCacheFolder(resolveOptions({ values, env }), env)))
  const log = { isOn: false }
  const hooks = hooksOf(log)
  return { node, embedded: embedNode(node, hooks), hooks, log }
}

/** Starts a node that behaves as the network, and returns its provider. */
export async function createHardhatProvider(
  network: HardhatNetwork,
  { errors, isLogging = false, started, ...settings }: HardhatProject,
): Promise<HardhatProvider> {
  const { node, embedded, hooks, log } = await startHardhatNode(network, settings)
  const { provider, accounts } = embedded
  await started?.(node, hooks)
  const addresses = accounts.map(({ address }) => address)
  for (const [method, ...params] of firstRequests(network, addresses)) {
    await provider.request({ method, params })
  }
  log.isOn = isLogging
  return new HardhatProvider(provider, { errors, throwOnCallFailures: network.throwOnCallFailures, log })
}

/** The options that the environment does not name. */
function withoutNamed(options: OptionsInput, env: NonNullable<GivenOptions['env']>): OptionsInput {
  const named = OPTION_LIST.filter(({ env: variable }) => env[variable]).map(({ name }) => name)
  return Object.fromEntries(Object.entries(options).filter(([name]) => !named.includes(name)))
}

/** Prints the console output of contracts as Hardhat does, or all requests. */
function hooksOf(log: { readonly isOn: boolean }): NodeHooks {
  const paint = new Chalk({ level: process.stdout.isTTY && !process.env['NO_COLOR'] ? 1 : 0 })
  const write = (text: string): void => console.log(text.trimEnd())
  const requests = new RequestLog({ write, isTty: false, isVerbose: false, paint })
  return {
    onRequest: (entry) => {
      if (!log.isOn) return print((entry.console ?? []).filter(({ kind }) => kind !== 'estimate'))
      requests.add(entry)
      // At once, because tests print between requests.
      requests.flush()
    },
    onBlock: (entry) => (log.isOn ? requests.addBlock(entry) : print(entry.console)),
    onFault: (error) => console.error('dev-node:', error),
  }
}

function print(outputs: readonly ConsoleOutput[]): void {
  for (const { lines } of outputs) for (const line of lines) console.log(shown(line))
}
