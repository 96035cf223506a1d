/** Derives the accounts that a network funds. */

import { asAddress, fromHex, type Address } from '../base/hex.ts'
import type { AccountSource } from '../config/network.ts'
import { addressOfPrivateKey } from '../crypto/address.ts'
import { childPrivateKey, parentKey } from '../crypto/hd-key.ts'
import { keccak256 } from '../crypto/keccak.ts'

export interface FundedAccount {
  readonly privateKey: Uint8Array
  readonly address: Address
  /** Wei. */
  readonly balance: bigint
}

/**
 * The accounts in order: those of the presets and of other development nodes from a table, others derived. With the table a start
 * derives no key and needs no curve, whose native code loads slowly.
 */
export const fundedAccounts = (source: AccountSource): readonly FundedAccount[] =>
  knownAccounts(source) ?? deriveAccounts(source)

/** The accounts of a source, if the table has all of them. */
function knownAccounts(source: AccountSource): readonly FundedAccount[] | undefined {
  if (source.source === 'keys') return undefined
  const name = source.source === 'phrases' ? source.phrase : `${source.mnemonic} ${source.path}`
  const known = KNOWN_ACCOUNTS.get(name)?.trim().split('\n')
  if (known === undefined || source.count > known.length) return undefined
  return known.slice(0, source.count).map((line) => {
    const [key = '', address = ''] = line.trim().split(' ')
    return { privateKey: fromHex(`0x${key}`), address: asAddress(`0x${address}`), balance: source.balance }
  })
}

export function deriveAccounts(source: AccountSource): readonly FundedAccount[] {
  const accountOf = (privateKey: Uint8Array, balance: bigint): FundedAccount => {
    return { privateKey, address: addressOfPrivateKey(privateKey), balance }
  }
  if (source.source === 'keys')
    return source.keys.map(({ privateKey, balance }) => accountOf(fromHex(privateKey), balance))
  return deriveKeys(source).map((privateKey) => accountOf(privateKey, source.balance))
}

function deriveKeys(source: Exclude<AccountSource, { source: 'keys' }>): readonly Uint8Array[] {
  const indexes = Array.from({ length: source.count }, (_, index) => index)
  if (source.source === 'phrases')
    return indexes.map((index) => keyOfPhrase(index === 0 ? source.phrase : `${source.phrase}${index}`))
  if (source.count === 0) return []
  // BIP-44: the path of the source is that of the parent of the keys.
  const parent = parentKey(source.mnemonic, source.path)
  return indexes.map((index) => childPrivateKey(parent, index))
}

/** keccak256 of the phrase (node-chain 11.2). */
export const keyOfPhrase = (phrase: string): Uint8Array => keccak256(new TextEncoder().encode(phrase))

/** By phrase, or by mnemonic and path: a line of key and address for each account, as many as the presets fund. A test derives them. */
const KNOWN_ACCOUNTS: ReadonlyMap<string, string> = new Map([
  [
    'cow',
    `
  c85ef7d79691fe79573b1a7064c19c1a9819ebdbd1faaab1a8ec92344438aaf4 cd2a3d9f938e13cd947ec05abc7fe734df8dd826
  0c06818f82e04c564290b32ab86b25676731fc34e9a546108bf109194c8e3aae 7986b3df570230288501eea3d890bd66948c9b79
  88fcad7d65de4bf854b88191df9bf38648545e7e5ea367dff6e025b06a28244d 0a3aa774752ec2042c46548456c094a76c7f3a79
  1786958bf8781c0047f94c9bd7e39402cdadebef6f8faca6b503b991814f5e75 cf7cdbbb5f7ba79d3ffe74a0bba13fc0295f6036
  3927ff59ac5da854e7633682792aae26e8f83b515c3c6dc7520b5733d4588b8a 39b12c05e8503356e3a7df0b7b33efa4c054c409
  20e4a6381bd3826a14f8da63653d94e7102b38eb5f929c7a94652f41fa7ba323 c354d97642faa06781b76ffb6786f72cd7746c97
  c1783a9a8222e47778911c58bb5aac1343eb425159ff140799e0a283bfb8fa16 debe71e1de41fc77c44df4b6db940026e31b0e71
  e88b7bfb0b3ffe2245e3293e20901022ea01ebc19898dfe468289c9a07672627 7857288e171c6159c5576d1bd9ac40c0c48a771c
  d77b8a342be95c5c31fa85c20450b424663c4fb4a499cfc80c202c592c85c219 a4dea4d5c954f5fd9e87f0e9752911e83a3d18b3
  082f57b8084286a079aeb9f2d0e17e565ced44a2cb9ce4844e6d4b9d89f3f595 09a1eda29f664ac8f68106f6567276df0c65d859`,
  ],
  [
    "test test test test test test test test test test test junk m/44'/60'/0'/0",
    `
  ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80 f39fd6e51aad88f6f4ce6ab8827279cfffb92266
  59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d 70997970c51812dc3a010c7d01b50e0d17dc79c8
  5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a 3c44cdddb6a900fa2b585dd299e03d12fa4293bc
  7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6 90f79bf6eb2c4f870365e785982e1f101e93b906
  47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a 15d34aaf54267db7d7c367839aaf71a00a2c6a65
  8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba 9965507d1a55bcc2695c58ba16fb37d819b0a4dc
  92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e 976ea74026e726554db657fa54763abd0c3a0aa9
  4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356 14dc79964da2c08b23698b3d3cc7ca32193d9955
  dbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97 23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f
  2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6 a0ee7a142d267c1f36714e4a8f75612f20a79720`,
  ],
])
