import { describe, expect, test } from '@jest/globals'
import {
  EMPTY_BYTES,
  bigIntToBytes32,
  bytesToBigInt,
  fromHex,
  toHash,
  toHex,
} from '../../../../lib/base/hex.ts'
import type { Address, Hex } from '../../../../lib/base/hex.ts'
import { addressOfPublicKey } from '../../../../lib/crypto/address.ts'
import { SECP256K1_ORDER } from '../../../../lib/crypto/curve.ts'
import { curve } from '../../../../lib/crypto/secp256k1.ts'
import { NEUTRAL_NAMES } from '../../../../lib/config/names.ts'
import {
  readAuxTransaction,
  plainSignatureHash,
} from '../../../../lib/modules/network-33/bridge/aux-transaction.ts'
import { bridgeOf, bridgeSummary } from '../../../../lib/modules/network-33/bridge/bridge.ts'
import { BridgeStorage } from '../../../../lib/modules/network-33/bridge/bridge-storage.ts'
import {
  GENESIS_FEDERATION,
  genesisFederation,
  redeemScript,
} from '../../../../lib/modules/network-33/bridge/federation.ts'
import { COINS, QUEUE, signingBatches } from '../../../../lib/modules/network-33/bridge/pegout-state.ts'
import { derOf } from '../support/aux-chain.ts'
import { BridgeBench, COW, refusalOf } from '../support/bridge.ts'
import { mined } from '../support/deposits.ts'
import { decoded } from '../../../support/precompile-calls.ts'
import { keyOf } from '../../../support/signing.ts'

const RECEIVER = Uint8Array.of(0x6f, ...new Uint8Array(20).fill(0x22))
const UPDATE = toHash(new Uint8Array(32).fill(2))

/** Signature hash of the example, and the signatures of two members (node-next 4.7). */
const HASH = fromHex('0xe62c948ac2ae773a132d0c7c302e20125663541767872aad0b80f3c518d67a82')
const FIRST =
  '0x3045022100d771771885f355adcde5d983ef99eedbfded6c09b410b10240d5db3ce6faa7a2022051f58ded9bee01dd87ffa95d7d4a7db54af8365d957f071bddcb8c4fbd63cbb2'
const SECOND =
  '0x3045022100b25ae44b442f21b141294913afa5ddd9c1b3f533bf58347889a8bebda3bef36f022063c1d7206d8ca1d14913a57366f3e4709a5cf09f93ce1ac7de02173e43eb5a6f'

const publicKey = (phrase: string) => toHex(curve.encodePoint(curve.publicKey(keyOf(phrase))))
const accountOf = (phrase: string): Address => addressOfPublicKey(curve.publicKey(keyOf(phrase)))
const signatureOf = (phrase: string) => derOf(curve.sign(HASH, keyOf(phrase)))

/** A Bridge with the release of the example, which waits for signatures. */
function ripeBench(bench = new BridgeBench()): BridgeBench {
  const storage = new BridgeStorage(bench.state)
  COINS.write(storage, [
    { transactionId: new Uint8Array(32).fill(0x11), index: 0, sat: 1_000_000n, flyoverHash: EMPTY_BYTES },
  ])
  QUEUE.write(storage, [
    { destination: RECEIVER, sat: 500_000n, transactionHash: toHash(new Uint8Array(32)) },
  ])
  bench.update(1n, UPDATE)
  bench.update(4n)
  return bench
}

/** Signs as a member; another key, other signatures, another hash or another caller can be given. */
function sign(bench: BridgeBench, phrase: string, given: Partial<SignArgs> = {}): readonly string[] {
  const { key, signatures, hash, caller } = {
    key: publicKey(phrase),
    signatures: [signatureOf(phrase)],
    hash: UPDATE as Hex,
    caller: accountOf(phrase),
    ...given,
  }
  bench.send('addSignature', [key, signatures, hash], { caller })
  return bench.events().map(([name]) => name)
}

interface SignArgs {
  readonly key: Hex
  readonly signatures: readonly Hex[]
  readonly hash: Hex
  readonly caller: Address
}

describe('addSignature (node-next 4.7)', () => {
  test('emits the member and its key', () => {
    const bench = ripeBench()
    expect(sign(bench, 'federator1')).toEqual(['add_signature'])
    const [{ topics, data }] = bench.logs as [(typeof bench.logs)[number]]
    expect(topics.slice(1)).toEqual([UPDATE, `0x${'00'.repeat(12)}${accountOf('federator1').slice(2)}`])
    expect(decoded('bytes', toHex(data))).toBe(publicKey('federator1'))
  })

  test.each([
    ['in the order of the keys', ['federator1', 'federator2']],
    ['in the other order', ['federator2', 'federator1']],
  ])('releases with the second signature: members sign %s', (_case, phrases) => {
    const bench = ripeBench()
    sign(bench, phrases[0]!)
    expect(sign(bench, phrases[1]!)).toEqual(['add_signature', 'release_aux'])
    const raw = fromHex(String(decoded('bytes', bench.events()[1]![1])))
    const { witnesses, id } = readAuxTransaction(raw)
    const signed = [FIRST, SECOND].map((signature) => `${signature}01`)
    expect(witnesses[0]!.map(toHex)).toEqual(['0x', ...signed, '0x', toHex(redeemScript(GENESIS_FEDERATION))])
    expect(toHex(id.slice().reverse())).toBe(
      '0x3361433022944c9d65ae5d7c62b0387183c64dbd9415345fe935a333dfeb49ad',
    )
    expect(bridgeSummary(bench.state.commitRoot()).awaitingSignatures).toEqual([])
    expect(sign(bench, 'federator3')).toEqual([])
  })

  test('keeps the first signature in the transaction that waits', () => {
    const bench = ripeBench()
    sign(bench, 'federator2')
    const [waiting] = signingBatches(new BridgeStorage(bench.state))
    expect(readAuxTransaction(waiting!.raw).witnesses[0]!.slice(0, 4).map(toHex)).toEqual([
      '0x',
      `${SECOND}01`,
      '0x',
      '0x',
    ])
  })

  test("accepts another member's key and signature", () => {
    expect(sign(ripeBench(), 'federator1', { caller: accountOf('federator3') })).toEqual(['add_signature'])
  })

  test.each<[string, Partial<SignArgs>, string]>([
    ['a caller who is no member', { caller: COW }, 'is not a member of the federation'],
    ['a key that is no point', { key: `0x02${'ff'.repeat(32)}` }, 'key cannot be read'],
    ['a signature that is no DER', { signatures: ['0x3002'] }, '0x3002 is not a signature in DER'],
    [
      'a signature with the byte of its type',
      { signatures: [`${FIRST}01` as Hex] },
      'not a signature in DER',
    ],
    ['a negative integer', { signatures: ['0x3006020180020101'] }, 'not a signature in DER'],
    ['a list without signatures', { signatures: [] }, 'no signatures'],
    ['a short hash', { hash: '0x1234' }, 'a hash has 32 bytes, not 2'],
  ])('fails for %s', (_case, given, message) => {
    expect(refusalOf(() => sign(ripeBench(), 'federator1', given))).toContain(message)
  })

  const { r, s } = curve.sign(HASH, keyOf('federator1'))
  const highS = derOf({ r, s: bigIntToBytes32(SECP256K1_ORDER - bytesToBigInt(s)) })

  test.each<[string, Partial<SignArgs>]>([
    ['an unknown hash', { hash: toHex(new Uint8Array(32).fill(3)) }],
    ['too many signatures', { signatures: [FIRST, FIRST] }],
    ['the signature of another key', { signatures: [SECOND] }],
    ['a signature with high s', { signatures: [highS] }],
    ['a key that is not of a member', { key: publicKey('cow'), signatures: [signatureOf('cow')] }],
  ])('ignores %s', (_case, given) => {
    const bench = ripeBench()
    expect(sign(bench, 'federator1', given)).toEqual([])
    expect(sign(bench, 'federator1')).toEqual(['add_signature'])
  })

  test('ignores a repetition', () => {
    const bench = ripeBench()
    sign(bench, 'federator1')
    expect(sign(bench, 'federator1')).toEqual([])
  })
})

describe('a plain federation (node-next 1.2)', () => {
  test('signs in the scripts, with the hash that covers no values', () => {
    const bench = ripeBench(new BridgeBench(bridgeOf(NEUTRAL_NAMES, genesisFederation('9.0.3'))))
    const [waiting] = signingBatches(new BridgeStorage(bench.state))
    const script = redeemScript(genesisFederation('9.0.3'))
    const hash = plainSignatureHash(readAuxTransaction(waiting!.raw), { index: 0, script })
    const [first, second] = ['federator1', 'federator2'].map((phrase) =>
      derOf(curve.sign(hash, keyOf(phrase))),
    )
    sign(bench, 'federator2', { signatures: [second!] })
    expect(sign(bench, 'federator1', { signatures: [first!] })).toEqual(['add_signature', 'release_aux'])
    const { inputs, outputs, witnesses } = readAuxTransaction(
      fromHex(String(decoded('bytes', bench.events()[1]![1]))),
    )
    expect(witnesses).toEqual([])
    const pushed = [first, second].map((signature) => {
      const bytes = fromHex(`${signature!}01`)
      return toHex(Uint8Array.of(bytes.length, ...bytes)).slice(2)
    })
    expect(toHex(inputs[0]!.script)).toBe(`0x00${pushed.join('')}4c69${toHex(script).slice(2)}`)
    expect(outputs.map(({ sat }) => sat)).toEqual([500_000n - 37_200n, 500_000n])
  })

  test.each([
    ['9.0.3', '2N5muMepJizJE1gR7FbHJU6CD18V3BpNF9p', 105],
    ['9.1.0', '2MvQSG61B4LtKLECeo1dRDeDWXgJfnr3fC7', 252],
  ])('release %s has the address and the script that it publishes', (release, address, length) => {
    const bench = new BridgeBench(bridgeOf(NEUTRAL_NAMES, genesisFederation(release)))
    expect(bench.read('getFederationAddress')).toBe(address)
    expect(fromHex(String(bench.read('getActivePegRedeemScript')))).toHaveLength(length)
  })
})

test('the registered release returns its change, which pays the next peg-out (node-next 4.3)', () => {
  const bench = ripeBench()
  sign(bench, 'federator1')
  sign(bench, 'federator2')
  const { registerCoinbase, register } = mined(fromHex(String(decoded('bytes', bench.events()[1]![1]))), {
    bench,
  })
  registerCoinbase()
  register()
  expect(bench.events()).toEqual([])
  const storage = new BridgeStorage(bench.state)
  expect(COINS.read(storage)).toMatchObject([{ index: 1, sat: 500_000n }])
  QUEUE.write(storage, [{ destination: RECEIVER, sat: 500_000n, transactionHash: UPDATE }])
  bench.update(51n)
  expect(bench.events().map(([name]) => name)).toContain('batch_pegout_created')
})
