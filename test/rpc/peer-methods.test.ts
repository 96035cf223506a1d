/** The methods of other nodes: this node has each of them, or the list has the reason why not. */

import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { PEERS } from '../../scripts/methods-tables.ts'
import type { PeerMethod } from '../../scripts/methods-tables.ts'
import { allMethods } from '../../scripts/all-methods.ts'
import { freshNode, refusal } from '../support/node.ts'

const { methods, sources } = JSON.parse(readFileSync('fixtures/peer-methods.json', 'utf8')) as {
  readonly methods: readonly PeerMethod[]
  readonly sources: Readonly<Record<string, string>>
}
const names = methods.map(({ name }) => name)
const refused = methods.filter(({ reason }) => reason !== undefined)

describe('the list', () => {
  test('names every method once, in order, with the nodes that have it', () => {
    expect(names).toEqual([...new Set(names)].toSorted())
    const known = Object.keys(PEERS)
    expect(methods.filter(({ peers }) => peers.length === 0)).toEqual([])
    expect(methods.filter(({ peers }) => peers.some((peer) => !known.includes(peer)))).toEqual([])
  })

  test('has a source for each column', () => {
    expect(Object.keys(sources).toSorted()).toEqual(Object.keys(PEERS).toSorted())
  })

  test.each(Object.keys(PEERS))('has the methods of %s', (peer) => {
    // Hardhat 3 has the fewest, 67.
    expect(methods.filter(({ peers }) => peers.some((one) => one === peer)).length).toBeGreaterThanOrEqual(67)
  })
})

test('each method is known or has a reason, and never both', () => {
  const isAnswered = ({ name }: PeerMethod) => allMethods.find(name) !== undefined
  const wrong = methods.filter((method) => isAnswered(method) === (method.reason !== undefined))
  expect(wrong.map(({ name }) => name)).toEqual([])
})

test('each reason is a phrase for a table row', () => {
  for (const { reason } of refused) expect(reason).toMatch(/^\S[^|\n]{10,}[^.]$/)
})

test('every method with a reason is unknown to the node', async () => {
  const node = await freshNode()
  for (const { name } of refused) expect((await refusal(node, name)).kind).toBe('methodNotFound')
})
