/** Instructions of a code around one of them. */

import { toHex } from '../../base/hex.ts'
import { instructionLength } from '../artifacts/source-map.ts'
import type { DebugCode } from '../../schema/debug-results.ts'
import type { Activation } from './activation.ts'
import { placeIn } from './call-stack.ts'

/** Which instructions: the first one relative to that at a position, and their number. */
interface CodeWindow {
  readonly pc: number
  readonly from: number
  readonly count: number
  readonly opcodeName: (opcode: number) => string
}

/** Instructions of the code of a frame; fewer at its begin and its end. */
export function codeWindow({ frame: { code, mapped } }: Activation, window: CodeWindow): DebugCode {
  if (code === undefined) return []
  const positions: number[] = []
  for (let at = 0; at < code.length; at += instructionLength(code[at] ?? 0)) positions.push(at)
  const first = positions.indexOf(window.pc) + window.from
  return positions.slice(Math.max(0, first), Math.max(0, first + window.count)).map((pc) => {
    const opcode = code[pc] ?? 0
    const length = instructionLength(opcode)
    const source = mapped?.sourceAt(pc)
    return {
      pc,
      op: window.opcodeName(opcode),
      data: length === 1 ? undefined : toHex(code.subarray(pc + 1, pc + length)),
      place: source && placeIn(source.unit, source.range),
    }
  })
}
