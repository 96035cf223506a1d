/** Runs calls of the contracts of fixtures/failures and explains how they fail. */

import { encodeDeployData, encodeFunctionData } from 'viem'
import { errorText, errorsOf } from '../../../../lib/abi/fragments.ts'
import type { ContractOf } from '../../../../lib/insight/artifacts/code.ts'
import type { CompiledContract } from '../../../../lib/insight/artifacts/compilation.ts'
import { fromHex, toHex } from '../../../../lib/base/hex.ts'
import type { Address } from '../../../../lib/base/hex.ts'
import { FrameRecorder } from '../../../../lib/insight/explain/executed-frame.ts'
import { explainFailure, type ExplainedFailure } from '../../../../lib/insight/explain/solidity-stack.ts'
import type { State } from '../../../../lib/state/state.ts'
import { SENDER, contextOf, machineOf, rulesOf, stateOf } from '../../../support/machine-runs.ts'

/** A call of a function, or of a contract with data. */
export interface FailingCall {
  readonly contract: string
  /** Absent for a creation. */
  readonly call?: string
  /** Call data instead of a function. */
  readonly data?: `0x${string}`
  readonly args?: readonly unknown[]
  readonly value?: bigint
  readonly gas?: number
}

/** A message to the machine. */
export interface Sending {
  readonly to: Address | undefined
  readonly data: Uint8Array
  readonly value: bigint
  readonly gas: number
}

const GAS = 6_000_000

const RULES = rulesOf('cancun')

/** One chain with contracts. */
export class FailureRuns {
  readonly #contracts: readonly CompiledContract[]
  readonly #known: readonly CompiledContract[]
  readonly #state: State = stateOf(new Map())
  readonly #deployed = new Map<string, Address>()

  /** The explanations know all contracts, or only some. */
  constructor(contracts: readonly CompiledContract[], known = contracts) {
    this.#contracts = contracts
    this.#known = known
  }

  /** Address of a contract, which is created at the first call. */
  addressOf(name: string): Address {
    const known = this.#deployed.get(name)
    if (known !== undefined) return known
    const { created } = this.#run({ to: undefined, data: this.#initCode(name, []), value: 0n, gas: GAS })
    if (created === undefined) throw new Error(`${name} could not be created`)
    this.#deployed.set(name, created)
    return created
  }

  /** The contracts that were created, with the nonces of their creations. */
  readonly deployments: { readonly nonce: bigint; readonly data: Uint8Array }[] = []

  /** Explains how a call fails; undefined if it does not. */
  explain(failing: FailingCall): ExplainedFailure | undefined {
    return this.#run(this.sendingOf(failing)).failure
  }

  /** The message of a call. The contracts that it needs are created. */
  sendingOf({ contract, call, data, args = [], value = 0n, gas = GAS }: FailingCall): Sending {
    // A name of a contract stands for its address.
    const values = args.map((one) =>
      typeof one === 'string' && /^[A-Z]/.test(one) ? this.addressOf(one) : one,
    )
    const isCreation = call === undefined && data === undefined
    return isCreation
      ? { to: undefined, data: this.#initCode(contract, values), value, gas }
      : { to: this.addressOf(contract), data: this.#callData(contract, call, values, data), value, gas }
  }

  #run({ to, data, value, gas }: Sending) {
    const recorder = new FrameRecorder(this.#contractOf)
    const context = contextOf(RULES, this.#state, { observer: recorder.observer })
    const nonce = this.#state.account(SENDER)?.nonce ?? 0n
    const machine = machineOf(context, { to, nonce, value, data, gas })
    if (machine.run() !== undefined) throw new Error('paused')
    if (machine.result.status === 'success') this.#state.commitRoot()
    if (machine.result.created !== undefined) this.deployments.push({ nonce, data })
    if (to === undefined) this.#state.putAccount(SENDER, { nonce: nonce + 1n, balance: 10n ** 30n })
    return { created: machine.result.created, failure: explainFailure(recorder.root, this.#errorOf) }
  }

  #callData(contract: string, call: string | undefined, args: readonly unknown[], data = '0x'): Uint8Array {
    if (call === undefined) return fromHex(data)
    const abi = this.#contract(contract).abi as any
    const [functionName, types] = call.split('(')
    const items = abi.filter(
      (one: any) =>
        one.name === functionName &&
        (types === undefined || `${one.inputs.map(({ type }: any) => type).join(',')})` === types),
    )
    return fromHex(encodeFunctionData({ abi: items, functionName, args } as any))
  }

  #initCode(name: string, args: readonly unknown[]): Uint8Array {
    const { abi, creation } = this.#contract(name)
    const inputs = abi.find(({ type }) => type === 'constructor')?.inputs ?? []
    const bytes = creation!.bytes.slice()
    for (const { start, length } of creation!.masks)
      if (length === 20) bytes.set(fromHex(this.addressOf('Numbers')), start)
    const values = inputs.map((_input, index) => args[index] ?? 1n)
    return fromHex(encodeDeployData({ abi, bytecode: toHex(bytes), args: values } as any))
  }

  #contract(name: string): CompiledContract {
    const found = this.#contracts.find((one) => one.name === name)
    if (found === undefined) throw new Error(`there is no contract ${name}`)
    return found
  }

  readonly #contractOf: ContractOf = (code, kind) =>
    this.#known.find((contract) => {
      const compiled = contract[kind]
      if (compiled === undefined || compiled.bytes.length > code.length) return false
      if (kind === 'runtime' && compiled.bytes.length !== code.length) return false
      const plain = code.slice(0, compiled.bytes.length)
      for (const { start, length } of compiled.masks) plain.fill(0, start, start + length)
      // The code of a library begins with its address.
      if (kind === 'runtime' && plain[0] === 0x73) plain.fill(0, 1, 21)
      return Buffer.compare(plain, compiled.bytes) === 0
    })

  readonly #errorOf = (data: string): string | undefined =>
    this.#contracts
      .flatMap(({ abi }) => errorsOf(abi))
      .filter(({ selector }) => data.startsWith(selector))
      .map((error) => errorText(error, data))
      .find((text) => text !== undefined)
}

/** The stack as texts such as `Failures.inner:12`, innermost first, with `?` for an unknown line. */
export const shownStack = ({ stack }: ExplainedFailure): readonly string[] =>
  stack.map(
    (entry) =>
      [entry.contract, entry.function].filter((name) => name !== undefined).join('.') +
      `:${entry.line ?? '?'}`,
  )
