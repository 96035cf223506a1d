/** Calls whose value or fee the sender lacks: refused on Ethereum, but not by Hardhat, and not on network 33. */

import { describe, expect, test } from '@jest/globals'
import { NodeError } from '../../lib/base/errors.ts'
import type { Dialect } from '../../lib/config/dialect.ts'
import { call, freshNode } from '../support/node.ts'

const POOR = `0x${'0a'.repeat(20)}`
const TO = `0x${'0b'.repeat(20)}`

/** The kind and the message of the error of a call; undefined if it succeeds. */
async function refusalOf(
  network: string,
  dialect: Dialect,
  [method, ...rest]: readonly [string, ...unknown[]],
  request: object,
) {
  const node = await freshNode({ network })
  return call(node, method, [{ from: POOR, to: TO, ...request }, ...rest], dialect).then(
    () => undefined,
    (error: unknown) => (error instanceof NodeError ? [error.kind, error.message] : error),
  )
}

describe.each<[string, ...unknown[]]>([
  ['eth_call', 'latest'],
  ['eth_createAccessList', 'latest'],
  ['debug_traceCall', 'latest', {}],
])('%s', (...method) => {
  test.each(['ethereum', 'node33'] as const)(
    'needs the funds on Ethereum, in dialect %s',
    async (dialect) => {
      expect(await refusalOf('ethereum', dialect, method, { value: '0x1' })).toEqual([
        'insufficientFunds',
        `insufficient funds for transfer: address ${POOR} have 0, want 1`,
      ])
      const priced = { gas: '0x10000', gasPrice: '0x3b9aca00' }
      expect(await refusalOf('ethereum', dialect, method, priced)).toEqual([
        'insufficientFunds',
        `insufficient funds for gas * price + value: address ${POOR} have 0, want ${65_536n * 10n ** 9n}`,
      ])
      expect(await refusalOf('ethereum', dialect, method, {})).toBeUndefined()
    },
  )

  test('needs no funds in dialect hardhat, nor on network 33', async () => {
    expect(await refusalOf('ethereum', 'hardhat', method, { value: '0x1' })).toBeUndefined()
    for (const dialect of ['node33', 'ethereum'] as const)
      expect(await refusalOf('network-33', dialect, method, { value: '0x1' })).toBeUndefined()
  })
})

test('a balance override pays for a call', async () => {
  const node = await freshNode({ network: 'ethereum' })
  const params = [{ from: POOR, to: TO, value: '0x1' }, 'latest', { [POOR]: { balance: '0x1' } }]
  expect(await call(node, 'eth_call', params)).toBe('0x')
})
