/** The provider of Hardhat's network, answered by a node in the same process, with the errors and events of Hardhat 2. */

import { EventEmitter } from 'node:events'
import { withHelp } from '../../base/errors.ts'
import { LOADED_AFTER_MS, limitHeapGrowth } from '../../base/heap-growth.ts'
import { nextTurn, realHost } from '../../base/host.ts'
import { paintOn } from '../../cli/io.ts'
import { RequestLog } from '../../cli/log.ts'
import { linesShown, type ConsoleOutput, type NodeHooks, type LoggedStack } from '../../config/request-log.ts'
import { MODULES } from '../../modules/list.ts'
import type { AllOptions } from '../../modules/options.ts'
import { createNode, type Node } from '../../node/node.ts'
import { RequestHistory } from '../../rpc/request-history.ts'
import { DevNode, type DevAccount } from '../dev-node.ts'
import { ProviderError, type Provider, type ProviderRequest } from '../provider-api.ts'
import { firstRequests, type HardhatNetwork } from './hardhat-network.ts'

export interface HardhatProject {
  readonly errors: HardhatErrors
  readonly isLogging: boolean
  /** Whether the task `node` serves the network to other processes. */
  readonly isServed?: boolean
}

export interface StartedNode {
  readonly node: Node
  readonly embedded: DevNode
  readonly hooks: NodeHooks
  /** Whether other processes can reach it. */
  readonly hasPort: boolean
  /** The requests to its chains, from this and other processes. */
  readonly history: RequestHistory
  readonly log: { isOn: boolean }
}

/** Starts a node that prints the console output of contracts as Hardhat does. */
export async function startHardhatNode(
  options: AllOptions,
  { isWorker = false, asksForPort = true } = {},
): Promise<StartedNode> {
  const log = { isOn: false }
  const hooks = hooksOf(log)
  const node = await createNode(options, { modules: MODULES, onFault: hooks.onFault, isWorker })
  setTimeout(limitHeapGrowth, LOADED_AFTER_MS).unref()
  const hasPort = !isWorker && (asksForPort || node.modules.waitsFor !== undefined)
  const history = new RequestHistory(realHost, { isFromStart: hasPort && options.explorer })
  return { node, embedded: new DevNode(node, hooks, history), hooks, hasPort, history, log }
}

/** Applies settings that no option covers, and returns the provider of a chain of the node. */
export async function hardhatProvider(
  chain: Provider,
  network: HardhatNetwork,
  { embedded, log, errors, isLogging }: Pick<StartedNode, 'embedded' | 'log'> & HardhatProject,
): Promise<HardhatProvider> {
  const configure = () => configureNetwork(chain, network, embedded.accounts)
  await configure()
  log.isOn ||= isLogging
  return new HardhatProvider(chain, {
    errors,
    throwOnCallFailures: network.throwOnCallFailures,
    configure,
    log,
  })
}

export async function configureNetwork(
  provider: Provider,
  network: HardhatNetwork,
  accounts: readonly DevAccount[],
): Promise<void> {
  const addresses = accounts.map(({ address }) => address)
  for (const [method, ...params] of firstRequests(network, addresses)) {
    await provider.request({ method, params })
  }
}

function hooksOf(log: { readonly isOn: boolean }): NodeHooks {
  const paint = paintOn({ isTTY: process.stdout.isTTY, env: process.env })
  const write = (text: string): void => console.log(text.trimEnd())
  const requests = new RequestLog({ write, isTty: false, isVerbose: false, paint })
  return {
    onRequest: (entry) => {
      if (!log.isOn) return print((entry.console ?? []).filter(({ kind }) => kind !== 'estimate'))
      requests.add(entry)
      // Printed at once, because tests print between requests.
      requests.flush()
    },
    readsConsoleOnly: () => !log.isOn,
    onBlock: (entry) => (log.isOn ? requests.addBlock(entry) : print(entry.console)),
    onFault: (error) => console.error('dev-node:', withHelp(error)),
    onNotice: (sentence) => console.error('dev-node:', sentence),
  }
}

function print(outputs: readonly ConsoleOutput[]): void {
  for (const { lines } of outputs) for (const text of lines) console.log(linesShown(text).join('\n'))
}

export interface HardhatErrors {
  readonly ProviderError: new (message: string, code: number) => Error
  /** For invalid params; `ProviderError` by default. */
  readonly InvalidArgumentsError?: new (message: string) => Error
  /** For failed executions; `SolidityError` by default. */
  readonly SolidityError?: new (given: ProviderError) => Error
}

/** JSON-RPC codes. The last is Hardhat's for an unknown method. */
const EXECUTION_FAILED = 3
const INVALID_INPUT = -32000
const INVALID_ARGUMENTS = -32602
const METHOD_NOT_FOUND = -32601
const METHOD_NOT_SUPPORTED = -32004

/** Results that differ between Hardhat's own provider and the node. */
const FIXED_RESULTS: ReadonlyMap<string, boolean> = new Map([
  ['eth_mining', false],
  // The node finds new artifacts itself.
  ['hardhat_addCompilationResult', true],
])

/** Methods that Hardhat's network lacks. Clients that look for them must take the same way here. */
const NOT_SUPPORTED =
  /^eth_(getUncle\w+|getWork|hashrate|protocolVersion|signT(ransaction|ypedData(_v3)?)|submit(Hashrate|Work))$/

/** After this many milliseconds, a request first lets timers and sockets of the process run. */
const LONGEST_RUN_MS = 5

/** Events that Hardhat's provider emits after a request. They make fixtures and plugins forget their snapshots. */
const EVENTS_AFTER: ReadonlyMap<string, string> = new Map([
  ['evm_revert', 'hardhatNetworkRevertSnapshot'],
  ['hardhat_reset', 'hardhatNetworkReset'],
])

interface HardhatProviderSettings {
  readonly errors: HardhatErrors
  /** Whether a reverted eth_call is an error; otherwise its result is the return data. */
  readonly throwOnCallFailures: boolean
  /** Applies settings that no option covers. A reset undoes them. */
  readonly configure: () => Promise<void>
  readonly log?: { isOn: boolean } | undefined
}

/** Answers the requests of a Hardhat process. */
export class HardhatProvider extends EventEmitter {
  readonly #provider: Provider
  readonly #settings: HardhatProviderSettings
  /** When a request last waited for a turn of the event loop. */
  #turnAt = realHost.elapsed()

  constructor(provider: Provider, settings: HardhatProviderSettings) {
    super()
    this.#provider = provider
    this.#settings = settings
    provider.on('message', (message) => {
      this.emit('message', message)
      this.emit('notification', message.data)
    })
  }

  /** The internals of Hardhat's own chain, which some plugins read and this node lacks. @throws Error */
  get _node(): never {
    throw new Error(
      'the chain is that of dev-node, which lacks the _node that a plugin such as smock reads: run it without the plugin dev-node/hardhat',
    )
  }

  readonly request = async ({ method, params = [] }: ProviderRequest): Promise<unknown> => {
    if (!Array.isArray(params)) {
      throw this.#error("Hardhat Network doesn't support JSON-RPC params sent as an object", INVALID_INPUT)
    }
    if (NOT_SUPPORTED.test(method)) throw this.#notSupported(method)
    if (FIXED_RESULTS.has(method)) return FIXED_RESULTS.get(method)
    // With this option the node would print nothing, not even console.log.
    if (method === 'hardhat_setLoggingEnabled' && typeof params[0] === 'boolean' && this.#settings.log) {
      this.#settings.log.isOn = params[0]
      return true
    }
    const result = await this.#ask(method, params)
    if (method === 'hardhat_reset') await this.#settings.configure()
    const event = EVENTS_AFTER.get(method)
    if (event !== undefined) this.emit(event)
    await this.#takeTurn(method === 'eth_subscribe')
    return result
  }

  /** Lets timers and sockets run, which requests awaited in sequence would prevent: after a while, and when a subscription begins. */
  async #takeTurn(isDue: boolean): Promise<void> {
    if (!isDue && realHost.elapsed() - this.#turnAt < LONGEST_RUN_MS) return
    await nextTurn()
    this.#turnAt = realHost.elapsed()
  }

  async #ask(method: string, params: readonly unknown[]): Promise<unknown> {
    try {
      return await this.#provider.request({ method, params })
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      if (method === 'eth_call' && error.data !== undefined && !this.#settings.throwOnCallFailures) {
        return error.data
      }
      throw this.#converted(error, method)
    }
  }

  #converted(given: ProviderError, method: string): Error {
    const { code, data, txHash } = given
    if (code === METHOD_NOT_FOUND) return this.#notSupported(method)
    if (code === EXECUTION_FAILED) return new (this.#settings.errors.SolidityError ?? SolidityError)(given)
    return Object.assign(this.#error(given.explained('message').message, code), {
      data,
      transactionHash: txHash,
    })
  }

  #notSupported(method: string): Error {
    return this.#error(`Method ${method} is not supported`, METHOD_NOT_SUPPORTED)
  }

  #error(message: string, code: number): Error {
    const { ProviderError, InvalidArgumentsError } = this.#settings.errors
    return code === INVALID_ARGUMENTS && InvalidArgumentsError !== undefined
      ? new InvalidArgumentsError(message)
      : new ProviderError(message, code)
  }
}

/**
 * A failed execution with the contract functions in its stack. Hardhat's class has the same name and members. Message and stack are
 * made when they are read, because most tests expect the failure and read only its data.
 */
export class SolidityError extends Error {
  /** What the stack begins with. */
  static readonly title: string = 'Error'
  /** Revert data as hex. */
  readonly data: string | undefined
  readonly transactionHash: string | undefined
  /** The contract functions, one per line. */
  declare readonly solidityStack: string

  constructor(given: ProviderError) {
    super()
    this.data = given.data
    this.transactionHash = given.txHash
    const { title } = new.target
    // V8 formats a stack when it is read or when the member is replaced.
    const trace = new Error()
    Reflect.deleteProperty(this, 'stack')
    defineLate(this, ['message'], () => ({ message: given.explained('message').message }))
    defineLate(this, ['stack', 'solidityStack'], () => textsOf(given, title, trace.stack ?? ''))
  }
}

/** Defines members that are all computed when one of them is first read or written. */
function defineLate(target: object, names: readonly (keyof Texts)[], make: () => Partial<Texts>): void {
  const define = (name: string, given: PropertyDescriptor): void => {
    const enumerable = name === 'solidityStack'
    Object.defineProperty(target, name, { configurable: true, enumerable, ...given })
  }
  const end = (name: string, written?: unknown): unknown => {
    for (const [each, value] of Object.entries({
      ...make(),
      ...(written !== undefined && { [name]: written }),
    }))
      define(each, { value, writable: true })
    return Reflect.get(target, name)
  }
  for (const name of names) define(name, { get: () => end(name), set: (written) => void end(name, written) })
}

type Texts = Readonly<Pick<SolidityError, 'message' | 'solidityStack'> & { stack: string }>

function textsOf(given: ProviderError, title: string, trace: string): Partial<Texts> {
  const { message, solidityStack = [] } = given.explained('stack')
  const contracts = solidityStack.map((frame) => frameText(frame, message))
  const program = trace.split(/\n(?= +at )/).filter((frame) => !OWN_FRAME.test(frame))
  const lines = [`${title}: ${message}`, ...contracts.map((line) => `    at ${line}`), ...program.slice(1)]
  return { stack: lines.join('\n'), solidityStack: contracts.join('\n') }
}

/** Frames of this file that mean nothing to a reader; `HardhatProvider.request` stays. */
const OWN_FRAME = / (new \w*SolidityError|HardhatProvider\.#)/

function frameText(frame: LoggedStack[number], message: string): string {
  const { contract = '<UnrecognizedContract>', address, file, line } = frame
  const name =
    frame.function ?? (message.includes('selector was not recognized') ? UNRECOGNIZED : '<unknown>')
  const place = file === undefined ? address : line === undefined ? file : `${file}:${line}`
  return `${contract}.${name} (${place})`
}

const UNRECOGNIZED = '<unrecognized-selector>'
