/** The questions of a fork to its remote whose answers never change, and the keys of their answers in the store. */

import { toQuantity, type Hash } from '../base/hex.ts'

/** Number and hash of a block. */
export interface BlockId {
  readonly number: bigint
  readonly hash: Hash
}

/** A request whose answer never changes. */
export interface Question {
  readonly method: string
  readonly params: readonly unknown[]
  /** The block whose state is read; it becomes the last param. Absent for questions about history. */
  readonly block?: BlockId | undefined
  /** Whether the failure of a call that the question contains is an answer too: `{ failure: "<message>" }`. */
  readonly mayFail?: boolean
  /** Refuses an answer of a wrong form: it is not stored, and the next remote is asked. @throws NodeError 'remoteFailed' */
  readonly check?: ((answer: unknown) => void) | undefined
}

/** The question about a block of the chain, which the first questions of a fork are. */
export const blockQuestion = (number: bigint): Question => ({
  method: 'eth_getBlockByNumber',
  params: [toQuantity(number), true],
})

/** The methods whose answers are one account of a state. */
export const ACCOUNT_METHODS = ['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode']

/** The key of the answer to a question. */
export const keyOf = ({ method, params, block }: Question): string =>
  `${method} ${JSON.stringify(block === undefined ? params : [...params, block.hash])}`
