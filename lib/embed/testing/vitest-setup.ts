/** Vitest's `globalSetup: 'dev-node/vitest'`: a node for the run. Its workers get their chains from vitest-chain.ts. */

import type { RunSettings } from './run-nodes.ts'

interface VitestProject {
  readonly config: { readonly root: string; readonly environmentOptions?: RunSettings }
  readonly vitest: { readonly config: { readonly sequence: { readonly sequencer: SequencerClass } } }
}

/** What orders a run's files: objects, or before Vitest 2 pairs whose second member is the path. */
type Spec = { readonly moduleId: string } | readonly [unknown, string]
interface SequencerClass {
  readonly prototype: { sort: (specs: readonly Spec[]) => Promise<readonly Spec[]> }
}

/** Starts the node and returns the function that closes it. */
export async function setup({ config, vitest }: VitestProject): Promise<() => Promise<void>> {
  // Vitest loads this module for each project, but test-run.ts only once.
  const { startNode, closeNode } = await import('./test-run.ts')
  await startNode({ rootDir: config.root, testEnvironmentOptions: config.environmentOptions ?? {} })
  if (process.env['DEV_NODE_AFFECTED_RUN'] !== undefined) leaveOutFiles(vitest.config.sequence.sequencer)
  return closeNode
}

const pathOf = (spec: Spec): string => ('moduleId' in spec ? spec.moduleId : spec[1])

const changed = new WeakSet<object>()

/** Removes unaffected files from the order. In Vitest 4 the class has been instantiated already. */
function leaveOutFiles({ prototype }: SequencerClass): void {
  if (changed.has(prototype)) return
  changed.add(prototype)
  const { sort } = prototype
  prototype.sort = async function (specs) {
    const { filesOfWorkers } = await import('../affected/parts.ts')
    const runs = await filesOfWorkers(specs.map(pathOf), process.env)
    return sort.call(
      this,
      specs.filter((spec) => runs.includes(pathOf(spec))),
    )
  }
}
