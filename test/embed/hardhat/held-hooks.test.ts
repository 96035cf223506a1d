/** The failures that tests of a held process fail by. */

import { describe, expect, test } from '@jest/globals'
import { failureWith } from '../../../lib/embed/hardhat/held-hooks.ts'
import { call, freshNode, refusal } from '../../support/node.ts'

/** Code that reverts with a word, or without data. */
const [WITH_WORD, WITHOUT] = [(word: string) => `0x60${word}60005260206000fd`, '0x60006000fd']

describe('the failure of a test', () => {
  const afterCalls = async (...codes: readonly string[]) => {
    const node = await freshNode({ network: 'ethereum' })
    for (const data of codes) await refusal(node, 'eth_call', [{ data }])
    return (mark: string) => failureWith(node, mark)?.id
  }

  test('is the newest one with its revert data', async () => {
    const found = await afterCalls(WITH_WORD('05'), WITH_WORD('06'), WITH_WORD('05'), WITH_WORD('06'))
    expect(found(`0x${'05'.padStart(64, '0')}`)).toBe(3)
    expect(found(`0x${'07'.padStart(64, '0')}`)).toBeUndefined()
  })

  test('without revert data is the newest of all, or none', async () => {
    expect((await afterCalls(WITH_WORD('05'), WITHOUT, WITHOUT))('0x')).toBe(3)
    expect((await afterCalls(WITHOUT, WITH_WORD('05')))('0x')).toBeUndefined()
  })

  test('by a transaction is the one with its hash', async () => {
    const node = await freshNode({ network: 'ethereum', dialect: 'ethereum' })
    const [from] = (await call(node, 'eth_accounts')) as readonly string[]
    const request = { from, data: WITHOUT, gas: '0x186a0' }
    const hash = (await call(node, 'eth_sendTransaction', [request])) as string
    await refusal(node, 'eth_call', [{ data: WITHOUT }])
    expect(failureWith(node, hash)?.id).toBe(1)
  })
})
