/**
 * Public chains that a fork can continue: when their hard forks began, and how deep they reorganize.
 *
 * Activations are from ethereumjs (packages/common/src/chains.ts) for Ethereum and its test networks, from the superchain
 * registry as in EDR (crates/edr_op/src/hardfork/generated) for the OP Stack, from alloy-hardforks for Arbitrum, from the
 * chain configuration of bor for Polygon, from params/config.go of BSC, and from Nethermind (GnosisSpecProvider) for Gnosis.
 */

import { HARDFORKS, type Hardfork } from '../config/eips.ts'

/** A public chain. Hard forks that the chain skipped are missing. */
interface KnownChain {
  readonly name: string
  /** Numbers of the first blocks of hard forks. */
  readonly blocks?: Readonly<Partial<Record<Hardfork, bigint>>>
  /** Times in seconds of the first blocks of later hard forks. */
  readonly times?: Readonly<Partial<Record<Hardfork, bigint>>>
  /** Blocks below the head that may still be replaced; the default if absent. */
  readonly unsafeBlocks?: bigint
}

/** An epoch of the beacon chain. */
const EPOCH = 32n

/** Ecotone of the OP Stack is Cancun without blobs, Canyon is Shanghai, Isthmus is Prague. The EVM of Bedrock is Paris. */
const OP_STACK = { shanghai: 1_704_992_401n, cancun: 1_710_374_401n, prague: 1_746_806_401n }

/** The same on test networks of the OP Stack. */
const OP_STACK_SEPOLIA = { shanghai: 1_699_981_200n, cancun: 1_708_534_800n, prague: 1_744_905_600n }

const CHAINS: Readonly<Record<string, KnownChain>> = {
  // Its presets have the rules. Only its user reorganizes a local network.
  33: { name: 'Network 33', unsafeBlocks: 0n },
  1: {
    name: 'Ethereum',
    unsafeBlocks: EPOCH,
    blocks: { london: 12_965_000n, paris: 15_537_394n },
    times: {
      shanghai: 1_681_338_455n,
      cancun: 1_710_338_135n,
      prague: 1_746_612_311n,
      osaka: 1_764_798_551n,
    },
  },
  11155111: {
    name: 'Sepolia',
    blocks: { london: 0n, paris: 1_450_409n },
    times: {
      shanghai: 1_677_557_088n,
      cancun: 1_706_655_072n,
      prague: 1_741_159_776n,
      osaka: 1_760_427_360n,
    },
  },
  560048: {
    name: 'Hoodi',
    blocks: { cancun: 0n },
    times: { prague: 1_742_999_832n, osaka: 1_761_677_592n },
  },
  10: { name: 'OP Mainnet', blocks: { paris: 105_235_063n }, times: OP_STACK },
  8453: { name: 'Base', blocks: { paris: 0n }, times: OP_STACK },
  11155420: { name: 'OP Sepolia', blocks: { paris: 0n }, times: OP_STACK_SEPOLIA },
  84532: { name: 'Base Sepolia', blocks: { paris: 0n }, times: OP_STACK_SEPOLIA },
  42161: {
    name: 'Arbitrum One',
    blocks: { paris: 0n },
    times: { shanghai: 1_708_804_873n, cancun: 1_710_424_089n, prague: 1_750_201_532n },
  },
  421614: {
    name: 'Arbitrum Sepolia',
    blocks: { paris: 0n },
    times: { shanghai: 1_706_634_000n, cancun: 1_709_229_600n, prague: 1_746_543_285n },
  },
  // It never merged: PREVRANDAO is the difficulty.
  137: {
    name: 'Polygon PoS',
    blocks: { london: 23_850_000n, shanghai: 50_523_000n, cancun: 54_876_000n, prague: 73_440_256n },
  },
  // It never merged: PREVRANDAO is the difficulty.
  56: {
    name: 'BNB Smart Chain',
    blocks: { london: 31_302_048n },
    times: {
      shanghai: 1_705_996_800n,
      cancun: 1_718_863_500n,
      prague: 1_742_436_600n,
      osaka: 1_777_343_400n,
    },
  },
  // Each block before had a difficulty of 2^128, which reached the terminal 8626 * 10^42 one block earlier.
  100: {
    name: 'Gnosis',
    unsafeBlocks: 38n,
    blocks: { london: 19_040_000n, paris: 25_349_537n },
    times: {
      shanghai: 1_690_889_660n,
      cancun: 1_710_181_820n,
      prague: 1_746_021_820n,
      osaka: 1_776_168_380n,
    },
  },
}

export const chainName = (chainId: bigint): string | undefined => CHAINS[String(chainId)]?.name

/**
 * The hard fork of a block; absent if the chain is unknown or the block is older than the oldest hard fork here. Blocks of a rollup
 * may also have rules that Ethereum does not have.
 */
export function hardforkAt(chainId: bigint, number: bigint, timestamp: bigint): Hardfork | undefined {
  const { blocks = {}, times = {} } = CHAINS[String(chainId)] ?? {}
  return HARDFORKS.findLast((fork) => {
    const [block, time] = [blocks[fork], times[fork]]
    return (block !== undefined && number >= block) || (time !== undefined && timestamp >= time)
  })
}

const DEFAULT_UNSAFE_BLOCKS = 128n

/** Blocks below a head that may still be replaced: EDR's numbers (safe_block_depth), and Hardhat 2's 30 for unknown chains. */
export const unsafeBlocks = (chainId: bigint): bigint =>
  CHAINS[String(chainId)]?.unsafeBlocks ?? DEFAULT_UNSAFE_BLOCKS
