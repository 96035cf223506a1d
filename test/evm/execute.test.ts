import { runAtOnce } from '../../lib/base/routine.ts'
import { describe, expect, test } from '@jest/globals'
import { asAddress, fromHex, toHex, toWord } from '../../lib/base/hex.ts'
import { minGasLimit } from '../../lib/evm/transaction-gas.ts'
import type { Address } from '../../lib/base/hex.ts'
import { NodeError } from '../../lib/base/errors.ts'
import type { BlockContext } from '../../lib/evm/block-context.ts'
import { Engine } from '../../lib/evm/engine.ts'
import type { Outcome } from '../../lib/evm/outcome.ts'
import { activeEips } from '../../lib/config/active-eips.ts'
import { HARDFORKS } from '../../lib/config/eips.ts'
import type { Hardfork } from '../../lib/config/eips.ts'
import { loadNetwork } from '../support/networks.ts'
import { PrecompileFailure } from '../../lib/evm/precompile.ts'
import type { Precompile } from '../../lib/evm/precompile.ts'
import { ethereumRules } from '../../lib/networks/ethereum/rules.ts'
import { network33Rules } from '../../lib/modules/network-33/rules.ts'
import type { Transaction } from '../../lib/evm/transaction.ts'
import { StateRoot } from '../../lib/state/state-root.ts'
import { State } from '../../lib/state/state.ts'
import { addressOf, transactionOf } from '../support/transactions.ts'

const SENDER = addressOf(0xaaaa)
const OTHER = addressOf(0xbbbb)
const CONTRACT = addressOf(0xcccc)
const COINBASE = addressOf(0xdddd)
const NATIVE = addressOf(0x99)
const FEDERATOR = asAddress('0x85845342b0d5260d516d6da5280a7df9a96d1925')
const BRIDGE = asAddress('0x0000000000000000000000000000000001000006')
const WEALTH = 10n ** 18n

/** Refuses call data that begins with a zero byte; costs 500. */
const native = (address: Address, cost: number): Precompile => ({
  address,
  name: 'test',
  gas: () => cost,
  run: ({ input }) => {
    if (input[0] === 0) throw new PrecompileFailure('refused')
    return Uint8Array.of(7)
  },
})

const precompiles = new Map([
  [NATIVE, native(NATIVE, 500)],
  [BRIDGE, native(BRIDGE, 0)],
])
const shared = { precompiles, allowUnlimitedContractSize: false }
const network33 = new Engine(network33Rules({ ...shared, eips: activeEips(loadNetwork('network-33')) }))

/** An engine of an Ethereum hard fork with additional EIPs. */
function engineOf(hardfork: Hardfork, eips: readonly number[] = []): Engine {
  const active = activeEips({ ownEips: undefined, hardfork, eips })
  return new Engine(ethereumRules({ ...shared, name: hardfork, eips: active }))
}

const prague = engineOf('prague')

const CONTEXT: BlockContext = {
  number: 1n,
  chainId: 33n,
  timestamp: 1n,
  coinbase: COINBASE,
  gasLimit: 10_000_000n,
  baseFeePerGas: 0n,
  difficulty: 1n,
  mixHash: toWord(0n),
  blockHash: () => undefined,
  minimumGasPrice: 0n,
  ancestor: () => undefined,
}

interface Ran {
  readonly outcome: Outcome
  readonly state: State
  /** The balance of the sender afterwards. */
  readonly balance: bigint
}

/** Runs a legacy transaction of a sender with 10^18 wei; the contract has the code, and 1 in its slots 1 to 9. */
function run(engine: Engine, fields: Partial<Transaction>, code = '0x', context = CONTEXT): Ran {
  const state = new State(StateRoot.empty)
  state.putAccount(SENDER, { nonce: 0n, balance: WEALTH })
  state.putCode(CONTRACT, fromHex(code))
  for (let slot = 1n; slot < 10n; slot++) state.putStorage(CONTRACT, toWord(slot), Uint8Array.of(1))
  const sender = fields.sender ?? SENDER
  const transaction = transactionOf({
    type: 0,
    sender,
    to: CONTRACT,
    gasLimit: 100_000n,
    maxFeePerGas: 3n,
    maxPriorityFeePerGas: 3n,
    ...fields,
  })
  const outcome = runAtOnce(engine.execute(state, engine.open(context), transaction))
  return { outcome, state, balance: state.account(sender)?.balance ?? 0n }
}

describe('intrinsic gas of network 33', () => {
  test('has no floor cost of data, unlike Prague (EIP-7623)', () => {
    const call = transactionOf({ data: new Uint8Array(100).fill(1) })
    expect(minGasLimit(network33.rules, call)).toBe(21_000n + 100n * 16n)
    expect(minGasLimit(prague.rules, call)).toBe(21_000n + 100n * 40n)
  })
})

describe('fees', () => {
  const noOperation = { value: 5n, to: OTHER }

  test('of network 33 are the price of the gas, and are not credited in the transaction (node-chain 8.1)', () => {
    const { outcome, state, balance } = run(network33, noOperation)
    expect(outcome).toMatchObject({ status: 'success', gasUsed: 21_000n, fee: 63_000n })
    expect(balance).toBe(WEALTH - 5n - 63_000n)
    expect(state.account(OTHER)?.balance).toBe(5n)
    expect(state.account(COINBASE)).toBeUndefined()
  })

  test('of Ethereum go to the coinbase, but for the base fee', () => {
    const { outcome, state } = run(prague, noOperation, '0x', { ...CONTEXT, baseFeePerGas: 2n })
    expect(outcome.fee).toBe(63_000n)
    expect(state.account(COINBASE)?.balance).toBe(21_000n)
  })
})

describe('a gas limit that is', () => {
  const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER)

  test.each([
    ['the largest exact number', MAX_SAFE],
    ['2^53', MAX_SAFE + 1n],
    ['2^53 and an odd intrinsic gas', MAX_SAFE + 21_002n],
    ['2^63 - 1', 2n ** 63n - 1n],
  ])('%s costs a transfer no unit of gas more or less', (_name, gasLimit) => {
    for (const engine of [network33, prague]) {
      const { outcome, balance } = run(engine, { to: OTHER, gasLimit, maxFeePerGas: 0n })
      expect(outcome).toMatchObject({ status: 'success', gasUsed: 21_000n, gasNeeded: 21_000n })
      expect(balance).toBe(WEALTH)
      const data = Uint8Array.of(1)
      expect(run(engine, { data, gasLimit, maxFeePerGas: 0n }, '0x00').outcome.gasNeeded).toBe(
        engine === prague ? 21_040n : 21_016n,
      )
    }
  })

  test('the largest exact number is used up by a failure, and returned by GAS', () => {
    const gasLimit = MAX_SAFE
    const failed = run(prague, { gasLimit, maxFeePerGas: 0n }, '0xfe').outcome
    expect(failed).toMatchObject({ status: 'failed', gasUsed: gasLimit })
    // GAS, PUSH0, MSTORE, MSIZE, PUSH0, RETURN.
    const { returnData } = run(prague, { gasLimit, maxFeePerGas: 0n }, '0x5a5f52595ff3').outcome
    expect(BigInt(toHex(returnData))).toBe(gasLimit - 21_000n - 2n)
  })
})

describe('refunds', () => {
  // PUSH0, PUSH1 n, SSTORE for each: 5000 + 5 each, and 15,000 back.
  const clearing = (slots: number): string =>
    `0x${Array.from({ length: slots }, (_, slot) => `5f600${slot + 1}55`).join('')}`

  test('of network 33 are at most half of the gas used (node-chain 8.2)', () => {
    const used = 21_000n + 3n * 5005n
    const { outcome } = run(network33, {}, clearing(3))
    expect(outcome).toMatchObject({ gasUsed: used - used / 2n, gasNeeded: used })
  })

  test('of Ethereum are at most a fifth (EIP-3529)', () => {
    const used = 21_000n + 9n * 5005n
    expect(run(prague, {}, clearing(9)).outcome.gasUsed).toBe(used - used / 5n)
  })

  test('of network 33 count 24,000 for a deleted contract', () => {
    // PUSH20 sender, SELFDESTRUCT.
    const { outcome, state } = run(network33, {}, `0x73${SENDER.slice(2)}ff`)
    expect(outcome.gasUsed).toBe(26_003n - 26_003n / 2n)
    expect(state.account(CONTRACT)).toBeUndefined()
  })
})

describe('a transaction to a precompile of network 33 (node-chain 8.2)', () => {
  const call = { to: NATIVE, value: 9n }

  test('that succeeds costs the gas of both', () => {
    const { outcome, state } = run(network33, { ...call, data: Uint8Array.of(1) })
    expect(outcome).toMatchObject({ status: 'success', gasUsed: 21_516n, fee: 64_548n })
    expect(toHex(outcome.returnData)).toBe('0x07')
    expect(state.account(NATIVE)?.balance).toBe(9n)
  })

  test('that is refused counts as a success at the price of all its gas', () => {
    const { outcome, state, balance } = run(network33, { ...call, data: Uint8Array.of(0) })
    expect(outcome).toMatchObject({ status: 'success', gasUsed: 21_504n, fee: 300_000n })
    expect(balance).toBe(WEALTH - 300_000n)
    expect(state.account(NATIVE)?.balance ?? 0n).toBe(0n)
  })

  test('that asks for more gas than there is fails', () => {
    const { outcome, balance } = run(network33, { ...call, gasLimit: 21_100n })
    expect(outcome).toMatchObject({ status: 'failed', gasUsed: 21_100n, fee: 63_300n })
    expect(balance).toBe(WEALTH - 63_300n)
  })

  test('that is refused on Ethereum fails', () => {
    const { outcome } = run(prague, { ...call, data: Uint8Array.of(0) })
    expect(outcome).toMatchObject({ status: 'failed', gasUsed: 100_000n })
  })
})

describe('a call of the Bridge by a federator (node-chain 7.3)', () => {
  test('costs nothing and needs no balance', () => {
    const { outcome, state } = run(network33, { sender: FEDERATOR, to: BRIDGE, data: Uint8Array.of(1) })
    expect(outcome).toMatchObject({ status: 'success', gasUsed: 0n, fee: 0n })
    expect(state.account(FEDERATOR)).toMatchObject({ nonce: 1n, balance: 0n })
  })

  test('is free neither for other senders nor for calls of other accounts', () => {
    expect(run(network33, { to: BRIDGE, data: Uint8Array.of(1) }).outcome.gasUsed).toBe(21_016n)
    expect(() => run(network33, { sender: FEDERATOR })).toThrow(NodeError)
  })
})

describe('an empty account that a failed call touched (EIP-161)', () => {
  // STATICCALL with all gas and without data; the callee is the number.
  const calling = (callee: number): string => `0x5f5f5f5f60${callee.toString(16).padStart(2, '0')}5afa`

  /** Which of the accounts 2 and 3, both empty, are left after a call of the contract. */
  function left(engine: Engine, code: string): readonly number[] {
    const state = new State(StateRoot.empty)
    state.putAccount(SENDER, { nonce: 0n, balance: WEALTH })
    for (const number of [2, 3]) state.putAccount(addressOf(number), { nonce: 0n, balance: 0n })
    state.putCode(CONTRACT, fromHex(code))
    const transaction = transactionOf({ type: 0, sender: SENDER, to: CONTRACT, gasLimit: 100_000n })
    runAtOnce(engine.execute(state, engine.open(CONTEXT), transaction))
    return [2, 3].filter((number) => state.account(addressOf(number)) !== undefined)
  }

  test.each(HARDFORKS)('stays, but for that of RIPEMD-160, by the rules of %s', (hardfork) => {
    const eips = hardfork === 'london' || hardfork === 'paris' ? [3855] : []
    const engine = engineOf(hardfork, eips)
    expect(left(engine, `${calling(2)}fe`)).toEqual([2, 3])
    expect(left(engine, `${calling(3)}fe`)).toEqual([2])
    expect(left(engine, `${calling(2)}${calling(3).slice(2)}00`)).toEqual([])
  })

  test('stays on network 33, which clears none (node-chain 9.3)', () => {
    for (const end of ['fe', '00']) expect(left(network33, `${calling(3)}${end}`)).toEqual([2, 3])
  })
})

describe('a transaction that cannot be in a block', () => {
  test.each<[string, Partial<Transaction>]>([
    ['its nonce is not the next', { nonce: 1n }],
    ['it cannot be paid for', { maxFeePerGas: WEALTH, maxPriorityFeePerGas: WEALTH }],
    ['its gas does not cover its data', { gasLimit: 20_999n }],
    ['it creates with too much code', { to: undefined, data: new Uint8Array(49_153), gasLimit: 9_000_000n }],
  ])('is refused and changes nothing: %s', (_case, fields) => {
    const state = new State(StateRoot.empty)
    state.putAccount(SENDER, { nonce: 0n, balance: WEALTH })
    const before = state.commitRoot().hash
    const transaction = transactionOf({
      type: 0,
      sender: SENDER,
      gasLimit: 100_000n,
      maxFeePerGas: 3n,
      ...fields,
    })
    for (const engine of [network33, prague]) {
      expect(() => runAtOnce(engine.execute(state, engine.open(CONTEXT), transaction))).toThrow(
        expect.objectContaining({ kind: 'transactionRejected' }),
      )
      expect(state.commitRoot().hash).toBe(before)
    }
  })

  test('is one of a contract on Ethereum (EIP-3607), which network 33 accepts', () => {
    const withCode = (engine: Engine) => {
      const state = new State(StateRoot.empty)
      state.putAccount(SENDER, { nonce: 0n, balance: WEALTH })
      state.putCode(SENDER, Uint8Array.of(0))
      return runAtOnce(
        engine.execute(state, engine.open(CONTEXT), transactionOf({ type: 0, sender: SENDER })),
      )
    }
    expect(() => withCode(prague)).toThrow(expect.objectContaining({ kind: 'transactionRejected' }))
    expect(withCode(network33).status).toBe('success')
  })
})
