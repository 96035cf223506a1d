/** Generates programs without calls: straight ones that always have the words they need, and noise with jumps. */

import fc from 'fast-check'
import { fromHex } from '../../lib/base/hex.ts'
import { instructionTable } from '../../lib/evm/machine/core-tables.ts'
import type { Rules } from '../../lib/evm/rules.ts'

const MAX_WORD = 2n ** 256n - 1n

/** Words at which carries, signs and divisions show. */
const word: fc.Arbitrary<bigint> = fc.oneof(
  fc.bigInt({ min: 0n, max: MAX_WORD }),
  fc.bigInt({ min: 0n, max: 300n }),
  fc.bigInt({ min: MAX_WORD - 3n, max: MAX_WORD }),
  fc.bigInt({ min: 2n ** 255n - 2n, max: 2n ** 255n + 2n }),
  fc.nat(255).map((bit) => 1n << BigInt(bit)),
  fc.nat(256).map((bits) => (1n << BigInt(bits)) - 1n),
  fc
    .array(fc.constantFrom(0n, 1n, 0xffff_ffffn, 0x8000_0000n), { minLength: 8, maxLength: 8 })
    .map((digits) => digits.reduce<bigint>((value, digit) => (value << 32n) | digit, 0n)),
)

const small = fc.bigInt({ min: 0n, max: 400n })

/** A push with up to three zero bytes in front. */
const pushed = (value: fc.Arbitrary<bigint>): fc.Arbitrary<readonly number[]> =>
  fc.tuple(value, fc.nat(3)).map(([each, zeros]) => {
    const digits = each.toString(16)
    const bytes = [...fromHex(`0x${digits.length % 2 === 0 ? digits : `0${digits}`}`)]
    const padded = [...new Array<number>(Math.min(zeros, 32 - bytes.length)).fill(0), ...bytes]
    return [0x5f + padded.length, ...padded]
  })

/** Instructions whose operands name ranges and slots: small numbers, so that they mostly run. */
const RANGES =
  /^(KECCAK256|M(LOAD|STORE8?|COPY)|[A-Z]+COPY|LOG\d|CALLDATALOAD|[ST](LOAD|STORE)|BLOCKHASH|BLOBHASH)$/
const LEFT_OUT = /^(JUMPI?|STOP|RETURN|REVERT|INVALID|SELFDESTRUCT|CREATE2?|[A-Z]*CALL|CALLCODE|PUSH\d+)$/

/** Programs of instructions that have their operands; the resulting words are stored and returned. */
export function anyStraightProgram(rules: Rules): fc.Arbitrary<Uint8Array> {
  const statements = instructionTable(rules).flatMap((instruction, opcode) => {
    if (instruction === undefined || LEFT_OUT.test(instruction.name)) return []
    const operand = RANGES.test(instruction.name)
      ? fc.oneof({ weight: 30, arbitrary: small }, { weight: 1, arbitrary: word })
      : word
    const operands = Array.from({ length: instruction.inputs }, () => pushed(operand))
    return [fc.tuple(...operands).map((pushes) => [...pushes.flat(), opcode])]
  })
  const end = fc.constantFrom([0xf3], [0xfd], [0x00])
  return fc
    .tuple(fc.array(fc.oneof(...statements), { minLength: 1, maxLength: 60 }), end)
    .map(([program, last]) => Uint8Array.from([...program.flat(), ...stored, 0x60, 0xe0, 0x60, 0, ...last]))
}

/** Stores three words in memory and one in storage, if there are so many. */
const stored = [0x60, 0x80, 0x52, 0x60, 0xa0, 0x52, 0x60, 0xc0, 0x52, 0x60, 0x03, 0x55]

/** Pushes, then any bytes that need no other account, with some jumps. */
export const anyNoise: fc.Arbitrary<Uint8Array> = fc
  .tuple(
    fc.array(pushed(word), { minLength: 20, maxLength: 20 }),
    fc.array(
      fc.oneof(
        { weight: 3, arbitrary: fc.nat(255).map((byte) => [0x60, byte]) },
        { weight: 1, arbitrary: fc.constant([0x5b]) },
        {
          weight: 1,
          arbitrary: fc.tuple(fc.nat(255), fc.constantFrom(0x56, 0x57)).map(([to, jump]) => [0x60, to, jump]),
        },
        { weight: 7, arbitrary: fc.nat(0xef).map((byte) => [byte]) },
      ),
      { maxLength: 200 },
    ),
  )
  .map(([pushes, rest]) => Uint8Array.from([...pushes.flat(), ...rest.flat()]))
