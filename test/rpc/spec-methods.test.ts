/** The methods of the service specification: the node has the supported ones, and not the unsupported ones. */

import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import type { SpecMethod } from '../../scripts/methods-tables.ts'
import { allMethods } from '../../scripts/all-methods.ts'
import { moduleOf } from '../../lib/rpc/registry.ts'
import { call, freshNode, refusal } from '../support/node.ts'

const listed = JSON.parse(readFileSync('fixtures/spec-methods.json', 'utf8')) as readonly SpecMethod[]
const names = (methods: readonly SpecMethod[]) => methods.map(({ name }) => name)
const answered = listed.filter(({ status }) => status !== 'unsupported')
const refused = listed.filter(({ status }) => status === 'unsupported')

describe('the list', () => {
  test('names every method once, under its module, with a reason for what is missing', () => {
    expect(new Set(names(listed)).size).toBe(listed.length)
    for (const { name, group, status, reason } of listed) {
      expect(group).toBe(moduleOf(name))
      expect([name, reason !== undefined]).toEqual([name, status !== 'supported'])
    }
  })

  test('is the whole of the specification: 79 supported, 5 in part, 18 not, 4 only described', () => {
    const count = (status: SpecMethod['status'], isDescribed: boolean) =>
      listed.filter((one) => one.status === status && (one.alsoDescribed === true) === isDescribed).length
    expect([
      count('supported', false),
      count('partial', false),
      count('unsupported', false),
      count('supported', true),
    ]).toEqual([79, 5, 18, 4])
  })
})

test('every supported method is known', () => {
  expect(names(answered).filter((name) => allMethods.find(name) === undefined)).toEqual([])
})

test.each(names(refused))('%s is refused as an unknown method', async (name) => {
  expect(allMethods.find(name)).toBeUndefined()
  expect(await refusal(await freshNode(), name)).toMatchObject({ kind: 'methodNotFound' })
})

test.each(names(listed.filter(({ status }) => status === 'partial')))(
  '%s takes the pending tag, which the specification leaves out',
  async (name) => {
    const { example, params } = allMethods.find(name)!
    const at = params.findIndex((param) => param.name === 'block')
    const node = await freshNode()
    const answer = await call(node, name, example.params.with(at, 'pending'))
    allMethods.find(name)!.result.parse(answer)
  },
)
