import { describe, expect, test } from '@jest/globals'
import { AbiCoder } from 'ethers'
import { fromHex, toHash, toHex } from '../../../../lib/base/hex.ts'
import type { Hash } from '../../../../lib/base/hex.ts'
import { decodeRlp } from '../../../../lib/base/rlp.ts'
import { NEUTRAL_NAMES } from '../../../../lib/config/names.ts'
import { addressOfPrivateKey } from '../../../../lib/crypto/address.ts'
import { readAuxTransaction } from '../../../../lib/modules/network-33/bridge/aux-transaction.ts'
import { bridgeOf } from '../../../../lib/modules/network-33/bridge/bridge.ts'
import {
  federationAddress,
  federationOutputScript,
  genesisFederation,
} from '../../../../lib/modules/network-33/bridge/federation.ts'
import type { StateRoot } from '../../../../lib/state/state-root.ts'
import { auxTransaction } from '../support/aux-chain.ts'
import { BridgeBench } from '../support/bridge.ts'
import { readBridgeState } from '../support/bridge-state.ts'
import { fromKey, fromMultisig, mined } from '../support/deposits.ts'
import { ELECTION, NEW_FEDERATION, NEW_MEMBERS, VOTERS, signaturesOf } from '../support/federation-change.ts'
import { decoded } from '../../../support/precompile-calls.ts'
import { keyOf } from '../../../support/signing.ts'

const hashOf = (byte: number): Hash => toHash(new Uint8Array(32).fill(byte))
const accountOf = (phrase: string) => addressOfPrivateKey(keyOf(phrase))
const namesOf = (bench: BridgeBench) => bench.events().map(([name]) => name)
const stateOf = (bench: BridgeBench) => readBridgeState(String(bench.read('getStateForDebugging')))
const NEW_ADDRESS = federationAddress(NEW_FEDERATION)

const vote = (bench: BridgeBench, name: string, args: readonly unknown[] = []) =>
  VOTERS.map((voter) => bench.send(name, args, { caller: accountOf(voter) }))

/** A Bridge of a release whose federation has a coin, and which proposes the new federation in block 1. */
function proposing(release = '9.1.0', sat = 3_000_000n): BridgeBench {
  const bench = new BridgeBench(bridgeOf(NEUTRAL_NAMES, genesisFederation(release)))
  bench.giveCoins(sat)
  for (const [name, args] of ELECTION) vote(bench, name, args)
  return bench
}

/** Lets members sign a release; returns the signed transaction. */
function signed(
  bench: BridgeBench,
  phrases: readonly string[],
  release: { readonly raw: string; readonly hash: Hash; readonly values: readonly bigint[] },
): Uint8Array {
  for (const phrase of phrases)
    bench.send('addSignature', signaturesOf(phrase, release.raw, release), { caller: accountOf(phrase) })
  expect(namesOf(bench)).toEqual(['add_signature', 'release_aux'])
  return fromHex(String(decoded('bytes', bench.events()[1]![1])))
}

/** Registers a transaction in a block of the auxiliary chain. */
function register(bench: BridgeBench, raw: Uint8Array, height: number): void {
  const { registerCoinbase, register: send } = mined(raw, { bench, height })
  registerCoinbase()
  send()
}

/** The release that waits for signatures, and the hash of the call that made it. */
function waiting(bench: BridgeBench): { readonly raw: string; readonly hash: Hash } {
  const { raw, transactionHash } = stateOf(bench).signing[0]!
  return { raw: `0x${raw}`, hash: toHash(fromHex(`0x${transactionHash}`)) }
}

/** The fund transaction is made in block 2, confirmed in block 5, and signed. */
function signedFund(bench: BridgeBench): Uint8Array {
  bench.update(2n, hashOf(2))
  bench.update(5n, hashOf(5))
  return signed(bench, ['federator1', 'federator2'], { ...waiting(bench), values: [3_000_000n] })
}

/** The transaction that waits for the proposed federation. */
function proof(bench: BridgeBench): { readonly raw: string; readonly hash: Hash } | undefined {
  const [[hash, raw]] = decodeRlp(fromHex(String(bench.read('getStateForSvpClient')))) as [
    [Uint8Array?, Uint8Array?],
  ]
  return hash && raw && { hash: toHash(hash), raw: toHex(raw) }
}

const PROOF_VALUES = [500_000n, 500_000n]

/** The new federation is committed in block 6. */
function commitNew(release: string): BridgeBench {
  const bench = proposing(release)
  register(bench, signedFund(bench), 350)
  bench.update(6n, hashOf(6))
  register(bench, signed(bench, NEW_MEMBERS.slice(1), { ...proof(bench)!, values: PROOF_VALUES }), 360)
  return bench
}

/** The states after that, by release. */
const COMMITTED = new Map<string, StateRoot>()

/** A Bridge after that. */
function committed(release = '9.1.0'): BridgeBench {
  const root = COMMITTED.get(release) ?? commitNew(release).state.commitRoot()
  COMMITTED.set(release, root)
  return new BridgeBench(bridgeOf(NEUTRAL_NAMES, genesisFederation(release)), root)
}

/** Fee of a fund transaction of one input and three outputs: of 402 bytes, and of 283 with a witness. */
const FUND_FEES: Readonly<Record<string, bigint>> = { '9.0.3': 40_200n, '9.1.0': 28_300n }

/** The new federation is active from this block on. */
const ACTIVE = 151n

describe.each(['9.0.3', '9.1.0'])('a change of federation (node-next 4.8), release %s', (release) => {
  test('pays the proposed federation two coins, signed by the old one', () => {
    const bench = proposing(release)
    bench.update(2n, hashOf(2))
    expect(namesOf(bench)).toEqual(['update_collections', 'release_requested', 'pegout_transaction_created'])
    expect(bench.events()[1]![1]).toBe(`0x${1_000_000n.toString(16).padStart(64, '0')}`)
    const { outputs } = readAuxTransaction(fromHex(`0x${stateOf(bench).confirming[0]!.raw}`))
    const flyover = fromHex(`0x${'00'.repeat(31)}01`)
    expect(outputs.slice(0, 2)).toEqual([
      { sat: 500_000n, script: federationOutputScript(NEW_FEDERATION) },
      { sat: 500_000n, script: federationOutputScript(NEW_FEDERATION, flyover) },
    ])
    expect(outputs[2]).toEqual({
      sat: 2_000_000n - FUND_FEES[release]!,
      script: federationOutputScript(genesisFederation(release)),
    })
    bench.update(3n)
    expect(namesOf(bench)).toEqual(['update_collections'])
  })

  test('lets the proposed federation spend the coins as a proof', () => {
    const bench = proposing(release)
    register(bench, signedFund(bench), 350)
    expect(bench.logs).toEqual([])
    expect(proof(bench)).toBeUndefined()
    bench.update(6n, hashOf(6))
    expect(namesOf(bench)).toEqual(['update_collections', 'release_requested', 'pegout_transaction_created'])
    expect(decoded('bytes', bench.events()[2]![1])).toBe('0xfe20a10700fe20a10700')
    const { raw, hash } = proof(bench)!
    expect(hash).toBe(hashOf(6))
    const { inputs, outputs } = readAuxTransaction(fromHex(raw))
    expect(inputs.map(({ previousIndex }) => previousIndex)).toEqual([0, 1])
    // 42 + 2 * 36 bytes; 2 * 2 * 72 of signatures and 2 * 252 of scripts count a quarter; a fifth more: 374 bytes.
    expect(outputs).toEqual([
      { sat: 1_000_000n - 37_400n, script: federationOutputScript(genesisFederation(release)) },
    ])
    signed(bench, NEW_MEMBERS.slice(1), { raw, hash, values: PROOF_VALUES })
    expect(proof(bench)).toBeUndefined()
  })

  test('announces the federation with the vote, and activates it 150 blocks later if it has proved to sign', () => {
    const bench = committed(release)
    const voted = proposing(release)
    expect(namesOf(voted)).toEqual(['commit_federation'])
    const old = genesisFederation(release)
    const keysOf = ({ members }: typeof NEW_FEDERATION) => toHex(Buffer.concat(members.map(([key]) => key!)))
    const types = ['bytes', 'string', 'bytes', 'string', 'int256']
    expect([...AbiCoder.defaultAbiCoder().decode(types, voted.events()[0]![1])]).toEqual([
      keysOf(old),
      federationAddress(old),
      keysOf(NEW_FEDERATION),
      NEW_ADDRESS,
      ACTIVE,
    ])
    const facts = (block: bigint) => {
      bench.block.number = block
      const names = ['getFederationAddress', 'getRetiringFederationAddress', 'getProposedFederationAddress']
      return [...names, 'getActiveFederationCreationBlockHeight'].map((name) => bench.read(name))
    }
    expect(facts(ACTIVE - 1n)).toEqual([federationAddress(old), '', '', 0n])
    expect(facts(ACTIVE)).toEqual([NEW_ADDRESS, federationAddress(old), '', 1n])
    expect(bench.read('getRetiringFederationSize')).toBe(3n)
    expect(bench.read('getRetiringFederationThreshold')).toBe(2n)
    expect(bench.read('getRetiringFederationCreationBlockNumber')).toBe(1n)
    expect(bench.read('getRetiringFederationCreationTime')).toBe(1_451_606_400n)
  })

  test('moves the coins of the retiring federation, and then retires it', () => {
    const bench = committed(release)
    const update = (block: bigint) => {
      bench.update(block, hashOf(Number(block % 256n)))
      return namesOf(bench).slice(1)
    }
    expect(update(ACTIVE + 15n)).toEqual([])
    expect(update(ACTIVE + 16n)).toEqual(['release_requested', 'pegout_transaction_created'])
    expect(stateOf(bench).outputs).toEqual([])
    update(ACTIVE + 19n)
    const { inputs, outputs } = readAuxTransaction(fromHex(waiting(bench).raw))
    // The change of the fund transaction is its third output; the proof has one.
    const coins = new Map([
      [2, 2_000_000n - FUND_FEES[release]!],
      [0, 1_000_000n - 37_400n],
    ])
    const values = inputs.map(({ previousIndex }) => coins.get(previousIndex)!)
    expect([values.length, outputs.length]).toEqual([2, 1])
    const moved = signed(bench, ['federator3', 'federator1'], { ...waiting(bench), values })
    register(bench, moved, 370)
    expect(stateOf(bench).outputs).toMatchObject([{ sat: outputs[0]!.sat, index: 0 }])
    expect(bench.send('createFederation', [], { caller: accountOf('auth-a') })).toBe(-3n)
    update(ACTIVE + 150n)
    expect(bench.read('getRetiringFederationAddress')).toBe('')
    expect(bench.read('getFederationAddress')).toBe(NEW_ADDRESS)
    expect(bench.send('createFederation', [], { caller: accountOf('auth-a') })).toBe(1n)
  })
})

/** Sends as a phrase; returns the reason of a failure. */
function failureOf(bench: BridgeBench, phrase: string, name: string, args: readonly unknown[]): string {
  try {
    bench.send(name, args, { caller: accountOf(phrase) })
    return ''
  } catch (error) {
    return String(error)
  }
}

test.each([
  ['before the election', 1n, 'federator1', '', ''],
  ['of a member to be', 1n, 'new-1', 'not a member', 'not a member'],
  ['of the committed one, not active', ACTIVE - 1n, 'new-1', 'not a member', 'not a member'],
  ['of the new one, active', ACTIVE, 'new-1', '', ''],
  ['of the retiring one', ACTIVE, 'federator1', '', ''],
  ['of the retired one', ACTIVE + 151n, 'federator1', 'not a member', 'not a member'],
])('calls by a member %s (node-next 4.1)', (_case, block, phrase, update, sign) => {
  const bench = block === 1n ? new BridgeBench() : committed()
  if (block > ACTIVE + 150n) {
    bench.block.number = ACTIVE + 150n
    bench.send('updateCollections', [], { caller: accountOf('new-1') })
  }
  bench.block.number = block
  const unknown = signaturesOf(phrase, toHex(auxTransaction([fromKey], [])), {
    hash: hashOf(99),
    values: [1n],
  })
  expect(failureOf(bench, phrase, 'updateCollections', [])).toContain(update)
  expect(failureOf(bench, phrase, 'addSignature', unknown)).toContain(sign)
})

test('a member of the proposed federation signs its proof only; another key fails', () => {
  const bench = proposing()
  expect(failureOf(bench, 'new-1', 'updateCollections', [])).toContain('not a member')
  register(bench, signedFund(bench), 350)
  bench.update(6n, hashOf(6))
  const { raw, hash } = proof(bench)!
  const args = (phrase: string) => signaturesOf(phrase, raw, { hash, values: PROOF_VALUES })
  expect(failureOf(bench, 'federator1', 'addSignature', args('federator1'))).toContain('proposed federation')
  expect(failureOf(bench, 'cow', 'addSignature', args('new-1'))).toContain('not a member')
  expect(failureOf(bench, 'new-2', 'addSignature', args('new-1'))).toBe('')
  expect(namesOf(bench)).toEqual(['add_signature'])
})

test('a proposed federation without a proof fails after 125 blocks, and its transactions are forgotten', () => {
  const bench = proposing()
  const fund = signedFund(bench)
  register(bench, fund, 350)
  bench.update(6n, hashOf(6))
  const { raw, hash } = proof(bench)!
  bench.update(125n)
  expect(proof(bench)?.raw).toBe(raw)
  bench.update(126n)
  expect(namesOf(bench)).toEqual(['update_collections', 'commit_federation_failed'])
  expect(proof(bench)).toBeUndefined()
  const args = signaturesOf('federator1', raw, { hash, values: PROOF_VALUES })
  expect(failureOf(bench, 'federator1', 'addSignature', args)).toBe('')
  expect(bench.logs).toEqual([])
  expect(vote(bench, 'createFederation')).toEqual([1n, 1n, 1n])
})

test.each([
  ['without coins for the fund', 1_000_000n, 350],
  ['with a fund below height 350 of the auxiliary chain (node-next 4.3)', 3_000_000n, 340],
])('there is no proof %s', (_case, sat, height) => {
  const bench = proposing('9.1.0', sat)
  if (sat === 1_000_000n) bench.update(2n, hashOf(2))
  else register(bench, signedFund(bench), height)
  bench.update(6n, hashOf(6))
  expect(namesOf(bench)).toEqual(['update_collections'])
  expect(stateOf(bench).outputs).toHaveLength(1)
})

test.each([
  ['absent without the fee', 28_299n, undefined],
  ['part of the fee below the minimum of an output', 28_300n + 2_699n, []],
  ['an output from the minimum on', 28_300n + 2_700n, [2_700n]],
])('the change of a fund transaction is %s', (_case, rest, change) => {
  const bench = proposing('9.1.0', 1_000_000n + rest)
  bench.update(2n, hashOf(2))
  const made = stateOf(bench).confirming.map(({ raw }) => readAuxTransaction(fromHex(`0x${raw}`)).outputs)
  const [sats] = made.map((outputs) => outputs.map(({ sat }) => sat))
  expect(sats).toEqual(change && [500_000n, 500_000n, ...change])
})

describe('a deposit', () => {
  const OLD_SCRIPT = federationOutputScript(genesisFederation('9.0.3'))
  const NEW_SCRIPT = federationOutputScript(NEW_FEDERATION)

  test.each([
    ['old', 'before', OLD_SCRIPT, ACTIVE - 1n, ['pegin_aux']],
    ['new', 'before', NEW_SCRIPT, ACTIVE - 1n, []],
    ['old', 'after', OLD_SCRIPT, ACTIVE, ['pegin_aux']],
    ['new', 'after', NEW_SCRIPT, ACTIVE, ['pegin_aux']],
  ])('to the %s federation %s the activation', (_to, _when, script, block, events) => {
    const bench = committed('9.0.3')
    bench.block.number = block
    register(bench, auxTransaction([fromKey], [{ sat: 700_000n, script }]), 370)
    expect(namesOf(bench)).toEqual(events)
    const isActive = script === (block < ACTIVE ? OLD_SCRIPT : NEW_SCRIPT)
    expect(stateOf(bench).outputs.some(({ sat }) => sat === 700_000n)).toBe(isActive)
  })

  test('to a retiring federation is moved, too', () => {
    const bench = committed('9.0.3')
    bench.block.number = ACTIVE + 100n
    register(bench, auxTransaction([fromKey], [{ sat: 700_000n, script: OLD_SCRIPT }]), 370)
    bench.update(ACTIVE + 101n, hashOf(7))
    const raw = fromHex(`0x${stateOf(bench).confirming[0]!.raw}`)
    expect(readAuxTransaction(raw).inputs).toHaveLength(3)
  })

  test('of a multisig to federations of both kinds cannot be refunded (node-chain 10.8)', () => {
    const bench = committed('9.0.3')
    bench.block.number = ACTIVE
    const outputs = [OLD_SCRIPT, NEW_SCRIPT].map((script) => ({ sat: 700_000n, script }))
    register(bench, auxTransaction([fromMultisig], outputs), 370)
    expect(bench.events().map(([name, data]) => [name, BigInt(data)])).toEqual([
      ['rejected_pegin', 2n],
      ['unrefundable_pegin', 4n],
    ])
  })
})

test('the ten oldest coins are moved at a time', () => {
  const bench = proposing('9.1.0')
  register(bench, signedFund(bench), 350)
  bench.update(6n, hashOf(6))
  bench.giveCoins(...Array.from({ length: 11 }, () => 500_000n))
  register(bench, signed(bench, NEW_MEMBERS.slice(1), { ...proof(bench)!, values: PROOF_VALUES }), 360)
  const counts = [ACTIVE + 16n, ACTIVE + 17n].map((block) => {
    bench.update(block, hashOf(Number(block)))
    const raw = stateOf(bench).confirming.at(-1)!.raw
    return readAuxTransaction(fromHex(`0x${raw}`)).inputs.length
  })
  expect(counts).toEqual([10, 2])
})
