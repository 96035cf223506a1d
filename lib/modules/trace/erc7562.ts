/** The erc7562Tracer: calls with the information that ERC-7562 requires, for bundlers (geth, eth/tracers/native/erc7562.go). */

import { getOrAdd } from '../../base/once.ts'
import { addressIn, bigIntToBytes32, toHex, toWord } from '../../base/hex.ts'
import type { Address, Hash, Hex } from '../../base/hex.ts'
import type { Step, SyncObserver } from '../../evm/observer.ts'
import { CallTree, type CallNode } from '../../insight/replay/call-tree.ts'
import { storedWord } from '../../insight/replay/call-tree.ts'
import { MAX_PADDING, paddedSlice } from './struct-logs.ts'
import type { TracerInput } from './tracer.ts'

type Counts = Map<string, number>

class Accesses {
  /** First-read values of slots that the call had not written. */
  readonly reads = new Map<Hash, readonly [Hash]>()
  readonly writes: Counts = new Map()
  readonly transientReads: Counts = new Map()
  readonly transientWrites: Counts = new Map()
  readonly opcodes: Counts = new Map()
  /** Accounts whose code was read, except by EXTCODESIZE before ISZERO (rule OP-051). */
  readonly codeReads: Address[] = []
  /** Size of the code of called and read accounts, with the first opcode that reached them (rule OP-041). */
  readonly sizes = new Map<Address, { readonly contractSize: number; readonly opcode: number }>()
}

const CALLS: ReadonlySet<string> = new Set(['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL'])
const CODE_READS: ReadonlySet<string> = new Set(['EXTCODESIZE', 'EXTCODECOPY', 'EXTCODEHASH'])

/** Instructions that are not counted by default, besides PUSH, DUP and SWAP. */
const IGNORED: ReadonlySet<string> = new Set(
  'POP ADD SUB MUL DIV EQ LT GT SLT SGT SHL SHR AND OR NOT ISZERO'.split(' '),
)

/** Records calls and their accesses. `ignoredOpcodes` replaces the set of instructions that are not counted. */
export class AccessRecorder {
  readonly tree = new CallTree()
  readonly #input: TracerInput
  readonly #accesses = new Map<CallNode, Accesses>()
  readonly #preimages = new Set<Hex>()
  /** The previous instruction, if it is neither RETURN nor REVERT, and its top word. */
  #last: { readonly name: string; readonly top: bigint } | undefined
  readonly observer: SyncObserver = { ...this.tree.observer, onOpcode: (step) => this.#step(step) }

  constructor(input: TracerInput) {
    this.#input = input
  }

  /** The members of a frame that the callTracer lacks. */
  readonly membersOf = (node: CallNode): object => {
    const accesses = this.#accesses.get(node) ?? new Accesses()
    const { reads, writes, transientReads, transientWrites, opcodes, codeReads, sizes } = accesses
    const isOutermost = node.depth === 0
    return {
      accessedSlots: {
        reads: Object.fromEntries(reads),
        writes: Object.fromEntries(writes),
        transientReads: Object.fromEntries(transientReads),
        transientWrites: Object.fromEntries(transientWrites),
      },
      extCodeAccessInfo: codeReads,
      usedOpcodes: Object.fromEntries(opcodes),
      contractSize: Object.fromEntries(sizes),
      // geth does not report it for the outermost frame.
      outOfGas: !isOutermost && node.exception === 'out of gas',
      ...(isOutermost && this.#preimages.size > 0 ? { keccak: [...this.#preimages].sort() } : {}),
    }
  }

  #step(step: Step): undefined {
    const { name = '', opcode, height } = step
    const accesses = getOrAdd(this.#accesses, this.tree.current, () => new Accesses())
    if (name === 'RETURN' || name === 'REVERT') this.#last = undefined
    this.#noteLast(accesses, name)
    if (name !== 'GAS' && !this.#isIgnored(name, opcode)) increase(accesses.opcodes, opcodeKey(opcode))
    if (height >= step.inputs) {
      this.#noteTarget(step, accesses)
      this.#noteSlot(step, accesses)
      if (name === 'KECCAK256') this.#notePreimage(step)
    }
    this.#last = { name, top: height > 0 ? step.word(0) : 0n }
  }

  /** Notes the previous instruction. Its meaning depends on this one. */
  #noteLast({ codeReads, opcodes }: Accesses, name: string): void {
    const last = this.#last
    if (last === undefined) return
    if (CODE_READS.has(last.name) && !(last.name === 'EXTCODESIZE' && name === 'ISZERO')) {
      codeReads.push(addressIn(bigIntToBytes32(last.top)))
    }
    // Rule OP-012: GAS is allowed before a call.
    if (last.name === 'GAS' && !CALLS.has(name)) increase(opcodes, opcodeKey(GAS_OPCODE))
  }

  #noteTarget(step: Step, { sizes }: Accesses): void {
    const { name = '', opcode } = step
    if (!CALLS.has(name) && !CODE_READS.has(name)) return
    const address = addressIn(bigIntToBytes32(step.word(CALLS.has(name) ? 1 : 0)))
    const code = this.#input.traced.state.account(address)?.code
    getOrAdd(sizes, address, () => ({ contractSize: code?.length ?? 0, opcode }))
  }

  #noteSlot(step: Step, { reads, writes, transientReads, transientWrites }: Accesses): void {
    const { name, address } = step
    if (name !== 'SLOAD' && name !== 'SSTORE' && name !== 'TLOAD' && name !== 'TSTORE') return
    const slot = toWord(step.word(0))
    if (name === 'SSTORE') increase(writes, slot)
    else if (name !== 'SLOAD') increase(name === 'TLOAD' ? transientReads : transientWrites, slot)
    else if (!reads.has(slot) && !writes.has(slot))
      reads.set(slot, [storedWord(this.#input.traced.state, address, slot)])
  }

  #notePreimage(step: Step): void {
    const { memory } = step
    const [offset, length] = [Number(step.word(0)), Number(step.word(1))]
    // geth omits preimages that need more.
    if (offset + length - memory.length > MAX_PADDING) return
    this.#preimages.add(toHex(paddedSlice(memory, offset, offset + length)))
  }

  #isIgnored(name: string, opcode: number): boolean {
    const { ignoredOpcodes } = this.#input.config
    if (ignoredOpcodes !== undefined) return ignoredOpcodes.has(opcode)
    return IGNORED.has(name) || /^(PUSH|DUP|SWAP)\d/.test(name)
  }
}

const GAS_OPCODE = 0x5a

const opcodeKey = (opcode: number): string => `0x${opcode.toString(16)}`

const increase = (counts: Counts, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1)
