/**
 * Public chains that a fork can continue: when their hard forks began, and how deep they reorganize.
 *
 * Activations are from ethereumjs (packages/common/src/chains.ts) for Ethereum and its test networks, from the superchain
 * registry as in EDR (crates/edr_op/src/hardfork/generated) for the OP Stack, from alloy-hardforks for Arbitrum, from the
 * chain configuration of bor for Polygon, from params/config.go of BSC, and from Nethermind (GnosisSpecProvider) for Gnosis.
 */

import { HARDFORKS } from '../config/hardfork.ts'
import type { Hardfork } from '../config/hardfork.ts'

/** First block of a hard fork, by its number or by its time in seconds. */
type Activation = { readonly block: bigint } | { readonly time: bigint }

/** A public chain. */
interface KnownChain {
  readonly name: string
  /** Hard forks that the chain skipped are missing. */
  readonly activations: Readonly<Partial<Record<Hardfork, Activation>>>
  /** Blocks below the head that may still be replaced; the default if absent. */
  readonly unsafeBlocks?: bigint
}

const block = (number: bigint): Activation => ({ block: number })
const time = (seconds: bigint): Activation => ({ time: seconds })

/** An epoch of the beacon chain. */
const EPOCH = 32n

/**
 * Ecotone of the OP Stack is Cancun without blobs, Canyon is Shanghai, Isthmus is Prague. The EVM of Bedrock, the first one,
 * is that of Paris.
 */
const OP_STACK = {
  shanghai: time(1_704_992_401n),
  cancun: time(1_710_374_401n),
  prague: time(1_746_806_401n),
}

/** The same on test networks of the OP Stack. */
const OP_STACK_SEPOLIA = {
  paris: block(0n),
  shanghai: time(1_699_981_200n),
  cancun: time(1_708_534_800n),
  prague: time(1_744_905_600n),
}

const CHAINS: ReadonlyMap<bigint, KnownChain> = new Map<bigint, KnownChain>([
  // Its presets have the rules. A local network is reorganized by its user only.
  [33n, { name: 'Network 33', unsafeBlocks: 0n, activations: {} }],
  [
    1n,
    {
      name: 'Ethereum',
      unsafeBlocks: EPOCH,
      activations: {
        london: block(12_965_000n),
        paris: block(15_537_394n),
        shanghai: time(1_681_338_455n),
        cancun: time(1_710_338_135n),
        prague: time(1_746_612_311n),
        osaka: time(1_764_798_551n),
      },
    },
  ],
  [
    11_155_111n,
    {
      name: 'Sepolia',
      activations: {
        london: block(0n),
        paris: block(1_450_409n),
        shanghai: time(1_677_557_088n),
        cancun: time(1_706_655_072n),
        prague: time(1_741_159_776n),
        osaka: time(1_760_427_360n),
      },
    },
  ],
  [
    17_000n,
    {
      name: 'Holesky',
      activations: {
        paris: block(0n),
        shanghai: time(1_696_000_704n),
        cancun: time(1_707_305_664n),
        prague: time(1_740_434_112n),
        osaka: time(1_759_308_480n),
      },
    },
  ],
  [
    560_048n,
    {
      name: 'Hoodi',
      activations: {
        cancun: block(0n),
        prague: time(1_742_999_832n),
        osaka: time(1_761_677_592n),
      },
    },
  ],
  [10n, { name: 'OP Mainnet', activations: { paris: block(105_235_063n), ...OP_STACK } }],
  [8_453n, { name: 'Base', activations: { paris: block(0n), ...OP_STACK } }],
  [11_155_420n, { name: 'OP Sepolia', activations: OP_STACK_SEPOLIA }],
  [84_532n, { name: 'Base Sepolia', activations: OP_STACK_SEPOLIA }],
  [
    42_161n,
    {
      name: 'Arbitrum One',
      activations: {
        paris: block(0n),
        shanghai: time(1_708_804_873n),
        cancun: time(1_710_424_089n),
        prague: time(1_750_201_532n),
      },
    },
  ],
  [
    421_614n,
    {
      name: 'Arbitrum Sepolia',
      activations: {
        paris: block(0n),
        shanghai: time(1_706_634_000n),
        cancun: time(1_709_229_600n),
        prague: time(1_746_543_285n),
      },
    },
  ],
  [
    137n,
    {
      // It never merged: PREVRANDAO is the difficulty.
      name: 'Polygon PoS',
      activations: {
        london: block(23_850_000n),
        shanghai: block(50_523_000n),
        cancun: block(54_876_000n),
        prague: block(73_440_256n),
      },
    },
  ],
  [
    56n,
    {
      // It never merged: PREVRANDAO is the difficulty.
      name: 'BNB Smart Chain',
      activations: {
        london: block(31_302_048n),
        shanghai: time(1_705_996_800n),
        cancun: time(1_718_863_500n),
        prague: time(1_742_436_600n),
        osaka: time(1_777_343_400n),
      },
    },
  ],
  [
    100n,
    {
      name: 'Gnosis',
      unsafeBlocks: 38n,
      activations: {
        london: block(19_040_000n),
        // Each block before had a difficulty of 2^128, which reached the terminal 8626 * 10^42 one block earlier.
        paris: block(25_349_537n),
        shanghai: time(1_690_889_660n),
        cancun: time(1_710_181_820n),
        prague: time(1_746_021_820n),
        osaka: time(1_776_168_380n),
      },
    },
  ],
])

/** Name of a chain, if it is known. */
export const chainName = (chainId: bigint): string | undefined => CHAINS.get(chainId)?.name

/**
 * The hard fork of a block; absent if the chain is unknown, or if the block is older than the oldest hard fork of this node.
 * Blocks of a hard fork that a rollup shares with Ethereum may also have rules that Ethereum has not.
 */
export function hardforkAt(chainId: bigint, number: bigint, timestamp: bigint): Hardfork | undefined {
  const activations = CHAINS.get(chainId)?.activations ?? {}
  return HARDFORKS.findLast((fork) => {
    const activation = activations[fork]
    if (activation === undefined) return false
    return 'block' in activation ? number >= activation.block : timestamp >= activation.time
  })
}

/** The default of EDR for chains that it does not know (DEFAULT_SAFE_BLOCK_DEPTH). */
const DEFAULT_UNSAFE_BLOCKS = 128n

/**
 * Number of blocks below the head of a chain that may still be replaced. Those of known chains are from EDR (safe_block_depth);
 * Hardhat 2 took 30 for unknown chains.
 */
export const unsafeBlocks = (chainId: bigint): bigint =>
  CHAINS.get(chainId)?.unsafeBlocks ?? DEFAULT_UNSAFE_BLOCKS
