/** What a tracer in JavaScript can ask the host: the current step, its frame, the state, and addresses of new contracts. */

import { asAddress, asHash, fromHex, toHex, type Address, type Hash } from '../../../base/hex.ts'
import { createdByNonce, createdBySalt } from '../../../evm/machine/created-address.ts'
import type { EnterEvent, Step } from '../../../evm/observer.ts'
import { opcodeName, type Fault } from '../call-tree.ts'
import { storedWord } from '../struct-logs.ts'
import type { TracerInput } from '../tracer.ts'
import { fail, type HostFunction, type SandboxValue } from './sandbox.ts'

/** A step that scripts can read. */
export type StepView = Omit<Step, 'stack' | 'address' | 'inputs'>

/** A frame that runs. */
export interface RunningFrame extends Pick<EnterEvent, 'kind' | 'value' | 'input'> {
  readonly caller: Address
  /** Result of ADDRESS. */
  readonly address: Address
  fault: Fault | undefined
}

/** What the execution does now. */
export interface Moment {
  readonly step: StepView | undefined
  readonly frame: RunningFrame | undefined
}

/** Zero bytes that geth adds to memory that is read beyond its end (go-ethereum, eth/tracers/internal/util.go). */
const MAX_PADDING = 1024 * 1024

const NO_BYTES = new Uint8Array(0)

export function hostFunctions(
  { traced: { state }, precompiles }: TracerInput,
  now: Moment,
): Readonly<Record<string, HostFunction>> {
  const account = (address: SandboxValue) => state.account(addressOf(address))
  const memory = (): Uint8Array => now.step?.memory ?? NO_BYTES
  return {
    fail: (message) => fail(String(message)),
    opName: (opcode) => opcodeName({ opcode: wholeOf(opcode), name: now.step?.name }),
    peek: (index) => {
      const below = wholeOf(index)
      const { height = 0 } = now.step ?? {}
      if (below >= 0 && below < height) return now.step?.word(below).toString(16)
      return fail(`tracer accessed out of bound stack: size ${height}, index ${below}`)
    },
    memorySlice: (begin, end) => sliceOf(memory(), wholeOf(begin), wholeOf(end)),
    memoryWord: (given) => {
      const [offset, available] = [wholeOf(given), memory().length]
      if (offset >= 0 && offset + 32 <= available)
        return toHex(memory().subarray(offset, offset + 32)).slice(2)
      return fail(`tracer accessed out of bound memory: available ${available}, offset ${offset}, size 32`)
    },
    caller: () => now.frame?.caller,
    address: () => now.frame?.address,
    value: () => now.frame?.value.toString(16),
    input: () => now.frame?.input ?? NO_BYTES,
    balance: (address) => (account(address)?.balance ?? 0n).toString(16),
    nonce: (address) => Number(account(address)?.nonce ?? 0n),
    code: (address) => account(address)?.code ?? NO_BYTES,
    state: (address, slot) => storedWord(state, addressOf(address), hashOf(slot)),
    exists: (address) => account(address) !== undefined,
    isPrecompiled: (address) => precompiles.has(addressOf(address)),
    created: (from, given) => {
      const nonce = wholeOf(given)
      if (nonce < 0 || !Number.isSafeInteger(nonce)) fail(`invalid nonce ${nonce}`)
      return createdByNonce(addressOf(from), BigInt(nonce))
    },
    created2: (from, salt, code) =>
      createdBySalt(addressOf(from), fromHex(hashOf(salt)), fromHex(String(code))),
  }
}

/** A part of the memory, with zeros after its end. */
function sliceOf(memory: Uint8Array, begin: number, end: number): Uint8Array {
  if (begin === end) return NO_BYTES
  if (begin < 0 || end < begin) fail(`tracer accessed out of bound memory: offset ${begin}, end ${end}`)
  const padding = end - memory.length
  if (padding > MAX_PADDING) fail(`reached limit for padding memory slice: ${padding}`)
  const bytes = new Uint8Array(end - begin)
  bytes.set(memory.subarray(begin, end))
  return bytes
}

/** The whole number that goja makes of a value. */
const wholeOf = (value: SandboxValue): number => Math.trunc(Number(value)) || 0
const addressOf = (text: SandboxValue): Address => asAddress(String(text))
const hashOf = (text: SandboxValue): Hash => asHash(String(text))
