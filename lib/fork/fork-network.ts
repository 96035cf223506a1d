/** The network whose rules a fork follows. */

import type * as z from 'zod'
import { ZERO_ADDRESS } from '../base/hex.ts'
import type { Network } from '../config/network.ts'
import type { Options } from '../config/options.ts'
import { resolveNetwork } from '../config/resolve-network.ts'
import { FEE_CONTRACT } from '../evm/precompiles/network-33/fee-contract.ts'
import { remoteBlock } from '../schema/remote.ts'
import type { ForkedBlock } from './cached-forks.ts'
import { hardforkAt } from './known-chains.ts'

/** Presets of networks whose chain ids are known. Other chains follow network 33 if they have minimum gas prices, or Ethereum. */
const PRESETS: ReadonlyMap<bigint, string> = new Map([
  [30n, 'network-30'],
  [31n, 'network-31'],
  [32n, 'network-32'],
  [33n, 'network-33'],
])

/** The members of the forked block that determine the network. */
export const forkedHead = remoteBlock.pick({
  timestamp: true,
  gasLimit: true,
  minimumGasPrice: true,
  transactions: true,
})

type ForkedHead = z.output<typeof forkedHead>

/** The network that the options name, or that of the chain id. Its values are those of the remote, unless an option sets them. */
export function forkedNetwork(
  options: Options,
  { chainId, blockNumber }: ForkedBlock,
  block: ForkedHead,
): Network {
  const { timestamp, gasLimit, minimumGasPrice } = block
  const network = resolveNetwork({
    ...options,
    network:
      options.network ?? PRESETS.get(chainId) ?? (minimumGasPrice === undefined ? 'ethereum' : 'network-33'),
    chainId: options.chainId ?? chainId,
    hardfork: options.hardfork ?? hardforkAt(chainId, blockNumber + 1n, timestamp),
    noPredeploys: true,
  })
  return {
    ...network,
    blockGasLimit: options.blockGasLimit ?? gasLimit,
    callGasCap: larger(network.callGasCap, gasLimit),
    estimateGasCap: larger(network.estimateGasCap, gasLimit),
    systemTransaction:
      network.systemTransaction || (network.hasFeeContract && endsWithSystemTransaction(block)),
    minimumGasPriceTarget: options.minimumGasPrice ?? minimumGasPrice ?? network.minimumGasPriceTarget,
  }
}

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other)

/** Whether the block closes with the transaction that pays the fees out: then those of the fork do so too. */
function endsWithSystemTransaction({ transactions }: ForkedHead): boolean {
  const last = transactions.at(-1)
  return last?.from === ZERO_ADDRESS && last.to === FEE_CONTRACT
}
