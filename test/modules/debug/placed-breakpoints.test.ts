/** Breakpoints are checked against the sources before anything runs. */

import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { PATH, lineAt, lineOf, startMarket } from './market.ts'
import { call } from '../../support/node.ts'

let scene: Awaited<ReturnType<typeof startMarket>>
beforeAll(async () => void (scene = await startMarket()))
afterAll(() => scene.end())

const placed = async (breakpoint: object): Promise<Record<string, unknown>> => {
  const [found, ...others] = await call(scene.node, 'dev_debugBreakpoints', [[{ id: 5, ...breakpoint }]])
  expect(others).toEqual([])
  return found
}

const line = (text: string) => {
  const { path, line: number } = lineAt(text)
  return { kind: 'line', path, line: number }
}

test('a line with a statement is placed there', async () => {
  expect(await placed(line('sum += i'))).toEqual({ id: 5, isPlaced: true, line: lineOf('sum += i') })
})

test('a line without a statement is moved to the next one', async () => {
  expect(await placed(line('function withFee'))).toEqual({
    id: 5,
    isPlaced: true,
    line: lineOf('return price + FEE'),
  })
})

test('a line after the last statement, and a source that no contract has, are refused', async () => {
  expect(await placed({ ...line('sum += i'), line: 9999 })).toMatchObject({
    isPlaced: false,
    message: `no statement is on line 9999 of ${PATH} or after it`,
  })
  expect(await placed({ ...line('sum += i'), path: 'Other.sol' })).toMatchObject({
    isPlaced: false,
    message: expect.stringContaining('no known contract was compiled from Other.sol'),
  })
})

test('a function has to be known', async () => {
  expect(await placed({ kind: 'function', name: 'sell' })).toEqual({ id: 5, isPlaced: true })
  expect(await placed({ kind: 'function', name: 'Market.sell' })).toEqual({ id: 5, isPlaced: true })
  expect(await placed({ kind: 'function', name: 'Purse.sell' })).toMatchObject({
    isPlaced: false,
    message: 'no known contract has a function Purse.sell',
  })
})

test('conditions are read', async () => {
  expect(await placed({ ...line('sum += i'), condition: 'i > 2' })).toMatchObject({ isPlaced: true })
  expect(await placed({ ...line('sum += i'), condition: 'i >' })).toMatchObject({
    isPlaced: false,
    message: expect.stringMatching(/^condition: /),
  })
  expect(await placed({ ...line('sum += i'), hitCondition: 'often' })).toMatchObject({
    isPlaced: false,
    message: 'hit condition: expected a number such as 3, >= 3 or % 2, got often',
  })
})
