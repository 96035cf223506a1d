/** Which statements must have run next to others. */

import { expect, test } from '@jest/globals'
import { impliedAfter, impliedBetween, mayRunBetween } from '../../../lib/modules/debug/rearranged-code.ts'
import { sourceIndex } from '../../../lib/modules/debug/source-index.ts'
import { corpusSources } from './corpus/source.ts'
import { NEWEST, compiled } from '../../support/solc.ts'
import { PIPELINES, inputOf } from './corpus/compiler.ts'

const [source] = corpusSources(NEWEST, ['Flow.sol'])
const { settings } = PIPELINES.find(({ version }) => version === NEWEST)!
const { path, content } = source!
const unit = {
  id: 0,
  path,
  content,
  ast: compiled(inputOf([[path, content]], NEWEST, settings)).sources[path].ast,
}
const index = sourceIndex(unit)!

/** The statements of a function, and their texts. */
function statementsOf(name: string) {
  const { statements } = index.functions.find((one) => one.name === name)!
  const textOf = ({ range }: (typeof statements)[number]): string => content.slice(range.start, range.end)
  const named = (text: string) => statements.find((one) => textOf(one).startsWith(text))!
  return { named, textOf }
}

test.each([
  ['grade', 'points > 50', 'points = 0', []],
  ['halves', 'number /= 2', 'rounds++', ['bool isLast = number <= 1', 'isLast']],
  ['halves', 'rounds += 100', 'number > 1', ['rounds++']],
  ['scopes', 'uint256 inner', 'bool deep', ['result = inner', 'int8 inner = -5']],
  ['skips', 'uint256 rest', 'odd += i', ['rest == 0', 'i > count']],
])('%s: between `%s` and `%s`', (name, from, to, expected) => {
  const { named, textOf } = statementsOf(name)
  expect(impliedBetween(named(from), named(to)).map(textOf)).toEqual(expected)
})

test.each([
  ['grade', 'uint8 missing', ['letter = bytes1(missing)', 'points = 0']],
  ['skips', 'rest == 0', []],
  ['early', 'square > limit', []],
])('%s: after `%s`', (name, from, expected) => {
  const { named, textOf } = statementsOf(name)
  expect(impliedAfter(named(from)).map(textOf)).toEqual(expected)
})

test.each([
  ['halves', 'number /= 2', 'rounds += 100', 'rounds++', true],
  ['halves', 'bool isLast', 'number /= 2', 'rounds++', false],
  ['halves', 'rounds++', 'rounds += 100', 'number /= 2', true],
  ['early', 'uint256 square', 'last = square', 'square = i', true],
])('%s: after `%s`, `%s` may run before `%s`: %s', (name, from, one, to, expected) => {
  const { named } = statementsOf(name)
  expect(mayRunBetween(named(from), named(one), named(to))).toBe(expected)
})
