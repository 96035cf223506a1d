/** Creation, deletion and refunds on network 33 (node-chain 8.2, 9.4, 9.5 and 9.8). */

import { describe, expect, test } from '@jest/globals'
import { asAddress, toHex } from '../../../lib/base/hex.ts'
import { createdByNonce } from '../../../lib/evm/machine/instructions/creation.ts'
import { SENDER } from '../../support/machine-runs.ts'
import { CONTRACT, ABSENT, FUNDED, assemble, run } from '../../modules/network-33/support/network-33-runs.ts'
import { addressOf } from '../../support/transactions.ts'

const CALLEE = addressOf(0x1002)
const none = `0 0 0 0`

/** Leaves init code of at most 32 bytes at the start of memory; costs 12 with the memory. */
function stored(source: string): string {
  const code = assemble(source)
  return `0x${toHex(code).slice(2).padEnd(64, '0')} 0 MSTORE`
}

/** CREATE with that init code. */
const create = (source: string, value = 0) => `${stored(source)} ${assemble(source).length} 0 ${value} CREATE`

const child = createdByNonce(CONTRACT, 1n)

describe('creation by code (9.4)', () => {
  test('makes an account with nonce 1 and counts the creator up', () => {
    const { state } = run(create('1 0 RETURN'))
    expect(state.account(child)).toMatchObject({ nonce: 1n })
    expect([toHex(state.code(child)), state.account(CONTRACT)?.nonce]).toEqual(['0x00', 2n])
  })

  test('gives the constructor all the gas that is left', () => {
    const ran = run(create('GAS 0 SSTORE'), { gas: 100_000 })
    expect(ran.status).toBe('success')
    // 12 for the store, 9 for the pushes; the GAS itself costs 2.
    expect(BigInt(toHex(ran.state.storage(child, `0x${'0'.repeat(64)}` as never)))).toBe(
      100_000n - 12n - 9n - 32_002n - 2n,
    )
  })

  test.each([
    ['an exception', 'INVALID'],
    ['code that begins with EF', '0xef 0 MSTORE8 1 0 RETURN'],
    ['code beyond 24,576 bytes', '24577 0 RETURN'],
  ])('%s takes all gas, and the nonce stays raised', (_what, init) => {
    const ran = run(create(init), { gas: 9_000_000 })
    expect(ran).toMatchObject({ status: 'success', gasLeft: 0 })
    expect([ran.state.account(child), ran.state.account(CONTRACT)?.nonce]).toEqual([undefined, 2n])
  })

  test('code of 24,576 bytes is kept, for 200 gas each', () => {
    const { state } = run(create('24576 0 RETURN'), { gas: 9_000_000 })
    expect(state.code(child)).toHaveLength(24_576)
  })

  test('a deposit that cannot be paid takes all gas', () => {
    const source = create('100 0 RETURN')
    // 12 + 9 + 32,000 + 2; the constructor: 6 and 12 for four words; 100 bytes for 200 each.
    const enough = 12 + 9 + 32_002 + 6 + 12 + 20_000
    expect(run(source, { gas: enough }).state.account(child)).toBeDefined()
    const poor = run(source, { gas: enough - 1 })
    expect([poor.gasLeft, poor.state.account(child)]).toEqual([0, undefined])
  })

  test('a revert returns gas, and leaves no return data', () => {
    const ran = run(`${create('32 0 REVERT')} RETURNDATASIZE ADD 0 SSTORE`)
    expect([ran.slot(0n), ran.spent]).toEqual([0n, 12 + 9 + 32_002 + 9 + 2 + 3 + 3 + 5000])
  })

  test('init code beyond 49,152 bytes is an exception of the creator', () => {
    expect(run('49152 0 0 CREATE')).toMatchObject({ status: 'success' })
    expect(run('49153 0 0 CREATE')).toMatchObject({ status: 'failed', gasLeft: 0 })
  })

  test('a value above the balance costs the base, and does not raise the nonce', () => {
    const ran = run('0 0 9 CREATE 0 SSTORE')
    expect(ran).toMatchObject({ spent: 9 + 32_000 + 3 + 5000 })
    expect(ran.state.account(CONTRACT)?.nonce).toBe(1n)
  })

  test('nothing is created at depth 400', () => {
    const ran = run(`${none} 0 ADDRESS GAS CALL 0 0 0 CREATE ISZERO NUMBER SSTORE`, { gas: 30_000_000 })
    expect(ran.state.account(CONTRACT)?.nonce).toBe(1n + 400n)
  })

  test.each([
    ['a nonce', { nonce: 1n }],
    ['code', { code: Uint8Array.of(0) }],
  ])('%s in the way takes all gas', (_what, given) => {
    const ran = run('0 0 0 CREATE', { world: [[child, given]] })
    expect(ran).toMatchObject({ status: 'success', gasLeft: 0 })
    expect(ran.state.account(CONTRACT)?.nonce).toBe(2n)
  })

  test('an account with only a balance does not prevent the creation', () => {
    const ran = run('0 0 0 CREATE', { world: [[child, { balance: 5n }]] })
    expect(ran.state.account(child)).toMatchObject({ nonce: 1n, balance: 5n })
  })

  test('a contract that was deleted earlier in the block cannot be created again', () => {
    const ran = run('0 0 0 CREATE', { context: { deleted: new Set([child]) } })
    expect([ran.gasLeft, ran.state.account(child)]).toEqual([0, undefined])
  })
})

describe('creation by transaction (9.4)', () => {
  const made = createdByNonce(SENDER, 0n)
  const send = (source: string, special: Parameters<typeof run>[1] = {}) =>
    run('STOP', { ...special, sent: { to: undefined, data: assemble(source) } })

  test('makes an account with nonce 0, whose first child counts from there', () => {
    const ran = send('0 0 0 CREATE 0 SSTORE')
    expect(ran.created).toBe(made)
    expect(ran.state.account(made)?.nonce).toBe(1n)
    expect(ran.state.account(createdByNonce(made, 0n))).toMatchObject({ nonce: 1n })
  })

  test('replaces nonce and code of an existing account, and keeps the balance', () => {
    const ran = send('1 0 RETURN', { world: [[made, { nonce: 7n, balance: 5n, code: Uint8Array.of(1) }]] })
    expect(ran.status).toBe('success')
    expect(ran.state.account(made)).toMatchObject({ nonce: 0n, balance: 5n })
  })

  test('a revert gives the unused gas back', () => {
    expect(send('32 0 REVERT')).toMatchObject({ status: 'reverted', spent: 9 })
  })

  test('refunds of its constructor count', () => {
    expect(send('1 0 SSTORE 0 0 SSTORE').refund).toBe(15_000)
  })
})

describe('refunds (8.2)', () => {
  const calls = (source: string) => ({ world: [[CALLEE, { code: assemble(source) }]] as const })
  const call = `${none} 0 ${BigInt(CALLEE)} GAS CALL`
  const clear = '1 0 SSTORE 0 0 SSTORE'

  test.each([
    ['a slot that is cleared', '0 1 SSTORE', 15_000],
    ['a slot that is cleared and set: the refund stays', '0 1 SSTORE 5 1 SSTORE', 15_000],
    ['a slot that is cleared twice', '0 1 SSTORE 5 1 SSTORE 0 1 SSTORE', 30_000],
    ['a constructor’s: none', create(clear), 0],
    ['a deletion in a constructor', create('0xe0 SELFDESTRUCT'), 24_000],
    ['a deletion', '0xe0 SELFDESTRUCT', 24_000],
  ])('%s', (_what, source, refund) => {
    expect(run(source).refund).toBe(refund)
  })

  test.each([
    ['succeeds', clear, 15_000],
    ['reverts', `${clear} 0 0 REVERT`, 0],
    ['fails', `${clear} INVALID`, 0],
    ['is deleted', '0xe0 SELFDESTRUCT', 24_000],
  ])('a frame that %s', (_how, source, refund) => {
    // It forwards only a part of the gas, because a frame that fails uses up its gas.
    const ran = run(call.replace('GAS', '100000'), calls(source))
    expect(ran).toMatchObject({ status: 'success', refund })
  })

  test('a contract that is deleted twice is refunded once', () => {
    expect(run(`${call} POP ${call}`, { ...calls('0xe0 SELFDESTRUCT'), gas: 5_000_000 }).refund).toBe(24_000)
  })
})

describe('SELFDESTRUCT (9.5)', () => {
  test('deletes a contract from before the transaction, and sends its balance', () => {
    const ran = run('0xe0 SELFDESTRUCT', { sent: { value: 3n } })
    expect([...ran.destroyed]).toEqual([CONTRACT])
    expect([ran.state.account(FUNDED)?.balance, ran.state.account(CONTRACT)?.balance]).toEqual([4n, 0n])
  })

  test('for itself destroys the balance', () => {
    const ran = run('ADDRESS SELFDESTRUCT', { sent: { value: 3n } })
    expect(ran.state.account(CONTRACT)?.balance).toBe(0n)
  })

  test('leaves the code to run until the transaction ends', () => {
    const call = `32 0 0 0 0 ${BigInt(CALLEE)} 100000 CALL POP`
    const code = assemble(`CALLVALUE POP ${BigInt(ABSENT)} SELFDESTRUCT`)
    const ran = run(`${call} ${call} ${BigInt(CALLEE)} EXTCODESIZE 0 SSTORE`, { world: [[CALLEE, { code }]] })
    expect(ran.slot(0n)).toBe(BigInt(code.length))
  })
})

describe('transient storage (9.8)', () => {
  test('is reverted with the frame', () => {
    const source = `1 0 TSTORE ${none} 0 ADDRESS 50000 CALL`
    const ran = run(
      jumping('CALLER ADDRESS EQ', `${source} POP 0 TLOAD 0 SSTORE STOP`, '2 0 TSTORE 0 0 REVERT'),
    )
    expect(ran.slot(0n)).toBe(1n)
  })

  test('begins empty', () => {
    expect(run('0 TLOAD 0 SSTORE').slot(0n)).toBe(0n)
  })
})

/** If the condition holds, the second piece, otherwise the first. */
function jumping(condition: string, otherwise: string, then: string): string {
  // PUSH1 and JUMPI take three bytes.
  const destination = assemble(condition).length + 3 + assemble(otherwise).length
  return `${condition} ${destination} JUMPI ${otherwise} JUMPDEST ${then}`
}

test('addresses follow from the creator and its nonce', () => {
  expect(createdByNonce(asAddress('0x6ac7ea33f8831ea9dcc53393aaa88b25a785dbf0'), 0n)).toBe(
    '0xcd234a471b72ba2f1ccf0a70fcaba648a5eecd8d',
  )
})
