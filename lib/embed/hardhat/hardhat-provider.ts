/** The provider of Hardhat's network, answered by a node in the same process. Errors and events are those of Hardhat 2. */

import { EventEmitter } from 'node:events'
import type { LoggedStack } from '../../config/request-log.ts'
import type { Provider } from '../provider-api.ts'
import { ProviderError } from '../provider-error.ts'

/** A request (EIP-1193). */
export interface HardhatRequest {
  readonly method: string
  readonly params?: unknown
}

/** The error classes of the Hardhat that runs. */
export interface HardhatErrors {
  readonly ProviderError: new (message: string, code: number) => Error
}

/** JSON-RPC codes. The last is Hardhat's for an unknown method. */
const EXECUTION_FAILED = 3
const INVALID_INPUT = -32000
const METHOD_NOT_FOUND = -32601
const METHOD_NOT_SUPPORTED = -32004

/** Results of Hardhat's own provider that are not those of the node. */
const FIXED_RESULTS: ReadonlyMap<string, boolean> = new Map([
  ['eth_mining', false],
  // The node finds new artifacts by itself.
  ['hardhat_addCompilationResult', true],
])

/** Events that Hardhat's provider emits after a request. Fixtures and plugins forget their snapshots at these. */
const EVENTS_AFTER: ReadonlyMap<string, string> = new Map([
  ['evm_revert', 'hardhatNetworkRevertSnapshot'],
  ['hardhat_reset', 'hardhatNetworkReset'],
])

/** Settings of the provider. */
export interface HardhatProviderSettings {
  readonly errors: HardhatErrors
  /** Whether a reverted eth_call is an error; otherwise its result is the return data. */
  readonly throwOnCallFailures: boolean
}

/** Answers the requests of a Hardhat process. */
export class HardhatProvider extends EventEmitter {
  readonly #provider: Provider
  readonly #settings: HardhatProviderSettings

  constructor(provider: Provider, settings: HardhatProviderSettings) {
    super()
    this.#provider = provider
    this.#settings = settings
    provider.on('message', (message) => {
      this.emit('message', message)
      this.emit('notification', message.data)
    })
  }

  readonly request = async ({ method, params = [] }: HardhatRequest): Promise<unknown> => {
    if (!Array.isArray(params)) {
      throw this.#error("Hardhat Network doesn't support JSON-RPC params sent as an object", INVALID_INPUT)
    }
    if (FIXED_RESULTS.has(method)) return FIXED_RESULTS.get(method)
    const result = await this.#ask(method, params)
    const event = EVENTS_AFTER.get(method)
    if (event !== undefined) this.emit(event)
    return result
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
    const { code, message, data, txHash } = given
    if (code === METHOD_NOT_FOUND) {
      return this.#error(`Method ${method} is not supported`, METHOD_NOT_SUPPORTED)
    }
    if (code === EXECUTION_FAILED) return new SolidityError(given)
    return Object.assign(this.#error(message, code), { data, transactionHash: txHash })
  }

  #error(message: string, code: number): Error {
    return new this.#settings.errors.ProviderError(message, code)
  }
}

/** A failed execution, with the functions of the contracts in its stack. Hardhat's class has the same name and members. */
class SolidityError extends Error {
  /** Revert data as hex. */
  readonly data: string | undefined
  readonly transactionHash: string | undefined

  constructor({ message, data, txHash, solidityStack = [] }: ProviderError) {
    super(message)
    this.data = data
    this.transactionHash = txHash
    const frames = (this.stack ?? '').slice(`Error: ${message}`.length).split(/\n(?= +at )/)
    const program = frames.filter((frame) => !OWN_FRAME.test(frame))
    const contracts = solidityStack.map((frame) => `    at ${frameText(frame, message)}`)
    this.stack = [`Error: ${message}`, ...contracts, ...program.slice(1)].join('\n')
  }
}

/** Frames of this file that say nothing to a reader, but for `HardhatProvider.request`. */
const OWN_FRAME = / (new SolidityError|HardhatProvider\.#)/

/** A function of a contract as Hardhat's stacks show it. */
function frameText(frame: LoggedStack[number], message: string): string {
  const { contract = '<UnrecognizedContract>', address, file, line } = frame
  const name =
    frame.function ?? (message.includes('selector was not recognized') ? UNRECOGNIZED : '<unknown>')
  const place = file === undefined ? address : line === undefined ? file : `${file}:${line}`
  return `${contract}.${name} (${place})`
}

const UNRECOGNIZED = '<unrecognized-selector>'
