import { describe, expect, test } from '@jest/globals'
import { asHash, bigIntToBytes, fromHex, toHex, toWord } from '../../../../lib/base/hex.ts'
import { decodeRlp, encodeRlp } from '../../../../lib/base/rlp.ts'
import { keccak256 } from '../../../../lib/crypto/keccak.ts'
import type { Ancestor, BlockContext } from '../../../../lib/evm/block-context.ts'
import type { Log } from '../../../../lib/evm/outcome.ts'
import { creditFees, feeContract } from '../../../../lib/modules/network-33/precompiles/fee-contract.ts'
import { FEE_CONTRACT } from '../../../../lib/evm/system-transaction.ts'
import { PrecompileFailure } from '../../../../lib/evm/precompile.ts'
import type { PrecompileCall } from '../../../../lib/evm/precompile.ts'
import { StateRoot } from '../../../../lib/state/state-root.ts'
import { State } from '../../../../lib/state/state.ts'
import { addressOf } from '../../../support/transactions.ts'

const MINER = addressOf(77)
const BLOCK_5 = asHash(`0x${'05'.repeat(32)}`)
const selectorOf = (signature: string) => toHex(keccak256(new TextEncoder().encode(signature)).subarray(0, 4))

interface Situation {
  readonly input?: string
  readonly isSystem?: boolean
  readonly number?: bigint
  readonly paidFees?: bigint
}

/** Calls the contract on a state, by default as at the end of block 15. */
function run(state: State, { input = '0x', isSystem = true, number = 15n, paidFees = 0n }: Situation = {}) {
  const logs: Log[] = []
  const ancestor = () => ({ hash: BLOCK_5, coinbase: MINER, paidFees, uncles: [] }) as unknown as Ancestor
  const block = { number, minimumGasPrice: 0n, ancestor } as unknown as BlockContext
  const call = {
    input: fromHex(input),
    isSystem,
    block,
    state,
    log: (log: Log) => void logs.push(log),
    paid: () => undefined,
  }
  const output = feeContract.run(call as unknown as PrecompileCall)
  return { logs, output }
}

const balanceOf = (state: State, address: typeof MINER) => state.account(address)?.balance

describe('processMinersFees', () => {
  test.each([
    ['empty call data', '0x'],
    ['its selector', selectorOf('processMinersFees()')],
  ])('is called by %s', (_case, input) => {
    expect(run(new State(StateRoot.empty), { input }).logs).toHaveLength(5)
  })

  test('has the selector of node-chain 10.2', () => {
    expect([selectorOf('processMinersFees()'), selectorOf('getStateForDebugging()')]).toEqual([
      '0xbe021a58',
      '0x0d0cee93',
    ])
  })

  test('is only for the last transaction of a block', () => {
    const host = () => run(new State(StateRoot.empty), { isSystem: false })
    expect(host).toThrow(new PrecompileFailure('Invoked the fee contract outside last tx of the block'))
  })

  test('transfers the payments from the contract', () => {
    const state = new State(StateRoot.empty)
    creditFees(state, 25_000n)
    run(state, { paidFees: 25_000n })
    expect([balanceOf(state, FEE_CONTRACT), balanceOf(state, MINER)]).toEqual([20_000n, 3960n])
    run(state, { number: 16n })
    expect([balanceOf(state, FEE_CONTRACT), balanceOf(state, MINER)]).toEqual([16_000n, 3960n + 3168n])
  })

  test('creates the account of a receiver with a payment of zero', () => {
    const state = new State(StateRoot.empty)
    run(state)
    expect(state.account(MINER)).toMatchObject({ nonce: 0n, balance: 0n })
  })

  test("pays at most the contract's balance", () => {
    const state = new State(StateRoot.empty)
    creditFees(state, 1_010n)
    run(state, { paidFees: 25_000n })
    expect([balanceOf(state, FEE_CONTRACT), balanceOf(state, MINER)]).toEqual([0n, 0n])
  })

  test('emits an event for each payment', () => {
    const state = new State(StateRoot.empty)
    creditFees(state, 25_000n)
    const { logs } = run(state, { paidFees: 25_000n })
    expect(logs.map(({ address }) => address)).toEqual(Array(5).fill(FEE_CONTRACT))
    // node-chain 8.4.
    expect(logs[4]!.topics).toEqual([
      '0x000000000000000000000000000000006d696e696e675f6665655f746f706963',
      `0x${MINER.slice(2).padStart(64, '0')}`,
    ])
    expect(toHex(logs[4]!.data)).toBe(`0xe4a0${BLOCK_5.slice(2)}820f78`)
  })

  test('emits an event for a payment of zero', () => {
    const { logs } = run(new State(StateRoot.empty))
    expect(decodeRlp(logs[0]!.data)).toEqual([fromHex(BLOCK_5), new Uint8Array(0)])
  })

  test('keeps unpaid fees in slot 0', () => {
    const state = new State(StateRoot.empty)
    creditFees(state, 25_000n)
    run(state, { paidFees: 25_000n })
    expect(toHex(state.storage(FEE_CONTRACT, toWord(0n)))).toBe('0x4e20')
  })
})

test('getStateForDebugging returns the encoded balances to any caller', () => {
  const state = new State(StateRoot.empty)
  creditFees(state, 25_000n)
  run(state, { paidFees: 25_000n })
  const { output } = run(state, { input: '0x0d0cee93', isSystem: false })
  const encoded = encodeRlp([bigIntToBytes(20_000n), new Uint8Array(0), Uint8Array.of(0)])
  expect(toHex(output)).toBe(
    `0x${'20'.padStart(64, '0')}${encoded.length.toString(16).padStart(64, '0')}${toHex(encoded).slice(2).padEnd(64, '0')}`,
  )
})

test('an unknown selector fails', () => {
  expect(() => run(new State(StateRoot.empty), { input: '0x01020304' })).toThrow(
    new PrecompileFailure('Invalid data given: 01020304.'),
  )
})

test('the contract costs no gas', () => {
  expect(feeContract.gas({ input: new Uint8Array(0) } as PrecompileCall)).toBe(0)
})
