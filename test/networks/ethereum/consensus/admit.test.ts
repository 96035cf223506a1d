import { describe, expect, test } from '@jest/globals'
import { NodeError } from '../../../../lib/base/errors.ts'
import type { AdmissionContext, AdmissionRules } from '../../../../lib/networks/consensus/admission.ts'
import { encodeDelegation } from '../../../../lib/evm/delegation.ts'
import type { Transaction } from '../../../../lib/evm/transaction.ts'
import { ChainInstance } from '../../../../lib/chain/instance/chain-instance.ts'
import { checkAdmission } from '../../../../lib/networks/ethereum/consensus/admit.ts'
import { Mempool } from '../../../../lib/chain/mempool/mempool.ts'
import { StateRoot } from '../../../../lib/state/state-root.ts'
import { State } from '../../../../lib/state/state.ts'
import { addressOf, transactionOf } from '../../../support/transactions.ts'

const SENDER = addressOf(1)

const RULES: AdmissionRules = {
  blockGasLimit: 1_000_000n,
  gasCap: 1_000_000n,
  maxInitCodeSize: 100n,
  minimumGasPrice: 0n,
  nextBaseFee: 0n,
  priceBump: 10n,
  nonceGap: undefined,
  isMinedAtOnce: true,
}

interface Situation {
  readonly rules?: Partial<AdmissionRules>
  readonly waiting?: readonly Transaction[]
  readonly balance?: bigint
  readonly nonce?: bigint
  readonly code?: Uint8Array
}

/** Kind of the error, or `admitted`. */
function admission(fields: Partial<Transaction>, situation: Situation = {}): string {
  const { rules, waiting = [], balance = 10n ** 18n, nonce = 0n, code } = situation
  const state = new State(StateRoot.empty)
  state.putAccount(SENDER, { nonce, balance })
  if (code !== undefined) state.putCode(SENDER, code)
  const mempool = new Mempool(new ChainInstance(), () => 0)
  for (const transaction of waiting) mempool.add(transaction, 0n)
  const head = { state: state.commitRoot() } as AdmissionContext['head']
  const context = { head, mempool, rules: { ...RULES, ...rules }, intrinsicGas: 21_000n }
  try {
    checkAdmission(transactionOf({ sender: SENDER, ...fields }), context)
    return 'admitted'
  } catch (error) {
    if (error instanceof NodeError) return error.kind
    throw error
  }
}

const priced = (max: bigint, tip = max) => ({ maxFeePerGas: max, maxPriorityFeePerGas: tip })

describe('admission', () => {
  const known = transactionOf({ sender: SENDER })

  test.each<readonly [string, Partial<Transaction>, Situation, string]>([
    ['a plain one', {}, {}, 'admitted'],
    ['one that is pooled already', { hash: known.hash }, { waiting: [known] }, 'alreadyKnown'],
    ['init code at the limit', { to: undefined, data: new Uint8Array(100) }, {}, 'admitted'],
    ['init code above the limit', { to: undefined, data: new Uint8Array(101) }, {}, 'initCodeTooLarge'],
    ['call data above the limit of init code', { data: new Uint8Array(101) }, {}, 'admitted'],
    [
      'init code without limit',
      { to: undefined, data: new Uint8Array(200_000), encoded: new Uint8Array(200_100) },
      { rules: { maxInitCodeSize: undefined } },
      'admitted',
    ],
    ['an encoding at the limit', { encoded: new Uint8Array(131_072) }, {}, 'admitted'],
    ['an encoding above the limit', { encoded: new Uint8Array(131_073) }, {}, 'transactionRejected'],
    ['gas at the cap', { gasLimit: 1_000_000n }, {}, 'admitted'],
    ['gas above the cap', { gasLimit: 1_000_001n }, {}, 'gasLimitTooHigh'],
    ['less gas than the data costs', { gasLimit: 20_999n }, {}, 'intrinsicGasTooLow'],
    ['a contract as the sender', {}, { code: Uint8Array.of(0x60) }, 'senderNotExternal'],
    ['a delegated account as the sender', {}, { code: encodeDelegation(addressOf(2)) }, 'admitted'],
    [
      'a prefix of a delegation as the code',
      {},
      { code: Uint8Array.of(0xef, 0x01, 0x00) },
      'senderNotExternal',
    ],
    ['a nonce that was used', { nonce: 4n }, { nonce: 5n }, 'nonceTooLow'],
    ['a nonce far ahead', { nonce: 500n }, { nonce: 5n }, 'admitted'],
    ['a nonce in the gap', { nonce: 20n }, { nonce: 5n, rules: { nonceGap: 16n } }, 'admitted'],
    ['a nonce beyond the gap', { nonce: 21n }, { nonce: 5n, rules: { nonceGap: 16n } }, 'nonceTooHigh'],
    ['a tip above the maximum', priced(5n, 6n), {}, 'invalidTransaction'],
    ['the base fee exactly', priced(7n, 0n), { rules: { nextBaseFee: 7n } }, 'admitted'],
    ['less than the base fee', priced(6n, 0n), { rules: { nextBaseFee: 7n } }, 'feeTooLow'],
    ['the minimum price exactly', priced(7n), { rules: { minimumGasPrice: 7n } }, 'admitted'],
    ['less than the minimum price', priced(6n), { rules: { minimumGasPrice: 7n } }, 'feeTooLow'],
    ['a cost of the whole balance', { ...priced(2n), value: 8_000n }, { balance: 50_000n }, 'admitted'],
    ['a cost above the balance', { ...priced(2n), value: 8_001n }, { balance: 50_000n }, 'insufficientFunds'],
  ])('of %s', (_case, fields, situation, expected) => {
    expect(admission(fields, situation)).toBe(expected)
  })

  test.each<readonly [string, bigint, bigint, bigint, string]>([
    ['ten percent more', 10n, 100n, 110n, 'admitted'],
    ['not quite ten percent more', 10n, 100n, 109n, 'underpriced'],
    ['forty percent more', 40n, 10n, 14n, 'admitted'],
    ['not quite forty percent more', 40n, 10n, 13n, 'underpriced'],
    ['any price after none', 40n, 0n, 1n, 'admitted'],
    ['no price after none', 40n, 0n, 0n, 'underpriced'],
    ['the same small price', 10n, 5n, 5n, 'underpriced'],
    ['one more than a small price', 10n, 5n, 6n, 'admitted'],
  ])('of a replacement that pays %s', (_case, priceBump, before, after, expected) => {
    const waiting = [transactionOf({ sender: SENDER, ...priced(before) })]
    expect(admission(priced(after), { waiting, rules: { priceBump } })).toBe(expected)
  })

  test.each([
    ['the maximum alone', priced(200n, 50n)],
    ['the tip alone', priced(100n, 100n)],
  ])('of a replacement that raises %s is refused', (_case, fees) => {
    const waiting = [transactionOf({ sender: SENDER, ...priced(100n, 50n) })]
    expect(admission(fees, { waiting })).toBe('underpriced')
  })

  test('counts the cost of earlier transactions of the sender, and not of the replaced or later ones', () => {
    const costs = (nonce: bigint) => transactionOf({ sender: SENDER, nonce, value: 400n })
    const waiting = [costs(0n), costs(1n)]
    expect(admission({ nonce: 2n, value: 200n }, { waiting, balance: 1_000n })).toBe('admitted')
    expect(admission({ nonce: 2n, value: 201n }, { waiting, balance: 1_000n })).toBe('insufficientFunds')
    const replacement = { nonce: 1n, value: 600n, ...priced(0n) }
    const situation = { waiting, balance: 1_000n + 21_000n, rules: { priceBump: 40n } }
    expect(admission({ ...replacement, ...priced(1n) }, situation)).toBe('admitted')
  })
})
