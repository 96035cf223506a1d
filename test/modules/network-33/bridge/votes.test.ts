import { describe, expect, test } from '@jest/globals'
import { asAddress } from '../../../../lib/base/hex.ts'
import type { Address } from '../../../../lib/base/hex.ts'
import { curve } from '../../../../lib/crypto/secp256k1.ts'
import { toHex } from '../../../../lib/base/hex.ts'
import { keccak256 } from '../../../../lib/crypto/keccak.ts'
import { AUTHORIZERS, BRIDGE_ADDRESS } from '../../../../lib/modules/network-33/bridge/constants.ts'
import { BRIDGE_EVENTS } from '../../../../lib/modules/network-33/bridge/events.ts'
import { sortedMembers, pendingHash } from '../../../../lib/modules/network-33/bridge/federation.ts'
import { baseEventOf } from '../../../../lib/modules/network-33/bridge/union-methods.ts'
import { BridgeBench, COW, refusalOf } from '../support/bridge.ts'

const as = (voter: Address) => ({ caller: voter, origin: voter })
const [FEE_VOTER] = [...AUTHORIZERS.feePerKb] as [Address]
const [LISTER] = [...AUTHORIZERS.whitelist] as [Address]
const [CAPPER] = [...AUTHORIZERS.lockingCap] as [Address]
const [UNION_SETTER] = [...AUTHORIZERS.unionAddress] as [Address]
const [UNION_CHANGER] = [...AUTHORIZERS.unionChange] as [Address]

describe('fee per kB (node-chain 10.8)', () => {
  test.each<[string, bigint, Address, bigint]>([
    ['not allowed', 50_000n, COW, -10n],
    ['negative', -1n, FEE_VOTER, -1n],
    ['zero', 0n, FEE_VOTER, -1n],
    ['excessive', 5_000_001n, FEE_VOTER, -2n],
  ])('%s', (_, fee, voter, code) => {
    const bench = new BridgeBench()
    expect(bench.send('voteFeePerKbChange', [fee], as(voter))).toBe(code)
    expect(bench.read('getFeePerKb')).toBe(100_000n)
  })

  test('is set by its single authorizer', () => {
    const bench = new BridgeBench()
    expect(bench.send('voteFeePerKbChange', [5_000_000n], as(FEE_VOTER))).toBe(1n)
    expect(bench.read('getFeePerKb')).toBe(5_000_000n)
  })
})

test('the locking cap can be doubled, only by its authorizer', () => {
  const bench = new BridgeBench()
  expect(bench.send('increaseLockingCap', [100_000_000_001n])).toBe(false)
  expect(bench.send('increaseLockingCap', [200_000_000_001n], as(CAPPER))).toBe(false)
  expect(bench.send('increaseLockingCap', [99_999_999_999n], as(CAPPER))).toBe(false)
  expect(refusalOf(() => bench.send('increaseLockingCap', [0n], as(CAPPER)))).toContain('above zero')
  expect(refusalOf(() => bench.send('increaseLockingCap', [2n ** 63n]))).toContain('more than 64 bits')
  expect(bench.send('increaseLockingCap', [200_000_000_000n], as(CAPPER))).toBe(true)
  expect(bench.read('getLockingCap')).toBe(200_000_000_000n)
})

test('the hash of the pending federation covers the sorted keys of the auxiliary chain (node-next 4.8)', () => {
  const keyOf = (name: string) => curve.encodePoint(curve.publicKey(keccak256(Buffer.from(name))))
  const members = ['new1', 'new2', 'new3'].map((name) => [keyOf(name), keyOf('x'), keyOf('y')])
  // The reference node answers this hash for these keys.
  expect(toHex(pendingHash(sortedMembers(members)))).toBe(
    '0xa8dc7c3a3eaff61c7f26341342082aabcdb5e3d208c79f28966c38b90fd89d08',
  )
})

describe('lock whitelist (node-chain 10.8)', () => {
  const [FIRST, SECOND] = ['mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8', '2MvQSG61B4LtKLECeo1dRDeDWXgJfnr3fC7']

  test.each<[string, string, bigint, bigint]>([
    ['a bad address', '', 1n, -2n],
    ['a bad address and a maximum of 0', 'x', 0n, -2n],
    ['an address of another network', '1111111111111111111114oLvT2', 1n, -2n],
    ['a good address and a maximum of 0', FIRST, 0n, -10n],
    ['a good address and a negative maximum', FIRST, -1n, -10n],
  ])('an account without permission adds %s', (_, text, maxSat, code) => {
    expect(new BridgeBench().send('addOneOffLockWhitelistAddress', [text, maxSat])).toBe(code)
  })

  test('a maximum may be zero, and has 64 bits without a sign', () => {
    const bench = new BridgeBench()
    const add = (maxSat: bigint) => bench.send('addOneOffLockWhitelistAddress', [FIRST, maxSat], as(LISTER))
    expect(refusalOf(() => add(-1n))).toContain('negative')
    expect(refusalOf(() => add(2n ** 63n))).toContain('more than 64 bits')
    expect(add(0n)).toBe(1n)
  })

  test('a text that is no address has no entry', () => {
    expect(new BridgeBench().read('getLockWhitelistEntryByAddress', [''])).toBe(-1n)
  })

  test('entries are added and removed', () => {
    const bench = new BridgeBench()
    expect(bench.send('addOneOffLockWhitelistAddress', [FIRST, 700n], as(LISTER))).toBe(1n)
    expect(bench.send('addUnlimitedLockWhitelistAddress', [SECOND], as(LISTER))).toBe(1n)
    expect(bench.send('addUnlimitedLockWhitelistAddress', [FIRST], as(LISTER))).toBe(-1n)
    expect(bench.read('getLockWhitelistSize')).toBe(2n)
    expect(bench.read('getLockWhitelistAddress', [1n])).toBe(SECOND)
    expect(bench.read('getLockWhitelistEntryByAddress', [FIRST])).toBe(700n)
    expect(bench.read('getLockWhitelistEntryByAddress', [SECOND])).toBe(0n)
    expect(bench.send('removeLockWhitelistAddress', [FIRST], as(LISTER))).toBe(1n)
    expect(bench.send('removeLockWhitelistAddress', [FIRST], as(LISTER))).toBe(-1n)
    expect(bench.read('getLockWhitelistAddress', [0n])).toBe(SECOND)
  })

  test('other voters and invalid addresses get their codes', () => {
    const bench = new BridgeBench()
    expect(bench.send('addUnlimitedLockWhitelistAddress', [FIRST])).toBe(-10n)
    expect(bench.send('removeLockWhitelistAddress', [FIRST])).toBe(-10n)
    expect(bench.send('setLockWhitelistDisableBlockDelay', [1n])).toBe(-10n)
    expect(bench.send('addUnlimitedLockWhitelistAddress', ['1111111111111111111114oLvT2'], as(LISTER))).toBe(
      -2n,
    )
    expect(bench.send('removeLockWhitelistAddress', ['x'], as(LISTER))).toBe(-2n)
    expect(bench.send('setLockWhitelistDisableBlockDelay', [0n], as(LISTER))).toBe(-2n)
    expect(bench.send('setLockWhitelistDisableBlockDelay', [1n], as(LISTER))).toBe(1n)
    expect(bench.send('setLockWhitelistDisableBlockDelay', [1n], as(LISTER))).toBe(-1n)
  })
})

describe('a new federation (node-chain 10.8)', () => {
  const electors = [...AUTHORIZERS.federation]
  const keyOf = (name: string) =>
    toHex(curve.encodePoint(curve.publicKey(keccak256(new Uint8Array(Buffer.from(name))))))
  const [ONE, TWO] = [keyOf('one'), keyOf('two')]
  const TYPE = Buffer.from('627463', 'hex').toString()

  /** The same vote of three of the five. */
  const decide = (bench: BridgeBench, name: string, args: unknown[] = []) =>
    electors.slice(0, 3).map((voter) => bench.send(name, args, as(voter)))

  function withTwoMembers(): BridgeBench {
    const bench = new BridgeBench()
    decide(bench, 'createFederation')
    decide(bench, 'addFederatorPublicKeyMultikey', [ONE, ONE, ONE])
    decide(bench, 'addFederatorPublicKeyMultikey', [TWO, TWO, TWO])
    return bench
  }

  test('needs three of five votes', () => {
    const bench = new BridgeBench()
    const [a, b, c] = electors as [Address, Address, Address]
    expect(bench.send('createFederation', [], as(a))).toBe(1n)
    expect(bench.send('createFederation', [], as(a))).toBe(-10n)
    expect(bench.send('createFederation', [], as(b))).toBe(1n)
    expect(bench.read('getPendingFederationSize')).toBe(-1n)
    expect(bench.send('createFederation', [], as(c))).toBe(1n)
    expect(bench.read('getPendingFederationSize')).toBe(0n)
    expect(bench.send('createFederation', [], as(a))).toBe(-1n)
  })

  test('rejects duplicate and invalid members', () => {
    const bench = withTwoMembers()
    expect(bench.read('getPendingFederationSize')).toBe(2n)
    const keys = [0n, 1n].map((index) => bench.read('getPendingFederatorPublicKeyOfType', [index, TYPE]))
    expect(keys).toEqual([ONE, TWO].sort())
    const [voter] = electors as [Address]
    expect(bench.send('addFederatorPublicKeyMultikey', [ONE, TWO, ONE], as(voter))).toBe(-2n)
    expect(bench.send('addFederatorPublicKeyMultikey', ['0x02', TWO, ONE], as(voter))).toBe(-10n)
    expect(refusalOf(() => bench.read('getPendingFederatorPublicKeyOfType', [2n, TYPE]))).toContain(
      'no federator 2',
    )
  })

  test('is proposed when its hash is committed, and removed without a proof', () => {
    const bench = withTwoMembers()
    const hash = bench.read('getPendingFederationHash')
    expect(decide(bench, 'commitFederation', ['0x00'])).toEqual([-3n, -3n, -3n])
    expect(decide(bench, 'commitFederation', [hash])).toEqual([1n, 1n, 1n])
    expect(bench.read('getPendingFederationSize')).toBe(-1n)
    expect(bench.read('getProposedFederationSize')).toBe(2n)
    expect(bench.read('getProposedFederationCreationBlockNumber')).toBe(1n)
    expect(bench.send('createFederation', [], as(electors[0]!))).toBe(-4n)
    bench.update(125n)
    expect(bench.read('getProposedFederationSize')).toBe(2n)
    bench.update(126n)
    expect(bench.logs.map(({ topics }) => topics[0])).toContain(BRIDGE_EVENTS.commit_federation_failed.topic)
    expect(bench.read('getProposedFederationSize')).toBe(-1n)
  })

  test('is removed by votes, and needs two members', () => {
    const bench = new BridgeBench()
    expect(decide(bench, 'rollbackFederation')).toEqual([-1n, -1n, -1n])
    expect(decide(bench, 'commitFederation', ['0x'])).toEqual([-1n, -1n, -1n])
    decide(bench, 'createFederation')
    expect(decide(bench, 'commitFederation', ['0x'])).toEqual([-2n, -2n, -2n])
    decide(bench, 'rollbackFederation')
    expect(bench.read('getPendingFederationSize')).toBe(-1n)
    expect(bench.send('createFederation')).toBe(-10n)
  })
})

describe('the union contract (node-chain 10.8)', () => {
  const UNION = asAddress('0x00000000000000000000000000000000000000aa')

  function withUnion(): BridgeBench {
    const bench = new BridgeBench()
    expect(bench.send('setUnionBridgeContractAddressForTestnet', [UNION], as(UNION_SETTER))).toBe(0n)
    return bench
  }

  test('is set by its authorizer', () => {
    const bench = withUnion()
    expect(String(bench.read('getUnionBridgeContractAddress')).toLowerCase()).toBe(UNION)
    expect(bench.send('setUnionBridgeContractAddressForTestnet', [UNION], as(UNION_SETTER))).toBe(0n)
  })

  test.each<[string, unknown[]]>([
    ['setUnionBridgeContractAddressForTestnet', [COW]],
    ['increaseUnionBridgeLockingCap', [10n ** 19n]],
    ['setUnionBridgeTransferPermissions', [false, false]],
  ])('%s fails for others', (name, args) => {
    expect(refusalOf(() => withUnion().send(name, args))).toContain(`may call this, not ${COW}`)
  })

  test('borrows up to the cap and returns', () => {
    const bench = withUnion()
    expect(bench.send('requestUnionBridgeCoin', [1n])).toBe(-1n)
    expect(bench.send('requestUnionBridgeCoin', [10n ** 18n + 1n], as(UNION))).toBe(-2n)
    expect(bench.send('requestUnionBridgeCoin', [10n ** 18n], as(UNION))).toBe(0n)
    expect(bench.logs.map(({ topics }) => topics[0])).toEqual([BRIDGE_EVENTS.union_coin_requested.topic])
    expect(bench.balance(UNION)).toBe(10n ** 18n)
    expect(bench.send('requestUnionBridgeCoin', [1n], as(UNION))).toBe(-2n)
    expect(bench.send('releaseUnionBridgeCoin', [], { ...as(UNION), value: 5n })).toBe(0n)
    expect(bench.send('requestUnionBridgeCoin', [5n], as(UNION))).toBe(0n)
  })

  test('gets a rejected value back', () => {
    const bench = withUnion()
    expect(bench.send('releaseUnionBridgeCoin', [], { value: 7n })).toBe(-1n)
    expect(bench.balance(COW)).toBe(7n)
    expect(bench.send('releaseUnionBridgeCoin', [], { ...as(UNION), value: 7n })).toBe(-2n)
    expect(bench.balance(UNION)).toBe(7n)
  })

  test('closes both directions when it returns more than it borrowed', () => {
    const bench = withUnion()
    expect(bench.send('releaseUnionBridgeCoin', [], { ...as(UNION), value: 7n })).toBe(-2n)
    expect(bench.events().map(([name]) => name)).toEqual(['union_bridge_transfer_permissions_updated'])
    expect(bench.send('requestUnionBridgeCoin', [1n], as(UNION))).toBe(-3n)
    expect(bench.send('releaseUnionBridgeCoin', [], { ...as(UNION), value: 1n })).toBe(-3n)
  })

  test('is limited by the permissions of its authorizer', () => {
    const bench = withUnion()
    expect(bench.send('setUnionBridgeTransferPermissions', [true, true], as(UNION_CHANGER))).toBe(0n)
    expect(bench.logs).toEqual([])
    expect(bench.send('setUnionBridgeTransferPermissions', [false, false], as(UNION_CHANGER))).toBe(0n)
    expect(bench.logs).toHaveLength(1)
    expect(bench.send('requestUnionBridgeCoin', [1n], as(UNION))).toBe(-3n)
    expect(bench.send('releaseUnionBridgeCoin', [], { ...as(UNION), value: 1n })).toBe(-3n)
    expect(bench.send('increaseUnionBridgeLockingCap', [10n ** 18n], as(UNION_CHANGER))).toBe(-2n)
    expect(bench.send('increaseUnionBridgeLockingCap', [2n * 10n ** 18n + 1n], as(UNION_CHANGER))).toBe(-2n)
    expect(bench.send('increaseUnionBridgeLockingCap', [2n * 10n ** 18n], as(UNION_CHANGER))).toBe(0n)
    expect(bench.read('getUnionBridgeLockingCap')).toBe(2n * 10n ** 18n)
  })

  test.each(['Super', 'Base'])('is the only sender that can set the %s event', (title) => {
    const bench = withUnion()
    expect(refusalOf(() => bench.send(`set${title}Event`, ['0x12']))).toContain('only the union contract')
    expect(refusalOf(() => bench.send(`clear${title}Event`))).toContain('only the union contract')
    bench.send(`set${title}Event`, ['0x1234'], as(UNION))
    expect(bench.read(`get${title}Event`)).toBe('0x1234')
    expect(toHex(baseEventOf(bench.state))).toBe(title === 'Base' ? '0x1234' : '0x')
    expect(refusalOf(() => bench.send(`set${title}Event`, [`0x${'00'.repeat(129)}`], as(UNION)))).toContain(
      '129',
    )
    bench.send(`clear${title}Event`, [], as(UNION))
    expect(bench.read(`get${title}Event`)).toBe('0x')
  })

  test('there is no union contract before it is set', () => {
    const unset = as(asAddress(`0x${'00'.repeat(20)}`))
    const bench = new BridgeBench()
    expect(bench.send('requestUnionBridgeCoin', [1n], unset)).toBe(-1n)
    expect(refusalOf(() => bench.send('setBaseEvent', ['0x12'], unset))).toContain('which is not set')
    expect(bench.state.account(BRIDGE_ADDRESS)?.balance).toBe(21_000_000n * 10n ** 18n)
  })
})
