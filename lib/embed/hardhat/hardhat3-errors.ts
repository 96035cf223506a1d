/** The error classes of Hardhat 3, which it does not export: it knows its own by a mark. */

import type { ProviderError as GivenError } from '../provider-error.ts'
import { SolidityError } from './hardhat-provider.ts'

/** JSON-RPC code of invalid params. */
const INVALID_PARAMS = -32602

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
