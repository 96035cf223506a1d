/** Generates simple values of a schema. Schemas do not tell their forms, but their errors name them: "expected a quantity". */

import type { Choices } from './choices.ts'

/** Makes a value of a form, valid most of the time. */
export type Make = (choices: Choices) => unknown

const NUMBERS = [
  0n,
  1n,
  2n,
  3n,
  5n,
  21_000n,
  30_000_000n,
  10n ** 18n,
  2n ** 31n - 1n,
  2n ** 53n,
  2n ** 64n - 1n,
]

const hex = (value: bigint | number): string => `0x${value.toString(16)}`
const bytesOf = (choices: Choices, length: number): string =>
  `0x${Buffer.from(choices.bytes(length)).toString('hex')}`

/** A quantity: small, of a boundary, or of any length up to the bits. */
function quantity(choices: Choices, bits: number): unknown {
  const value = choices.weighted<() => bigint>([
    [5, () => BigInt(choices.draw(8))],
    [2, () => choices.any(NUMBERS)],
    [1, () => BigInt(`0x0${Buffer.from(choices.bytes(1 + choices.draw(bits / 8))).toString('hex')}`)],
    [1, () => BigInt(choices.any(choices.known.numbers))],
  ])()
  const fitting = BigInt.asUintN(bits, value)
  return choices.weighted<() => unknown>([
    [8, () => hex(fitting)],
    [1, () => fitting.toString()],
    [1, () => (fitting < 2n ** 53n ? Number(fitting) : hex(fitting))],
  ])()
}

const small = (choices: Choices): unknown => choices.any<unknown>([hex(choices.draw(12)), choices.draw(12)])
const word = (choices: Choices): string =>
  choices.once(4) ? bytesOf(choices, 32) : choices.any(choices.known.hashes)
const address = (choices: Choices): string =>
  choices.once(16) ? bytesOf(choices, 20) : choices.any(choices.known.addresses)
const data = (choices: Choices): string => {
  const { codes, transactions } = choices.known
  const random = () => bytesOf(choices, choices.draw(80))
  return choices.weighted<() => string>([
    [3, random],
    [3, () => choices.any(codes)],
    [2, () => choices.any(transactions)],
  ])()
}
const TAGS = ['latest', 'pending', 'earliest', 'safe', 'finalized']
const tag = (choices: Choices): unknown => choices.any(TAGS)
const oneOf =
  (...values: readonly unknown[]): Make =>
  (choices) =>
    choices.any(values)

/** No server listens there. */
const NO_URL = 'http://127.0.0.1:9/'

/** Forms by the text of the error for a value that no schema takes. The first row that matches counts. */
export const LEAVES: readonly (readonly [RegExp, Make])[] = [
  [/a 20-byte address$/, address],
  [/a 32-byte (hash|value)$|an? word/, word],
  [/blobs of 131072 bytes$/, () => []],
  [/(commitments|proofs) of 48 bytes$/, () => []],
  [/^expected hex data/, data],
  [/signature (of |\()65 bytes/, (choices) => `${bytesOf(choices, 64)}1b`],
  [/1 to \d+ of them together/, (choices) => ({ [address(choices)]: ['0x0', word(choices)] })],
  [/storage position/, (choices) => choices.any([hex(choices.draw(6)), word(choices)])],
  [/a quantity \(/, (choices) => quantity(choices, 256)],
  [/up to 64 bits$/, (choices) => quantity(choices, 64)],
  [/an index|a number of blocks$/, small],
  [
    /number of seconds up to the year/,
    (choices) => choices.any<unknown>([choices.draw(30), 1_800_000_000, '0x4']),
  ],
  [/true or false$|a boolean$/, oneOf(true, false)],
  [
    /^expected a block: a number|block number, hash or tag|invalid blocknumber|^expected a tag/,
    (choices) => choices.any<Make>([tag, tag, small, word])(choices),
  ],
  [/id of a snapshot/, (choices) => choices.any([hex(choices.draw(9)), 'named'])],
  [/id of a world/, oneOf('one', 'two', 'three')],
  [/id of a (filter|subscription)/, (choices) => choices.any(choices.known.numbers)],
  [/URL/, oneOf(NO_URL, 'ws://127.0.0.1:9')],
  [/a block number, a negative number/, oneOf(0, -1, 'latest', '0x2')],
  [/headers as/, oneOf([], ['a: b'])],
  [/a passphrase/, oneOf('secret', 'wrong', '')],
  [/a private key/, (choices) => bytesOf(choices, 32)],
  [/hashes of 64 hex digits/, (choices) => word(choices).slice(2)],
  [/even number of hex digits/, (choices) => data(choices).slice(2)],
  [/number in hex digits/, (choices) => choices.draw(20).toString(16)],
  [/a span of time/, oneOf(0, 0, 0, 50, [20, 40])],
  [/nonce of 8 bytes/, (choices) => bytesOf(choices, 8)],
  [/rising percentiles/, oneOf([], [10, 50, 90], [0, 100])],
  [/IP address or the hex digits/, oneOf('3fd44f66', '10.0.0.1')],
  [/only one index/, oneOf(['0x0'], ['0x1'])],
  [/number of seconds, 0 for no end/, oneOf(0, 1, 300, '0x1d4c0')],
  [/a selector \(4 bytes\)/, oneOf('getFeePerKb()', '0x12345678', 'getFederationSize()')],
  [/a name of 1 to 100 characters/, oneOf('named', 'other')],
  [/the ABI/, oneOf([], [{ type: 'function', name: 'f', inputs: [], outputs: [], stateMutability: 'view' }])],
  [/structs by name/, oneOf({ EIP712Domain: [], Mail: [{ name: 'to', type: 'address' }] }, { Mail: [] })],
  [/name of a struct/, oneOf('Mail', 'EIP712Domain')],
  [/the domain$|the message$/, (choices) => choices.any([{}, { to: address(choices) }])],
  [/an integer$|a number$|number of a request$/, (choices) => choices.draw(20)],
  [/an address$/, oneOf('10.0.0.1', '10.0.0.2')],
]

/** What a schema without a known form gets: anything short. */
export const ANYTHING: Make = (choices) =>
  choices.any<Make>([
    address,
    word,
    data,
    small,
    tag,
    oneOf(null, '', 'text', {}, []),
    oneOf(true, false),
    oneOf(true, false),
  ])(choices)
