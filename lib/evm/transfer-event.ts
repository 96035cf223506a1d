/** The event of token transfers, which tokens emit, and which simulated blocks show for the native coin. */

import { asHash } from '../base/hex.ts'

/** keccak256 of `Transfer(address,address,uint256)` (ERC-20, ERC-721). */
export const TRANSFER_TOPIC = asHash('0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef')
