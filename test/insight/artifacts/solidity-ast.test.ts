import { beforeAll, describe, expect, test } from '@jest/globals'
import type { SourceUnit } from '../../../lib/insight/artifacts/compilation.ts'
import { SourceLines } from '../../../lib/insight/artifacts/source-unit.ts'
import { soliditySource } from '../../../lib/insight/artifacts/solidity-ast.ts'
import { statementsOf } from '../../../lib/modules/coverage/source-items.ts'
import { compilerRun, contractsOf, namedLines, setupName } from '../explain/failures/failing-contracts.ts'
import { SETUPS } from '../explain/failures/tested-setups.ts'

const plain = SETUPS.filter(({ isOptimized, viaIr }) => !isOptimized && !viaIr)

describe.each(plain.map((setup) => [setupName(setup), setup] as const))('the AST of %s', (_name, setup) => {
  let unit: SourceUnit
  let source: NonNullable<ReturnType<typeof soliditySource>>
  let lines: SourceLines
  let named: ReadonlyMap<string, number>
  beforeAll(async () => {
    const [contract] = contractsOf(setup, await compilerRun(setup)).filter(
      ({ path }) => path === 'Failures.sol',
    )
    unit = contract!.compilation.sources.find(({ path }) => path === 'Failures.sol')!
    source = soliditySource(unit.ast)!
    lines = new SourceLines(unit.content!)
    named = await namedLines()
  }, 300_000)

  const functionsOf = (contract: string | undefined) =>
    source.functions.filter((one) => one.contract?.name === contract)

  test('contracts have their kinds', () => {
    const kinds = source.contracts.map(({ name, kind }) => [name, kind])
    expect(kinds).toEqual(
      expect.arrayContaining([
        ['Numbers', 'library'],
        ['Ancestor', 'contract'],
        ['Target', 'interface'],
      ]),
    )
  })

  test.each([
    [
      'Ancestor',
      [
        'variable total',
        'constructor constructor',
        'function hook',
        'function template',
        'function overridden',
        'function guarded',
      ],
    ],
    ['RefusesEther', ['receive receive', 'fallback fallback']],
    [undefined, ['function free']],
  ])('functions of %s', (contract, expected) => {
    expect(functionsOf(contract).map(({ kind, name }) => `${kind} ${name}`)).toEqual(expected)
  })

  test('a place belongs to its innermost function', () => {
    const start =
      unit
        .content!.split('\n')
        .slice(0, named.get('yul')! - 1)
        .join('\n').length + 20
    expect(source.functionAt({ start, end: start + 1 })?.name).toBe('refuse')
  })

  test('external functions have selectors', () => {
    const set = functionsOf('NoFallback').find(({ name }) => name === 'set')
    expect(set?.selector).toBe('60fe47b1')
  })

  test('a function knows the functions and modifiers that it uses', () => {
    const [behind] = functionsOf('Failures').filter(({ name }) => name === 'behindModifier')
    const [checked] = functionsOf('Failures').filter(({ name }) => name === 'checked')
    expect(behind?.uses.map(({ name, isInHead }) => [name, isInHead])).toEqual([['checked', true]])
    expect(checked?.uses.map(({ name }) => name)).toEqual(['check'])
    expect(checked?.placeholders.map(({ start, end }) => lines.excerpt(start, end))).toEqual(['_'])
  })

  test('a function knows where it can fail', () => {
    const [one] = functionsOf('Failures').filter(({ name }) => name === 'revertText')
    const shown = one?.points.map(({ kind, text, range }) => [kind, text, lines.positionOf(range.start).line])
    expect(shown).toEqual([['text', 'too large', named.get('revert-text')]])
  })

  test('statements and branches have their ranges', () => {
    const { statements, branches } = statementsOf(unit.ast!)
    const [first] = branches.filter(({ range }) =>
      lines.excerpt(range.start, range.end).includes('too large'),
    )
    expect(first).toMatchObject({ kind: 'if', ways: [expect.anything(), undefined] })
    expect(statements.map(({ start }) => lines.positionOf(start).line)).toEqual(
      expect.arrayContaining([named.get('revert-text'), named.get('loop'), named.get('nested')]),
    )
    expect(branches.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['if', 'conditional', 'try']))
  })
})

test('a source without an AST has nothing', () => {
  expect(soliditySource(undefined)).toBeUndefined()
})
