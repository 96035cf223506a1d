/** Signatures on the curve P-256, which only a contract checks (EIP-7951): plain arithmetic, some milliseconds each. */

/** Prime of the field, coefficient b, order of the group and generator (FIPS 186-4, D.1.2.3); a is -3. */
const P = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const GENERATOR = {
  x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
}

/** A point of the curve other than that at infinity. */
export interface Point {
  readonly x: bigint
  readonly y: bigint
}

/** A point as x/z² and y/z³; z is zero at infinity. */
interface Jacobian extends Point {
  readonly z: bigint
}

const INFINITY: Jacobian = { x: 1n, y: 1n, z: 0n }

/** Whether a key signed a hash; not when key or signature are out of range (SEC 1, section 4.1.4). */
export function isSignedBy(
  hash: bigint,
  { r, s }: { readonly r: bigint; readonly s: bigint },
  key: Point,
): boolean {
  if (r <= 0n || r >= ORDER || s <= 0n || s >= ORDER || !isOnCurve(key)) return false
  const inverse = inverted(s, ORDER)
  const left = multiplied(GENERATOR, remainder(hash * inverse, ORDER))
  const right = multiplied(key, remainder(r * inverse, ORDER))
  const { x, z } = sum(left, right)
  if (z === 0n) return false
  const scale = inverted(z, P)
  return remainder(remainder(x * scale * scale, P), ORDER) === r
}

function isOnCurve({ x, y }: Point): boolean {
  if (x < 0n || x >= P || y < 0n || y >= P || (x === 0n && y === 0n)) return false
  return remainder(y * y - x * x * x + 3n * x - B, P) === 0n
}

function multiplied({ x, y }: Point, factor: bigint): Jacobian {
  let product = INFINITY
  for (const bit of factor.toString(2)) {
    product = doubled(product)
    if (bit === '1') product = sum(product, { x, y, z: 1n })
  }
  return product
}

function doubled({ x, y, z }: Jacobian): Jacobian {
  if (z === 0n) return INFINITY
  const square = remainder(y * y, P)
  const product = remainder(4n * x * square, P)
  const slope = remainder(3n * (x - z * z) * (x + z * z), P)
  const newX = remainder(slope * slope - 2n * product, P)
  return {
    x: newX,
    y: remainder(slope * (product - newX) - 8n * square * square, P),
    z: remainder(2n * y * z, P),
  }
}

function sum(left: Jacobian, right: Jacobian): Jacobian {
  if (left.z === 0n) return right
  if (right.z === 0n) return left
  const leftScale = remainder(left.z * left.z, P)
  const rightScale = remainder(right.z * right.z, P)
  const x = remainder(left.x * rightScale, P)
  const y = remainder(left.y * rightScale * right.z, P)
  const run = remainder(right.x * leftScale - x, P)
  const rise = remainder(right.y * leftScale * left.z - y, P)
  if (run === 0n) return rise === 0n ? doubled(left) : INFINITY
  const square = remainder(run * run, P)
  const cube = remainder(square * run, P)
  const newX = remainder(rise * rise - cube - 2n * x * square, P)
  return {
    x: newX,
    y: remainder(rise * (x * square - newX) - y * cube, P),
    z: remainder(run * left.z * right.z, P),
  }
}

/** The number that gives one when multiplied (Fermat: both moduli are primes). */
function inverted(value: bigint, modulus: bigint): bigint {
  let inverse = 1n
  for (const bit of (modulus - 2n).toString(2)) {
    inverse = (inverse * inverse) % modulus
    if (bit === '1') inverse = (inverse * value) % modulus
  }
  return inverse
}

const remainder = (value: bigint, modulus: bigint): bigint => {
  const rest = value % modulus
  return rest < 0n ? rest + modulus : rest
}
