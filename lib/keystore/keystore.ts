/** Keys of one world's accounts. Keys are no chain state: a revert keeps them. */

import { NodeError } from '../base/errors.ts'
import { bigIntToBytes, toHex } from '../base/hex.ts'
import type { Address, Hex } from '../base/hex.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { addressOfPrivateKey } from '../crypto/address.ts'
import { curve } from '../crypto/secp256k1.ts'
import type { Cell, World } from '../world/world.ts'

/** Unlocked accounts and their keys. */
export class Keystore {
  readonly #keys: Cell<ReadonlyMap<Address, Uint8Array>>
  readonly #isEnabled: boolean

  constructor(world: World, options: { readonly isEnabled: boolean }) {
    this.#keys = world.cell('keys', 'keep', new Map<Address, Uint8Array>())
    this.#isEnabled = options.isEnabled
  }

  /** Addresses whose keys are here, in the order they were added. */
  get addresses(): readonly Address[] {
    return [...this.#keys.value.keys()]
  }

  /** Adds a key and answers its address. */
  add(privateKey: Uint8Array): Address {
    const address = addressOfPrivateKey(privateKey)
    this.#keys.value = new Map([...this.#keys.value, [address, privateKey]])
    return address
  }

  /** @throws NodeError 'unknownAccount' */
  privateKey(address: Address): Uint8Array {
    const key = this.#keys.value.get(address)
    if (key !== undefined) return key
    const reason = this.#isEnabled ? 'its key is not in this node' : 'this node holds no keys (--no-accounts)'
    throw new NodeError('unknownAccount', `unknown account ${address}: ${reason}`)
  }

  /**
   * Signs a message as wallets do: behind a prefix, so that it can never be a transaction (EIP-191, version 0x45).
   * Answers r, s and v (27 or 28).
   */
  signMessage(address: Address, message: Uint8Array): Hex {
    const { r, s, recovery } = curve.sign(messageHash(message), this.privateKey(address))
    const signature = new Uint8Array(65)
    signature.set(r, 0)
    signature.set(s, 32)
    signature.set(bigIntToBytes(BigInt(27 + recovery)), 64)
    return toHex(signature)
  }
}

/** The hash that is signed for a message. */
function messageHash(message: Uint8Array): Uint8Array {
  const prefix = new TextEncoder().encode(`\x19Ethereum Signed Message:\n${message.length}`)
  const bytes = new Uint8Array(prefix.length + message.length)
  bytes.set(prefix)
  bytes.set(message, prefix.length)
  return keccak256(bytes)
}
