import { describe, expect, test } from '@jest/globals'
import { fromHex, toHex, toWord } from '../../lib/base/hex.ts'
import { encodeRlp } from '../../lib/base/rlp.ts'
import { keccak256 } from '../../lib/crypto/keccak.ts'
import {
  EMPTY_ACCOUNT,
  EMPTY_CODE_HASH,
  EMPTY_STORAGE,
  codeHashBytes,
  accountItems,
} from '../../lib/state/account.ts'
import { hashedKey } from '../../lib/state/trie-nodes.ts'

describe('an account', () => {
  test('is encoded as in the first entry of the vector hex_encoded_securetrie_test', () => {
    expect(toHex(encodeRlp(accountItems({ ...EMPTY_ACCOUNT, nonce: 1n, balance: 0x05f446a7n })))).toBe(
      '0xf848018405f446a7a056e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421' +
        'a0c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
    )
  })

  test('has the hash of its storage in its encoding', () => {
    const slot = toWord(1n)
    const storage = EMPTY_STORAGE.put(hashedKey(slot), { slot, value: Uint8Array.of(0x80) })
    expect(toHex(encodeRlp(accountItems({ ...EMPTY_ACCOUNT, storage })))).toContain(
      toHex(storage.hash()).slice(2),
    )
  })
})

describe('a code hash', () => {
  test('of no code is the hash of no bytes', () => {
    expect(toHex(keccak256(new Uint8Array(0)))).toBe(EMPTY_CODE_HASH)
    expect(toHex(codeHashBytes(EMPTY_CODE_HASH))).toBe(EMPTY_CODE_HASH)
  })

  test('has the bytes of its digits', () => {
    const hash = toWord(0x1234n)
    expect(codeHashBytes(hash)).toEqual(fromHex(hash))
  })
})
