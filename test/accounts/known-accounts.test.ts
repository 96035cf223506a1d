import { describe, expect, test } from '@jest/globals'
import { deriveAccounts, fundedAccounts } from '../../lib/accounts/derive.ts'

const MNEMONIC = 'test test test test test test test test test test test junk'

describe('known accounts', () => {
  const path = "m/44'/60'/0'/0"
  const ofPhrase = { source: 'phrases', phrase: 'cow', balance: 1n } as const
  const ofMnemonic = { source: 'mnemonic', mnemonic: MNEMONIC, path, balance: 1n } as const

  test.each([ofPhrase, ofMnemonic])('of $source are those that the derivation gives', (source) => {
    const all = { ...source, count: 10 }
    expect(fundedAccounts(all)).toEqual(deriveAccounts(all))
  })

  test.each([
    ['more accounts', { ...ofMnemonic, count: 11 }, 11],
    ['another path', { ...ofMnemonic, path: "m/44'/1'/0'/0", count: 2 }, 2],
    ['another phrase', { ...ofPhrase, phrase: 'calf', count: 2 }, 2],
  ])('do not replace the derivation of %s', (_what, source, count) => {
    const accounts = fundedAccounts(source)
    expect(accounts).toHaveLength(count)
    expect(accounts).toEqual(deriveAccounts(source))
  })
})
