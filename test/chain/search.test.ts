import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { transactionBySenderAndNonce } from '../../lib/chain/search.ts'
import { call, freshNode } from '../support/node.ts'

const TO = `0x${'bb'.repeat(20)}`

/** The senders of a block's transactions, in the order of the transactions. */
const blocks = fc.array(fc.array(fc.nat(2), { maxLength: 4 }), { minLength: 1, maxLength: 12 })

describe('the transaction of a sender with a nonce', () => {
  test('is found wherever it was mined, and the next one is not', async () => {
    await fc.assert(
      fc.asyncProperty(blocks, async (plan) => {
        const node = await freshNode({ noMining: true })
        const senders = node.funded.slice(0, 3).map(({ address }) => address)
        const sent = senders.map((): string[] => [])
        for (const block of plan) {
          for (const sender of block) {
            sent[sender]!.push(await call(node, 'eth_sendTransaction', [{ from: senders[sender], to: TO }]))
          }
          await call(node, 'evm_mine')
        }
        const found = senders.map((sender, index) =>
          [...sent[index]!.keys(), sent[index]!.length].map(
            (nonce) =>
              transactionBySenderAndNonce(node.chain, sender, BigInt(nonce))?.receipt.transaction.hash,
          ),
        )
        expect(found).toEqual(sent.map((hashes) => [...hashes, undefined]))
      }),
      { numRuns: 20 },
    )
  })

  test('is not found in the gap that a nonce set by hand leaves', async () => {
    const node = await freshNode()
    const from = node.funded[0]!.address
    const send = () => call(node, 'eth_sendTransaction', [{ from, to: TO }])
    const first = await send()
    await call(node, 'hardhat_setNonce', [from, '0x5'])
    const later = await send()
    const found = [0n, 3n, 5n].map(
      (nonce) => transactionBySenderAndNonce(node.chain, from, nonce)?.receipt.transaction.hash,
    )
    expect(found).toEqual([first, undefined, later])
  })
})
