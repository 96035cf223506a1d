import { expect, test } from '@jest/globals'
import { groupAlike } from '../../lib/schema/alike-failures.ts'
import type { FailureResult } from '../../lib/schema/explanation-results.ts'

const amount = (value: string) => [{ name: 'amount', type: 'uint256', value }]

const failure = (id: number, changed: Partial<FailureResult> = {}): FailureResult => ({
  id,
  kind: 'call',
  world: null,
  time: '2026-01-01T00:00:00.000Z',
  gasUsed: '0x5208',
  reason: 'no',
  to: '0x01',
  contract: 'Shop',
  function: 'buy(uint256)',
  arguments: amount('3'),
  place: { address: '0x01', line: 7 },
  ...changed,
})

const ids = (failures: readonly ReturnType<typeof failure>[]) =>
  groupAlike(failures).map((group) => group.map(({ id }) => id))

test('failures of one call are together, newest first, also of a contract that was deployed again', () => {
  expect(ids([failure(3), failure(2, { reason: 'never' }), failure(1, { to: '0x02' })])).toEqual([
    [3, 1],
    [2],
  ])
})

test.each<[Partial<FailureResult>]>([
  [{ kind: 'transaction' }],
  [{ world: 'one' }],
  [{ contract: 'Token' }],
  [{ contract: undefined }],
  [{ function: 'sell(uint256)' }],
  [{ arguments: amount('4') }],
  [{ place: { address: '0x01', line: 8 } }],
])('those with another %j are apart', (changed) => {
  expect(ids([failure(2), failure(1, changed)])).toEqual([[2], [1]])
})

test('calls whose arguments are unknown are apart', () => {
  const unknown = { function: undefined, arguments: undefined }
  expect(ids([failure(2, unknown), failure(1, unknown)])).toEqual([[2], [1]])
})
