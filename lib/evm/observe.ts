/** Listens to the library's EVM for an observer. Nobody listens while nobody observes, which costs nothing. */

import type { EVM, EVMResult, InterpreterStep, Message } from '@ethereumjs/evm'
import type { Address as LibraryAddress } from '@ethereumjs/util'
import { EMPTY_BYTES, toAddress } from '../base/hex.ts'
import type { Address } from '../base/hex.ts'
import { present } from '../base/invariant.ts'
import type { Frame, FrameEnd, FrameKind, Observer, Step } from './observer.ts'
import { exceptionOf, statusOf } from './outcome.ts'

/** Runs with the observer listening. */
export async function observed<T>(evm: EVM, observer: Observer, run: () => Promise<T>): Promise<T> {
  const stop = listen(evm, observer)
  try {
    return await run()
  } catch (error) {
    // An observer may end the execution in the middle of frames, none of which cleans up then.
    evm.transientStorage.clear()
    throw error
  } finally {
    stop()
  }
}

/** Answers how to stop. */
function listen(evm: EVM, observer: Observer): () => void {
  const ears = new Ears(evm, observer)
  const { events } = evm
  events.on('beforeMessage', ears.enter)
  events.on('afterMessage', ears.exit)
  if (observer.onStep !== undefined) events.on('step', ears.step)
  return () => {
    events.off('beforeMessage', ears.enter)
    events.off('afterMessage', ears.exit)
    events.off('step', ears.step)
  }
}

/** Turns the library's events into the observer's. */
class Ears {
  readonly #evm: EVM
  readonly #observer: Observer
  /** Messages that run, outermost first. */
  readonly #running: Message[] = []
  /** Opcode of the newest step: a call inside a static frame shows in nothing else whether it is static by itself. */
  #opcode = 0
  // The EVM hands in the same object for as long as a call frame runs.
  #lastAddress: LibraryAddress | undefined
  #lastKey: Address | undefined

  constructor(evm: EVM, observer: Observer) {
    this.#evm = evm
    this.#observer = observer
  }

  readonly enter = (message: Message): void => {
    const isFrameStatic = this.#running.at(-1)?.isStatic === true
    this.#running.push(message)
    const kind = kindOf(message, isFrameStatic && this.#opcode !== STATICCALL)
    this.#observer.onEnter?.(this.#frameOf(message, kind))
  }

  readonly exit = ({ execResult, createdAddress }: EVMResult): void => {
    const { code, isCompiled } = present(this.#running.pop(), 'message that ends')
    const end: FrameEnd = {
      status: statusOf(execResult),
      gasUsed: execResult.executionGasUsed,
      output: execResult.returnValue,
      exception: exceptionOf(execResult),
      created: createdAddress === undefined ? undefined : toAddress(createdAddress.bytes),
      ranCode: !isCompiled && code !== undefined && code.length > 0,
    }
    this.#observer.onExit?.(end)
  }

  // The library waits only for listeners that declare a second param.
  readonly step = (event: InterpreterStep, goOn?: () => void): void => {
    const step = this.#stepOf(event)
    this.#opcode = step.opcode
    const pause = this.#observer.onStep?.(step)
    if (pause === undefined) goOn?.()
    else void pause.then(goOn)
  }

  #frameOf(message: Message, kind: FrameKind): Frame {
    const isCreation = message.to === undefined
    const codeAddress = isCreation ? undefined : message.codeAddress
    // In a delegatecall the library names the caller's caller.
    const from = kind === 'delegatecall' ? present(message.to, 'executing account') : message.caller
    return {
      kind,
      depth: message.depth,
      from: toAddress(from.bytes),
      to: codeAddress === undefined ? undefined : toAddress(codeAddress.bytes),
      value: message.value,
      gas: message.gasLimit,
      input: message.data,
      isPrecompile: codeAddress !== undefined && this.#evm.getPrecompile(codeAddress) !== undefined,
    }
  }

  #stepOf(event: InterpreterStep): Step {
    const code = this.#running.at(-1)?.code
    const opcode = (code instanceof Uint8Array ? code : EMPTY_BYTES)[event.pc] ?? 0
    const ownCost = event.opcode.dynamicFee ?? BigInt(event.opcode.fee)
    const handedOver = handedOverBy(opcode, event.gasLeft - ownCost, event.stack)
    return {
      pc: event.pc,
      opcode,
      name: event.opcode.name === 'INVALID' && opcode !== INVALID ? undefined : event.opcode.name,
      gasLeft: event.gasLeft,
      cost: ownCost + handedOver,
      handedOver,
      depth: event.depth,
      stack: event.stack,
      memory: event.memory,
      address: this.#keyOf(event.address),
      balance: event.account.balance,
    }
  }

  #keyOf(address: LibraryAddress): Address {
    if (address === this.#lastAddress && this.#lastKey !== undefined) return this.#lastKey
    const key = toAddress(address.bytes)
    this.#lastAddress = address
    this.#lastKey = key
    return key
  }
}

const CALL = 0xf1
const CALLCODE = 0xf2
const DELEGATECALL = 0xf4
const STATICCALL = 0xfa
const INVALID = 0xfe

function kindOf(message: Message, isStaticByCaller: boolean): FrameKind {
  if (message.to === undefined) return message.salt === undefined ? 'create' : 'create2'
  if (message.delegatecall) return 'delegatecall'
  if (message._codeAddress !== undefined) return 'callcode'
  return message.isStatic && !isStaticByCaller ? 'staticcall' : 'call'
}

/** The library counts what a call hands over only when the callee spends it; geth counts it as the call's cost. */
function handedOverBy(opcode: number, left: bigint, stack: readonly bigint[]): bigint {
  if (opcode !== CALL && opcode !== CALLCODE && opcode !== DELEGATECALL && opcode !== STATICCALL) return 0n
  if (left < 0n) return 0n
  // All but one 64th (EIP-150).
  const most = left - left / 64n
  const asked = stack.at(-1) ?? 0n
  return asked < most ? asked : most
}
