/** The instructions that tracers look at more closely (Yellow Paper, appendix H; EIPs 7, 1014 and 214). */

export const SLOAD = 0x54
export const SSTORE = 0x55
export const LOG0 = 0xa0
export const LOG4 = 0xa4
export const CREATE = 0xf0
export const CALL = 0xf1
export const CALLCODE = 0xf2
export const DELEGATECALL = 0xf4
export const CREATE2 = 0xf5
export const STATICCALL = 0xfa
export const REVERT = 0xfd
export const SELFDESTRUCT = 0xff

/** Words that an instruction takes from the stack, by its first and last opcode (Yellow Paper, appendix H). */
const NEEDS: readonly (readonly [first: number, last: number, words: number])[] = [
  [0x01, 0x07, 2],
  [0x08, 0x09, 3],
  [0x0a, 0x14, 2],
  [0x15, 0x15, 1],
  [0x16, 0x18, 2],
  [0x19, 0x19, 1],
  [0x1a, 0x20, 2],
  [0x31, 0x35, 1],
  [0x37, 0x39, 3],
  [0x3b, 0x3b, 1],
  [0x3c, 0x3c, 4],
  [0x3e, 0x3e, 3],
  [0x3f, 0x51, 1],
  [0x52, 0x53, 2],
  [0x54, 0x54, 1],
  [0x55, 0x55, 2],
  [0x56, 0x56, 1],
  [0x57, 0x57, 2],
  [0x5c, 0x5c, 1],
  [0x5d, 0x5d, 2],
  [0x5e, 0x5e, 3],
  [0xf0, 0xf0, 3],
  [0xf1, 0xf2, 7],
  [0xf3, 0xf3, 2],
  [0xf4, 0xf4, 6],
  [0xf5, 0xf5, 4],
  [0xfa, 0xfa, 6],
  [0xfd, 0xfd, 2],
  [0xff, 0xff, 1],
]

/** How many words must be on the stack for an instruction. */
export function wordsNeeded(opcode: number): number {
  // DUP, SWAP and LOG say it in their number.
  if (opcode >= 0x80 && opcode <= 0x8f) return opcode - 0x7f
  if (opcode >= 0x90 && opcode <= 0x9f) return opcode - 0x8e
  if (opcode >= 0xa0 && opcode <= 0xa4) return opcode - 0x9e
  return NEEDS.find(([first, last]) => opcode >= first && opcode <= last)?.[2] ?? 0
}
