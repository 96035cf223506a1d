/** Schema of preset files, which network.ts finds, merges and reads, and the differences between kinds of networks as data. */

import * as z from 'zod'
import { refuseOption } from '../base/errors.ts'
import { EMPTY_BYTES, asAddress } from '../base/hex.ts'
import { DIALECTS } from './dialect.ts'
import {
  EIPS,
  MERGED_MINING_EIPS,
  NETWORK_FORKS,
  NEXT_FORK,
  NEXT_FORK_EIPS,
  type NetworkFork,
} from './eips.ts'
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

/** Schema of a complete preset, merged with the presets it extends. */
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
    /** Consensus of the network (lib/networks/consensus): the form of its blocks and the rules that link them. */
    kind: choice(['merged-mining', 'ethereum']),
    hardfork: choice(NETWORK_FORKS),
    /** EIPs in addition to those of the hard fork. Each is enabled with all of its changes. */
    eips: z.array(eip).readonly(),
    /** Wei per gas of the first block; if false, blocks have no base fee and BASEFEE is 0. */
    baseFee,
    /** Accepted transaction types (EIP-2718). Types that the EIPs of the network do not define are ignored. */
    transactionTypes: z.array(count(0, 127)).readonly(),
    genesis: genesis.readonly(),
    /** Whether the genesis also has the contracts of fixtures/predeploys.json. */
    predeploys: z.boolean().default(false),
    /** Accounts that the node funds and whose keys it holds. */
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
    /** Whether every block of a merged-mining network ends with a transaction that pays out the fees. */
    systemTransaction: z.boolean().default(false),
    /** Maximum distance of a transaction's nonce from that of its sender; if null, no limit. */
    nonceGap: orNull(quantity).optional(),
    /** Percent by which a replacement must pay more than the pooled transaction. */
    priceBump: quantity,
    /** Blocks that a transaction can wait for: the pool drops it with the block after them; if null, it waits for ever. */
    outdatedBlocks: orNull(quantity).optional(),
    /** Seconds, on the wall clock, that such a pool keeps a transaction beside; without it, as long as the blocks allow. */
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
  .transform((network) => ({
    ...network,
    ...traitsOf(network.kind, network.hardfork),
    networkId: network.networkId ?? network.chainId,
  }))
  .readonly()

/** The traits of a network that follow from its kind and hard fork. Differences in behaviour are in lib/networks/consensus. */
interface NetworkTraits {
  /** Numbers of the network's EIPs, if they are not those of its hard fork. */
  readonly ownEips: readonly number[] | undefined
  /** Whether a genesis file of geth or a state of Anvil can describe the chain. */
  readonly sharesEthereumFormats: boolean
  /** Whether fees go to a contract, which a system transaction can pay out. */
  readonly hasFeeContract: boolean
  /** Whether price and gas of legacy transactions may have leading zeros, so that hashes cover the bytes as received. */
  readonly acceptsLeadingZeros: boolean
  /**
   * Whether flat traces are those of Parity, and trace_filter chooses single calls. The reference node of network 33 has other
   * traces, and its filter chooses whole transactions by sender and receiver (node-chain 3.1 and 3.2).
   */
  readonly tracesAsParity: boolean
  /** Whether estimates ignore the gas of the request from release 9.1.0 on (node-next, pull request 3520). */
  readonly estimatesFreely: boolean
  /** Whether blocks show a base fee of zero, by which clients know that they can send typed transactions (IP-546). */
  readonly showsZeroBaseFee: boolean
  /**
   * Whether requests are refused that Ethereum completes or skips: a transaction to send without its type, a call with an empty list
   * of authorizations or a tip without a maximum, and an authorization that can never be valid (node-next 2.5 and 2.6).
   */
  readonly isStrict: boolean
}

const TRAITS = {
  'merged-mining': {
    ownEips: MERGED_MINING_EIPS,
    sharesEthereumFormats: false,
    hasFeeContract: true,
    acceptsLeadingZeros: true,
    tracesAsParity: false,
    estimatesFreely: true,
    showsZeroBaseFee: false,
    isStrict: false,
  },
  ethereum: {
    ownEips: undefined,
    sharesEthereumFormats: true,
    hasFeeContract: false,
    acceptsLeadingZeros: false,
    tracesAsParity: true,
    estimatesFreely: false,
    showsZeroBaseFee: false,
    isStrict: false,
  },
} as const satisfies Readonly<Record<string, NetworkTraits>>

/** The traits that the next fork of network 33 changes. */
const NEXT_TRAITS = {
  ownEips: [...MERGED_MINING_EIPS, ...NEXT_FORK_EIPS],
  showsZeroBaseFee: true,
  isStrict: true,
}

/** The traits of a kind of network under a fork. @throws NodeError 'invalidOption' if it has no such fork */
export function traitsOf(kind: keyof typeof TRAITS, hardfork: NetworkFork): NetworkTraits {
  if (hardfork !== NEXT_FORK) return TRAITS[kind]
  if (kind === 'merged-mining') return { ...TRAITS[kind], ...NEXT_TRAITS }
  refuseOption(
    `hard fork ${NEXT_FORK}: it is the next fork of network 33, and this network is one of Ethereum`,
  )
}
