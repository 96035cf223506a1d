/** The error text for code that is too long: both sizes, in geth's phrases, and the option that lifts the limits. */

const REMEDY = '(--allow-unlimited-contract-size lifts the limit)'

/** Of the code that a constructor answers (EIP-170). */
export const codeSizeText = (size: number, limit: number): string =>
  `max code size exceeded: code size ${size}, limit ${limit} ${REMEDY}`

/** Of the code of a constructor (EIP-3860). */
export const initCodeSizeText = (size: bigint | number, limit: bigint | number): string =>
  `max initcode size exceeded: code size ${size}, limit ${limit} ${REMEDY}`
