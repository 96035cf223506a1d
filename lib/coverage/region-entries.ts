/** Counts how often executions entered parts of a source. */

import type { CountedInstruction } from './code-listing.ts'
import type { RegionTree } from './region-tree.ts'

/** What is known of a region while the code is read. */
interface RegionState {
  /** Index of the last instruction in the region. */
  last: number
  /** Instruction and source with which the region begins, wherever the compiler repeats it. */
  readonly key: string
  entries: number
}

const JUMPDEST = 0x5b

/** Instructions after which the next one does not run, or not always: STOP, JUMP, JUMPI, RETURN, REVERT, INVALID, SELFDESTRUCT. */
const LEAVES: ReadonlySet<number> = new Set(Buffer.from([0x00, 0x56, 0x57, 0xf3, 0xfd, 0xfe, 0xff]))

/**
 * How often each region was entered; undefined for one without code. The compiler repeats the code of a modifier in each function that
 * has it. Each copy begins with the same instruction of the same source, unlike the code after an interruption of a copy.
 */
export function entriesOf(
  regions: RegionTree,
  instructions: readonly CountedInstruction[],
  file: number,
): readonly (number | undefined)[] {
  const states: (RegionState | undefined)[] = Array.from({ length: regions.count }, () => undefined)
  for (const [at, { opcode, location }] of instructions.entries()) {
    if (location?.file !== file) continue
    for (const index of regions.around(location)) {
      const state = states[index]
      if (state?.last === at - 1) {
        state.last = at
        continue
      }
      const key = `${opcode}:${location.start}:${location.end}`
      if (state === undefined) states[index] = { last: at, key, entries: entriesAt(instructions, at) }
      else {
        state.last = at
        if (state.key === key) state.entries += entriesAt(instructions, at)
      }
    }
  }
  return states.map((state) => state?.entries)
}

/** How often an instruction was reached from before. A loop begins with a JUMPDEST, which its end jumps to. */
function entriesAt(instructions: readonly CountedInstruction[], at: number): number {
  const { opcode, executions } = instructions[at] ?? { opcode: 0, executions: 0 }
  const before = instructions[at - 1]
  return opcode === JUMPDEST && before !== undefined && !LEAVES.has(before.opcode)
    ? before.executions
    : executions
}
