/** Finds the contracts whose code clones and proxies run. */

import { asHash, fromHex, toAddress, toHex, type Address, type Hash } from '../../base/hex.ts'

/** The code before and after the address in clones. Arguments may follow. */
const CLONES = [
  // EIP-1167
  { before: '363d3d373d3d3d363d', after: /^5af43d82803e903d9160[0-9a-f]{2}57fd5bf3/ },
  // The same with PUSH0
  { before: '5f5f365f5f37365f', after: /^5af43d5f5f3e5f3d9160[0-9a-f]{2}57fd5bf3/ },
  // The shorter one of 0age
  { before: '3d3d3d3d363d3d37363d', after: /^5af43d3d93803e60[0-9a-f]{2}57fd5bf3/ },
]

/** Length of the longest clone without arguments, in bytes. */
const CLONE_BYTES = 45

const PUSH1 = 0x60
const PUSH20 = 0x73

export function implementationOfClone(code: Uint8Array): Address | undefined {
  const hex = toHex(code.subarray(0, CLONE_BYTES)).slice(2)
  for (const { before, after } of CLONES) {
    const push = code[before.length / 2] ?? 0
    if (!hex.startsWith(before) || push < PUSH1 || push > PUSH20) continue
    // Leading zeros of the address are not pushed.
    const start = before.length + 2
    const end = start + 2 * (push - PUSH1 + 1)
    if (after.test(hex.slice(end))) return toAddress(fromHex(`0x${hex.slice(start, end).padStart(40, '0')}`))
  }
  return undefined
}

/** Slot with the contract that a proxy runs (EIP-1967): keccak256('eip1967.proxy.implementation') - 1. */
const IMPLEMENTATION_SLOT = asHash('0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc')

/** keccak256('eip1967.proxy.beacon') - 1 */
const BEACON_SLOT = asHash('0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50')

/** keccak256('eip1967.proxy.admin') - 1 */
const ADMIN_SLOT = asHash('0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103')

/** The names of the slots that proxies use, each of which holds an address (EIP-1967). */
export const PROXY_SLOTS: ReadonlyMap<Hash, string> = new Map([
  [IMPLEMENTATION_SLOT, 'eip1967.proxy.implementation'],
  [BEACON_SLOT, 'eip1967.proxy.beacon'],
  [ADMIN_SLOT, 'eip1967.proxy.admin'],
])

/** The contract that a clone runs, or that a proxy's slot names (EIP-1967); undefined if the account is neither. */
export function implementationOf(
  code: Uint8Array,
  storageAt: (slot: Hash) => Hash | undefined,
): Address | undefined {
  // A proxy's code need not contain the slot: without the optimizer it may compute it.
  return (
    implementationOfClone(code) ?? (code.length === 0 ? undefined : addressIn(storageAt(IMPLEMENTATION_SLOT)))
  )
}

const addressIn = (word: Hash | undefined): Address | undefined =>
  word === undefined || BigInt(word) === 0n ? undefined : toAddress(fromHex(word).subarray(12))

/** The slot where a proxy's code looks up the contract it runs; undefined if the code contains none (EIP-1967). */
export function implementationSlotIn(code: Uint8Array): Hash | undefined {
  const wanted = Buffer.from(fromHex(IMPLEMENTATION_SLOT))
  const isNamed = Buffer.from(code.buffer, code.byteOffset, code.length).includes(wanted)
  return isNamed ? IMPLEMENTATION_SLOT : undefined
}
