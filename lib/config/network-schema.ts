/** Schema of preset files. network.ts finds, merges and reads them. */

import * as z from 'zod'
import { EMPTY_BYTES, asAddress } from '../base/hex.ts'
import { DIALECTS } from './dialect.ts'
import { EIPS, NETWORK_FORKS } from './eips.ts'
import { networkNames } from './names.ts'
import { address, bytes, choice, count, derivationPath, gasFrom, hash, mnemonic } from './values.ts'
import { privateKey, quantity, readable, readWhole, text } from './values.ts'

const gas = gasFrom(0n)

/** Reads `null` in the file as absent. */
const orNull = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullable().transform((value) => value ?? undefined)

const storage = z
  .record(z.string().regex(/^(\d+|0x[0-9a-fA-F]+)$/, 'expected the number of a slot'), quantity)
  .transform((slots): ReadonlyMap<bigint, bigint> => {
    return new Map(Object.entries(slots).map(([slot, value]) => [BigInt(slot), value]))
  })

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

export type GenesisAccount = z.output<typeof genesisAccount>

const genesis = z.strictObject({
  /** Unix time in seconds; if null, the time of the start. */
  timestamp: orNull(quantity),
  difficulty: quantity,
  gasLimit: gas,
  coinbase: address,
  extraData: bytes,
  nonce: bytes.optional(),
  mixHash: hash.optional(),
  accounts: z.array(genesisAccount).readonly(),
  /** Whether the genesis also has the system contracts of its hard fork. */
  systemContracts: z.boolean().default(true),
})

/** Maximum number of funded accounts: each costs a key derivation at the start. */
export const MAX_ACCOUNTS = 10_000

const accounts = z.discriminatedUnion('source', [
  /** The keys are keccak256 of the phrase, of the phrase followed by 1, of the phrase followed by 2, and so on. */
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

const eip = readable<number, number>(
  'the number of an EIP that the node knows (docs/configuration.md)',
  (given) => {
    const number = Number(readWhole(given))
    return EIPS[number] === undefined ? undefined : number
  },
)

/** DEPOSIT_CONTRACT_ADDRESS of mainnet (EIP-6110). */
const MAINNET_DEPOSIT_CONTRACT = asAddress('0x00000000219ab540356cbb839cbe05303d7705fa')

export const networkSchema = z
  .strictObject({
    name: text,
    description: text,
    chainId: quantity,
    /** Result of net_version; the chain id by default. */
    networkId: quantity.optional(),
    port: count(0, 65_535),
    /** Whose error codes and phrases the nodes of the network use. */
    dialect: choice(DIALECTS).default('ethereum'),
    /** Name of the kind of network: Ethereum, or that of a module. */
    kind: text,
    hardfork: choice(NETWORK_FORKS),
    /** EIPs in addition to those of the hard fork. Each is enabled with all of its changes. */
    eips: z.array(eip).readonly(),
    /** Wei per gas of the first block; if false, blocks have no base fee and BASEFEE is 0. */
    baseFee,
    /** Accepted transaction types (EIP-2718). Types that the EIPs of the network do not define are ignored. */
    transactionTypes: z.array(count(0, 127)).readonly(),
    genesis: genesis.readonly(),
    predeploys: z.boolean().default(false),
    accounts: accounts.readonly(),
    coinbase: address,
    /** Gas limit that blocks approach, starting from the limit of the genesis block. */
    blockGasLimit: gas,
    /**
     * Gas of a block that is reserved for its sequential list of transactions, and the maximum gas limit of one of them
     * (IP-144). If null, blocks have one list with all the gas.
     */
    sequentialGas: orNull(gas).optional(),
    /** Maximum gas limit of a transaction; if null, the gas limit of the block. */
    transactionGasCap: orNull(gas),
    callGasCap: gas,
    estimateGasCap: gas,
    /** Wei per gas below which a transaction is refused, from the genesis block on. */
    minimumGasPrice: quantity,
    /** Wei per gas that the minimum approaches from block to block; without it the minimum does not change. */
    minimumGasPriceTarget: quantity.optional(),
    /** Whether every block ends with a transaction that pays out the fees, if the network collects them in a contract. */
    systemTransaction: z.boolean().default(false),
    /** Maximum distance of a transaction's nonce from that of its sender; if null, no limit. */
    nonceGap: orNull(quantity).optional(),
    /** Percent by which a replacement must pay more than the pooled transaction. */
    priceBump: quantity,
    /** Number of blocks that a transaction can wait in the pool; if null, it waits for ever. */
    outdatedBlocks: orNull(quantity).optional(),
    /** Seconds of the wall clock after which a pool with `outdatedBlocks` drops a transaction; without it, only blocks count. */
    outdatedSeconds: count(0, Number.MAX_SAFE_INTEGER).optional(),
    /** Default price of a sent legacy transaction, in wei per gas; if null, what is mined. */
    defaultGasPrice: orNull(quantity).optional(),
    /** Default gas of a sent transaction that creates no contract; 'estimate' estimates it. */
    defaultGas: z.union([quantity, z.literal('estimate')], {
      error: 'expected an amount of gas or "estimate"',
    }),
    /** Maximum bytes of deployed code; the hard fork's limit unless given. */
    maxCodeSize: count(0, Number.MAX_SAFE_INTEGER).optional(),
    /** Maximum bytes of init code; the hard fork's limit unless given. */
    maxInitCodeSize: count(0, Number.MAX_SAFE_INTEGER).optional(),
    /** The contract whose logs are validator deposits, if blocks have execution requests (EIP-6110). */
    depositContract: address.default(MAINNET_DEPOSIT_CONTRACT),
    /** Names of the network on the wire, instead of the neutral ones. */
    names: networkNames.prefault({}),
    /** Sources of the values, by key; documentation only. */
    source: z.record(z.string(), text).readonly().default({}),
  })
  .readonly()
