/** What a preset file may say. Finding, extending and reading the file is in network.ts. */

import * as z from 'zod'
import { EMPTY_BYTES, asAddress } from '../base/hex.ts'
import { HARDFORKS } from './hardfork.ts'
import { networkNames } from './names.ts'
import {
  address,
  bytes,
  choice,
  count,
  derivationPath,
  gasFrom,
  hash,
  mnemonic,
  privateKey,
  quantity,
  text,
} from './values.ts'

const gas = gasFrom(0n)

/** `null` in the file: absent inside. */
const orNull = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullable().transform((value) => value ?? undefined)

const storage = z
  .record(z.string().regex(/^(\d+|0x[0-9a-fA-F]+)$/, 'expected the number of a slot'), quantity)
  .transform((slots): ReadonlyMap<bigint, bigint> => {
    return new Map(Object.entries(slots).map(([slot, value]) => [BigInt(slot), value]))
  })

/** Schema of an account of the genesis. */
export const genesisAccount = z.strictObject({
  address,
  /** Wei. */
  balance: quantity.default(0n),
  nonce: quantity.default(0n),
  code: bytes.default(EMPTY_BYTES),
  /** Value per slot. */
  storage: storage.default(new Map()),
  comment: text.optional(),
})

const genesis = z.strictObject({
  /** Unix time in seconds; null in the file, absent inside: the moment of the start. */
  timestamp: orNull(quantity),
  difficulty: quantity,
  gasLimit: gas,
  coinbase: address,
  extraData: bytes,
  nonce: bytes.optional(),
  mixHash: hash.optional(),
  accounts: z.array(genesisAccount).readonly(),
  /** Whether the genesis has the system contracts of its hard fork, in addition to the accounts. */
  systemContracts: z.boolean().default(true),
})

/** Most accounts a node is asked to fund: each costs a derivation at the start. */
export const MAX_ACCOUNTS = 10_000

const accounts = z.discriminatedUnion('source', [
  /** Keys are keccak256 of the phrase, the phrase and 1, the phrase and 2 ... */
  z.strictObject({
    source: z.literal('phrases'),
    phrase: text,
    count: count(0, MAX_ACCOUNTS),
    /** Wei of each account. */
    balance: quantity,
  }),
  z.strictObject({
    source: z.literal('mnemonic'),
    mnemonic,
    path: derivationPath,
    count: count(0, MAX_ACCOUNTS),
    /** Wei of each account. */
    balance: quantity,
  }),
  z.strictObject({
    source: z.literal('keys'),
    keys: z.array(z.strictObject({ privateKey, balance: quantity })).readonly(),
  }),
])

const baseFee = z.union([z.literal(false), z.strictObject({ initial: quantity })], {
  error: 'expected false or { "initial": wei }',
})

/** DEPOSIT_CONTRACT_ADDRESS of mainnet (EIP-6110). */
const MAINNET_DEPOSIT_CONTRACT = asAddress('0x00000000219ab540356cbb839cbe05303d7705fa')

/** Schema of a complete preset, after `extends` was followed. */
export const networkSchema = z
  .strictObject({
    name: text,
    description: text,
    chainId: quantity,
    /** What net_version says; the chain id unless given. */
    networkId: quantity.optional(),
    /** HTTP port used when none is asked for. */
    port: count(0, 65_535),
    /** Which encoding the block headers have. */
    kind: choice(['merged-mining', 'ethereum']),
    /**
     * Which trie the roots in headers are of: that of Ethereum, whose proofs eth_getProof gives, or the binary one of the
     * reference (node-chain 12), so that the hashes of blocks are those of the network.
     */
    stateTrie: choice(['merkle-patricia', 'binary']).optional(),
    hardfork: choice(HARDFORKS),
    /** EIPs on top of the hard fork. */
    eips: z.array(count(1, 1_000_000)).readonly(),
    /** Wei per gas of the first block; false: blocks have no base fee and BASEFEE answers 0. */
    baseFee,
    /** Types of transactions that are accepted (EIP-2718). */
    transactionTypes: z.array(count(0, 127)).readonly(),
    genesis: genesis.readonly(),
    /** Whether the genesis has the contracts of fixtures/predeploys.json, too. */
    predeploys: z.boolean().default(false),
    /** Accounts the node funds and holds the keys of. */
    accounts: accounts.readonly(),
    /** Miner of the blocks. */
    coinbase: address,
    /** Gas limit the blocks tend to, from that of the genesis block on. */
    blockGasLimit: gas,
    /**
     * Gas of a block that is kept for its sequential list of transactions, which also is the most one of them may ask
     * for (IP-144); null in the file, absent inside: blocks have one list, and it has all the gas.
     */
    sequentialGas: orNull(gas).optional(),
    /** Most gas one transaction may ask for; null in the file, absent inside: the gas limit of the block. */
    transactionGasCap: orNull(gas),
    /** Most gas of an eth_call. */
    callGasCap: gas,
    /** Most gas of an eth_estimateGas. */
    estimateGasCap: gas,
    /** Wei per gas below which a transaction is refused, from the genesis block on. */
    minimumGasPrice: quantity,
    /** Wei per gas to which the minimum moves from block to block; without it the minimum stays. */
    minimumGasPriceTarget: quantity.optional(),
    /** Whether a transaction that pays out the fees closes every block of a merged-mining network. */
    systemTransaction: z.boolean().default(false),
    /** How many nonces a transaction may be ahead of its account; null in the file, absent inside: without a limit. */
    nonceGap: orNull(quantity).optional(),
    /** Percent by which a replacement must pay more than the waiting transaction. */
    priceBump: quantity,
    /** Gas of a sent transaction that names none and creates no contract; 'estimate': what it is estimated to need. */
    defaultGas: z.union([quantity, z.literal('estimate')], {
      error: 'expected an amount of gas or "estimate"',
    }),
    /** Bytes of deployed code; the hard fork's limit unless given. */
    maxCodeSize: count(0, Number.MAX_SAFE_INTEGER).optional(),
    /** Bytes of creation code; the hard fork's limit unless given. */
    maxInitCodeSize: count(0, Number.MAX_SAFE_INTEGER).optional(),
    /** The contract whose logs are deposits for validators, where blocks have execution requests (EIP-6110). */
    depositContract: address.default(MAINNET_DEPOSIT_CONTRACT),
    /** Names on the wire that the network has instead of the neutral ones. */
    names: networkNames.prefault({}),
    /** Where the values come from, by key; documentation. */
    source: z.record(z.string(), text).readonly().default({}),
  })
  .transform((network) => ({
    ...network,
    networkId: network.networkId ?? network.chainId,
    stateTrie: network.stateTrie ?? 'merkle-patricia',
    minimumGasPriceTarget: network.minimumGasPriceTarget ?? network.minimumGasPrice,
  }))
  .readonly()
