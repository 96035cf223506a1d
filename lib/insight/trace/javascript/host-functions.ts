/** What a tracer in JavaScript can ask the host: the current step, its frame, the state, and addresses of new contracts. */

import { asAddress, asHash, fromHex, toHex } from '../../../base/hex.ts'
import type { Address, Hash } from '../../../base/hex.ts'
import { createdByNonce, createdBySalt } from '../../../evm/machine/created-address.ts'
import type { EnterEvent, Step } from '../../../evm/observer.ts'
import { opcodeName } from '../call-tree.ts'
import type { Fault } from '../call-tree.ts'
import { storedWord } from '../struct-logs.ts'
import type { TracerInput } from '../tracer.ts'
import { ScriptError } from './sandbox.ts'
import type { HostFunction, SandboxValue } from './sandbox.ts'

/** The parts of a step that scripts can read. */
export type StepView = Omit<Step, 'stack' | 'address' | 'inputs'>

/** A frame that runs. */
export interface RunningFrame extends Pick<EnterEvent, 'kind' | 'value' | 'input'> {
  /** Result of CALLER. */
  readonly caller: Address
  /** Result of ADDRESS. */
  readonly address: Address
  fault: Fault | undefined
}

/** What the execution does now. */
interface Moment {
  readonly step: () => StepView | undefined
  readonly frame: () => RunningFrame | undefined
  /** Called when the script reads a word of the stack that it was not given with the step. */
  readonly readsStack: () => void
}

/** Zero bytes that geth adds to memory that is read beyond its end (go-ethereum, eth/tracers/internal/util.go). */
const MAX_PADDING = 1024 * 1024

const NO_BYTES = new Uint8Array(0)

/** The functions of the host for one tracer. */
export function hostFunctions(
  { traced: { state }, precompiles }: TracerInput,
  moment: Moment,
): Readonly<Record<string, HostFunction>> {
  const account = (address: SandboxValue) => state.account(addressOf(address))
  return {
    fail: (message) => fail(String(message)),
    ...stepFunctions(moment),
    caller: () => moment.frame()?.caller,
    address: () => moment.frame()?.address,
    value: () => (moment.frame()?.value ?? 0n).toString(16),
    input: () => moment.frame()?.input ?? NO_BYTES,
    balance: (address) => (account(address)?.balance ?? 0n).toString(16),
    nonce: (address) => Number(account(address)?.nonce ?? 0n),
    code: (address) => account(address)?.code ?? NO_BYTES,
    state: (address, slot) => storedWord(state, addressOf(address), hashOf(slot)),
    exists: (address) => account(address) !== undefined,
    isPrecompiled: (address) => precompiles.has(addressOf(address)),
    created: (from, nonce) => createdByNonce(addressOf(from), BigInt(Number(nonce))),
    created2: (from, salt, code) =>
      createdBySalt(addressOf(from), fromHex(hashOf(salt)), fromHex(String(code))),
  }
}

function stepFunctions(moment: Moment): Readonly<Record<string, HostFunction>> {
  const current = moment.step
  const memory = (): Uint8Array => current()?.memory ?? NO_BYTES
  const height = (): number => current()?.height ?? 0
  return {
    opName: (opcode) => opcodeName({ opcode: Number(opcode), name: current()?.name }),
    peek: (index) => {
      const below = Number(index)
      const step = current()
      moment.readsStack()
      if (step !== undefined && below >= 0 && below < step.height) return step.word(below).toString(16)
      return fail(`tracer accessed out of bound stack: size ${height()}, index ${below}`)
    },
    memorySlice: (begin, end) => sliceOf(memory(), Number(begin), Number(end)),
    memoryWord: (given) => {
      const [offset, available] = [Number(given), memory().length]
      if (offset >= 0 && offset + 32 <= available)
        return toHex(memory().subarray(offset, offset + 32)).slice(2)
      return fail(`tracer accessed out of bound memory: available ${available}, offset ${offset}, size 32`)
    },
  }
}

/** A part of the memory, with zeros after its end. */
function sliceOf(memory: Uint8Array, begin: number, end: number): Uint8Array {
  if (begin === end) return NO_BYTES
  if (!(begin >= 0 && end > begin)) {
    return fail(`tracer accessed out of bound memory: offset ${begin}, end ${end}`)
  }
  const padding = end - memory.length
  if (padding > MAX_PADDING) return fail(`reached limit for padding memory slice: ${padding}`)
  const bytes = new Uint8Array(end - begin)
  bytes.set(memory.subarray(begin, end))
  return bytes
}

function fail(message: string): never {
  throw new ScriptError(message)
}

const addressOf = (text: SandboxValue): Address => asAddress(String(text))
const hashOf = (text: SandboxValue): Hash => asHash(String(text))
