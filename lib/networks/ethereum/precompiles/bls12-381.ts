/** Precompiles that calculate with points of BLS12-381 (EIP-2537). */

import { bigIntToBytes32 } from '../../../base/hex.ts'
import { bls12381, mapToPoint } from '../../../crypto/bls12-381.ts'
import { PointError } from '../../../crypto/pairing-curve.ts'
import { PrecompileFailure, precompileAddress, type Precompile } from '../../../evm/precompile.ts'

/** Discounts in G1 for one pair, two pairs and so on; the last applies to all longer inputs. */
// oxfmt-ignore
const G1_DISCOUNTS = [
  1000, 949, 848, 797, 764, 750, 738, 728, 719, 712, 705, 698, 692, 687, 682, 677,
  673, 669, 665, 661, 658, 654, 651, 648, 645, 642, 640, 637, 635, 632, 630, 627,
  625, 623, 621, 619, 617, 615, 613, 611, 609, 608, 606, 604, 603, 601, 599, 598,
  596, 595, 593, 592, 591, 589, 588, 586, 585, 584, 582, 581, 580, 579, 577, 576,
  575, 574, 573, 572, 570, 569, 568, 567, 566, 565, 564, 563, 562, 561, 560, 559,
  558, 557, 556, 555, 554, 553, 552, 551, 550, 549, 548, 547, 547, 546, 545, 544,
  543, 542, 541, 540, 540, 539, 538, 537, 536, 536, 535, 534, 533, 532, 532, 531,
  530, 529, 528, 528, 527, 526, 525, 525, 524, 523, 522, 522, 521, 520, 520, 519,
] as const

/** The same for G2. */
// oxfmt-ignore
const G2_DISCOUNTS = [
  1000, 1000, 923, 884, 855, 832, 812, 796, 782, 770, 759, 749, 740, 732, 724, 717,
  711, 704, 699, 693, 688, 683, 679, 674, 670, 666, 663, 659, 655, 652, 649, 646,
  643, 640, 637, 634, 632, 629, 627, 624, 622, 620, 618, 615, 613, 611, 609, 607,
  606, 604, 602, 600, 598, 597, 595, 593, 592, 590, 589, 587, 586, 584, 583, 582,
  580, 579, 578, 576, 575, 574, 573, 571, 570, 569, 568, 567, 566, 565, 563, 562,
  561, 560, 559, 558, 557, 556, 555, 554, 553, 552, 552, 551, 550, 549, 548, 547,
  546, 545, 545, 544, 543, 542, 541, 541, 540, 539, 538, 537, 537, 536, 535, 535,
  534, 533, 532, 532, 531, 530, 530, 529, 528, 528, 527, 526, 526, 525, 524, 524,
] as const

/** Length of a field element in bytes, and the number of leading bytes that must be zero. */
const ELEMENT = 64
const PADDING = 16

/** Length in bytes of a point and a scalar. */
const G1_TERM = 2 * ELEMENT + 32
const G2_TERM = 4 * ELEMENT + 32

/** One precompile: its input, its gas by number of units, and its function. */
interface Operation {
  readonly number: number
  readonly name: string
  /** Length in bytes of a unit: the operands of one operation, which begin with elements. */
  readonly unit: number
  /** Whether the input has several units. */
  readonly isRepeated?: boolean
  readonly gas: (units: number) => number
  readonly run: (input: Uint8Array) => Uint8Array
}

/** Gas of several multiplications with the discount. */
const discounted = (single: number, discounts: readonly number[]) => (units: number) => {
  const discount = discounts[Math.min(units, discounts.length) - 1] ?? 0
  return Math.floor((units * single * discount) / 1000)
}

const OPERATIONS: readonly Operation[] = [
  {
    number: 0x0b,
    name: 'blsG1Add',
    unit: 4 * ELEMENT,
    gas: () => 375,
    run: (input) => bls12381().add('g1', input),
  },
  {
    number: 0x0c,
    name: 'blsG1MultiplyAll',
    unit: G1_TERM,
    isRepeated: true,
    gas: discounted(12_000, G1_DISCOUNTS),
    run: (input) => bls12381().multiplyAll('g1', input),
  },
  {
    number: 0x0d,
    name: 'blsG2Add',
    unit: 8 * ELEMENT,
    gas: () => 600,
    run: (input) => bls12381().add('g2', input),
  },
  {
    number: 0x0e,
    name: 'blsG2MultiplyAll',
    unit: G2_TERM,
    isRepeated: true,
    gas: discounted(22_500, G2_DISCOUNTS),
    run: (input) => bls12381().multiplyAll('g2', input),
  },
  {
    number: 0x0f,
    name: 'blsPairing',
    unit: 6 * ELEMENT,
    isRepeated: true,
    gas: (units) => 37_700 + 32_600 * units,
    run: (input) => bigIntToBytes32(bls12381().isPairingOne(input) ? 1n : 0n),
  },
  {
    number: 0x10,
    name: 'blsMapToG1',
    unit: ELEMENT,
    gas: () => 5500,
    run: (input) => mapToPoint('g1', input),
  },
  {
    number: 0x11,
    name: 'blsMapToG2',
    unit: 2 * ELEMENT,
    gas: () => 23_800,
    run: (input) => mapToPoint('g2', input),
  },
]

/** The precompiles in the order of their addresses. */
export const blsPrecompiles: readonly Precompile[] = OPERATIONS.map((operation) => ({
  address: precompileAddress(operation.number),
  name: operation.name,
  gas: ({ input }) => operation.gas(Math.floor(input.length / operation.unit)),
  run: ({ input }) => {
    checkForm(input, operation)
    try {
      return operation.run(input)
    } catch (cause) {
      if (!(cause instanceof PointError)) throw cause
      throw new PrecompileFailure('not a point or an element of BLS12-381', { cause })
    }
  },
}))

function checkForm(input: Uint8Array, { unit, isRepeated = false }: Operation): void {
  const fits = isRepeated ? input.length > 0 && input.length % unit === 0 : input.length === unit
  if (!fits)
    throw new PrecompileFailure(
      `input of ${input.length} bytes, expected ${isRepeated ? 'units of ' : ''}${unit}`,
    )
  for (let start = 0; start < input.length; start += unit) {
    for (let element = 0; element < Math.floor(unit / ELEMENT); element++) {
      const front = input.subarray(start + element * ELEMENT, start + element * ELEMENT + PADDING)
      if (front.some((byte) => byte !== 0)) throw new PrecompileFailure('element of BLS12-381 out of range')
    }
  }
}
