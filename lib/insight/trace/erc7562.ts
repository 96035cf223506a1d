/**
 * The erc7562Tracer: calls with what the validation rules of ERC-7562 ask about them, which bundlers read (go-ethereum,
 * eth/tracers/native/erc7562.go).
 */

import { getOrAdd } from '../../base/get-or-add.ts'
import { bigIntToBytes32, toAddress, toHex, toWord } from '../../base/hex.ts'
import type { Address, Hash, Hex } from '../../base/hex.ts'
import type { Step, SyncObserver } from '../../evm/observer.ts'
import type { Outcome } from '../../evm/outcome.ts'
import { CallTree } from './call-tree.ts'
import type { CallNode } from './call-tree.ts'
import { storedWord } from './struct-logs.ts'
import type { Tracer, TracerInput } from './tracer.ts'

/** What one call did. Counts are by opcode or slot. */
interface Accesses {
  /** Values before the first read, of slots that the call had not written. */
  readonly reads: Map<Hash, Hash>
  readonly writes: Map<Hash, number>
  readonly transientReads: Map<Hash, number>
  readonly transientWrites: Map<Hash, number>
  readonly opcodes: Map<number, number>
  /** Accounts whose code was read, but for EXTCODESIZE before ISZERO (rule OP-051). */
  readonly codeReads: Address[]
  /** Size of the code of called and read accounts, with the first opcode that reached them (rule OP-041). */
  readonly sizes: Map<Address, { readonly contractSize: number; readonly opcode: number }>
}

const CALLS: ReadonlySet<string> = new Set(['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL'])
const CODE_READS: ReadonlySet<string> = new Set(['EXTCODESIZE', 'EXTCODECOPY', 'EXTCODEHASH'])

/** Names of instructions that are not counted by default, besides PUSH, DUP and SWAP. */
const IGNORED: ReadonlySet<string> = new Set(
  'POP ADD SUB MUL DIV EQ LT GT SLT SGT SHL SHR AND OR NOT ISZERO'.split(' '),
)

/** Zero bytes that geth adds to a preimage that ends beyond the memory; it leaves out preimages that need more. */
const MAX_PADDING = 1024 * 1024

/** Renders a frame as the callTracer does; `more` returns other members of a frame. */
export type FrameRenderer = (tree: CallTree, outcome: Outcome, more: (node: CallNode) => object) => object

/** Traces calls and their accesses. `withLog` adds logs, `ignoredOpcodes` replaces the instructions that are not counted. */
export function erc7562Tracer(input: TracerInput, render: FrameRenderer): Tracer {
  const recorder = new AccessRecorder(input)
  const end = (outcome: Outcome): string =>
    JSON.stringify(render(recorder.tree, outcome, (node) => recorder.shown(node)))
  return { observer: recorder.observer, end }
}

class AccessRecorder {
  readonly tree = new CallTree()
  readonly #input: TracerInput
  readonly #accesses = new Map<CallNode, Accesses>()
  readonly #preimages = new Set<Hex>()
  /** The instruction before, if it is neither RETURN nor REVERT, and its highest word. */
  #last: { readonly name: string | undefined; readonly top: bigint } | undefined
  readonly observer: SyncObserver = { ...this.tree.observer, onOpcode: (step) => this.#step(step) }

  constructor(input: TracerInput) {
    this.#input = input
  }

  /** The members of a frame that only this tracer has. */
  shown(node: CallNode): object {
    const accesses = this.#accesses.get(node) ?? newAccesses()
    const { reads, writes, transientReads, transientWrites, opcodes, codeReads, sizes } = accesses
    const { exception, depth } = node
    return {
      accessedSlots: {
        reads: sorted(
          reads,
          (slot) => slot,
          (value) => [value],
        ),
        writes: sorted(writes),
        transientReads: sorted(transientReads),
        transientWrites: sorted(transientWrites),
      },
      extCodeAccessInfo: codeReads,
      usedOpcodes: sorted(opcodes, (opcode) => `0x${opcode.toString(16)}`),
      contractSize: sorted(sizes),
      // geth does not tell it of the outermost frame.
      outOfGas: depth > 0 && exception === 'out of gas',
      ...(depth === 0 && this.#preimages.size > 0 ? { keccak: [...this.#preimages].sort() } : {}),
    }
  }

  #step(step: Step): undefined {
    const { name, opcode, height } = step
    const accesses = getOrAdd(this.#accesses, this.tree.current, newAccesses)
    if (name === 'RETURN' || name === 'REVERT') this.#last = undefined
    this.#noteLast(accesses, name)
    if (height >= step.inputs) this.#noteTarget(step, accesses)
    if (name !== 'GAS' && !this.#isIgnored(step)) increase(accesses.opcodes, opcode)
    if (height >= step.inputs) {
      this.#noteSlot(step, accesses)
      if (name === 'KECCAK256') this.#notePreimage(step)
    }
    this.#last = { name, top: height > 0 ? step.word(0) : 0n }
  }

  /** Notes the instruction before, whose meaning depends on this one. */
  #noteLast({ codeReads, opcodes }: Accesses, name = ''): void {
    const last = this.#last
    if (last?.name === undefined) return
    if (CODE_READS.has(last.name) && !(last.name === 'EXTCODESIZE' && name === 'ISZERO')) {
      codeReads.push(addressIn(last.top))
    }
    // Rule OP-012: GAS is allowed before a call.
    if (last.name === 'GAS' && !CALLS.has(name)) increase(opcodes, GAS_OPCODE)
  }

  #noteTarget(step: Step, { sizes }: Accesses): void {
    const { name = '', opcode } = step
    if (!CALLS.has(name) && !CODE_READS.has(name)) return
    const address = addressIn(step.word(CALLS.has(name) ? 1 : 0))
    const code = this.#input.traced.state.account(address)?.code
    getOrAdd(sizes, address, () => ({ contractSize: code?.length ?? 0, opcode }))
  }

  #noteSlot(step: Step, accesses: Accesses): void {
    const { name, address } = step
    const { reads, writes, transientReads, transientWrites } = accesses
    if (name === 'SSTORE') increase(writes, toWord(step.word(0)))
    if (name === 'TLOAD') increase(transientReads, toWord(step.word(0)))
    if (name === 'TSTORE') increase(transientWrites, toWord(step.word(0)))
    if (name !== 'SLOAD') return
    const slot = toWord(step.word(0))
    if (!reads.has(slot) && !writes.has(slot))
      reads.set(slot, storedWord(this.#input.traced.state, address, slot))
  }

  #notePreimage(step: Step): void {
    const { memory } = step
    const [offset, length] = [Number(step.word(0)), Number(step.word(1))]
    if (offset + length - memory.length > MAX_PADDING) return
    const preimage = new Uint8Array(length)
    preimage.set(memory.subarray(offset, offset + length))
    this.#preimages.add(toHex(preimage))
  }

  #isIgnored({ name = '', opcode }: Step): boolean {
    const { ignoredOpcodes } = this.#input.config
    if (ignoredOpcodes !== undefined) return ignoredOpcodes.has(opcode)
    return IGNORED.has(name) || /^(PUSH|DUP|SWAP)\d/.test(name)
  }
}

const GAS_OPCODE = 0x5a

const newAccesses = (): Accesses => ({
  reads: new Map(),
  writes: new Map(),
  transientReads: new Map(),
  transientWrites: new Map(),
  opcodes: new Map(),
  codeReads: [],
  sizes: new Map(),
})

function increase<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** The address in the low bytes of a word. */
const addressIn = (word: bigint): Address => toAddress(bigIntToBytes32(word).subarray(12))

/** An object with the members of a map, in the order of their names. */
function sorted<Key, Value>(
  map: ReadonlyMap<Key, Value>,
  nameOf: (key: Key) => string = String,
  shownOf: (value: Value) => unknown = (value) => value,
): object {
  const members = [...map].map(([key, value]): [string, unknown] => [nameOf(key), shownOf(value)])
  return Object.fromEntries(members.sort(([left], [right]) => (left < right ? -1 : 1)))
}
