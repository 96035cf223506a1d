/** Writes and reads the hexadecimal numbers of JSON-RPC and of the ABI. */

/** A number as JSON-RPC writes quantities. */
export const quantity = (value: number | bigint): string => `0x${value.toString(16)}`

/** A number or an address as 32 bytes, without 0x. */
export const word = (value: number | bigint | string): string =>
  (typeof value === 'string' ? value.replace('0x', '') : value.toString(16)).padStart(64, '0')

/** Throws if an answer is not the expected one. */
export function check(what: string, answer: unknown, expected: unknown): void {
  if (answer !== expected) throw new Error(`${what} is ${String(answer)} instead of ${String(expected)}`)
}
