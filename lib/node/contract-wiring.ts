/** Wires the services of one chain that know contracts: artifacts, names, explanations, gas. */

import type { ContractCatalog } from '../insight/artifacts/catalog.ts'
import { CustomErrors, NamedContracts } from '../insight/artifacts/named-contracts.ts'
import { lazyPart } from '../base/lazy-part.ts'
import type { Chain } from '../chain/chain.ts'
import type { Coverage } from '../insight/coverage/coverage.ts'
import type { Explainer } from '../insight/explain/explainer.ts'
import { FailureExplainer } from '../insight/explain/failure-explainer.ts'
import { knownContracts } from '../insight/explain/known-contracts.ts'
import type { StepReader } from '../insight/explain/step-reader.ts'
import type { GasProfiler } from '../insight/gas-profile/gas-profiler.ts'
import type { GasRecorder } from '../insight/gas-report/gas-recorder.ts'
import type { ChainInstance } from '../chain/instance/chain-instance.ts'
import type { SharedServices } from './shared-services.ts'
import type { CallTimer } from '../chain/simulation/call-timer.ts'
import type { Replayer } from '../insight/trace/replay.ts'

/** The services that know contracts. */
export interface ContractServices {
  /** The contracts of the folders of artifacts. */
  readonly contractCatalog: ContractCatalog
  /** Counts the executions of all chains of the node. */
  readonly coverage: Coverage
  readonly namedContracts: NamedContracts
  readonly customErrors: CustomErrors
  /** Present with --gas-report. All chains of the node share it. */
  readonly gasRecorder: GasRecorder | undefined
  /** Explains executions. It is loaded at the first explanation. */
  readonly loadExplainer: () => Promise<Explainer>
  /** Profiles the gas of transactions. It is loaded at the first profile. */
  readonly loadGasProfiler: () => Promise<GasProfiler>
  /** Reads the instructions of transactions. It is loaded at the first request. */
  readonly loadStepReader: () => Promise<StepReader>
  /** Explains failed executions of requests. */
  readonly failureExplainer: FailureExplainer
}

/** The services that these depend on. */
interface ContractDependencies {
  readonly instance: ChainInstance
  readonly chain: Chain
  readonly replayer: Replayer
  readonly startCallTimer: () => CallTimer
}

/** Wires them. A world begins with the names of its parent. */
export function wireContractServices(
  { contractCatalog, consoleReader, coverage, gasRecorder, options }: SharedServices,
  { instance, chain, replayer, startCallTimer: startTimer }: ContractDependencies,
  parent: Pick<ContractServices, 'namedContracts'> | undefined,
): ContractServices {
  const namedContracts = new NamedContracts(instance, parent?.namedContracts)
  const customErrors = new CustomErrors(contractCatalog, namedContracts)
  const known = { contractCatalog, namedContracts, customErrors }
  gasRecorder?.watch(chain, namedContracts)
  const loadExplainer = lazyPart('explanations', async () => {
    const { Explainer } = await import('../insight/explain/explainer.ts')
    return new Explainer(replayer, knownContracts({ ...known, consoleReader }))
  })
  const loadGasProfiler = lazyPart('gas profiles', async () => {
    const { GasProfiler } = await import('../insight/gas-profile/gas-profiler.ts')
    return new GasProfiler(replayer, knownContracts({ ...known, consoleReader }))
  })
  const loadStepReader = lazyPart('instructions', async () => {
    const { StepReader } = await import('../insight/explain/step-reader.ts')
    return new StepReader(replayer, knownContracts({ ...known, consoleReader }))
  })
  const { solidityStacks: isEnabled } = options
  const failureExplainer = new FailureExplainer({ isEnabled, contractCatalog, loadExplainer, startTimer })
  return { ...known, coverage, gasRecorder, loadExplainer, loadGasProfiler, loadStepReader, failureExplainer }
}
