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

/** JSON-RPC codes: a request with params that this provider cannot take, an unknown method, and Hardhat's code for that. */
const INVALID_INPUT = -32000
const METHOD_NOT_FOUND = -32601
const METHOD_NOT_SUPPORTED = -32004

/** Results that Hardhat's own provider gives without asking its chain. */
const FIXED_RESULTS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['eth_mining', false],
  ['net_listening', true],
  ['net_peerCount', '0x0'],
  ['hardhat_getStackTraceFailuresCount', 0],
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

  #converted({ code, message, data, txHash, solidityStack = [] }: ProviderError, method: string): Error {
    if (code === METHOD_NOT_FOUND) return this.#error(`Method ${method} is not supported`, METHOD_NOT_SUPPORTED)
    const error = this.#error(message, code)
    const stack = withSolidity(error, solidityStack)
    // Hardhat's class computes `stack` by a getter.
    return Object.defineProperties(error, {
      stack: { value: stack, writable: true, configurable: true },
      data: { value: data, writable: true, enumerable: true, configurable: true },
      transactionHash: { value: txHash, writable: true, enumerable: true, configurable: true },
    })
  }

  #error(message: string, code: number): Error {
    return new this.#settings.errors.ProviderError(message, code)
  }
}

/** The stack of an error with the functions of the contracts before those of the program, innermost first. */
function withSolidity(error: Error, solidityStack: LoggedStack): string {
  const [, ...frames] = (error.stack ?? '').slice(error.message.length).split(/\n(?=\s+at )/)
  const solidity = solidityStack.map(({ contract, function: name, file, line, address }) => {
    const place = file === undefined ? address : line === undefined ? file : `${file}:${line}`
    return `    at ${contract ?? '<UnrecognizedContract>'}.${name ?? '<unknown>'} (${place})`
  })
  return [`${error.name}: ${error.message}`, ...solidity, ...frames].join('\n')
}
