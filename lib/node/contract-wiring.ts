/** Wires the services of one chain that know contracts: artifacts, names, explanations, gas. */

import { consoleText } from '../abi/console-text.ts'
import { CustomErrors, NamedContracts } from '../insight/artifacts/named-contracts.ts'
import { lazyPart } from '../base/lazy-part.ts'
import type { Chain } from '../chain/chain.ts'
import { FailureExplainer } from '../insight/explain/failure-explainer.ts'
import type { KnownContracts } from '../insight/explain/explained-call.ts'
import type { ChainInstance } from '../chain/instance/chain-instance.ts'
import type { NewChain } from './new-chain.ts'
import type { SharedServices } from './shared-services.ts'
import type { CallTimer } from '../evm/observer.ts'
import type { Replayer } from '../insight/trace/replay.ts'

interface ContractDependencies {
  readonly instance: ChainInstance
  readonly chain: Chain
  readonly replayer: Replayer
  readonly startCallTimer: () => CallTimer
}

/** Wires them. A world begins with the names of its parent. */
export function wireContractServices(
  { contractCatalog, coverage, debuggers, failures, gasRecorder, options }: SharedServices,
  { instance, chain, replayer, startCallTimer: startTimer }: ContractDependencies,
  { parent, id: world }: NewChain,
) {
  const namedContracts = new NamedContracts(instance, parent?.namedContracts)
  const customErrors = new CustomErrors(contractCatalog, namedContracts)
  const knownContracts: KnownContracts = {
    refresh: () => contractCatalog.refresh(),
    contractOf: contractCatalog.contractOf,
    contractAt: (address) => namedContracts.at(address),
    errorText: customErrors.textOf,
    consoleText,
  }
  gasRecorder?.watch(chain, namedContracts)
  const loadExplainer = lazyPart('explanations', async () => {
    const { Explainer } = await import('../insight/explain/explainer.ts')
    return new Explainer(replayer, knownContracts)
  })
  const loadGasProfiler = lazyPart('gas profiles', async () => {
    const { gasProfiler } = await import('../insight/gas-profile/gas-profiler.ts')
    return gasProfiler(replayer, knownContracts)
  })
  const loadStepReader = lazyPart('instructions', async () => {
    const { StepReader } = await import('../insight/explain/step-reader.ts')
    return new StepReader(replayer, knownContracts)
  })
  const loadDebugger = lazyPart('debugger', async () => {
    const { Debugger } = await import('../insight/debug/debugger.ts')
    return new Debugger(replayer, knownContracts, await debuggers.loadSessions())
  })
  failures.watch({ chain, world, loadExplainer })
  const { solidityStacks: isEnabled } = options
  const failureExplainer = new FailureExplainer({ isEnabled, contractCatalog, loadExplainer, startTimer })
  return {
    contractCatalog,
    namedContracts,
    knownContracts,
    customErrors,
    coverage,
    failures,
    gasRecorder,
    loadExplainer,
    loadGasProfiler,
    loadStepReader,
    loadDebugger,
    failureExplainer,
  }
}
