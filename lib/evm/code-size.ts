/** Error texts for oversized code: both sizes in geth's phrases, and the option that lifts the limits. */

const REMEDY = '(--allow-unlimited-contract-size lifts the limit)'

/** Error text for the code that a constructor returns (EIP-170). */
export const codeSizeText = (size: number, limit: number): string =>
  `max code size exceeded: code size ${size}, limit ${limit} ${REMEDY}`

/** Error text for init code (EIP-3860). */
export const initCodeSizeText = (size: bigint | number, limit: bigint | number): string =>
  `max initcode size exceeded: code size ${size}, limit ${limit} ${REMEDY}`
