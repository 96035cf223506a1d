/** Random calls and transactions, which run on a remote and on a fork of it, and what both must answer alike. */

import fc from 'fast-check'
import { encodeFunctionData } from 'viem'
import type { AbiFunction, AbiParameter, Hex } from 'viem'
import { toHex, toQuantity, toWord } from '../../../lib/base/hex.ts'
import { CONTRACTS as CODES, creationCode, words } from '../../support/bytecode.ts'
import type { CodeName } from '../../support/bytecode.ts'
import { AnsweredError } from '../../support/fork-pair.ts'
import type { Ask } from '../../support/peer-process.ts'
import { CONTRACTS as PROGRAMS } from '../../support/random-programs.ts'
import type { RemoteWorld } from './remote-world.ts'

/** What is done with a request. */
export type StepKind = 'call' | 'estimate' | 'accessList' | 'traceCall' | 'send'

/** A request, made of numbers that select among what the remote has. */
export interface ForkStep {
  readonly kind: StepKind
  readonly sender: number
  readonly target: number
  readonly choices: readonly number[]
  readonly value: number
  readonly gap: number
}

/** Any step. Most of them are transactions, so that the later ones find changes. */
export const anyForkStep: fc.Arbitrary<ForkStep> = fc.record({
  kind: fc.constantFrom<StepKind>(
    'call',
    'call',
    'estimate',
    'accessList',
    'traceCall',
    'send',
    'send',
    'send',
    'send',
  ),
  sender: fc.nat(3),
  target: fc.nat(999),
  choices: fc.array(fc.nat(9999), { minLength: 8, maxLength: 8 }),
  value: fc.constantFrom(0, 0, 0, 1, 1000),
  gap: fc.integer({ min: 1, max: 5 }),
})

const pick = <T>(from: readonly T[], n = 0): T => from[n % from.length]!

/** Addresses that arguments name. */
const addressesOf = ({ senders, contracts, codes }: RemoteWorld): readonly Hex[] => [
  ...senders,
  ...Object.values(contracts).map(({ address }) => address),
  ...Object.values(codes),
  ...PROGRAMS,
  '0x0000000000000000000000000000000000000004',
  '0x00000000000000000000000000000000000dead0',
]

/** The request of a step. */
export function requestOf(
  world: RemoteWorld,
  step: ForkStep,
): { readonly from: Hex; readonly [name: string]: unknown } {
  const { choices, target } = step
  const from = pick(world.senders, step.sender)
  const value = toQuantity(step.value)
  const kind = target % 10
  if (kind < 6) return { from, value, ...solidityCall(world, step) }
  if (kind === 6)
    return { from, value, to: pick(PROGRAMS, choices[0]), data: words(choices.slice(1, 3).map(BigInt)) }
  if (kind === 7) return { from, value, to: pick(addressesOf(world), choices[0]) }
  if (kind === 8 && choices[0]! % 3 === 0)
    return { from, value, data: toHex(creationCode(pick(Object.values(CODES), choices[1]))) }
  return { from, value, ...codeCall(world, choices) }
}

function solidityCall(world: RemoteWorld, { target, choices }: ForkStep): object {
  const { address, abi } = pick(Object.values(world.contracts), Math.floor(target / 10))
  // The header of a block that was made after the fork has another hash.
  const functions = abi.filter(
    (item): item is AbiFunction => item.type === 'function' && !/^(header|remember)$/.test(item.name),
  )
  const called = pick(functions, choices[0])
  let next = 1
  const draw = (): number => choices[next++ % choices.length]!
  const args = called.inputs.map((input) => argumentOf(input, world, draw))
  return { to: address, data: encodeFunctionData({ abi: [called], args }) }
}

/** A value of a type: small, or an address that exists, so that the call often succeeds. */
function argumentOf(input: AbiParameter, world: RemoteWorld, draw: () => number): unknown {
  const { type } = input
  if (type.endsWith(']')) {
    const item = { ...input, type: type.slice(0, type.lastIndexOf('[')) }
    return Array.from({ length: draw() % 3 }, () => argumentOf(item, world, draw))
  }
  if (type === 'address') return pick(addressesOf(world), draw())
  if (type === 'bool') return draw() % 2 === 0
  if (type === 'string') return 'text'.repeat(draw() % 12)
  if (type === 'bytes') return words([BigInt(draw())])
  if (type === 'tuple' && 'components' in input)
    return input.components.map((each) => argumentOf(each, world, draw))
  const bits = /^u?int(\d+)$/.exec(type)?.[1]
  if (bits !== undefined) return Number(bits) <= 48 ? draw() % 200 : BigInt(draw() % 200)
  const size = Number(/^bytes(\d+)$/.exec(type)?.[1])
  return `0x${(draw() % 4).toString(16).padStart(2 * size, '0')}`
}

function codeCall({ codes, contracts, senders }: RemoteWorld, choices: readonly number[]): object {
  const [name, one = 0, two = 0, three = 0] = choices
  const key = pick(Object.keys(codes) as CodeName[], name)
  const to = codes[key]
  const slot = BigInt(one % 5)
  const inner = pick(
    [codes.store, codes.load, codes.destroy, codes.create, codes.revert, contracts['GameToken']!.address],
    two,
  )
  const heir = pick([...senders, codes.store, '0x00000000000000000000000000000000000dead1'] as const, three)
  if (key === 'destroy') return { to, data: words([heir]) }
  if (key === 'create' || key === 'create2')
    return { to, data: words([slot], creationCode(pick(Object.values(CODES), two))) }
  if (key === 'delegate' || key.startsWith('forward'))
    return { to, data: words([inner, slot, BigInt(three % 3)]) }
  return { to, data: words([slot, BigInt(two % 3)]) }
}

/** Runs a step on a node. @returns all that does not depend on hashes of blocks */
export async function runStep(ask: Ask, world: RemoteWorld, step: ForkStep, time: number): Promise<unknown> {
  const request = { gas: '0x1e8480', ...requestOf(world, step) }
  switch (step.kind) {
    case 'call':
      return outcomeOf(ask('eth_call', [request, 'latest']))
    case 'estimate':
      return outcomeOf(ask('eth_estimateGas', [request, 'latest']))
    case 'accessList':
      return outcomeOf(ask('eth_createAccessList', [request, 'latest']))
    case 'traceCall':
      return outcomeOf(ask('debug_traceCall', [request, 'latest', TRACERS[step.gap % TRACERS.length]]))
    case 'send':
      return sendStep(ask, request, time)
  }
}

const TRACERS = [
  { tracer: 'callTracer', tracerConfig: { withLog: true } },
  { tracer: 'prestateTracer' },
  { tracer: 'prestateTracer', tracerConfig: { diffMode: true } },
  {},
] as const

async function sendStep(ask: Ask, request: object, time: number): Promise<unknown> {
  await ask('evm_setNextBlockTimestamp', [time])
  await outcomeOf(ask('hardhat_setPrevRandao', [toWord(BigInt(time))]))
  await ask('evm_setAutomine', [false])
  const sent = await outcomeOf(ask('eth_sendTransaction', [request]))
  await ask('evm_mine', [])
  await ask('evm_setAutomine', [true])
  if (typeof sent !== 'string') return sent
  const receipt = await ask('eth_getTransactionReceipt', [sent])
  const traces: unknown[] = []
  for (const tracer of TRACERS) traces.push(await outcomeOf(ask('debug_traceTransaction', [sent, tracer])))
  return { sent, receipt: withoutHashes(receipt), traces }
}

/** A receipt without the hash of its block, which depends on the state root. */
function withoutHashes(receipt: any): unknown {
  if (receipt === null) return null
  const logs = receipt.logs.map((log: object) => ({ ...log, blockHash: undefined }))
  return { ...receipt, blockHash: undefined, logs }
}

/** The result of a request, or its error. */
async function outcomeOf(request: Promise<unknown>): Promise<unknown> {
  try {
    return await request
  } catch (error) {
    if (error instanceof AnsweredError) return { error: error.error }
    throw error
  }
}
