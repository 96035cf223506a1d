/** Assembles code from names of instructions under the rules of a network. */

import { fromHex } from '../../lib/base/hex.ts'
import { instructionTable } from '../../lib/evm/machine/core-tables.ts'
import type { Rules } from '../../lib/evm/rules.ts'

/** Assembles names and numbers; a number is pushed in as few bytes as it needs, zero in one. */
export function assembler(rules: Rules): (source: string) => Uint8Array {
  const opcodes = new Map(
    instructionTable(rules).flatMap((instruction, opcode) =>
      instruction === undefined ? [] : [[instruction.name, opcode] as const],
    ),
  )
  const bytesOf = (word: string): readonly number[] => {
    if (/^\d/.test(word)) return push(BigInt(word))
    const opcode = opcodes.get(word)
    if (opcode === undefined) throw new Error(`no instruction ${word}`)
    return [opcode]
  }
  return (source) => Uint8Array.from(source.trim().split(/\s+/).flatMap(bytesOf))
}

function push(value: bigint): readonly number[] {
  const digits = value.toString(16)
  const bytes = fromHex(`0x${digits.length % 2 === 0 ? digits : `0${digits}`}`)
  return [0x5f + bytes.length, ...bytes]
}
