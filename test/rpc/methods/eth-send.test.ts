/** Sent transactions: refusals with their errors, accepted transactions, and replacements. */

import { describe, expect, test } from '@jest/globals'
import { bigIntToBytes, toHex } from '../../../lib/base/hex.ts'
import type { OptionsInput } from '../../../lib/modules/options.ts'
import type { Node } from '../../../lib/node/node.ts'
import { fingerprint } from '../../support/fingerprint.ts'
import { call, dispatcherOf, freshNode, refusal } from '../../support/node.ts'
import { rpc } from '../../support/server.ts'
import { COW, COW1, encoded, keyOf, legacyMembers, signed } from '../../support/signing.ts'
import type { Legacy } from '../../support/signing.ts'
import type { Hex } from '../../../lib/base/hex.ts'

/** Order of secp256k1. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** The transaction with one of its nine members replaced. */
const withMember = (position: number, member: Uint8Array, given: Legacy = {}): string =>
  encoded(legacyMembers(given).with(position, member))

const bytes = (...values: number[]) => Uint8Array.from(values)
const number = (value: bigint) => bigIntToBytes(value)
const [, , , , , , , , s] = legacyMembers()
const highS = ORDER - BigInt(toHex(s!))

interface Refused {
  readonly kind: string
  readonly code: number
  readonly message: RegExp
}

const malformed = (message: RegExp): Refused => ({ kind: 'invalidTransaction', code: -32602, message })
const pool = (kind: string, message: RegExp): Refused => ({ kind, code: -32010, message })

/** Sends, and checks that the refusal is the expected one and changes nothing. */
async function expectRefusal(node: Node, raw: string, { kind, code, message }: Refused): Promise<void> {
  const before = { world: fingerprint(node.instance), pending: await call(node, 'eth_pendingTransactions') }
  await expect(call(node, 'eth_sendRawTransaction', [raw])).rejects.toMatchObject({ kind })
  const answer = await dispatcherOf(node).answer(rpc('eth_sendRawTransaction', [raw]), 'node33')
  const { error } = JSON.parse(answer!)
  expect(error).toEqual({ code, message: expect.stringMatching(message) })
  const after = { world: fingerprint(node.instance), pending: await call(node, 'eth_pendingTransactions') }
  expect(after).toEqual(before)
}

const TO: Hex = `0x${'bb'.repeat(20)}`
const transfer = (node: Node) => ({ from: node.funded[0]!.address, to: TO, value: '0x5', gas: '0x5208' })

const REJECTED = 'transactionRejected'
const INVALID = malformed(/^invalid transaction: /)

describe('invalid bytes', () => {
  const whole = signed()
  const many = (count: number) => bytes(...Array.from({ length: count }, () => 1))
  test.each<[string, string, Refused]>([
    ['nothing', '0x', malformed(/^invalid transaction: no bytes$/)],
    ['a byte string', '0x83010203', malformed(/starts no list and is no type/)],
    ['a cut-off list', whole.slice(0, -2), INVALID],
    ['a list cut off in the middle', whole.slice(0, 60), INVALID],
    ['the first byte alone', whole.slice(0, 4), INVALID],
    ['a byte behind the list', `${whole}00`, malformed(/^invalid transaction: 1 bytes follow/)],
    ['a length of eight bytes', '0xffffffffffffffffff', INVALID],
    ['an empty list', '0xc0', malformed(/a legacy transaction has 9 members, got 0$/)],
    ['eight members', encoded(legacyMembers().slice(0, 8)), malformed(/has 9 members, got 8$/)],
    ['ten members', encoded([...legacyMembers(), bytes()]), malformed(/has 9 members, got 10$/)],
    ['the unsigned six', encoded(legacyMembers().slice(0, 6)), malformed(/has 9 members, got 6$/)],
    ['lists as members', encoded(Array.from({ length: 9 }, () => [])), malformed(/member 6 is a list$/)],
    ['a list as nonce', encoded(legacyMembers().with(0, [] as never)), INVALID],
    ['a list as data', encoded(legacyMembers().with(5, [bytes(1)] as never)), INVALID],
    [
      'a nonce with a leading zero',
      withMember(0, bytes(0, 1)),
      pool(REJECTED, /has non-canonical encoding$/),
    ],
    ['a nonce of nine bytes', withMember(0, many(9)), pool(REJECTED, /length exceeds maximum: 9 > 8$/)],
    ['a value of 33 bytes', withMember(4, many(33)), INVALID],
    ['a gas price that overflows', signed({ gasPrice: 2n ** 255n }), INVALID],
    ['an address of 19 bytes', withMember(3, many(19)), INVALID],
    ['an address of 21 bytes', withMember(3, many(21)), INVALID],
  ])('%s', async (_, raw, refused) => expectRefusal(await freshNode(), raw, refused))
})

describe('signatures', () => {
  test.each<[string, string, Refused]>([
    ['r is zero', withMember(7, bytes()), malformed(/^invalid signature: r and s must not be zero$/)],
    ['s is zero', withMember(8, bytes()), malformed(/^invalid signature: r and s must not be zero$/)],
    ['s is the high one of the two', withMember(8, number(highS)), malformed(/s is above half/)],
    ['s is the order of the curve', withMember(8, number(ORDER)), malformed(/s is above half/)],
    ['r is the order of the curve', withMember(7, number(ORDER)), malformed(/invalid signature: r must be/)],
    ['r has 33 bytes', withMember(7, number(2n ** 256n)), malformed(/^invalid (transaction|signature)/)],
    // 5³ + 7 is no square modulo the prime of the curve, so that no point has the x coordinate 5.
    ['r is on no point', withMember(7, bytes(5)), malformed(/invalid signature: no public key/)],
    ['v is 0', withMember(6, bytes()), INVALID],
    ['v is 26', withMember(6, bytes(26)), INVALID],
    ['v is 29', withMember(6, bytes(29)), INVALID],
    ['v is 34', withMember(6, bytes(34)), INVALID],
    ['v has a leading zero', withMember(6, bytes(0, 101)), malformed(/v has 2 bytes, expected 1$/)],
  ])('%s', async (_, raw, refused) => expectRefusal(await freshNode(), raw, refused))

  test.each<[string, string, RegExp]>([
    ['chain 30', signed({ chainId: 30n }), /^Invalid chainId: 30$/],
    ['chain 0', signed({ chainId: 0n }), /^Invalid chainId: 0$/],
    ['a chain of 64 bits', signed({ chainId: 2n ** 63n }), /^Invalid chainId: 9223372036854775808$/],
  ])('for %s', async (_, raw, message) =>
    expectRefusal(await freshNode(), raw, { kind: 'wrongChainId', code: -32602, message }),
  )

  test('without a chain id, as before EIP-155, are accepted', async () => {
    const node = await freshNode()
    const hash = await call(node, 'eth_sendRawTransaction', [signed({ chainId: undefined })])
    const transaction = await call(node, 'eth_getTransactionByHash', [hash])
    expect(['0x1b', '0x1c']).toContain(transaction.v)
    expect(transaction.chainId).toBeUndefined()
  })

  test.each([
    ['an access list', '0x01'],
    ['fee market', '0x02'],
    ['blob', '0x03'],
    ['set code', '0x04'],
    ['unknown', '0x7f'],
  ])('of the %s type are refused on network 33', async (_, type) => {
    const refused = {
      kind: 'unsupportedTransaction',
      code: -32602,
      message: /^transaction type \d+ .*accepts type 0/,
    }
    await expectRefusal(await freshNode(), `${type}${signed().slice(2)}`, refused)
  })
})

describe('admission refuses', () => {
  const poorKey = keyOf('nobody gave me anything')
  const dear = signed({ gasPrice: 10n ** 30n, value: 0n })
  const creation = signed({ to: '0x', data: `0x${'00'.repeat(49_153)}`, gas: 9_000_000n })
  const large = signed({ data: `0x${'00'.repeat(131_072)}`, gas: 9_000_000n })

  const belowCost = pool('intrinsicGasTooLow', /^transaction's basic cost is above the gas limit$/)

  test.each<[string, string, Refused]>([
    ['a sender without balance', signed({ key: poorKey }), pool('insufficientFunds', /doesn't exist$/)],
    ['a sender without the balance for gas', dear, pool('insufficientFunds', /^insufficient funds$/)],
    ['more gas than a block has', signed({ gas: 10_000_001n }), pool('gasLimitTooHigh', /limit of 6800000$/)],
    ['less gas than a transfer costs', signed({ gas: 20_999n }), belowCost],
    ['no gas', signed({ gas: 0n }), belowCost],
    ['less gas than its data costs', signed({ gas: 21_019n, data: '0x0001' }), belowCost],
    ['too much creation code', creation, pool('initCodeTooLarge', /init code size is invalid$/)],
    ['too many bytes', large, pool(REJECTED, /size is higher than defined maximum: 1311\d\d > 131072$/)],
  ])('%s', async (_, raw, refused) => expectRefusal(await freshNode(), raw, refused))

  test.each([
    ['mined', true, 'nonceTooLow', /^transaction nonce too low$/],
    ['waiting', false, 'alreadyKnown', /^pending transaction with same hash already exists$/],
  ] as const)('a transaction that is %s', async (_, mining, kind, message) => {
    const node = await freshNode({ mining })
    await call(node, 'eth_sendRawTransaction', [signed()])
    await expectRefusal(node, signed(), pool(kind, message))
  })

  test('a gas price below the minimum', async () => {
    const node = await freshNode()
    await call(node, 'hardhat_setMinGasPrice', ['0xa'])
    const refused = pool('feeTooLow', /^transaction's gas price lower than block's minimum$/)
    await expectRefusal(node, signed({ gasPrice: 9n }), refused)
  })

  test('a replacement below the bump', async () => {
    const node = await freshNode({ mining: false })
    const first = await call(node, 'eth_sendRawTransaction', [signed({ gasPrice: 100n })])
    const refused = pool('underpriced', /^gas price not enough to bump transaction$/)
    await expectRefusal(node, signed({ gasPrice: 139n }), refused)
    expect(await pendingHashes(node)).toEqual([first])
  })

  test('a cost above the balance less the pooled transactions', async () => {
    const node = await freshNode({ mining: false })
    const half = 6n * 10n ** 29n
    await call(node, 'eth_sendRawTransaction', [signed({ value: half })])
    const refused = pool('insufficientFunds', /^insufficient funds to pay for pending and new transactions$/)
    await expectRefusal(node, signed({ nonce: 1n, value: half }), refused)
  })
})

const pendingHashes = async (node: Node): Promise<readonly string[]> =>
  (await call(node, 'eth_pendingTransactions')).map(({ hash }: { hash: string }) => hash)

describe('admission accepts', () => {
  test('creation code of any size with --allow-unlimited-contract-size', async () => {
    const node = await freshNode({ allowUnlimitedContractSize: true, blockGasLimit: 10_000_000 })
    const raw = signed({ to: '0x', data: `0x${'00'.repeat(49_153)}`, gas: 9_000_000n, value: 0n })
    const hash = await call(node, 'eth_sendRawTransaction', [raw])
    expect((await call(node, 'eth_getTransactionReceipt', [hash])).status).toBe('0x1')
  })

  test('a replacement of a queued transaction, at any price', async () => {
    const node = await freshNode({ mining: false })
    await call(node, 'eth_sendRawTransaction', [signed({ nonce: 2n, gasPrice: 10n })])
    const second = await call(node, 'eth_sendRawTransaction', [signed({ nonce: 2n, gasPrice: 9n })])
    const { queued } = await call(node, 'txpool_content')
    expect(queued[COW.slice(2)][2].map(({ hash }: { hash: string }) => hash)).toEqual([second])
  })

  test('what closes a gap, and drops what then cannot be paid', async () => {
    const node = await freshNode({ mining: false })
    const most = 10n ** 30n - 1n
    for (const nonce of [1n, 2n]) await call(node, 'eth_sendRawTransaction', [signed({ nonce, value: 2n })])
    await call(node, 'eth_sendRawTransaction', [signed({ value: most })])
    expect(await call(node, 'txpool_status')).toEqual({ pending: 1, queued: 1 })
    // The same on Ethereum, where the block drops it.
    const ethereum = await freshNode({ network: 'ethereum', mining: false })
    const [from] = await call(ethereum, 'eth_accounts')
    const send = (nonce: number, value: bigint) =>
      call(ethereum, 'eth_sendTransaction', [
        { from, to: COW1, nonce, value: `0x${value.toString(16)}`, gas: 21_000 },
      ])
    await send(1, 10n ** 22n - 10n ** 18n)
    await send(0, 10n ** 22n - 10n ** 18n)
    expect(await call(ethereum, 'txpool_status')).toMatchObject({ pending: 2 })
  })
})

describe('a call that runs out of gas', () => {
  // Runs forever.
  const setUp = async (options: OptionsInput = {}) => {
    const node = await freshNode(options)
    await call(node, 'hardhat_setCode', [TO, '0x5b5f56'])
    return node
  }
  const failure = (node: Node, method: string, more: object = {}) =>
    call(node, method, [{ from: node.funded[0]!.address, to: TO, ...more }])

  test.each(['eth_sendTransaction', 'eth_sendUnsignedTransaction'])(
    'tells that it got the default gas: %s',
    async (method) => {
      await expect(failure(await setUp(), method)).rejects.toMatchObject({
        kind: 'executionFailed',
        message:
          'out of gas: the request named no gas and got 90000; --default-gas estimate has the node estimate it',
      })
    },
  )

  test('does not tell so where its request names the gas', async () => {
    await expect(failure(await setUp(), 'eth_sendTransaction', { gas: '0x15f90' })).rejects.toMatchObject({
      message: 'out of gas',
    })
  })
})

describe('eth_resend', () => {
  test('replaces a pooled transaction by one with a higher price', async () => {
    const node = await freshNode({ mining: false })
    const request = { ...transfer(node), nonce: '0x0', gasPrice: '0x64' }
    const first = await call(node, 'eth_sendTransaction', [request])
    const second = await call(node, 'eth_resend', [request, '0xc8', '0x7530'])
    await call(node, 'evm_mine')
    expect(await call(node, 'eth_getTransactionByHash', [first])).toBeNull()
    expect(await call(node, 'eth_getTransactionByHash', [second])).toMatchObject({
      nonce: '0x0',
      gasPrice: '0xc8',
      gas: '0x7530',
      blockNumber: '0x1',
    })
  })

  test('refuses a price below the bump, and a nonce that is not pooled', async () => {
    const node = await freshNode({ mining: false })
    const request = { ...transfer(node), nonce: '0x0', gasPrice: '0x64' }
    await call(node, 'eth_sendTransaction', [request])
    expect((await refusal(node, 'eth_resend', [request, '0x65'])).kind).toBe('underpriced')
    expect(await refusal(node, 'eth_resend', [{ ...request, nonce: '0x1' }])).toMatchObject({
      kind: 'transactionRejected',
      message: expect.stringContaining('with nonce 1 is in the pool'),
    })
  })
})

test.each(['eth_fillTransaction', 'eth_signTransaction', 'eth_sendTransaction'])(
  '%s refuses a tip above the maximum fee',
  async (method) => {
    const node = await freshNode({ network: 'ethereum' })
    const transaction = { ...transfer(node), maxFeePerGas: '0x3', maxPriorityFeePerGas: '0x4' }
    expect(await refusal(node, method, [transaction])).toEqual({
      kind: 'invalidTransaction',
      message: 'max priority fee per gas higher than max fee per gas: 4 > 3',
    })
  },
)

test('eth_fillTransaction fills in nonce, gas, price and type, and sends nothing', async () => {
  const node = await freshNode()
  await call(node, 'eth_sendTransaction', [{ from: COW, to: COW1, value: '0x1' }])
  const { raw, tx } = await call(node, 'eth_fillTransaction', [{ from: COW, to: COW1 }])
  expect(tx).toMatchObject({ nonce: '0x1', gas: '0x5208', gasPrice: '0x0', type: '0x0' })
  expect(raw).toMatch(/^0x/)
  expect(await call(node, 'txpool_status')).toEqual({ pending: 0, queued: 0 })
})
