/** Rows of calls, which change nothing. */

import { bn254 } from '@noble/curves/bn254.js'
import { keccak256 } from 'viem'
import type { Call } from '../client.ts'
import type { Session } from '../session.ts'
import { check, quantity, word } from '../words.ts'
import type { Row } from './row.ts'
import { BALANCE_OF_RECEIVER, TOKEN_TRANSFER } from './transactions.ts'

async function trivialCalls(session: Session, call: Call) {
  const height = (await session.call('eth_blockNumber')) as string
  return session.measure({ warmUp: 1500, operations: 2500 }, async () =>
    check('the block number', await call('eth_blockNumber'), height),
  )
}

/** Calls of balanceOf. */
export async function balanceCalls(session: Session) {
  const to = await session.contract('Token')
  const balance = (await session.call('eth_call', { to, data: BALANCE_OF_RECEIVER }, 'latest')) as string
  return session.measure({ warmUp: 1000, operations: 1000 }, async () =>
    check(
      'the balance',
      await session.call('eth_call', { to, data: BALANCE_OF_RECEIVER }, 'latest'),
      balance,
    ),
  )
}

/** An estimate has to suffice and may be a few percent too high. */
export async function estimates(session: Session) {
  const to = await session.contract('Token')
  const [from] = await session.accounts()
  const request = { from, to, data: TOKEN_TRANSFER }
  await session.transact({
    to,
    data: TOKEN_TRANSFER,
    gas: (await session.call('eth_estimateGas', request)) as string,
  })
  return session.measure({ warmUp: 500, operations: 500 }, async () => {
    const gas = Number(await session.call('eth_estimateGas', request))
    if (gas < 21_000 || gas > 60_000) throw new Error(`the estimate is ${gas} gas`)
  })
}

/** Turns of a loop that need some 20 million gas. */
const ARITHMETIC_TURNS = 238_000
const HASH_TURNS = 171_000

/** A loop of the contract, its turns, and what it returns. */
interface Loop {
  readonly selector: string
  readonly turns: number
  readonly expected: () => string
}

const once = (make: () => string): (() => string) => {
  let made: string | undefined
  return () => (made ??= make())
}

/** What Loops.arithmetic returns. */
function sumOf(turns: number): string {
  let sum = 0n
  for (let index = 1n; index <= turns; index++) {
    sum = BigInt.asUintN(256, (sum ^ index) * 0x9e3779b97f4a7c15n + (sum >> 7n))
  }
  return `0x${word(sum)}`
}

/** What Loops.hashes returns. */
function hashOf(turns: number): string {
  const input = new Uint8Array(64)
  const number = new DataView(input.buffer)
  for (let index = 1; index <= turns; index++) {
    number.setUint32(60, index)
    input.set(keccak256(input, 'bytes'), 0)
  }
  return `0x${Buffer.from(input.subarray(0, 32)).toString('hex')}`
}

/** Calldata of arithmetic(uint256). */
export const arithmeticCall = (turns: number): string => `0x${ARITHMETIC.selector}${word(turns)}`

const ARITHMETIC: Loop = {
  selector: '9381a585',
  turns: ARITHMETIC_TURNS,
  expected: once(() => sumOf(ARITHMETIC_TURNS)),
}

const HASHES: Loop = {
  selector: '501895ae',
  turns: HASH_TURNS,
  expected: once(() => hashOf(HASH_TURNS)),
}

async function loops(session: Session, { selector, turns, expected }: Loop, operations: number) {
  const to = await session.contract('Loops')
  const request = { to, data: `0x${selector}${word(turns)}`, gas: quantity(25_000_000) }
  const wanted = expected()
  return session.measure({ operations }, async () =>
    check('the result of the loop', await session.call('eth_call', request, 'latest'), wanted),
  )
}

/** Four pairs of points whose pairings cancel each other out (EIP-197). */
function fourPairs(): string {
  const { Fr } = bn254.fields
  const [p, q] = [bn254.G1.Point.BASE, bn254.G2.Point.BASE]
  const pairs = [
    [3n, 5n],
    [Fr.neg(15n), 1n],
    [7n, 11n],
    [Fr.neg(77n), 1n],
  ] as const
  return pairs
    .map(([first, second]) => {
      const one = p.multiply(first).toAffine()
      const other = q.multiply(second).toAffine()
      return [one.x, one.y, other.x.c1, other.x.c0, other.y.c1, other.y.c0].map((each) => word(each)).join('')
    })
    .join('')
}

async function pairings(session: Session) {
  const to = `0x${'08'.padStart(40, '0')}`
  const request = { to, data: `0x${fourPairs()}`, gas: quantity(1_000_000) }
  return session.measure({ warmUp: 20, operations: 40 }, async () =>
    check(
      'the result of the pairing check',
      await session.call('eth_call', request, 'latest'),
      `0x${word(1)}`,
    ),
  )
}

/** Calls and estimates. */
export const CALL_ROWS: readonly Row[] = [
  { name: 'trivial call', measure: (session) => trivialCalls(session, session.call) },
  {
    name: 'trivial call over WebSocket',
    measure: async (session) => trivialCalls(session, await session.socketCall()),
  },
  { name: 'call of balanceOf', measure: balanceCalls },
  { name: 'estimate of an ERC-20 transfer', measure: estimates },
  { name: 'arithmetic loop of 20 Mgas, first', measure: (session) => loops(session, ARITHMETIC, 1) },
  { name: 'arithmetic loop of 20 Mgas', measure: (session) => loops(session, ARITHMETIC, 8) },
  { name: 'keccak loop of 20 Mgas, first', measure: (session) => loops(session, HASHES, 1) },
  { name: 'keccak loop of 20 Mgas', measure: (session) => loops(session, HASHES, 8) },
  { name: 'pairing check of four points', measure: pairings },
]
