/** Values for examples: accounts and a transaction that are the same on every fresh node of network 33, and an unknown hash. */

/** The first account. */
export const COW = '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826'

/** The second account. */
export const COW1 = '0x7986b3df570230288501eea3d890bd66948c9b79'

/** A transfer between them. */
export const TRANSFER = { from: COW, to: COW1, value: '0x1' }

/** A transfer of one wei between the first two accounts. */
export const SENT = {
  step: {
    method: 'eth_sendTransaction',
    params: [{ ...TRANSFER, gas: '0x5208', gasPrice: '0x0' }],
  },
  /** The transaction signed with nonce 0. */
  raw: '0xf85f8080825208947986b3df570230288501eea3d890bd66948c9b79018066a0687a7f0a044001b0f0d9cf758cafef7a347e59a5f3034fb6ab9c575804da1f96a052d5d5467bf488edc7396e8768ec2f667a05d224bdcb049bfed7a3e7ae9b4f0a',
  hash: '0x441120706e2ab767ad05ef9e5fce1ec9aca0c5c5fd2a8c7f3b92ad7a7dd26271',
} as const

/** An account with a passphrase. Its private key is 1, and its address well known. */
export const PROTECTED = {
  address: '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf',
  key: `0x${'00'.repeat(31)}01`,
  step: { method: 'personal_importRawKey', params: [`0x${'00'.repeat(31)}01`, 'a passphrase'] },
} as const

/** A hash that no block and no transaction has. */
export const UNKNOWN_HASH = `0x${'00'.repeat(32)}`
