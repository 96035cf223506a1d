/**
 * Federations: the signers of the peg, whose multisig address holds the coins on the auxiliary chain (terms in bridge.ts). Scripts
 * lock its outputs; an address stands for a script or key. The Bridge stores federations by stage: pending, proposed, and the last
 * two committed (node-next 4.8).
 */

import { fromHex, EMPTY_BYTES, bigIntToBytes, bytesToBigInt, type Address } from '../../../base/hex.ts'
import { InvariantError } from '../../../base/invariant.ts'
import { encodeRlp, type RlpItem } from '../../../base/rlp.ts'
import { isSince } from '../options.ts'
import { addressOfPublicKey } from '../../../crypto/address.ts'
import { toBase58Check } from '../../../crypto/base58.ts'
import { keccak256 } from '../../../crypto/keccak.ts'
import { hash160 } from '../../../crypto/ripemd160.ts'
import { curve } from '../../../crypto/secp256k1.ts'
import { sha256 } from '../../../crypto/sha256.ts'
import { littleEndian } from './aux-transaction.ts'
import { bytesOf, listOf, type BridgeStorage } from './bridge-storage.ts'
import {
  EMERGENCY_DELAY,
  EMERGENCY_KEYS,
  FEDERATION_CREATION_TIME,
  FEDERATION_KEYS,
  ACTIVATION_BLOCKS,
} from './constants.ts'
import { COINS, FORMER_COINS } from './pegout-state.ts'

/** Versions of the addresses of the auxiliary regtest chain: of a key, and of a script. */
export const KEY_ADDRESS_VERSION = 0x6f
export const SCRIPT_ADDRESS_VERSION = 0xc4

/** Types of a member's keys in arguments (node-chain 10.4), in hex because this repository uses neutral names only. */
const KEY_TYPES = ['0x627463', '0x72736b', '0x6d7374'].map((hex) => Buffer.from(fromHex(hex)).toString())

/** Index of a key type in a member's keys; negative for an unknown type. */
export const keyTypeIndex = (type: string): number => KEY_TYPES.indexOf(type)

export type FederationMember = readonly Uint8Array[]

/**
 * How a federation locks its coins (node-next 1.2): `plain` is the hash of a multisig script; `witness` is a nested witness
 * script hash, whose script has an emergency branch too.
 */
export type FederationKind = 'plain' | 'witness'

/** The parts of a federation that determine its scripts. */
export interface FederationKeys {
  /** Sorted by their keys of the auxiliary chain. */
  readonly members: readonly FederationMember[]
  readonly kind: FederationKind
}

export interface Federation extends FederationKeys {
  /** Seconds since the epoch. */
  readonly creationTime: bigint
  readonly creationBlockNumber: bigint
}

/** The first federation of release 9.1.0, which begins with block 1. Its members have the same key for all types. */
export const GENESIS_FEDERATION: Federation = {
  members: FEDERATION_KEYS.map((key) => KEY_TYPES.map(() => key)),
  kind: 'witness',
  creationTime: FEDERATION_CREATION_TIME,
  creationBlockNumber: 1n,
}

/** The first federation of a release: plain before 9.1.0 (node-next 1.2). */
export const genesisFederation = (release: string): Federation =>
  isSince(release, '9.1.0') ? GENESIS_FEDERATION : { ...GENESIS_FEDERATION, kind: 'plain' }

/** Number of members that have to sign. */
export const thresholdOf = ({ length }: readonly FederationMember[]): number => Math.floor(length / 2) + 1

/** Sorts members by their keys of the auxiliary chain, which are the first ones. */
export const sortedMembers = (members: readonly FederationMember[]): readonly FederationMember[] =>
  members.toSorted((left, right) => Buffer.compare(left[0] ?? EMPTY, right[0] ?? EMPTY))

const EMPTY = new Uint8Array(0)

/** The account of a member's key for this chain, which is the second one. */
export function accountOf([, key = EMPTY]: FederationMember): Address {
  const point = curve.decodePoint(key)
  if (point === undefined) throw new InvariantError('a member has a key that is no point')
  return addressOfPublicKey(point)
}

/** Instructions of auxiliary chain scripts. */
const OP = {
  pushData: 0x4c,
  pushNumber: 0x50,
  notIf: 0x64,
  else: 0x67,
  endIf: 0x68,
  drop: 0x75,
  equal: 0x87,
  hash160: 0xa9,
  checkMultisig: 0xae,
  checkSequence: 0xb2,
} as const

/** The script that controls the coins: it requires signatures of the members (node-chain 10.6, node-next 1.2). */
export function redeemScript({ members, kind }: FederationKeys): Uint8Array {
  const keys = members.map(([key]) => key ?? EMPTY)
  const signed = multisig(keys, thresholdOf(members))
  return Uint8Array.from(kind === 'plain' ? signed : withEmergency(signed))
}

/** The script with another branch, in which three emergency keys sign after a delay. */
function withEmergency(signed: readonly number[]): readonly number[] {
  return [
    OP.notIf,
    ...signed,
    OP.else,
    ...push(littleEndian(EMERGENCY_DELAY, 2)),
    OP.checkSequence,
    OP.drop,
    ...multisig(EMERGENCY_KEYS, 3),
    OP.endIf,
  ]
}

/** The script that requires signatures of some of the keys. */
export const multisig = (keys: readonly Uint8Array[], threshold: number): readonly number[] => [
  OP.pushNumber + threshold,
  ...keys.flatMap(push),
  OP.pushNumber + keys.length,
  OP.checkMultisig,
]

/** The instruction that pushes up to 255 bytes. */
export const push = (bytes: Uint8Array): number[] =>
  bytes.length > MAX_DIRECT_PUSH ? [OP.pushData, bytes.length, ...bytes] : [bytes.length, ...bytes]

/** Maximum length that is its own instruction to push. */
const MAX_DIRECT_PUSH = 0x4b

/** The redeem script of a coin. For a flyover deposit it begins with a hash that is dropped (node-next 4.4). */
export function coinRedeemScript(federation: FederationKeys, flyoverHash: Uint8Array): Uint8Array {
  const redeem = redeemScript(federation)
  return flyoverHash.length === 0 ? redeem : Uint8Array.from([...push(flyoverHash), OP.drop, ...redeem])
}

/** The witness program of a script: a version byte and the script's hash. An input that spends its coins pushes it. */
export const witnessProgram = (redeem: Uint8Array): Uint8Array =>
  Uint8Array.from([0, ...push(sha256(redeem))])

/** The hash in the outputs that a redeem script controls. */
const lockHash = (redeem: Uint8Array, kind: FederationKind): Uint8Array =>
  hash160(kind === 'plain' ? redeem : witnessProgram(redeem))

/** The script that pays the federation. With a flyover hash, it is the deposit's script. */
export function federationOutputScript(
  federation: FederationKeys,
  flyoverHash: Uint8Array = EMPTY,
): Uint8Array {
  return scriptHashOutput(lockHash(coinRedeemScript(federation, flyoverHash), federation.kind))
}

export const scriptHashOutput = (hash: Uint8Array): Uint8Array =>
  Uint8Array.from([OP.hash160, ...push(hash), OP.equal])

export function federationAddress(federation: FederationKeys): string {
  const hash = lockHash(redeemScript(federation), federation.kind)
  return toBase58Check(Uint8Array.from([SCRIPT_ADDRESS_VERSION, ...hash]))
}

export interface CoinHolder {
  readonly federation: Federation
  readonly coins: typeof COINS
}

export interface Federations {
  readonly active: CoinHolder
  /** The former federation, while its coins are moved to the active one. */
  readonly retiring: CoinHolder | undefined
  /** Whether a committed federation is not active yet. */
  readonly awaitsActivation: boolean
}

/** The federations at a block. `genesis` is active until another one was committed. */
export function federationsAt(storage: BridgeStorage, block: bigint, genesis: Federation): Federations {
  const last = storedFederation(storage, 'last')
  const former = storedFederation(storage, 'former')
  const lastHolder = { federation: last ?? genesis, coins: COINS }
  if (former === undefined) return { active: lastHolder, retiring: undefined, awaitsActivation: false }
  const formerHolder = { federation: former, coins: FORMER_COINS }
  return block < activationBlock(lastHolder.federation)
    ? { active: formerHolder, retiring: undefined, awaitsActivation: true }
    : { active: lastHolder, retiring: formerHolder, awaitsActivation: false }
}

/** The federations that accept deposits, and whose members call the Bridge (node-next 4.1). */
export const servingOf = ({ active, retiring }: Federations): readonly CoinHolder[] =>
  retiring === undefined ? [active] : [active, retiring]

export const isMember = (account: Address, members: readonly FederationMember[]): boolean =>
  members.some((member) => accountOf(member) === account)

/** Block from which a federation is active, if it proves by then that it can sign. */
export const activationBlock = ({ creationBlockNumber }: Federation): bigint =>
  creationBlockNumber + ACTIVATION_BLOCKS

/** Makes a federation the next one. The active one keeps its coins. */
export function commit(storage: BridgeStorage, [active, next]: readonly [Federation, Federation]): void {
  FORMER_COINS.write(storage, COINS.read(storage))
  COINS.write(storage, [])
  putFederation(storage, 'former', active)
  putFederation(storage, 'last', next)
}

export const retire = (storage: BridgeStorage): void => putFederation(storage, 'former', undefined)

type StoredStage = 'proposed' | 'last' | 'former'

const nameOfStage = (stage: StoredStage): string => `federation/${stage}`

function storedFederation(storage: BridgeStorage, stage: StoredStage): Federation | undefined {
  const record = storage.record(nameOfStage(stage))
  if (record === undefined) return undefined
  const [members, time, block, isPlain] = listOf(record)
  return {
    members: membersOf(members),
    kind: bytesOf(isPlain).length === 0 ? 'witness' : 'plain',
    creationTime: bytesToBigInt(bytesOf(time)),
    creationBlockNumber: bytesToBigInt(bytesOf(block)),
  }
}

function putFederation(storage: BridgeStorage, stage: StoredStage, federation: Federation | undefined): void {
  storage.putRecord(
    nameOfStage(stage),
    federation && [
      federation.members,
      bigIntToBytes(federation.creationTime),
      bigIntToBytes(federation.creationBlockNumber),
      federation.kind === 'plain' ? Uint8Array.of(1) : EMPTY_BYTES,
    ],
  )
}

/** The voted federation, until it is committed or expires. */
export const proposedFederation = (storage: BridgeStorage): Federation | undefined =>
  storedFederation(storage, 'proposed')

/** Sets the proposed federation, or removes it. */
export const putProposed = (storage: BridgeStorage, federation: Federation | undefined): void =>
  putFederation(storage, 'proposed', federation)

/** Members of the pending federation, sorted by their keys of the auxiliary chain. */
export function pendingMembers(storage: BridgeStorage): readonly FederationMember[] | undefined {
  const record = storage.record('federation/pending')
  return record === undefined ? undefined : membersOf(record)
}

/** Sets the members of the pending federation, or removes it. */
export function putPendingMembers(
  storage: BridgeStorage,
  members: readonly FederationMember[] | undefined,
): void {
  storage.putRecord('federation/pending', members === undefined ? undefined : sortedMembers(members))
}

/** Hash of the pending federation; a vote to commit must contain it. It covers only keys of the auxiliary chain. */
export const pendingHash = (members: readonly FederationMember[]): Uint8Array =>
  keccak256(encodeRlp(members.map(([auxKey = EMPTY_BYTES]) => auxKey)))

const membersOf = (item: RlpItem | undefined): readonly FederationMember[] =>
  listOf(item).map((member) => listOf(member).map(bytesOf))
