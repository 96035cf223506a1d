import { describe, expect, test } from '@jest/globals'
import { asAddress, fromHex, toHex } from '../../../../lib/base/hex.ts'
import { outputScript, readAuxAddress } from '../../../../lib/modules/network-33/bridge/aux-address.ts'
import { toDisplayOrder } from '../../../../lib/modules/network-33/bridge/aux-header.ts'
import { readAuxTransaction } from '../../../../lib/modules/network-33/bridge/aux-transaction.ts'
import { BridgeStorage } from '../../../../lib/modules/network-33/bridge/bridge-storage.ts'
import { COINS } from '../../../../lib/modules/network-33/bridge/pegout-state.ts'
import {
  GENESIS_FEDERATION,
  redeemScript,
  scriptHashOutput,
  witnessProgram,
} from '../../../../lib/modules/network-33/bridge/federation.ts'
import { payRequests } from '../../../../lib/modules/network-33/bridge/release-transaction.ts'
import { hash160 } from '../../../../lib/crypto/ripemd160.ts'
import { auxTransaction, blockOfOne, witnessKeyInput } from '../support/aux-chain.ts'
import type { Paid } from '../support/aux-chain.ts'
import { COW, COW_KEY } from '../support/bridge.ts'
import type { BridgeBench } from '../support/bridge.ts'
import { readBridgeState } from '../support/bridge-state.ts'
import { fromKey, mined, toFederation } from '../support/deposits.ts'

// The example of node-next 4.4.
const CONTRACT = asAddress(`0x${'33'.repeat(20)}`)
const AGREEMENT = `0x${'00'.repeat(31)}01`
const HASH = 'f3666aa3ac3b9c5afa72f42bb49f07b72350fd15890f27516aede3f0a28228ea'
const DEPOSIT = outputScript(readAuxAddress('2NF1eDwWSwTj9uGrnZaFyxCppssoX51BPfb')!)
const USER = `0x6f${'11'.repeat(20)}`
const PROVIDER = `0x6f${'22'.repeat(20)}`

const WEI_PER_SAT = 10n ** 10n
const toDeposit = (sat: bigint): Paid => ({ sat, script: DEPOSIT })

/** A Bridge that knows a payment, and its registration by the contract with changes of the arguments. */
function deposited(outputs: readonly Paid[], input = fromKey) {
  const raw = auxTransaction([input], outputs)
  const block = mined(raw)
  const { bench, proof } = block
  const args = [...proof, AGREEMENT, USER, CONTRACT, PROVIDER, true]
  const register = (changes: Readonly<Record<number, unknown>> = {}, call: object = {}) =>
    bench.send('registerFastBridgeAuxTransaction', Object.assign([...args], changes), {
      depth: 1,
      caller: CONTRACT,
      ...call,
    })
  return { ...block, raw, register }
}

const coinsOf = ({ state }: BridgeBench) => COINS.read(new BridgeStorage(state))

test('a deposit pays the contract, without an event, and its outputs become coins (node-next 4.4)', () => {
  const { bench, raw, register } = deposited([toFederation(1n), toDeposit(500_000n), toDeposit(700_000n)])
  expect(register()).toBe(1_200_000n * WEI_PER_SAT)
  expect([bench.balance(CONTRACT), bench.logs]).toEqual([1_200_000n * WEI_PER_SAT, []])
  const { id } = readAuxTransaction(raw)
  expect(coinsOf(bench)).toEqual([
    { transactionId: id, index: 1, sat: 500_000n, flyoverHash: fromHex(`0x${HASH}`) },
    { transactionId: id, index: 2, sat: 700_000n, flyoverHash: fromHex(`0x${HASH}`) },
  ])
})

test('the coins of a deposit are spent with the redeem script of its address', () => {
  const { bench, register } = deposited([toDeposit(500_000n)])
  register()
  const funds = { coins: coinsOf(bench), federation: GENESIS_FEDERATION, feePerKb: 100_000n }
  const release = payRequests(funds, [{ sat: 300_000n, script: DEPOSIT }])!
  const script = readAuxTransaction(release.raw).witnesses[0]!.at(-1)!
  expect(toHex(script)).toBe(`0x20${HASH}75${toHex(redeemScript(GENESIS_FEDERATION)).slice(2)}`)
  expect(scriptHashOutput(hash160(witnessProgram(script)))).toEqual(DEPOSIT)
})

describe('the codes, in the order of the checks (node-next 4.4)', () => {
  const spoilt = { 1: 2n }
  const notContract = { depth: 0 }
  const wrongCaller = { caller: COW }

  test.each<[string, readonly Paid[], Readonly<Record<number, unknown>>, object, bigint]>([
    ['an address of 20 bytes', [toDeposit(1n)], { 4: `0x${'11'.repeat(20)}`, ...spoilt }, notContract, -900n],
    ['an address of another chain', [toDeposit(1n)], { 6: `0x00${'22'.repeat(20)}` }, notContract, -900n],
    ['no contract', [toDeposit(1n)], spoilt, { ...notContract, ...wrongCaller }, -300n],
    ['another caller', [toDeposit(1n)], spoilt, wrongCaller, -301n],
    ['unconfirmed', [toDeposit(1n)], spoilt, {}, -303n],
    ['another tree', [toDeposit(1n)], { 2: toHex(blockOfOne(new Uint8Array(32)).tree) }, {}, -303n],
    ['a malformed tree', [toDeposit(1n)], { 2: '0x00' }, {}, -900n],
    ['a payment to the federation', [toFederation(500_000n)], {}, {}, -304n],
    ['another agreement', [toDeposit(500_000n)], { 3: `0x${'00'.repeat(31)}02` }, {}, -304n],
    ['another refund address', [toDeposit(500_000n)], { 4: PROVIDER }, {}, -304n],
    ['another provider', [toDeposit(500_000n)], { 6: USER }, {}, -304n],
    ['one output too small', [toDeposit(499_999n), toDeposit(500_000n)], {}, {}, -305n],
  ])('%s', (_, outputs, changes, call, code) => {
    const { bench, register } = deposited(outputs)
    expect(register(changes, call)).toBe(code)
    expect([bench.logs, bench.balance(CONTRACT), coinsOf(bench)]).toEqual([[], 0n, []])
  })

  test('processed, before the proof is read', () => {
    const { bench, register } = deposited([toDeposit(500_000n)])
    register()
    expect(register(spoilt)).toBe(-302n)
    expect(bench.balance(CONTRACT)).toBe(500_000n * WEI_PER_SAT)
  })

  test('processed, with a witness', () => {
    const { bench, register, registerCoinbase } = deposited([toDeposit(500_000n)], witnessKeyInput(COW_KEY))
    expect(register()).toBe(-303n)
    registerCoinbase()
    expect([register(), register()]).toEqual([500_000n * WEI_PER_SAT, -302n])
    expect(bench.balance(CONTRACT)).toBe(500_000n * WEI_PER_SAT)
  })

  test('a malformed transaction in the tree', () => {
    const { bench, proof } = mined(new Uint8Array(10))
    const args = [...proof, AGREEMENT, USER, CONTRACT, PROVIDER, true]
    const call = { depth: 1, caller: CONTRACT }
    expect(bench.send('registerFastBridgeAuxTransaction', args, call)).toBe(-900n)
  })

  test('a peg-in of the same transaction counts on its own', () => {
    const { bench, register, proof } = deposited([toFederation(500_000n), toDeposit(500_000n)])
    bench.send('registerAuxTransaction', proof)
    expect(bench.balance(COW)).toBe(500_000n * WEI_PER_SAT)
    expect(register()).toBe(500_000n * WEI_PER_SAT)
  })
})

describe('above the locking cap a deposit is refunded (node-next 4.4)', () => {
  const CAP = 100_000_000_000n

  test.each([
    ['the provider', true, -200n, PROVIDER],
    ['the user', false, -100n, USER],
  ])('to %s', (_, shouldTransferToContract, code, address) => {
    const { bench, raw, register } = deposited([toDeposit(CAP + 1n)])
    expect(register({ 7: shouldTransferToContract })).toBe(code)
    expect(bench.events().map(([name]) => name)).toEqual(['release_requested', 'pegout_transaction_created'])
    expect([bench.balance(CONTRACT), coinsOf(bench)]).toEqual([0n, []])
    const [release] = readBridgeState(String(bench.read('getStateForDebugging'))).confirming
    const { inputs, outputs } = readAuxTransaction(fromHex(`0x${release!.raw}`))
    const { id } = readAuxTransaction(raw)
    expect(inputs.map(({ previousId }) => toDisplayOrder(previousId))).toEqual([toDisplayOrder(id)])
    expect(outputs.map(({ script }) => script)).toEqual([outputScript(fromHex(address))])
    expect(register({ 7: shouldTransferToContract })).toBe(-302n)
  })

  test('which counts the coins in circulation', () => {
    const { bench, register } = deposited([toDeposit(CAP)])
    expect(register()).toBe(CAP * WEI_PER_SAT)
    expect(bench.balance(CONTRACT)).toBe(CAP * WEI_PER_SAT)
    const next = mined(auxTransaction([fromKey], [toDeposit(500_000n)]), { bench, confirmations: 5 })
    const args = [...next.proof, AGREEMENT, USER, CONTRACT, PROVIDER, true]
    const call = { depth: 1, caller: CONTRACT }
    expect(bench.send('registerFastBridgeAuxTransaction', args, call)).toBe(-200n)
  })
})
