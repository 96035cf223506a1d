/** Wires a chain's services that know contracts: artifacts, names, explanations. */

import { consoleText } from '../abi/console-text.ts'
import { CustomErrors, NamedContracts } from '../insight/artifacts/named-contracts.ts'
import { lazyPart } from '../base/lazy-part.ts'
import { equalBytes } from '../base/hex.ts'
import { ifLoaded } from '../base/routine.ts'
import type { Chain } from '../chain/chain.ts'
import { FailureExplainer } from '../insight/explain/failure-explainer.ts'
import type { KnownContracts, SourceAwaiter } from '../insight/explain/explained-call.ts'
import type { ChainInstance } from '../chain/instance/chain-instance.ts'
import type { ChainForks } from '../fork/fork.ts'
import type { ContractOf } from '../insight/artifacts/code.ts'
import type { NewChain } from './new-chain.ts'
import type { SharedServices } from './shared-services.ts'
import type { CallTimer } from '../evm/observer.ts'
import type { Replayer } from '../insight/replay/replay.ts'

interface ContractDependencies {
  readonly instance: ChainInstance
  readonly chain: Chain
  readonly forks: ChainForks
  readonly replayer: Replayer
  readonly startCallTimer: () => CallTimer
}

/** Milliseconds to wait for sources: for an explanation that a user asked for, and for the error of a failed request. */
const [EXPLANATION_WAIT_MS, FAILURE_WAIT_MS] = [30_000, 3000]

/** Wires the services. A world begins with its parent's names. */
export function wireContractServices(
  shared: SharedServices,
  { instance, chain, forks, replayer, startCallTimer: startTimer }: ContractDependencies,
  { parent, id: world }: NewChain,
) {
  const { contractCatalog, signatures, failures, modules, options } = shared
  const { sourceFinder } = modules
  const namedContracts = new NamedContracts(instance, parent?.namedContracts)
  const withSources: SourceAwaiter = async (explain) =>
    sourceFinder === undefined ? explain() : sourceFinder.explained(explain, EXPLANATION_WAIT_MS)
  const customErrors = new CustomErrors(contractCatalog, namedContracts)
  const knownContracts: KnownContracts = {
    refresh: () => contractCatalog.refresh(),
    contractOf: sourceFinder === undefined ? contractCatalog.contractOf : sourcesWanted(shared, chain, forks),
    contractAt: (address) => namedContracts.at(address),
    errorText: (data, isQuoted) =>
      customErrors.textOf(data, isQuoted) ?? signatures.errorText(data, isQuoted),
    signatures,
    withSources,
    consoleText,
  }
  const loaders = partLoaders(shared, replayer, knownContracts)
  const { loadExplainer } = loaders
  failures.watch({ chain, world, loadExplainer })
  const { solidityStacks: isEnabled } = options
  const failureExplainer = new FailureExplainer({
    isEnabled,
    contractCatalog,
    loadExplainer,
    withSources: sourceFinder && ((explain) => sourceFinder.explained(explain, FAILURE_WAIT_MS)),
    startTimer,
  })
  return {
    contractCatalog,
    namedContracts,
    knownContracts,
    customErrors,
    withSources,
    failures,
    modules,
    ...loaders,
    failureExplainer,
  }
}

/** Loads the parts that explain executions on demand. */
function partLoaders({ signatures }: SharedServices, replayer: Replayer, knownContracts: KnownContracts) {
  const loadExplainer = lazyPart('explanations', async () => {
    await signatures.load()
    const { Explainer } = await import('../insight/explain/explainer.ts')
    return new Explainer(replayer, knownContracts)
  })
  const loadStepReader = lazyPart('instructions', async () => {
    const { stepReader } = await import('../insight/explain/step-reader.ts')
    return stepReader(replayer, knownContracts)
  })
  return { loadExplainer, loadStepReader }
}

/** Finds contracts in the catalog. Missing contracts of the remote are searched elsewhere. */
function sourcesWanted(
  { contractCatalog, modules: { sourceFinder } }: SharedServices,
  chain: Chain,
  forks: ChainForks,
): ContractOf {
  return (code, kind, address) => {
    const known = contractCatalog.contractOf(code, kind)
    const isOwn = kind === 'creation' || address === undefined || code.length === 0
    if (known !== undefined || isOwn) return known
    const chainId = forks.current?.block.chainId
    // A contract created here is on no other chain.
    const remote = ifLoaded(() => chain.head.state.source?.account(address))
    if (chainId !== undefined && remote !== undefined && equalBytes(remote.code, code))
      sourceFinder?.want({ chainId, address, code, codeHash: remote.codeHash })
    return undefined
  }
}
