import { describe, expect, test } from '@jest/globals'
import { toHex } from '../../../lib/base/hex.ts'
import type { Receipt } from '../../../lib/chain/block.ts'
import { mergedMining } from '../../../lib/modules/network-33/consensus/merged-mining.ts'
import { ethereum } from '../../../lib/networks/ethereum/consensus/ethereum.ts'
import { addressOf, transactionOf } from '../../support/transactions.ts'

const KINDS = { 'merged-mining': mergedMining, ethereum }

const encodeReceipt = (kind: keyof typeof KINDS, receipt: Receipt) => KINDS[kind].encodeReceipt(receipt)

const topic = (byte: string) => `0x${byte.repeat(32)}` as const

/** A receipt with the members that the encodings read. */
function receiptOf(outcome: Partial<Receipt['outcome']>, rest: Partial<Receipt> = {}): Receipt {
  const whole = { status: 'success', gasUsed: 21_000n, logs: [], logsBloom: new Uint8Array(256), ...outcome }
  return {
    transaction: transactionOf({ type: 0 }),
    outcome: whole,
    cumulativeGasUsed: whole.gasUsed,
    ...rest,
  } as Receipt
}

const NO_BLOOM = `b90100${'00'.repeat(256)}`

describe('a receipt of a merged-mining network', () => {
  // Vector of node-chain 5.1.
  test('of a plain transfer alone in its block', () => {
    expect(toHex(encodeReceipt('merged-mining', receiptOf({})))).toBe(`0xf9010c01825208${NO_BLOOM}c082520801`)
  })

  test('has no bytes for failure, and its own gas beside that of the block', () => {
    const receipt = receiptOf({ status: 'reverted', gasUsed: 0x77n }, { cumulativeGasUsed: 0x1234n })
    expect(toHex(encodeReceipt('merged-mining', receipt))).toBe(`0xf9010a80821234${NO_BLOOM}c07780`)
  })

  test('has address, topics and data of each log', () => {
    const logs = [{ address: addressOf(1), topics: [topic('01'), topic('02')], data: Uint8Array.of(5) }]
    const encoded = toHex(
      encodeReceipt('merged-mining', receiptOf({ logs } as unknown as Receipt['outcome'])),
    )
    const log = `94${addressOf(1).slice(2)}f842a0${'01'.repeat(32)}a0${'02'.repeat(32)}05`
    expect(encoded).toContain(`${NO_BLOOM}f85cf85a${log}`)
  })

  // Own calculation of node-chain 5.1.
  test('of a fee distribution (unconfirmed)', () => {
    const encoded = encodeReceipt('merged-mining', receiptOf({ gasUsed: 0n }))
    expect(toHex(encoded)).toBe(`0xf901080180${NO_BLOOM}c08001`)
    expect(encoded).toHaveLength(267)
  })
})

describe('a receipt of Ethereum', () => {
  test('has four members', () => {
    expect(toHex(encodeReceipt('ethereum', receiptOf({})))).toBe(`0xf9010801825208${NO_BLOOM}c0`)
  })

  test('follows the type byte of a typed transaction', () => {
    const transaction = transactionOf({ type: 2 })
    expect(toHex(encodeReceipt('ethereum', receiptOf({}, { transaction })))).toBe(
      `0x02f9010801825208${NO_BLOOM}c0`,
    )
  })
})
