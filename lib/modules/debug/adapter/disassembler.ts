/** Shows instructions to an editor. The code of each function has its own range of addresses, in which positions follow each other. */

import type { DebugProtocol } from '@vscode/debugprotocol'
import { refuseOption } from '../../../base/errors.ts'
import type { DebugFrame, DebugPlace } from '../results.ts'
import type { Referent } from './debugged-thread.ts'
import type { DebuggedExecution } from './debugged-execution.ts'

/** Addresses of one code: more than a code has bytes. */
const RANGE = 2 ** 32

export type PlacedText = Pick<DebugProtocol.StackFrame, 'source' | 'line' | 'column'>

/** Disassembles the code of functions. */
export class Disassembler {
  readonly #placed: (execution: DebuggedExecution, place: DebugPlace) => Promise<PlacedText>
  /** First address of each code. */
  readonly #ranges = new Map<string, number>()
  /** The last function at an address. */
  readonly #at = new Map<string, { readonly referent: Referent; readonly pc: number }>()

  constructor(placed: (execution: DebuggedExecution, place: DebugPlace) => Promise<PlacedText>) {
    this.#placed = placed
  }

  /** The address of the instruction at which a function is. */
  referenceTo(referent: Referent, { address, contract = '', kind, pc }: DebugFrame): string {
    const part = kind === 'constructor' ? 'creation' : 'code'
    const code = [referent.thread.execution.facts.session, address, contract, part].join(' ')
    const first = this.#ranges.get(code) ?? RANGE * (this.#ranges.size + 1)
    this.#ranges.set(code, first)
    const reference = hexOf(first + pc)
    this.#at.set(reference, { referent, pc })
    return reference
  }

  /** Instructions around an address, as many as wanted: those beyond the code are invalid. */
  async instructions({
    memoryReference,
    instructionOffset: from = 0,
    instructionCount: count,
  }: DebugProtocol.DisassembleArguments): Promise<DebugProtocol.DisassembledInstruction[]> {
    const { referent, pc } = this.#at.get(memoryReference) ?? refuseOption('no code is at this address')
    const { execution } = referent.thread
    const first = Number(memoryReference) - pc
    const code = await execution.code(referent, from, count)
    const own = code.findIndex((one) => one.pc === pc)
    const missing = own >= 0 ? -from - own : from < 0 ? count - code.length : 0
    const shown = code.map(async ({ pc: at, op, data, place }) => {
      const placed = place && (await this.#placed(execution, place))
      return {
        address: hexOf(first + at),
        instruction: data === undefined ? op : `${op} ${data}`,
        ...(placed && { location: placed.source, line: placed.line, column: placed.column }),
      }
    })
    const instructions = [...invalid(missing, first - missing), ...(await Promise.all(shown))]
    const end = first + (code.at(-1)?.pc ?? 0) + 1
    return [...instructions, ...invalid(count - instructions.length, end)]
  }
}

const hexOf = (address: number): string => `0x${address.toString(16)}`

const invalid = (count: number, from: number): DebugProtocol.DisassembledInstruction[] =>
  Array.from({ length: Math.max(0, count) }, (_, index) => ({
    address: hexOf(from + index),
    instruction: '',
    presentationHint: 'invalid',
  }))
