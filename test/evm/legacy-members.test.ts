import { describe, expect, test } from '@jest/globals'
import { Transaction as EthersTransaction, Wallet } from 'ethers'
import { NodeError } from '../../lib/base/errors.ts'
import { bigIntToBytes, fromHex, toHex, toHash } from '../../lib/base/hex.ts'
import { encodeRlp } from '../../lib/base/rlp.ts'
import { curve } from '../../lib/crypto/secp256k1.ts'
import { keccak256 } from '../../lib/crypto/keccak.ts'
import { call, freshNode, refusal } from '../support/node.ts'

const TO = fromHex(`0x${'ab'.repeat(20)}`)
const NONE = new Uint8Array(0)
const ZEROS = '00'.repeat(8)
const bytesOf = (hex: string) => fromHex(`0x${hex}`)

/** The members before the signature; those given replace the usual ones. */
interface Members {
  readonly nonce?: Uint8Array
  readonly gasPrice?: Uint8Array
  readonly gasLimit?: Uint8Array
  readonly to?: Uint8Array
  readonly value?: Uint8Array
  readonly data?: Uint8Array
}

interface Signing {
  /** Absent for a signature without chain id. */
  readonly chainId?: bigint | undefined
  readonly key?: Uint8Array
  /** The bytes of v. */
  readonly v?: Uint8Array
}

const KEY = bytesOf('11'.repeat(32))

/** Signs by the rules of node-chain 7.2, over the unchanged members. */
function signed(members: Members = {}, signing: Signing = {}): Uint8Array {
  const {
    nonce = NONE,
    gasPrice = NONE,
    gasLimit = bytesOf('5208'),
    to = TO,
    value = NONE,
    data = NONE,
  } = members
  const chainId = 'chainId' in signing ? signing.chainId : 33n
  const fields = [nonce, gasPrice, gasLimit, to, value, data]
  const named = chainId === undefined ? fields : [...fields, bigIntToBytes(chainId), NONE, NONE]
  const { r, s, recovery } = curve.sign(keccak256(encodeRlp(named)), signing.key ?? KEY)
  const v = BigInt(recovery) + (chainId === undefined ? 27n : 35n + 2n * chainId)
  const minimal = (bytes: Uint8Array) => bigIntToBytes(BigInt(toHex(bytes)))
  return encodeRlp([...fields, signing.v ?? bigIntToBytes(v), minimal(r), minimal(s)])
}

const SENDER = new Wallet(toHex(KEY)).address.toLowerCase()
const { codec } = await freshNode()

/** Kind and message of the error. */
function refused(encoded: Uint8Array): string {
  try {
    codec.decode(encoded)
    return 'decoded'
  } catch (error) {
    if (error instanceof NodeError) return `${error.kind}: ${error.message}`
    throw error
  }
}

describe('a legacy transaction of network 33', () => {
  test.each<readonly [string, Members, object]>([
    ['no price as no bytes', { gasPrice: NONE }, { maxFeePerGas: 0n }],
    ['no price as a zero byte', { gasPrice: bytesOf('00') }, { maxFeePerGas: 0n }],
    ['a price behind the byte of its sign', { gasPrice: bytesOf('0080') }, { maxFeePerGas: 128n }],
    ['a price without the byte of its sign', { gasPrice: bytesOf('80') }, { maxFeePerGas: 128n }],
    ['gas behind zeros', { gasLimit: bytesOf('00000000000000005208') }, { gasLimit: 21_000n }],
    ['the most gas', { gasLimit: bytesOf('1000000000000000') }, { gasLimit: 2n ** 60n }],
    ['no receiver', { to: NONE }, { to: undefined }],
    ['a nonce of eight bytes', { nonce: bytesOf('7f'.repeat(8)) }, { nonce: 0x7f7f7f7f7f7f7f7fn }],
  ])('with %s keeps its bytes, and its hash is of those', (_case, members, expected) => {
    const encoded = signed(members)
    const transaction = codec.decode(encoded)
    expect(transaction).toMatchObject({ ...expected, type: 0, sender: SENDER, chainId: 33n })
    expect(toHex(transaction.encoded)).toBe(toHex(encoded))
    expect(transaction.hash).toBe(toHash(keccak256(encoded)))
  })

  test('without a chain id is taken', () => {
    const transaction = codec.decode(signed({}, { chainId: undefined }))
    expect(transaction).toMatchObject({ sender: SENDER, chainId: undefined })
    expect([27n, 28n]).toContain(transaction.v)
  })

  test('of ethers has the v of node-chain 7.2', async () => {
    const request = { type: 0, chainId: 33, nonce: 0, gasLimit: 21_000, gasPrice: 0, to: toHex(TO) }
    const encoded = await new Wallet(toHex(KEY)).signTransaction(request)
    const transaction = codec.decode(fromHex(encoded))
    expect([101n, 102n]).toContain(transaction.v)
    expect(transaction).toMatchObject({ sender: SENDER, hash: EthersTransaction.from(encoded).hash })
  })

  test.each<readonly [string, Members, Signing, string]>([
    [
      'a nonce of nine bytes',
      { nonce: bytesOf('01'.repeat(9)) },
      {},
      'it has 9 bytes, at most 8 are accepted',
    ],
    ['a nonce behind zeros', { nonce: bytesOf('0001') }, {}, 'invalid nonce: it has leading zeros'],
    [
      'a gas limit of nine bytes',
      { gasLimit: bytesOf(`01${ZEROS}`) },
      {},
      'the gas limit has 9 bytes, at most 8',
    ],
    [
      'a price of 33 bytes',
      { gasPrice: bytesOf(`00${'01'.repeat(33)}`) },
      {},
      'price has 33 bytes, at most 32',
    ],
    [
      'more gas than there can be',
      { gasLimit: bytesOf('1000000000000001') },
      {},
      'is above 1152921504606846976',
    ],
    ['a short receiver', { to: bytesOf('ab'.repeat(19)) }, {}, 'the receiver has 19 bytes, expected 20'],
    ['a value behind zeros', { value: bytesOf('0001') }, {}, 'value has leading zeros'],
    ['a v of two bytes', {}, { v: bytesOf('0065') }, 'v has 2 bytes, expected 1'],
    [
      'another chain',
      {},
      { chainId: 30n },
      'wrongChainId: invalid chain id: the transaction is signed for 30',
    ],
  ])('with %s is refused', (_case, members, signing, expected) => {
    const answer = refused(signed(members, signing))
    expect(answer).toMatch(/^(transactionRejected|invalidTransaction|wrongChainId): invalid /)
    expect(answer).toContain(expected)
  })

  test('with a list for a number is refused', () => {
    const members = [NONE, NONE, NONE, TO, [NONE], NONE, bytesOf('65'), bytesOf('01'), bytesOf('01')]
    expect(refused(encodeRlp(members))).toBe('invalidTransaction: invalid transaction: member 4 is a list')
  })

  test('of the system is refused, for it has no signature', () => {
    // node-chain 7.8, block 1.
    const system = 'dd8000009400000000000000000000000000000000010000088080808080'
    expect(refused(bytesOf(system))).toBe('invalidTransaction: invalid signature: r and s must not be zero')
  })

  test.each([1, 2])('is the only type: type %s is refused, and the error names the accepted type', (type) => {
    expect(refused(bytesOf(`0${type}c0`))).toMatch(
      /^unsupportedTransaction: transaction type \d \(.*\) is not supported: this network accepts type 0 \(legacy\)$/,
    )
  })

  test('runs with the hash it came with', async () => {
    const node = await freshNode()
    const [funded] = node.funded
    const encoded = signed({ gasPrice: bytesOf('00') }, { key: funded!.privateKey })
    const hash = await call(node, 'eth_sendRawTransaction', [toHex(encoded)])
    expect(hash).toBe(toHash(keccak256(encoded)))
    expect(await call(node, 'eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
  })

  test('has the error text of the reference for an invalid nonce', async () => {
    const encoded = toHex(signed({ nonce: bytesOf('0001') }))
    const node = await freshNode()
    expect(await refusal(node, 'eth_sendRawTransaction', [encoded])).toMatchObject({
      kind: 'transactionRejected',
    })
  })
})

test('a v of more than a byte is taken where the chain id needs it', async () => {
  const node = await freshNode({ chainId: 31337 })
  expect(node.codec.decode(signed({}, { chainId: 31337n }))).toMatchObject({ sender: SENDER })
})
