import { expect, test } from '@jest/globals'
import { HDNodeWallet, Mnemonic } from 'ethers'
import { childPrivateKey, parentKey } from '../../lib/crypto/hd-key.ts'
import { toHex } from '../../lib/base/hex.ts'

test.each([
  ['test test test test test test test test test test test junk', "m/44'/60'/0'/0", ''],
  [
    'legal winner thank year wave sausage worth useful legal winner thank yellow',
    "m/44'/37310'/0'/0",
    'TREZOR',
  ],
])('private keys of a mnemonic are those of ethers: %s', (mnemonic, path, passphrase) => {
  const parent = HDNodeWallet.fromMnemonic(Mnemonic.fromPhrase(mnemonic, passphrase), path)
  for (const index of [0, 1, 19])
    expect(toHex(childPrivateKey(parentKey(mnemonic, path, passphrase), index))).toBe(
      parent.deriveChild(index).privateKey,
    )
})
