import { describe, expect, test } from '@jest/globals'
import { createMPT, verifyMPTWithMerkleProof } from '@ethereumjs/mpt'
import { MerkleStateManager, verifyMerkleStateProof } from '@ethereumjs/statemanager'
import type { Address, Hash } from '../../lib/base/hex.ts'
import { asAddress, bigIntToBytes, fromHex, toHex, toQuantity, toWord } from '../../lib/base/hex.ts'
import { encodeRlp } from '../../lib/base/rlp.ts'
import { keccak256 } from '../../lib/crypto/keccak.ts'
import { EMPTY_ACCOUNT, EMPTY_CODE_HASH, accountItems } from '../../lib/state/account.ts'
import { StateRoot } from '../../lib/state/state-root.ts'
import { State } from '../../lib/state/state.ts'
import { EMPTY_TRIE_HASH } from '../../lib/state/trie.ts'

const addressOf = (index: number): Address => asAddress(toHex(keccak256(Uint8Array.of(index)).subarray(12)))
const CONTRACT = addressOf(0)
const ABSENT = addressOf(255)

/** 200 accounts, the first with code and 50 words of storage. */
function filledRoot(): StateRoot {
  const state = new State(StateRoot.empty)
  for (let index = 0; index < 200; index++) {
    state.putAccount(addressOf(index), { nonce: BigInt(index), balance: BigInt(index) ** 8n })
  }
  state.putCode(CONTRACT, Uint8Array.of(0x60, 0x01))
  for (let slot = 1n; slot <= 50n; slot++)
    state.putStorage(CONTRACT, toWord(slot), bigIntToBytes(slot ** 40n))
  return state.commitRoot()
}

/** Value under the key that the proof proves; null if it proves absence. */
async function proven(rootHash: Hash, key: Address | Hash, proof: readonly Uint8Array[]) {
  const keyHash = keccak256(fromHex(key))
  return verifyMPTWithMerkleProof(await createMPT(), fromHex(rootHash), keyHash, [...proof])
}

describe('reads', () => {
  const root = filledRoot()

  test('list every account with its address, and every slot', () => {
    const addresses = Array.from(root.accounts(), ([address]) => address)
    expect(addresses.toSorted()).toEqual(
      Array.from({ length: 200 }, (_, index) => addressOf(index)).toSorted(),
    )
    const entries = [...(root.account(CONTRACT)?.storage.entries() ?? [])]
    expect(entries).toHaveLength(50)
    for (const [key, { slot, value }] of entries) {
      expect(key).toEqual(keccak256(fromHex(slot)))
      expect(root.storageAt(CONTRACT, slot)).toBe(toWord(BigInt(toHex(value))))
    }
  })
})

describe('hash', () => {
  test('is the known one without accounts', () => {
    expect(StateRoot.empty.hash).toBe(toHex(EMPTY_TRIE_HASH))
  })

  test('of one account is the hash of its leaf', () => {
    const state = new State(StateRoot.empty)
    const address = asAddress(`0x${'00'.repeat(20)}`)
    state.putAccount(address, { nonce: 1n, balance: 1n })
    const value = encodeRlp([Uint8Array.of(1), Uint8Array.of(1), EMPTY_TRIE_HASH, fromHex(EMPTY_CODE_HASH)])
    const path = Uint8Array.of(0x20, ...keccak256(fromHex(address)))
    expect(state.commitRoot().hash).toBe(toHex(keccak256(encodeRlp([path, value]))))
  })
})

describe('proofs', () => {
  const root = filledRoot()

  test('prove every account', async () => {
    for (const [address, account] of root.accounts()) {
      const { accountProof } = root.prove(address, [])
      expect(await proven(root.hash, address, accountProof)).toEqual(encodeRlp(accountItems(account)))
    }
  })

  test('prove words of storage, and zeros', async () => {
    const slots = [1n, 25n, 50n, 51n, 2n ** 255n].map(toWord)
    const { storageHash, storageProof } = root.prove(CONTRACT, slots)
    expect(storageProof.map(({ slot }) => slot)).toEqual(slots)
    for (const { slot, value, proof } of storageProof) {
      expect(toWord(value)).toBe(root.storageAt(CONTRACT, slot))
      expect(await proven(storageHash, slot, proof)).toEqual(
        value === 0n ? null : encodeRlp(bigIntToBytes(value)),
      )
    }
  })

  test('prove that an account is absent', async () => {
    const { accountProof, account, storageHash, storageProof } = root.prove(ABSENT, [toWord(1n)])
    expect(account).toBeUndefined()
    expect(storageHash).toBe(toHex(EMPTY_TRIE_HASH))
    expect(storageProof).toEqual([{ slot: toWord(1n), value: 0n, proof: [] }])
    expect(await proven(root.hash, ABSENT, accountProof)).toBeNull()
  })

  test('have no nodes for the empty state', () => {
    expect(StateRoot.empty.prove(ABSENT, []).accountProof).toEqual([])
  })

  test('fail when a node is changed', async () => {
    const { accountProof } = root.prove(CONTRACT, [])
    const broken = accountProof.map((node) => node.slice())
    broken[1]![40]! ^= 1
    await expect(proven(root.hash, CONTRACT, broken)).rejects.toThrow()
  })

  test('are accepted by the state manager of the EVM library', async () => {
    const slots = [toWord(1n), toWord(99n)]
    const { accountProof, account, storageHash, storageProof } = root.prove(CONTRACT, slots)
    const { nonce, balance, codeHash } = account ?? EMPTY_ACCOUNT
    const isValid = await verifyMerkleStateProof(new MerkleStateManager(), {
      address: CONTRACT,
      nonce: toQuantity(nonce),
      balance: toQuantity(balance),
      codeHash,
      storageHash,
      accountProof: accountProof.map(toHex),
      storageProof: storageProof.map(({ slot, value, proof }) => ({
        key: slot,
        value: value === 0n ? '0x' : toHex(bigIntToBytes(value)),
        proof: proof.map(toHex),
      })),
    })
    expect(isValid).toBe(true)
  })
})
