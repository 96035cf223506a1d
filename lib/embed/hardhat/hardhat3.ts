/** The plugin for Hardhat 3, `dev-node/hardhat`: networks of the type `dev-node` run on a node inside the process. */

import { keepCompiledModules } from './compile-cache.ts'
import { createConfigHandlers } from './hardhat3-config.ts'
import { watchArtifacts, type ArtifactReader } from './read-artifacts.ts'
import { failureHooks } from '../testing/mocha-hooks.ts'

keepCompiledModules(process.env)

const loadNodes = async () => (await import('./hardhat3-nodes.ts')).hardhatNodes

const rootHooks = failureHooks(async (...request) => (await loadNodes()).ask(...request))

const noteArtifacts = (_: unknown, { artifacts }: { readonly artifacts: ArtifactReader }): Promise<void> => {
  watchArtifacts(artifacts)
  return Promise.resolve()
}

/** The plugin. Hardhat loads what a command needs of it. */
const plugin = {
  id: 'dev-node',
  npmPackage: 'dev-node',
  hookHandlers: {
    config: () =>
      Promise.resolve({
        default: () => Promise.resolve(createConfigHandlers({ rootHooks, require: [import.meta.url] })),
      }),
    network: async () => ({ default: (await import('./hardhat3-connections.ts')).createHandlers }),
    hre: () => Promise.resolve({ default: () => Promise.resolve({ created: noteArtifacts }) }),
    test: async () => ({ default: (await import('./hardhat3-tests.ts')).createTestHandlers }),
  },
  tasks: [
    {
      type: 'TASK_OVERRIDE',
      id: ['node'],
      options: {},
      action: async () => ({ default: (await import('./hardhat3-node-task.ts')).runNode }),
    },
  ],
  // For Mocha, which loads this module by the setting `require` in the workers of a parallel run.
  mochaHooks: { ...rootHooks, afterAll: async (): Promise<void> => (await loadNodes()).afterFile() },
}

export default plugin
