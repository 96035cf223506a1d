/** The plugin for Hardhat 3, `dev-node/hardhat`: networks of type `dev-node` run on a node inside the process. */

import { keepCompiledModules } from './compile-cache.ts'
import { createConfigHandlers, URL_IN_PROCESS } from './hardhat3-config.ts'
import { watchArtifacts, type ArtifactReader } from './read-artifacts.ts'
import { failureHooks, ownHook, withHooks } from '../testing/mocha-hooks.ts'

keepCompiledModules(process.env)

const loadNodes = async () => (await import('./hardhat3-nodes.ts')).hardhatNodes

const rootHooks = failureHooks(async (...request) => (await loadNodes()).ask(...request))

const noteArtifacts = (_: unknown, { artifacts }: { readonly artifacts: ArtifactReader }): Promise<void> => {
  watchArtifacts(artifacts)
  return Promise.resolve()
}

/** The plugin. Hardhat loads only the parts that a command needs. */
const plugin = {
  id: 'dev-node',
  npmPackage: 'dev-node',
  hookHandlers: {
    config: () =>
      Promise.resolve({
        default: () => Promise.resolve(createConfigHandlers({ rootHooks, require: [import.meta.url] })),
      }),
    network: async () => {
      await spareHttpClient()
      return { default: (await import('./hardhat3-connections.ts')).createHandlers }
    },
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
  // For parallel Mocha workers, which load this module through the setting `require`.
  mochaHooks: withHooks(rootHooks, { afterAll: ownHook(async () => (await loadNodes()).afterFile()) }),
}

export default plugin

/** The module of Hardhat whose class makes the provider of a connection with a URL. */
interface ProviderModule {
  readonly HttpProvider: {
    create: (settings: { readonly url: string; readonly testDispatcher?: object }) => Promise<unknown>
  }
}

const isProviderModule = (loaded: unknown): loaded is ProviderModule =>
  typeof loaded === 'object' && loaded !== null && 'HttpProvider' in loaded

/** Replaces the HTTP client of these connections, which no request uses: for it Hardhat would load undici, which takes 80 ms. */
async function spareHttpClient(): Promise<void> {
  try {
    const path = './internal/builtin-plugins/network-manager/http-provider.js'
    const loaded: unknown = await import(new URL(path, import.meta.resolve('hardhat')).href)
    if (!isProviderModule(loaded)) return
    const { HttpProvider } = loaded
    const create = HttpProvider.create.bind(HttpProvider)
    const testDispatcher = { close: () => Promise.resolve() }
    HttpProvider.create = (settings) =>
      create(settings.url === URL_IN_PROCESS ? { testDispatcher, ...settings } : settings)
  } catch {
    // Another release of Hardhat, or it cannot be found from here.
  }
}
