/**
 * Opens a file of failures, with its explanations and a debugger for its executions. It needs neither node nor disk, so a page can
 * use it.
 */

import { NodeError } from '../../base/errors.ts'
import { asHash } from '../../base/hex.ts'
import { realHost } from '../../base/host.ts'
import { consoleText } from '../../abi/console-text.ts'
import { ChainInstance } from '../../chain/instance/chain-instance.ts'
import { ExecutionTimers } from '../../chain/execution-timers.ts'
import type { Network } from '../../config/network.ts'
import type { NetworkKind } from '../../config/network-kind.ts'
import { Engine } from '../../evm/engine.ts'
import { ContractCatalog } from '../../insight/artifacts/catalog.ts'
import { indexBuild } from '../../insight/artifacts/indexed-file.ts'
import { listedSources } from '../../insight/artifacts/source-unit.ts'
import { sourcesObject } from '../../schema/report-results.ts'
import { address } from '../../schema/wire.ts'
import { JsonValue } from '../../insight/artifacts/json-file.ts'
import { CustomErrors, NamedContracts } from '../../insight/artifacts/named-contracts.ts'
import type { KnownContracts } from '../../insight/explain/explained-call.ts'
import { Failures } from '../../insight/explain/failures.ts'
import { Replayer } from '../../insight/replay/replay.ts'
import { param, readMethod, type Method } from '../../kernel/method.ts'
import {
  explainFailure,
  failures as listFailures,
  type ChainNames,
  type FailingChain,
} from '../../rpc/methods/explain.ts'
import { nameAddresses, type NamedChain } from '../../rpc/methods/contracts.ts'
import { DebugSessions } from '../debug/debug-sessions.ts'
import { Debugger } from '../debug/debugger.ts'
import { debuggerMethods, type DebuggedChain } from '../debug/methods.ts'
import type { RequestContext } from '../../kernel/request-context.ts'
import type { ExplanationResult } from '../../schema/explanation-results.ts'
import { rerunOf } from './recorded-execution.ts'
import type { ReportContent } from './report-file.ts'

export interface OpenedReport {
  /** Answers the methods that list, explain and debug failures. @throws NodeError */
  readonly ask: (method: string, params: readonly unknown[]) => Promise<unknown>
}

/** Opens a file's content. @throws NodeError 'invalidState' if the file's kind of network is unknown */
export async function openReport(
  content: ReportContent,
  kinds: readonly NetworkKind[],
): Promise<OpenedReport> {
  const { allowUnlimitedContractSize, kind: name } = content.rules
  const kind = kinds.find((known) => known.name === name)
  if (kind === undefined)
    throw new NodeError(
      'invalidState',
      `the failures are of a network of kind ${name}, which is not known here`,
      { code: 'DN-VERSION' },
    )
  const network = networkOf(content, kind)
  const options = { allowUnlimitedContractSize, release: network.release }
  const rules = await network.kind.consensus.rules(network, options)
  const replayer = new Replayer(network, new Engine(rules).unmonitored)
  const timers = new ExecutionTimers({ now: realHost.elapsed, timeoutMs: LONGEST_RUN_MS })
  const [catalog, contracts] = contractsOf(content)
  const sessions = new DebugSessions('report')
  const parts = { replayer, contracts, startCallTimer: () => timers.start() }
  const debug = new Debugger(parts, sessions)
  const names = namesOf(content)
  const chain: FailingChain & ChainNames & DebuggedChain & NamedChain = {
    contractCatalog: catalog,
    customErrors: new CustomErrors(catalog, new NamedContracts(new ChainInstance())),
    failures: failuresOf(content, { network, precompiles: rules.precompiles }),
    worldId: undefined,
    loadDebugger: () => Promise.resolve(debug),
    loadAddressNames: () => Promise.resolve(names),
    chain: { receipt: () => undefined },
    blockResolver: { at: refuseCall },
    simulator: { prepare: refuseCall },
  }
  const methods: readonly Method<typeof chain>[] = [
    listFailures,
    explainFailure,
    nameAddresses,
    contractSources,
    ...debuggerMethods,
  ]
  return {
    ask: async (wanted, params) => {
      if (UNKNOWN.includes(wanted)) return null
      const method = methods.find((known) => known.name === wanted)
      if (method === undefined)
        throw new NodeError('methodNotFound', `a file of failures does not answer ${wanted}`)
      return method.prepare(params)(chain, CONTEXT)
    },
  }
}

/** Questions of the page about contracts by address and transactions in blocks. A file has neither. */
const UNKNOWN: readonly string[] = ['dev_getContract', 'dev_traceSteps']

/** All sources of the file, because contracts of several states may share an address. */
const contractSources = readMethod({
  name: 'dev_contractSources',
  summary: 'All sources of the file of failures.',
  params: [param('address', address, 'Address of a contract.')],
  result: sourcesObject,
  run: (_, { contractCatalog }: Pick<FailingChain, 'contractCatalog'>) =>
    listedSources(contractCatalog.contracts.flatMap(({ compilation }) => compilation.sources)),
})

/** Milliseconds after which an execution or a debugger expression is given up. */
const LONGEST_RUN_MS = 30_000

const refuseCall = (): never => {
  throw new NodeError('invalidParams', 'a file of failures has no chain to call: open one of its executions')
}

/** The methods read nothing of a request but its params. */
const CONTEXT: RequestContext = {
  dialect: 'ethereum',
  modules: [],
  logTransaction: () => undefined,
  logSimulation: () => undefined,
  explainedFailures: () => Promise.resolve(() => undefined),
  requestHistory: { since: () => ({ requests: [], last: 0 }) },
}

/** The network, with a genesis and accounts that nothing reads. */
const networkOf = ({ rules: { network } }: ReportContent, kind: NetworkKind): Network => ({
  ...network,
  kind,
  genesis: { ...network.genesis, accounts: [], systemContracts: false },
  accounts: { source: 'keys', keys: [] },
})

function contractsOf({
  builds,
  at: modifiedAtMs,
}: ReportContent): readonly [ContractCatalog, KnownContracts] {
  const catalog = new ContractCatalog(undefined, realHost.elapsed)
  for (const build of builds)
    catalog.add(
      indexBuild(
        { path: '', root: new JsonValue(() => build), version: { modifiedAtMs, size: 0 } },
        undefined,
      ),
    )
  const errors = new CustomErrors(catalog, new NamedContracts(new ChainInstance()))
  const known: KnownContracts = {
    refresh: () => Promise.resolve(),
    contractOf: catalog.contractOf,
    contractAt: () => undefined,
    errorText: errors.textOf,
    signatures: {
      functionsOf: () => [],
      eventOf: () => undefined,
      callText: () => undefined,
      load: () => Promise.resolve(),
    },
    withSources: async (explain) => explain(),
    consoleText,
  }
  return [catalog, known]
}

function failuresOf(content: ReportContent, chain: Parameters<typeof rerunOf>[1]): Failures {
  const failures = new Failures(realHost.now)
  const codes = new Map(Object.entries(content.codes).map(([hash, code]) => [asHash(hash), code] as const))
  for (const { executions, ...result } of content.tests) {
    const hasFailed = executions.some(({ outcome }) => outcome.status !== 'success')
    const ids = executions.map(({ id }) => id)
    const test = { result, executions: ids, standsFor: hasFailed ? undefined : ids.at(-1) }
    for (const { id, at, world, explanation, ...execution } of executions) {
      const { kind, outcome } = execution
      const explain = () => Promise.resolve(explanation)
      const rerun = rerunOf(execution, chain, codes)
      failures.add({ kind, outcome, world, inputLength: 0, explain, test, ...rerun }, { id, at })
    }
  }
  return failures
}

function namesOf({ tests }: ReportContent) {
  const explanations = tests.flatMap(({ executions }) => executions.map(({ explanation }) => explanation))
  const names = Object.fromEntries(explanations.flatMap((each) => Object.entries(each.names ?? {})))
  const units = Object.fromEntries(explanations.flatMap((each) => Object.entries(each.units ?? {})))
  return {
    namesIn: (text: string) =>
      Promise.resolve(
        Object.fromEntries(Object.entries(names).filter(([address]) => text.includes(address))),
      ),
    unitsOf: (tokens: readonly string[]) =>
      Promise.resolve(Object.fromEntries(Object.entries(units).filter(([token]) => tokens.includes(token)))),
    named: (explanation: ExplanationResult) => Promise.resolve(explanation),
  }
}
