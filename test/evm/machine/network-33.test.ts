/** Differences of network 33 from Ethereum (node-chain 8.2 and 9); the gas is added up by hand, a PUSH being 3. */

import { describe, expect, test } from '@jest/globals'
import { toHex } from '../../../lib/base/hex.ts'
import { EMPTY_CODE_HASH } from '../../../lib/state/account.ts'
import { BLOCK } from '../../support/machine-runs.ts'
import {
  CONTRACT,
  ECHO,
  ABSENT,
  REFUSAL,
  FUNDED,
  assemble,
  nativeCalls,
  run,
} from '../../modules/network-33/support/network-33-runs.ts'
import { addressOf } from '../../support/transactions.ts'

const ALL = 2n ** 256n - 1n
const CALLEE = addressOf(0x1002)
const none = `0 0 0 0`
const callee = (source: string) => [[CALLEE, { code: assemble(source) }]] as const

describe('gas of instructions (9.2)', () => {
  test.each([
    ['BALANCE of any account, every time', '0xe0 BALANCE POP 0xe0 BALANCE', 3 + 400 + 2 + 3 + 400],
    ['EXTCODESIZE', '0xe0 EXTCODESIZE', 3 + 700],
    ['EXTCODECOPY', `0 0 0 0xe0 EXTCODECOPY`, 12 + 700],
    ['EXTCODEHASH', '0xe0 EXTCODEHASH', 3 + 400],
    ['SLOAD, every time', '1 SLOAD POP 1 SLOAD', 3 + 200 + 2 + 3 + 200],
    ['TLOAD', '0 TLOAD', 3 + 100],
    ['TSTORE', '1 0 TSTORE', 6 + 100],
    ['EXP with two bytes of exponent', '0x100 2 EXP', 6 + 10 + 2 * 50],
    ['PUSH0', 'PUSH0', 2],
    ['MCOPY of a word', '32 0 0 MCOPY', 9 + 3 + 3 + 3],
    ['DIFFICULTY, CHAINID, SELFBALANCE, BASEFEE', 'DIFFICULTY CHAINID SELFBALANCE BASEFEE', 2 + 2 + 5 + 2],
    ['BLOCKHASH', '1 BLOCKHASH', 3 + 20],
    ['LOG1 of a word', '7 32 0 LOG1', 9 + 375 + 375 + 8 * 32 + 3],
    ['SSTORE of a new value', '1 0 SSTORE', 6 + 20_000],
    ['SSTORE of zero to zero', '0 0 SSTORE', 6 + 5000],
    ['SSTORE of the same value', '5 1 SSTORE', 6 + 5000],
    ['SSTORE twice', '1 0 SSTORE 2 0 SSTORE', 6 + 20_000 + 6 + 5000],
    ['SSTORE to a slot that was cleared', '0 1 SSTORE 5 1 SSTORE', 6 + 5000 + 6 + 20_000],
    ['CREATE of nothing', '0 0 0 CREATE', 9 + 32_000],
    ['CREATE of 33 zero bytes', '33 0 0 CREATE', 9 + 32_000 + 2 * 2 + 6],
    ['CREATE2 of 33 zero bytes', '7 33 0 0 CREATE2', 12 + 32_000 + 2 * 2 + 2 * 6 + 6],
    ['SELFDESTRUCT to an account', '0xe0 SELFDESTRUCT', 3 + 5000],
    ['SELFDESTRUCT to an absent account, without balance', '0x99 SELFDESTRUCT', 3 + 5000 + 25_000],
  ])('%s', (_what, source, gas) => {
    expect(run(source)).toMatchObject({ status: 'success', spent: gas })
  })

  test('a write needs its cost and no gas beyond it: there is no sentry', () => {
    expect(run('5 1 SSTORE', { gas: 5006 })).toMatchObject({ status: 'success', gasLeft: 0 })
    expect(run('5 1 SSTORE', { gas: 5005 })).toMatchObject({ status: 'failed', exception: 'out of gas' })
  })

  test.each([0x49, 0x4a, 0x1e, 0xa8, 0xa9, 0xaa, 0xfc])('there is no instruction %p', (opcode) => {
    const world = [[CALLEE, { code: Uint8Array.of(opcode) }]] as const
    const ran = run('STOP', { world, sent: { to: CALLEE } })
    expect(ran).toMatchObject({ status: 'failed', exception: 'invalid opcode', gasLeft: 0 })
  })

  test('memory ends at 2^30 bytes, whatever the gas (9.1)', () => {
    const ran = run(`${2n ** 30n - 31n} MLOAD`, { gas: 2 ** 52 })
    expect(ran).toMatchObject({ status: 'failed', exception: 'out of gas' })
  })
})

describe('results of instructions (9.2)', () => {
  test.each([
    ['BASEFEE: the minimum gas price', 'BASEFEE', 3n],
    ['DIFFICULTY: that of the header', 'DIFFICULTY', 7n],
    ['CHAINID', 'CHAINID', 33n],
    ['EXTCODESIZE of a precompile', '0xf1 EXTCODESIZE', ALL],
    ['EXTCODEHASH of a precompile', '0xf1 EXTCODEHASH', BigInt(EMPTY_CODE_HASH)],
    ['EXTCODEHASH of an absent account', '0x99 EXTCODEHASH', 0n],
    ['EXTCODEHASH of an empty account', '0xe1 EXTCODEHASH', BigInt(EMPTY_CODE_HASH)],
    ['BLOCKHASH of 256 blocks ago', `${1000 - 256} BLOCKHASH`, BigInt(BLOCK.blockHash(744n)!)],
    ['BLOCKHASH of 257 blocks ago', `${1000 - 257} BLOCKHASH`, 0n],
    ['BLOCKHASH of the block itself', '1000 BLOCKHASH', 0n],
  ])('%s', (_what, source, answer) => {
    const world = [[addressOf(0xe1), {}]] as const
    const context = { block: { ...BLOCK, difficulty: 7n } }
    expect(run(`${source} 0 SSTORE`, { world, context }).slot(0n)).toBe(answer)
  })
})

describe('gas of calls (9.3)', () => {
  test.each([
    ['an account', `${none} 0 0xe0 5000 CALL`, 21 + 700],
    ['an absent account, without value', `${none} 0 0x99 5000 CALL`, 21 + 700 + 25_000],
    ['an account, with value: the stipend is returned', `${none} 1 0xe0 5000 CALL`, 21 + 700 + 9000],
    ['an absent account, with value', `${none} 1 0x99 5000 CALL`, 21 + 700 + 9000 + 25_000],
    ['CALLCODE of an absent account, with value', `${none} 1 0x99 5000 CALLCODE`, 21 + 700 + 9000],
    ['DELEGATECALL of an absent account', `${none} 0x99 5000 DELEGATECALL`, 18 + 700],
    ['STATICCALL of an absent account', `${none} 0x99 5000 STATICCALL`, 18 + 700],
    ['a value above the balance', `${none} 9 0xe0 5000 CALL`, 21 + 700 + 9000],
  ])('%s', (_what, source, gas) => {
    const ran = run(source, { world: [], sent: { value: 1n } })
    expect(ran).toMatchObject({ status: 'success', spent: gas })
  })

  test('the caller pays the stipend: a failed call costs the requested gas and 2300', () => {
    const ran = run(`${none} 1 ${BigInt(CALLEE)} 1000 CALL`, {
      world: callee('INVALID'),
      sent: { value: 1n },
    })
    expect(ran.spent).toBe(21 + 700 + 9000 + 1000 + 2300)
  })

  test('a value with less than 2300 gas left is an exception', () => {
    const source = `${none} 1 0xe0 0 CALL`
    const least = 21 + 700 + 9000 + 2300
    expect(run(source, { gas: least, sent: { value: 1n } })).toMatchObject({
      status: 'success',
      gasLeft: 2300,
    })
    expect(run(source, { gas: least - 1, sent: { value: 1n } })).toMatchObject({ exception: 'out of gas' })
  })

  test('the callee gets all the gas that is left: no 64th stays behind', () => {
    const source = `32 0 0 0 0 ${BigInt(CALLEE)} ${ALL} CALL 0 MLOAD 0 SSTORE`
    const ran = run(source, { gas: 100_000, world: callee('GAS 0 MSTORE 32 0 RETURN') })
    expect(ran.slot(0n)).toBe(100_000n - 21n - 700n - 3n - 2n)
  })

  test('with a value it gets the requested gas and 2300', () => {
    const source = `32 0 0 0 1 ${BigInt(CALLEE)} 1000 CALL 0 MLOAD 0 SSTORE`
    const ran = run(source, { world: callee('GAS 0 MSTORE 32 0 RETURN'), sent: { value: 1n } })
    expect(ran.slot(0n)).toBe(3300n - 2n)
  })

  test('calls nest up to depth 400', () => {
    expect(run(`0 0 LOG0 ${none} 0 ADDRESS GAS CALL`, { gas: 6_000_000 }).logs).toHaveLength(401)
  })
})

describe('memory of the input that a call does not read (9.3)', () => {
  test.each([
    ['a precompile, and a value above the balance', '0 0 64 0 9 0xf1 5000 CALL', 0n],
    ['CALLCODE of a precompile, and such a value', '0 0 64 0 9 0xf1 5000 CALLCODE', 0n],
    ['the same, with output', '32 0 64 0 9 0xf1 5000 CALL', 32n],
    ['an account, and such a value', '0 0 64 0 9 0xe0 5000 CALL', 64n],
    ['a precompile that takes 4 bytes', '0 0 64 0 0 0xf1 5000 CALL', 32n],
    ['an account', '0 0 64 0 0 0xe0 5000 CALL', 64n],
  ])('%s', (_what, source, size) => {
    expect(run(`${source} MSIZE 0 SSTORE`).slot(0n)).toBe(size)
  })

  test('is charged again', () => {
    const call = '0 0 64 0 9 0xf1 5000 CALL'
    const twoWords = 6
    expect(run(call).spent).toBe(21 + 700 + 9000 + twoWords)
    expect(run(`${call} 32 MLOAD`).spent).toBe(21 + 700 + 9000 + twoWords + 3 + 3 + twoWords)
  })

  test('is zero when memory grows to it', () => {
    expect(run('0 0 64 0 9 0xf1 5000 CALL 7 0 MSTORE 32 MLOAD 0 SSTORE').slot(0n)).toBe(0n)
    const filled = '0 0 0 0 0 0xe0 5000 CALL 7 0 MSTORE 0 0 64 0 9 0xf1 5000 CALL 0 MLOAD 0 SSTORE'
    expect(run(filled).slot(0n)).toBe(7n)
  })

  test('a call beyond depth 400 reads none', () => {
    // Each frame stores the size under the result of its call.
    const ran = run('0 0 64 0 0 ADDRESS GAS CALL MSIZE SWAP1 SSTORE', { gas: 9_000_000 })
    expect([ran.slot(0n), ran.slot(1n)]).toEqual([0n, 64n])
  })
})

describe('return data of an earlier call (9.3, 9.4)', () => {
  const echo = '0 0 4 0 0 0xf1 5000 CALL POP'

  test.each([
    ['a creation that lacks its value leaves it', '0 0 9 CREATE', 4n],
    ['CREATE2 leaves it too', '0 0 0 9 CREATE2', 4n],
    ['a call that lacks its value removes it', `${none} 9 0xe0 5000 CALL`, 0n],
    ['a call of an account removes it', `${none} 0 0xe0 5000 CALL`, 0n],
  ])('%s', (_what, source, length) => {
    expect(run(`${echo} ${source} RETURNDATASIZE 0 SSTORE`).slot(0n)).toBe(length)
  })
})

describe('records of missing accounts (9.3)', () => {
  test.each([
    ['CALL', `${none} 0 0x99 0 CALL`, true],
    ['STATICCALL', `${none} 0x99 0 STATICCALL`, true],
    ['DELEGATECALL', `${none} 0x99 0 DELEGATECALL`, false],
    ['CALLCODE', `${none} 0 0x99 0 CALLCODE`, false],
    ['SELFDESTRUCT without balance', '0x99 SELFDESTRUCT', false],
    ['BALANCE', '0x99 BALANCE', false],
  ])('%s', (_name, source, isRecorded) => {
    expect(run(source).state.account(ABSENT) !== undefined).toBe(isRecorded)
  })

  test('SELFDESTRUCT with a balance makes one', () => {
    expect(run('0x99 SELFDESTRUCT', { sent: { value: 1n } }).state.account(ABSENT)?.balance).toBe(1n)
  })

  test('are reverted with the frame that made them', () => {
    expect(run(`${none} 0 0x99 0 CALL 0 0 REVERT`).state.account(ABSENT)).toBeUndefined()
  })
})

describe('precompiles (10.1)', () => {
  test.each([
    ['success', `${none} 0 0xf1 5000 CALL`, 21 + 700 + 100, 1n],
    ['failure costs what success does', `${none} 0 0xf2 5000 CALL`, 21 + 700 + 100, 0n],
    ['too little gas is lost', `${none} 0 0xf1 99 CALL`, 21 + 700 + 99, 0n],
  ])('%s', (_what, source, gas, answer) => {
    const ran = run(`${source} 0 SSTORE`)
    expect([ran.spent - (answer === 0n ? 5003 : 20_003), ran.slot(0n)]).toEqual([gas, answer])
  })

  test('a failure reverts the value, the changes and the logs', () => {
    const ran = run(`${none} 1 0xf2 5000 CALL RETURNDATASIZE 0 SSTORE`, { sent: { value: 1n } })
    expect(ran.logs).toEqual([])
    expect([ran.state.account(CONTRACT)?.balance, ran.state.account(ABSENT)]).toEqual([1n, undefined])
    expect(ran.slot(0n)).toBe(0n)
  })

  test('take a part of the input of a call, and all input of a transaction', () => {
    run(`0 0 9 0 0 0xf1 5000 CALL`)
    expect(nativeCalls.at(-1)).toMatchObject({ kind: 'call', depth: 1, caller: CONTRACT })
    expect(nativeCalls.at(-1)?.input).toHaveLength(4)
    const direct = run('STOP', { sent: { to: ECHO, data: Uint8Array.of(1, 2, 3, 4, 5, 6) } })
    expect([toHex(direct.output), direct.spent]).toEqual(['0x010203040506', 100])
    expect(nativeCalls.at(-1)?.depth).toBe(0)
  })

  test('their output does not change with the memory of their input', () => {
    const ran = run(
      `7 0 MSTORE8 0 0 1 0 0xf1 5000 STATICCALL 9 0 MSTORE8 1 0 32 RETURNDATACOPY 32 MLOAD 0 SSTORE`,
    )
    expect(ran.slot(0n)).toBe(7n << 248n)
  })

  test.each(['DELEGATECALL', 'STATICCALL'])('can be called by %s, which records their account', (name) => {
    const ran = run(`${none} 0xf1 5000 ${name}`, { world: [[ECHO, { nonce: 0n }]] })
    expect(nativeCalls.at(-1)).toMatchObject({
      kind: name.toLowerCase(),
      isStatic: name === 'STATICCALL',
      value: 0n,
    })
    expect(ran.state.account(ECHO)).toBeDefined()
  })

  test('called by a transaction: a rejection differs from a lack of gas (8.2)', () => {
    const refused = run('STOP', { gas: 1000, sent: { to: REFUSAL } })
    expect(refused).toMatchObject({
      status: 'failed',
      isPrecompileFailure: true,
      spent: 100,
      exception: 'refused',
    })
    const poor = run('STOP', { gas: 99, sent: { to: REFUSAL } })
    expect(poor).toMatchObject({
      status: 'failed',
      isPrecompileFailure: false,
      spent: 99,
      exception: 'out of gas',
    })
  })
})

test('the value of a call is transferred', () => {
  const ran = run(`${none} 1 0xe0 0 CALL`, { sent: { value: 3n } })
  expect([ran.state.account(CONTRACT)?.balance, ran.state.account(FUNDED)?.balance]).toEqual([2n, 2n])
})
