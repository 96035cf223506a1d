/** The plugin for Hardhat 2, `dev-node/hardhat`: the network `hardhat` of a config runs on a node inside the process. */

import type { EventEmitter } from 'node:events'
import { createRequire, Module } from 'node:module'
import { fileURLToPath } from 'node:url'
import { seeHelp } from '../../base/errors.ts'
import { invariant } from '../../base/invariant.ts'
import { keepCompiledModules } from './compile-cache.ts'
import type { HardhatNetwork } from './hardhat-network.ts'
import type { OptionsInput } from '../../modules/options.ts'
import type { ProcessNode } from './hardhat-process.ts'
import type { HardhatErrors } from './hardhat-node.ts'
import type { Ask } from '../ask.ts'
import { watchArtifacts, type ArtifactReader } from './read-artifacts.ts'
import { failureHooks, ownHook, withHooks } from '../testing/mocha-hooks.ts'
import { fastLazyObject, type LazyObject } from './lazy-objects.ts'
import { fastDerivation, type DeriveKey, type WalletKeys } from './phrase-keys.ts'
import { unknownOption, warnOfIgnored } from './ignored-settings.ts'

interface HardhatConfig {
  readonly paths: { readonly root: string; readonly artifacts: string; readonly configFile: string }
  readonly networks: { readonly hardhat: { gas: unknown } }
  readonly mocha: { require?: readonly string[] | undefined; rootHooks?: object | undefined }
}
interface UserConfig {
  readonly networks?: { readonly hardhat?: Readonly<Record<string, unknown>> | undefined } | undefined
  /** Options of the node, besides those of `networks.hardhat`. */
  readonly devNode?: OptionsInput | undefined
}

type CreateProvider = (
  network: HardhatNetwork,
  log: { readonly enabled: boolean },
  artifacts?: unknown,
) => Promise<EventEmitter>

interface HardhatModules {
  readonly 'hardhat/config': {
    readonly extendConfig: (extend: (config: HardhatConfig, userConfig: UserConfig) => void) => void
    readonly extendEnvironment: (extend: (environment: HardhatEnvironment) => void) => void
    readonly subtask: <Given extends object, Result>(
      name: string,
      run: (given: Given, _: unknown, runSuper: (given: Given) => Promise<Result>) => Promise<Result>,
    ) => void
  }
  readonly 'hardhat/plugins': {
    readonly HardhatPluginError: new (plugin: string, message: string) => Error
  }
  readonly 'hardhat/internal/core/providers/errors': HardhatErrors
  readonly 'ethereum-cryptography/hdkey': WalletKeys
  readonly 'hardhat/internal/util/keys-derivation': { deriveKeyFromMnemonicAndPath: DeriveKey }
  readonly 'hardhat/internal/util/lazy': { lazyObject: LazyObject }
  readonly 'hardhat/internal/hardhat-network/provider/provider': {
    readonly createHardhatNetworkProvider: CreateProvider
  }
}

interface HardhatEnvironment {
  readonly artifacts?: ArtifactReader
  /** Set by solidity-coverage's task. */
  readonly __SOLIDITY_COVERAGE_RUNNING?: boolean | undefined
}

/** The module whose function makes the provider of the network `hardhat`. It loads EDR unless it is replaced first. */
const PROVIDER_MODULE = 'hardhat/internal/hardhat-network/provider/provider'

keepCompiledModules(process.env)

const own = createRequire(import.meta.url)

/** Loads modules as the config file does, so that they belong to the running Hardhat. */
const require = createRequire(loaderOf(fileURLToPath(import.meta.url)))

function load<Name extends keyof HardhatModules>(name: Name, from = require): HardhatModules[Name] {
  const loaded: unknown = from(name)
  invariant(isLoaded<Name>(loaded), `Hardhat has the module ${name}`)
  return loaded
}

/** Trusts the types above. Tests with a real Hardhat check them. */
const isLoaded = <Name extends keyof HardhatModules>(loaded: unknown): loaded is HardhatModules[Name] =>
  typeof loaded === 'object' && loaded !== null

function loaderOf(file: string): string {
  const loaded = own.cache[file]
  const loader = Object.values(own.cache).find(
    (one) => loaded !== undefined && one?.children.includes(loaded),
  )
  return loader?.filename ?? file
}

let options: OptionsInput = {}
let paths: HardhatConfig['paths'] | undefined
let environment: HardhatEnvironment = {}
let settings: Readonly<Record<string, unknown>> = {}

const chains: ProcessNode[] = []

/** Asks the chains of the process until one knows the failed test. Undefined without chains. */
const askChains: Ask = async (method, params) => {
  if (method === 'dev_executedContracts')
    return Promise.all(chains.map(({ embedded }) => embedded.provider.request({ method, params })))
  for (const { embedded, printExplanation } of chains) {
    const answer = await embedded.provider.request({ method, params })
    printExplanation?.(answer)
    if (answer !== null) return answer
  }
  return chains.length === 0 ? undefined : null
}

const explaining = failureHooks(askChains)

/** Runs may leave out test files (affected/parts.ts). */
const loadAffected = () => import('../affected/parts.ts')

/** Root hooks of Mocha for parallel workers, which load this module through the setting `require`. */
export const mochaHooks = withHooks(explaining, {
  afterAll: ownHook(async (): Promise<void> => {
    for (const { afterFile } of chains) await afterFile?.()
  }),
})

const { extendConfig, extendEnvironment, subtask } = load('hardhat/config')

extendConfig((resolved, { networks, devNode = {} }) => {
  const unknown = unknownOption(devNode)
  if (unknown !== undefined)
    throw new (load('hardhat/plugins').HardhatPluginError)('dev-node', `${unknown}${seeHelp('DN-FLAG')}`)
  options = devNode
  paths = resolved.paths
  settings = networks?.hardhat ?? {}
  // Hardhat does not pass this to parallel workers, so they would load another config or none.
  if (process.argv.includes('--config')) process.env['HARDHAT_CONFIG'] = resolved.paths.configFile
  // The gas limit of Hardhat's own blocks is too high for other networks.
  const network = devNode.network ?? process.env['DEV_NODE_NETWORK'] ?? 'ethereum'
  if (network !== 'ethereum') resolved.networks.hardhat.gas = networks?.hardhat?.['gas'] ?? 'auto'
  // Hardhat must load before this module, which needs its context.
  const { require: required = [] } = resolved.mocha
  resolved.mocha.rootHooks = withHooks(resolved.mocha.rootHooks, explaining)
  resolved.mocha.require = [...new Set([...required, 'hardhat/register', fileURLToPath(import.meta.url)])]
})

extendEnvironment((created) => {
  environment = created
  if (created.artifacts !== undefined) watchArtifacts(created.artifacts)
})

subtask<{ readonly testFiles: readonly string[] }, readonly string[]>(
  'test:get-test-files',
  async (given, _, runSuper) => {
    const files = await runSuper(given)
    if (options.affected !== true && !process.env['DEV_NODE_AFFECTED']) return files
    const { root, artifacts } = paths ?? { root: process.cwd() }
    const asked = { root, artifacts, affected: options.affected, chains: 'process' as const }
    const { filesToRun } = await loadAffected()
    return filesToRun(asked, files, { isNamed: given.testFiles.length > 0, env: process.env })
  },
)

let isServed = false
subtask('node:get-provider', (given, _, runSuper) => {
  isServed = true
  return runSuper(given)
})

const provider = new Module(require.resolve(PROVIDER_MODULE))
provider.exports = { createHardhatNetworkProvider }
provider.loaded = true
own.cache[provider.id] = provider

const DERIVATION = 'hardhat/internal/util/keys-derivation'
const derivation = load(DERIVATION)
derivation.deriveKeyFromMnemonicAndPath = fastDerivation(derivation.deriveKeyFromMnemonicAndPath, () =>
  load('ethereum-cryptography/hdkey', createRequire(require.resolve(DERIVATION))),
)

const lazy = load('hardhat/internal/util/lazy')
lazy.lazyObject = fastLazyObject(lazy.lazyObject)

/** Replaces Hardhat's function of this name; a node answers. */
async function createHardhatNetworkProvider(
  ...[network, log, compiled]: Parameters<CreateProvider>
): Promise<EventEmitter> {
  if (environment.__SOLIDITY_COVERAGE_RUNNING === true) {
    console.warn(
      "dev-node: solidity-coverage reads Hardhat's own machine, so that this task runs on Hardhat's network; devNode: { coverage: 'coverage' } measures the tests on this node",
    )
    return hardhatOwn()(network, log, compiled)
  }
  // In a parallel run the parent process has a node too, and warns.
  if (process.env['MOCHA_WORKER_ID'] === undefined) warnOfIgnored('hardhat', settings)
  const { startHardhat2 } = await import('./hardhat-process.ts')
  const errors = load('hardhat/internal/core/providers/errors')
  const chain = await startHardhat2(network, options, {
    errors,
    isServed,
    isLogging: log.enabled,
    artifacts: paths?.artifacts ?? '',
  })
  chains.push(chain)
  return chain.provider
}

function hardhatOwn(): CreateProvider {
  Reflect.deleteProperty(own.cache, provider.id)
  return load(PROVIDER_MODULE).createHardhatNetworkProvider
}
