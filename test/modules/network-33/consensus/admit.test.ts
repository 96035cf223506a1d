import { describe, expect, test } from '@jest/globals'
import { NodeError } from '../../../../lib/base/errors.ts'
import type { AdmissionContext, AdmissionRules } from '../../../../lib/networks/consensus/admission.ts'
import { gasForTransactions } from '../../../../lib/chain/fees.ts'
import { loadNetwork } from '../../../support/networks.ts'
import type { Transaction } from '../../../../lib/evm/transaction.ts'
import { ChainInstance } from '../../../../lib/chain/instance/chain-instance.ts'
import {
  blockPriceCap,
  checkMergedMiningAdmission,
  poolPriceCap,
} from '../../../../lib/modules/network-33/consensus/admit.ts'
import { Mempool } from '../../../../lib/chain/mempool/mempool.ts'
import { StateRoot } from '../../../../lib/state/state-root.ts'
import { State } from '../../../../lib/state/state.ts'
import { addressOf, transactionOf } from '../../../support/transactions.ts'

const INIT_CODE_TEXT = "transaction's init code size is invalid"

const TEXTS = {
  pending: 'alreadyKnown: pending transaction with same hash already exists',
  queued: 'alreadyKnown: queued transaction with same hash already exists',
  noAccount: "insufficientFunds: the sender account doesn't exist",
  size: "transactionRejected: transaction's size is higher than defined maximum: 131073 > 131072",
  gas: "gasLimitTooHigh: transaction's gas limit of 6800002 is higher than the block's gas limit of 6800001",
  funds: 'insufficientFunds: insufficient funds',
  price: "feeTooLow: transaction's gas price lower than block's minimum",
  cost: "intrinsicGasTooLow: transaction's basic cost is above the gas limit",
  cap: "feeTooHigh: transaction's gas price exceeds cap",
  short: 'insufficientFunds: insufficient funds to pay for pending and new transactions',
  underpriced: 'underpriced: gas price not enough to bump transaction',
}

const SENDER = addressOf(1)
const network = loadNetwork('network-33')

interface Situation {
  readonly waiting?: readonly Transaction[]
  /** Absent if the account does not exist. */
  readonly balance?: bigint | undefined
  readonly nonce?: bigint
  readonly minimumGasPrice?: bigint
  readonly intrinsicGas?: bigint
  readonly maxInitCodeSize?: bigint | undefined
}

const rulesOf = ({ minimumGasPrice = 0n, ...situation }: Situation): AdmissionRules => ({
  blockGasLimit: 9_990_235n,
  gasCap: gasForTransactions(network, { gasLimit: 9_990_235n }),
  maxInitCodeSize: 'maxInitCodeSize' in situation ? situation.maxInitCodeSize : 49_152n,
  minimumGasPrice,
  nextBaseFee: 0n,
  priceBump: network.priceBump,
  nonceGap: network.nonceGap,
  isMinedAtOnce: true,
})

const legacy = (fields: Partial<Transaction> & { readonly gasPrice?: bigint } = {}) => {
  const { gasPrice = 0n, ...others } = fields
  return transactionOf({
    sender: SENDER,
    type: 0,
    maxFeePerGas: gasPrice,
    maxPriorityFeePerGas: gasPrice,
    ...others,
  })
}

/** The result of the admission on network 33. */
function answer(transaction: Transaction, situation: Situation = {}): string {
  const { waiting = [], nonce = 0n, intrinsicGas = 21_000n, minimumGasPrice = 0n } = situation
  const balance = 'balance' in situation ? situation.balance : 10n ** 18n
  const state = new State(StateRoot.empty)
  if (balance !== undefined) state.putAccount(SENDER, { nonce, balance })
  const mempool = new Mempool(new ChainInstance(), () => 0)
  for (const other of waiting) mempool.add(other, 0n)
  const head = {
    state: state.commitRoot(),
    block: { header: { minimumGasPrice } },
  } as AdmissionContext['head']
  try {
    checkMergedMiningAdmission(transaction, { head, mempool, rules: rulesOf(situation), intrinsicGas })
    return 'admitted'
  } catch (error) {
    if (error instanceof NodeError) return `${error.kind}: ${error.details.phrases?.node33}`
    throw error
  }
}

describe('admission to the pool of network 33 (node-chain 7.5)', () => {
  const known = legacy()
  const queued = legacy({ nonce: 3n })
  const creation = (bytes: number) => legacy({ to: undefined, data: new Uint8Array(bytes) })

  test.each<readonly [string, Transaction, Situation, string]>([
    ['a plain one', legacy(), {}, 'admitted'],
    ['one that is pending', known, { waiting: [known] }, TEXTS.pending],
    ['one that is queued', queued, { waiting: [queued] }, TEXTS.queued],
    ['a sender without an account', legacy(), { balance: undefined }, TEXTS.noAccount],
    ['a sender without balance and a gas price of zero', legacy(), { balance: 0n }, 'admitted'],
    ['a free caller of the Bridge', legacy(), { balance: undefined, intrinsicGas: 0n }, 'admitted'],
    ['init code at the limit', creation(49_152), {}, 'admitted'],
    ['init code above the limit', creation(49_153), {}, `initCodeTooLarge: ${INIT_CODE_TEXT}`],
    ['init code without limit', creation(200_000), { maxInitCodeSize: undefined }, 'admitted'],
    ['an encoding at the limit', legacy({ encoded: new Uint8Array(131_072) }), {}, 'admitted'],
    ['an encoding above the limit', legacy({ encoded: new Uint8Array(131_073) }), {}, TEXTS.size],
    ['gas at the limit of the list', legacy({ gasLimit: 6_800_001n }), {}, 'admitted'],
    ['gas above the limit of the list', legacy({ gasLimit: 6_800_002n }), {}, TEXTS.gas],
    ['a used nonce', legacy({ nonce: 4n }), { nonce: 5n }, 'nonceTooLow: transaction nonce too low'],
    ['a nonce 15 ahead', legacy({ nonce: 20n }), { nonce: 5n }, 'admitted'],
    ['a nonce 16 ahead', legacy({ nonce: 21n }), { nonce: 5n }, 'nonceTooHigh: transaction nonce too high'],
    ['a balance for its gas', legacy({ gasPrice: 2n }), { balance: 42_000n }, 'admitted'],
    ['a balance below the cost of its gas', legacy({ gasPrice: 2n }), { balance: 41_999n }, TEXTS.funds],
    ['the minimum price', legacy({ gasPrice: 7n }), { minimumGasPrice: 7n }, 'admitted'],
    ['less than the minimum price', legacy({ gasPrice: 6n }), { minimumGasPrice: 7n }, TEXTS.price],
    ['less gas than it costs at least', legacy({ gasLimit: 20_999n }), {}, TEXTS.cost],
    ['eighty times the minimum price', legacy({ gasPrice: 560n }), { minimumGasPrice: 7n }, 'admitted'],
    ['more than eighty times it', legacy({ gasPrice: 561n }), { minimumGasPrice: 7n }, TEXTS.cap],
    ['any price without a minimum', legacy({ gasPrice: 10n ** 12n }), {}, 'admitted'],
    ['a cost of the whole balance', legacy({ gasPrice: 1n, value: 9n }), { balance: 21_009n }, 'admitted'],
    ['a cost above the balance', legacy({ gasPrice: 1n, value: 10n }), { balance: 21_009n }, TEXTS.short],
    ['a queued one that the sender cannot pay', legacy({ nonce: 1n, value: 10n ** 20n }), {}, 'admitted'],
  ])('of %s', (_case, transaction, situation, expected) => {
    expect(answer(transaction, situation)).toBe(expected)
  })

  test.each([
    [100n, 140n, 'admitted'],
    [100n, 139n, TEXTS.underpriced],
    // floor(9 * 1.4) = 12.
    [9n, 12n, 'admitted'],
    [9n, 11n, TEXTS.underpriced],
    // floor(1 * 1.4) = 1, but it must be more.
    [1n, 1n, TEXTS.underpriced],
    [0n, 1n, 'admitted'],
    [0n, 0n, TEXTS.underpriced],
  ])('of a price of %s replaced by %s', (before, after, expected) => {
    const waiting = [legacy({ gasPrice: before })]
    expect(answer(legacy({ gasPrice: after }), { waiting })).toBe(expected)
  })

  test("counts the cost of the sender's pending transactions, and not of replaced or queued ones", () => {
    const costs = (nonce: bigint) => legacy({ nonce, value: 400n })
    const waiting = [costs(0n), costs(1n), costs(9n)]
    expect(answer(legacy({ nonce: 2n, value: 200n }), { waiting, balance: 1_000n })).toBe('admitted')
    expect(answer(legacy({ nonce: 2n, value: 201n }), { waiting, balance: 1_000n })).toBe(TEXTS.short)
    const replacement = (value: bigint) => legacy({ nonce: 0n, value, gasPrice: 1n })
    expect(answer(replacement(600n), { waiting, balance: 22_000n })).toBe('admitted')
    expect(answer(replacement(601n), { waiting, balance: 22_000n })).toBe(TEXTS.short)
  })

  // Each has the fault of its row and of all rows below it.
  const faults: readonly (readonly [string, Partial<Transaction> & { readonly gasPrice?: bigint }])[] = [
    ["the sender account doesn't exist", {}],
    [INIT_CODE_TEXT, { to: undefined, data: new Uint8Array(49_153) }],
    [TEXTS.size.replace(/^\w+: /, ''), { encoded: new Uint8Array(131_073) }],
    [TEXTS.gas.replace(/^\w+: /, ''), { gasLimit: 6_800_002n }],
    ['transaction nonce too low', { nonce: 0n }],
    ['insufficient funds', { gasPrice: 3n }],
    ["transaction's gas price lower than block's minimum", { gasPrice: 1n }],
    ["transaction's basic cost is above the gas limit", { gasLimit: 5n }],
  ]

  test.each(faults.map(([text], row) => [text, row] as const))('refuses first for: %s', (text, row) => {
    const own = Object.assign(
      {},
      ...faults
        .slice(row)
        .map(([, fields]) => fields)
        .reverse(),
    )
    const usual = { nonce: 1n, gasLimit: 21_000n, gasPrice: 2n, ...own }
    const balance = row === 0 ? undefined : row <= 5 ? 0n : 10n ** 9n
    const situation = { balance, nonce: 1n, minimumGasPrice: 2n }
    expect(answer(legacy(usual), situation).replace(/^\w+: /, '')).toBe(text)
  })
})

test.each([
  [0n, undefined, undefined],
  [1n, 80n, 100n],
  [60_000_000n, 4_800_000_000n, 6_000_000_000n],
])('a minimum of %s caps prices at %s in the pool and at %s in a block', (minimum, pool, block) => {
  expect([poolPriceCap(minimum), blockPriceCap(minimum)]).toEqual([pool, block])
})
