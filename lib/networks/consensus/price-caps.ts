/** Maximum gas prices, as multiples of the minimum gas price of a block (IP-252, an improvement proposal of network 33). */

import type { HeaderLimits } from './admission.ts'

/** Maximum gas price in a block, as a multiple of its minimum gas price (IP-252; node-chain 6.12). */
const BLOCK_PRICE_CAP = 100n

/** Maximum gas price in the transaction pool, as a multiple; lower than in a block, because the minimum may fall (node-chain 7.5). */
const POOL_PRICE_CAP = 80n

/** Maximum gas price that the transaction pool of a merged-mining network admits, in wei; absent without a minimum gas price. */
export const poolPriceCap = ({
  minimumGasPrice,
}: Pick<HeaderLimits, 'minimumGasPrice'>): bigint | undefined =>
  minimumGasPrice === 0n ? undefined : POOL_PRICE_CAP * minimumGasPrice

/** Maximum gas price in a block of a merged-mining network, in wei; absent without a minimum gas price. */
export const blockPriceCap = ({
  minimumGasPrice,
}: Pick<HeaderLimits, 'minimumGasPrice'>): bigint | undefined =>
  minimumGasPrice === 0n ? undefined : BLOCK_PRICE_CAP * minimumGasPrice
