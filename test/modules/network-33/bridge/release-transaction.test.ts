import { describe, expect, test } from '@jest/globals'
import { EMPTY_BYTES, fromHex, toHex } from '../../../../lib/base/hex.ts'
import { curve } from '../../../../lib/crypto/secp256k1.ts'
import { toDisplayOrder } from '../../../../lib/modules/network-33/bridge/aux-header.ts'
import { outputScript, readAuxAddress } from '../../../../lib/modules/network-33/bridge/aux-address.ts'
import {
  readAuxTransaction,
  witnessSignatureHash,
} from '../../../../lib/modules/network-33/bridge/aux-transaction.ts'
import {
  GENESIS_FEDERATION,
  federationAddress,
  federationOutputScript,
  redeemScript,
} from '../../../../lib/modules/network-33/bridge/federation.ts'
import { payAll, payRequests } from '../../../../lib/modules/network-33/bridge/release-transaction.ts'
import { derOf } from '../support/aux-chain.ts'
import { keyOf } from '../../../support/signing.ts'

const PLAIN = { ...GENESIS_FEDERATION, kind: 'plain' } as const
const RECEIVER = outputScript(Uint8Array.of(0x6f, ...new Uint8Array(20).fill(0x22)))

const coin = (byte: number, sat: bigint, index = 0) => ({
  transactionId: new Uint8Array(32).fill(byte),
  index,
  sat,
  flyoverHash: EMPTY_BYTES,
})

const request = (sat: bigint) => ({ sat, script: RECEIVER })

const funds = (...coins: ReturnType<typeof coin>[]) => ({
  coins,
  federation: GENESIS_FEDERATION,
  feePerKb: 100_000n,
})

const satsOf = (raw: Uint8Array) => readAuxTransaction(raw).outputs.map(({ sat }) => sat)

test('the plain federation has the address of releases 9.0.x (node-next 1.2)', () => {
  expect(federationAddress(PLAIN)).toBe('2N5muMepJizJE1gR7FbHJU6CD18V3BpNF9p')
  expect(toHex(federationOutputScript(PLAIN))).toBe('0xa914896ed9f3446d51b5510f7f0b6ef81b2bde55140e87')
})

test('a flyover hash changes the address of the deposit (node-next 4.4)', () => {
  const hash = fromHex('0xf3666aa3ac3b9c5afa72f42bb49f07b72350fd15890f27516aede3f0a28228ea')
  const address = readAuxAddress('2NF1eDwWSwTj9uGrnZaFyxCppssoX51BPfb')!
  expect(federationOutputScript(GENESIS_FEDERATION, hash)).toEqual(outputScript(address))
})

describe('the example of node-next 4.7', () => {
  const release = payRequests(funds(coin(0x11, 1_000_000n)), [request(500_000n)])!

  test('pays the request less the fee by size, and the change', () => {
    expect(satsOf(release.raw)).toEqual([474_700n, 500_000n])
    expect(toDisplayOrder(release.id)).toBe(
      '0x3361433022944c9d65ae5d7c62b0387183c64dbd9415345fe935a333dfeb49ad',
    )
  })

  test('has empty items in place of the signatures', () => {
    const { witnesses } = readAuxTransaction(release.raw)
    expect(witnesses).toEqual([
      [EMPTY_BYTES, EMPTY_BYTES, EMPTY_BYTES, EMPTY_BYTES, redeemScript(GENESIS_FEDERATION)],
    ])
  })

  test('has the hash and the signatures of two members', () => {
    const script = redeemScript(GENESIS_FEDERATION)
    const hash = witnessSignatureHash(readAuxTransaction(release.raw), { index: 0, script }, 1_000_000n)
    expect(toHex(hash)).toBe('0xe62c948ac2ae773a132d0c7c302e20125663541767872aad0b80f3c518d67a82')
    expect(['federator1', 'federator2'].map((phrase) => derOf(curve.sign(hash, keyOf(phrase))))).toEqual([
      '0x3045022100d771771885f355adcde5d983ef99eedbfded6c09b410b10240d5db3ce6faa7a2022051f58ded9bee01dd87ffa95d7d4a7db54af8365d957f071bddcb8c4fbd63cbb2',
      '0x3045022100b25ae44b442f21b141294913afa5ddd9c1b3f533bf58347889a8bebda3bef36f022063c1d7206d8ca1d14913a57366f3e4709a5cf09f93ce1ac7de02173e43eb5a6f',
    ])
  })
})

test.each([
  ['the coin of the lowest hash first', [coin(3, 1_000_000n), coin(2, 1_000_000n)], [coin(2, 1_000_000n)]],
  [
    'of one transaction the lowest index first',
    [coin(2, 500_000n, 1), coin(2, 500_000n)],
    [coin(2, 500_000n)],
  ],
  [
    'as many as cover the sum',
    [coin(3, 400_000n), coin(2, 400_000n), coin(1, 99_999n)],
    [coin(1, 99_999n), coin(2, 400_000n), coin(3, 400_000n)],
  ],
  ['none if they do not cover it', [coin(3, 499_999n)], undefined],
])('a release takes %s', (_case, coins, spent) => {
  expect(payRequests(funds(...coins), [request(500_000n)])?.spent).toEqual(spent)
})

test.each([
  ['the receivers pay equal parts of the fee', 1_000_000n, [289_300n, 289_300n, 289_300n, 100_000n], 0n],
  [
    'the first receiver pays the remainder, and an exact sum gives no change',
    900_000n,
    [290_366n, 290_367n, 290_367n],
    0n,
  ],
  ['small change is raised by the first receiver', 900_100n, [286_700n, 289_300n, 289_300n, 2_700n], 2_600n],
])('%s', (_case, sat, outputs, raised) => {
  const release = payRequests(funds(coin(1, sat)), [300_000n, 300_000n, 300_000n].map(request))!
  expect([satsOf(release.raw), release.raised]).toEqual([outputs, raised])
})

test('a release of more than 100,000 bytes pays the first half of the requests', () => {
  const requests = Array.from({ length: 3_000 }, () => request(500_000n))
  const release = payRequests(funds(coin(1, 10n ** 10n)), requests)!
  expect([release.requests, satsOf(release.raw).length]).toEqual([1_500, 1_501])
})

test('a request that the fee would consume is not paid', () => {
  expect(payRequests(funds(coin(1, 1_000_000n)), [request(27_999n)])).toBeUndefined()
})

test('all coins go to one address, less the fee', () => {
  const release = payAll(funds(coin(2, 500_000n), coin(1, 600_000n)), RECEIVER)!
  expect(release.spent.map(({ sat }) => sat)).toEqual([600_000n, 500_000n])
  expect(satsOf(release.raw)).toEqual([1_060_100n])
  expect(payAll(funds(coin(1, 24_799n)), RECEIVER)).toBeUndefined()
})

test('a plain federation has placeholders in the scripts, and pays each byte of them', () => {
  const release = payRequests({ ...funds(coin(1, 1_000_000n)), federation: PLAIN }, [request(500_000n)])!
  const { inputs, witnesses } = readAuxTransaction(release.raw)
  expect(witnesses).toEqual([])
  expect(toHex(inputs[0]!.script)).toBe(`0x0000004c69${toHex(redeemScript(PLAIN)).slice(2)}`)
  expect(satsOf(release.raw)).toEqual([500_000n - 37_200n, 500_000n])
})
