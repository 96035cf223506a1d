/** Error texts for oversized code: both sizes in geth's phrases, and the option that lifts the limits. */

import { NodeError } from '../base/errors.ts'
import type { Rules } from './rules.ts'
import type { Transaction } from './transaction.ts'

/** Both sizes, and the option. */
const sizesText = (size: bigint | number, limit: bigint | number): string =>
  `code size ${size}, limit ${limit} (--allow-unlimited-contract-size lifts the limit)`

/** Error text for the code that a constructor returns (EIP-170). */
export const codeSizeText = (size: number, limit: number): string =>
  `max code size exceeded: ${sizesText(size, limit)}`

/** Error text for init code (EIP-3860). */
export const initCodeSizeText = (size: bigint | number, limit: bigint | number): string =>
  `max initcode size exceeded: ${sizesText(size, limit)}`

/** Checks the init code of a call that is not sent. @throws NodeError 'initCodeTooLarge' */
export function checkInitCode(
  { to, data }: Pick<Transaction, 'to' | 'data'>,
  { create: { maxInitCodeSize } }: Rules,
): void {
  if (to === undefined && data.length > maxInitCodeSize)
    throw new NodeError('initCodeTooLarge', initCodeSizeText(data.length, maxInitCodeSize))
}
