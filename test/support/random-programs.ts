/** Generates random programs that mostly run: statements that push their operands, with some random bytes between. */

import fc from 'fast-check'
import type { Address } from '../../lib/base/hex.ts'
import { fromHex } from '../../lib/base/hex.ts'
import { activeEips } from '../../lib/config/active-eips.ts'
import type { Hardfork } from '../../lib/config/eips.ts'
import type { Given, Sent, World } from './machine-runs.ts'
import { COINBASE, SENDER } from './machine-runs.ts'
import { addressOf } from './transactions.ts'

type Code = fc.Arbitrary<readonly number[]>

/** Contracts that run the programs and call each other. */
export const CONTRACTS: readonly Address[] = [0x1001, 0x1002, 0x1003, 0x1004].map(addressOf)

/** An account that delegates to another if the fork has delegations. */
export const DELEGATING = addressOf(0x7702)

const TARGETS: readonly bigint[] = [
  ...CONTRACTS.map(BigInt),
  0x7702n,
  0x7702n,
  1n,
  2n,
  3n,
  4n,
  5n,
  6n,
  7n,
  8n,
  9n,
  0xdeadn,
  0xbeefn,
  BigInt(COINBASE),
  BigInt(SENDER),
]

/** PUSHn of the shortest form, PUSH1 for zero. */
function push(value: bigint): readonly number[] {
  const digits = value.toString(16)
  const bytes = fromHex(`0x${digits.length % 2 === 0 ? digits : `0${digits}`}`)
  return [0x5f + bytes.length, ...bytes]
}

/** PUSH32 of bytes at the left end of a word. */
const pushLeft = (bytes: readonly number[]): readonly number[] => [
  0x7f,
  ...bytes,
  ...new Array<number>(32 - bytes.length).fill(0),
]

const word: fc.Arbitrary<bigint> = fc.oneof(
  fc.bigInt({ min: 0n, max: 40n }),
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  fc.constantFrom(2n ** 255n, 2n ** 256n - 1n, 2n ** 255n - 1n, 2n ** 64n, 2n ** 128n, 255n, 256n),
)
const slot = fc.bigInt({ min: 0n, max: 3n })
const offset = fc.oneof(
  { weight: 20, arbitrary: fc.bigInt({ min: 0n, max: 300n }) },
  { weight: 2, arbitrary: fc.bigInt({ min: 0n, max: 20_000n }) },
  { weight: 1, arbitrary: fc.constantFrom(2n ** 31n, 2n ** 40n, 2n ** 70n, 2n ** 256n - 1n) },
)
const length = fc.oneof(
  { weight: 20, arbitrary: fc.bigInt({ min: 0n, max: 130n }) },
  { weight: 1, arbitrary: fc.constantFrom(5000n, 2n ** 33n, 2n ** 255n) },
)
const target = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom(...TARGETS) },
  { weight: 1, arbitrary: fc.constant(2n ** 200n + BigInt(CONTRACTS[0]!)) },
)
const value = fc.constantFrom(0n, 0n, 0n, 1n, 77n, 10n ** 20n)
const gas = fc.constantFrom(0n, 100n, 2300n, 3000n, 9000n, 60_000n, 2n ** 64n, 2n ** 256n - 1n)

/** An instruction with its operands, topmost first. */
const op = (opcode: number, ...operands: readonly fc.Arbitrary<bigint>[]): Code =>
  fc.tuple(...operands).map((values) => [...values.toReversed().flatMap(push), opcode])

/** Stores the result of an expression in storage or memory, or drops it. */
const kept = (expression: Code): Code =>
  fc
    .tuple(expression, fc.constantFrom([0x50], [0x60, 0x00, 0x55], [0x60, 0x40, 0x52], [0x60, 0x02, 0x55]))
    .map(([code, end]) => [...code, ...end])

const binary = [1, 2, 3, 4, 5, 6, 7, 0x0a, 0x0b, 0x10, 0x11, 0x12, 0x13, 0x14, 0x16, 0x17, 0x18]
const arithmetic = fc.oneof(
  ...[...binary, 0x1a, 0x1b, 0x1c, 0x1d].map((opcode) => op(opcode, word, word)),
  op(0x08, word, word, word),
  op(0x09, word, word, word),
  op(0x15, word),
  op(0x19, word),
)

const questions = [0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3a, 0x3d, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47]
const environment = fc.oneof(
  fc.constantFrom(...[...questions, 0x48, 0x58, 0x59, 0x5a].map((opcode) => [opcode])),
  op(0x31, target),
  op(0x35, offset),
  op(0x3b, target),
  op(0x3f, target),
  op(0x40, fc.bigInt({ min: 740n, max: 1003n })),
  op(0x51, offset),
  op(0x54, slot),
  op(0x20, offset, length),
)

/** RETURNDATASIZE or a number as the length of RETURNDATACOPY. */
const copyReturned: Code = fc
  .tuple(offset, fc.bigInt({ min: 0n, max: 3n }), fc.boolean())
  .map(([to, from, all]) =>
    all ? [0x3d, 0x60, 0, ...push(to), 0x3e] : [0x60, 1, ...push(from), ...push(to), 0x3e],
  )

const memory = fc.oneof(
  op(0x52, offset, word),
  op(0x53, offset, word),
  op(0x37, offset, offset, length),
  op(0x39, offset, offset, length),
  op(0x3c, target, offset, offset, length),
  copyReturned,
)

const logs = fc.oneof(
  op(0xa0, offset, length),
  op(0xa1, offset, length, word),
  op(0xa4, offset, length, word, word, word, word),
)

const calls = fc.oneof(
  op(0xf1, gas, target, value, offset, length, offset, length),
  op(0xf1, gas, target, value, offset, length, offset, length),
  op(0xf2, gas, target, value, offset, length, offset, length),
  op(0xf4, gas, target, offset, length, offset, length),
  op(0xfa, gas, target, offset, length, offset, length),
)

/** A short statement of init code, then an ending: code of one byte, code with EF, oversized code, a revert. */
const initCode: Code = fc
  .tuple(
    fc.oneof(
      fc.constant<readonly number[]>([]),
      op(0x55, slot, fc.bigInt({ min: 0n, max: 9n })),
      fc.constant([0x30, 0xff]),
      fc.constant([0x60, 0x00, 0x54, 0x60, 0x01, 0x55]),
      fc.constant([0x60, 0x00, 0x60, 0x00, 0xa0]),
    ),
    fc.constantFrom<readonly number[]>(
      [0x60, 0x05, 0x60, 0x00, 0xf3],
      [0x60, 0xef, 0x60, 0x00, 0x53, 0x60, 0x01, 0x60, 0x00, 0xf3],
      [0x61, 0x60, 0x01, 0x60, 0x00, 0xf3],
      [0x60, 0x21, 0x60, 0x00, 0xfd],
      [0x33, 0xff],
      [0xfe],
      [0x60, 0x33, 0x60, 0x00, 0x53, 0x60, 0xff, 0x60, 0x01, 0x53, 0x60, 0x02, 0x60, 0x00, 0xf3],
    ),
  )
  .map(([first, last]) => [...first, ...last])

/** Creates a contract, and often calls it. */
const creations: Code = fc
  .tuple(initCode, fc.boolean(), fc.constantFrom(0n, 0n, 5n), fc.bigInt({ min: 0n, max: 1n }), fc.boolean())
  .map(([init, isSalted, endowment, salt, isCalled]) => [
    ...pushLeft(init),
    0x60,
    0x00,
    0x52,
    ...(isSalted ? push(salt) : []),
    ...push(BigInt(init.length)),
    0x60,
    0x00,
    ...push(endowment),
    isSalted ? 0xf5 : 0xf0,
    ...(isCalled
      ? [0x60, 0, 0x60, 0, 0x60, 0, 0x60, 0, 0x60, 0, 0x85, 0x61, 0xff, 0xff, 0xf1, 0x60, 3, 0x55, 0x50]
      : [0x60, 0x01, 0x55]),
  ])

const ends = fc.oneof(
  op(0xf3, offset, length),
  op(0xfd, offset, length),
  op(0xff, target),
  fc.constantFrom<readonly number[]>(
    [0x00],
    [0xfe],
    [0x01],
    [0x0c],
    [0x56],
    [0x60, 0x01, 0x56],
    [0x3d, 0xff],
  ),
)

/** Jumps over a piece of code if a word is not zero. */
const conditional = (inner: Code): Code =>
  fc.tuple(inner, fc.constantFrom(0x30, 0x34, 0x36, 0x3d)).map(([code, condition]) => [
    // PC gives its own position, and the distance to the JUMPDEST is known.
    condition,
    0x58,
    0x61,
    (code.length + 6) >> 8,
    (code.length + 6) & 0xff,
    0x01,
    0x57,
    ...code,
    0x5b,
  ])

const eipsOf = (hardfork: Hardfork) => activeEips({ ownEips: undefined, hardfork, eips: [] })

/** Statements of later forks. */
function newer(fork: Hardfork): readonly Code[] {
  const { instructions } = eipsOf(fork)
  return [
    ...(instructions.has('PUSH0') ? [fc.constant([0x5f, 0x50])] : []),
    ...(instructions.has('TLOAD')
      ? [
          op(0x5d, slot, word),
          kept(op(0x5c, slot)),
          op(0x5e, offset, offset, length),
          kept(op(0x49, word)),
          kept(fc.constant([0x4a])),
        ]
      : []),
    ...(instructions.has('CLZ') ? [kept(op(0x1e, word))] : []),
  ]
}

/** Programs for a fork. */
export function anyProgram(fork: Hardfork): fc.Arbitrary<Uint8Array> {
  const plain: Code = fc.oneof(
    { weight: 4, arbitrary: kept(arithmetic) },
    { weight: 5, arbitrary: kept(environment) },
    { weight: 4, arbitrary: memory },
    { weight: 6, arbitrary: op(0x55, slot, fc.bigInt({ min: 0n, max: 2n })) },
    { weight: 2, arbitrary: logs },
    { weight: 7, arbitrary: kept(calls) },
    { weight: 4, arbitrary: creations },
    { weight: 3, arbitrary: kept(fc.constant([0x5a])) },
    { weight: 1, arbitrary: ends },
    { weight: 1, arbitrary: fc.array(fc.nat(255), { maxLength: 4 }) },
    ...newer(fork).map((arbitrary) => ({ weight: 1, arbitrary })),
  )
  const statement = fc.oneof({ weight: 10, arbitrary: plain }, { weight: 2, arbitrary: conditional(plain) })
  return fc
    .tuple(fc.array(statement, { maxLength: 12 }), fc.option(ends, { nil: [] }))
    .map(([statements, end]) => Uint8Array.from([...statements.flat(), ...end]))
}

/** Contracts with programs, and a message to them. */
export function anyScene(fork: Hardfork): fc.Arbitrary<{ readonly world: World; readonly sent: Sent }> {
  const program = anyProgram(fork)
  const storage = fc.array(fc.bigInt({ min: 0n, max: 2n }), { minLength: 4, maxLength: 4 })
  const contract = fc.tuple(program, storage).map(([code, words]): Given => ({
    code,
    balance: 10n ** 6n,
    nonce: 1n,
    storage: new Map(
      words.map((each, index) => [BigInt(index), each] as const).filter(([, each]) => each > 0n),
    ),
  }))
  const world = fc
    .array(contract, { minLength: CONTRACTS.length, maxLength: CONTRACTS.length })
    .map((contracts): World => new Map(contracts.map((each, index) => [CONTRACTS[index]!, each] as const)))
  const data = fc.uint8Array({ maxLength: 40 })
  const sentGas = fc.oneof(fc.nat(40_000), fc.nat(400_000), fc.constant(3_000_000))
  const call = fc.record({ to: fc.constantFrom(...CONTRACTS, DELEGATING), data, value, gas: sentGas })
  const create = fc.record({ to: fc.constant(undefined), data: program, value, gas: sentGas })
  const sent = fc.oneof({ weight: 4, arbitrary: call }, { weight: 1, arbitrary: create })
  const delegated = fc.constantFrom(...CONTRACTS, addressOf(4), addressOf(0xdead), DELEGATING)
  return fc.record({
    world: fc.tuple(world, delegated).map(([given, to]) => {
      if (!eipsOf(fork).rules.delegations) return given
      return new Map([
        ...given,
        [DELEGATING, { nonce: 1n, code: fromHex(`0xef0100${to.slice(2)}`) }] as const,
      ])
    }),
    sent,
  })
}
