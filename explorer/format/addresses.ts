/** Addresses as people compare them. */

import { keccak_256 } from '@noble/hashes/sha3.js'

const known = new Map<string, string>()

/**
 * An address in mixed case with its checksum (EIP-55), on every network: ethers and viem refuse the checksum with a chain id
 * (EIP-1191), and people copy addresses from here into tests.
 */
export function checksummed(address: string): string {
  const digits = address.slice(2).toLowerCase()
  const found = known.get(digits)
  if (found !== undefined) return found
  const hash = keccak_256(new TextEncoder().encode(digits))
  const mixed = Array.from(digits, (digit, index) => {
    const nibble = ((hash[index >> 1] ?? 0) >> (index % 2 === 0 ? 4 : 0)) & 15
    return nibble >= 8 ? digit.toUpperCase() : digit
  })
  const text = `0x${mixed.join('')}`
  known.set(digits, text)
  return text
}
