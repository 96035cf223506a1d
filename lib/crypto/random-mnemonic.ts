/** New mnemonics (BIP-39). */

import { generateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'

/** A mnemonic of twelve words: 128 random bits and their checksum. */
export const randomMnemonic = (): string => generateMnemonic(wordlist)
