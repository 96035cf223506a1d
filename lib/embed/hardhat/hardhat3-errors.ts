/** The error classes of Hardhat 3, which it does not export: it knows its own by a mark. */

import { NodeError } from '../../base/errors.ts'
import type { ProviderError as GivenError } from '../provider-error.ts'
import { SolidityError } from './hardhat-provider.ts'

/** JSON-RPC code of invalid params. */
const INVALID_PARAMS = -32602

/** A failed request. */
class Hardhat3ProviderError extends Error {
  override readonly name: string
  readonly code: number

  constructor(message: string, code: number) {
    super(message)
    this.name = code === INVALID_PARAMS ? 'InvalidArgumentsError' : 'ProviderError'
    this.code = code
    Object.defineProperty(this, '_isProviderError', { value: true })
    // The stack begins with the name.
    Error.captureStackTrace(this, Hardhat3ProviderError)
  }
}

/** A failed execution. Reporters print its `solidityStack`. */
class Hardhat3SolidityError extends SolidityError {
  override readonly name = 'SolidityError'
  readonly code: number

  constructor(given: GivenError) {
    super(given)
    this.code = given.code
    this.stack = `Solidity${this.stack ?? ''}`
  }
}

/** The classes. */
export const HARDHAT_3_ERRORS = { ProviderError: Hardhat3ProviderError, SolidityError: Hardhat3SolidityError }

/** An error about the config with Hardhat's mark of errors of plugins: it prints their message only. Others stay as they are. */
export function asPluginError(error: unknown): unknown {
  if (!(error instanceof NodeError)) return error
  Object.defineProperty(error, '_isHardhatPluginError', { value: true })
  return Object.assign(error, { pluginId: 'dev-node' })
}
