/** Hooks of Hardhat 3's category `test`: explanations for node:test, and merging what parallel Mocha workers leave. */

import { networkOf, ownOptions, type DevNodeNetwork, type HardhatRuntime } from './hardhat3-config.ts'
import { warnOfIgnored } from './ignored-settings.ts'

interface TestHookContext extends HardhatRuntime {
  readonly config: HardhatRuntime['config'] & {
    readonly paths: { readonly root: string; readonly artifacts: string }
    readonly test: { readonly mocha?: { readonly parallel?: boolean } }
  }
}

type Next = (context: TestHookContext, runner: string) => Promise<void>

export const createTestHandlers = () =>
  Promise.resolve({
    async onTestRunStart(context: TestHookContext, runner: string, next: Next): Promise<void> {
      await next(context, runner)
      const { name, network } = networkOf(context)
      if (network === undefined) return
      // Parallel workers print nothing.
      if (runner === 'mocha') await beginAffected(network, context.config.paths)
      if (isParallel(context, runner)) warnOfIgnored(name, network.userConfig)
      if (runner === 'nodejs') (await loadNodes()).hasNodeTests = true
    },

    async onTestRunDone(context: TestHookContext, runner: string, next: Next): Promise<void> {
      await next(context, runner)
      const { network } = networkOf(context)
      if (network === undefined || !isParallel(context, runner)) return
      // This node merges the workers' reports, if no test has started one in this process.
      await (await loadNodes()).startForReports(network)
    },
  })

/** Begins a run that leaves out files which no change affects, if the user wants it. */
async function beginAffected(
  network: DevNodeNetwork,
  { root, artifacts }: TestHookContext['config']['paths'],
): Promise<void> {
  const { affected } = ownOptions(network)
  if (affected === undefined && process.env['DEV_NODE_AFFECTED'] === undefined) return
  const { begin } = await import('../affected/parts.ts')
  await begin({ root, affected, artifacts, chains: 'process' }, process.env)
}

const isParallel = ({ config }: TestHookContext, runner: string): boolean =>
  runner === 'mocha' && config.test.mocha?.parallel === true

const loadNodes = async () => (await import('./hardhat3-nodes.ts')).hardhatNodes
