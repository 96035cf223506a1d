/** Reasons that depend on gas, and those of contracts that are not known. */

import { beforeAll, describe, expect, test } from '@jest/globals'
import { encodeFunctionData, parseAbi, toFunctionSelector } from 'viem'
import { FailureRuns, shownStack } from './failures/failure-runs.ts'
import { PLAIN, compilerRun, contractsOf, namedLines, setupName } from './failures/failing-contracts.ts'
import type { CompiledContract } from '../../../lib/insight/artifacts/compilation.ts'
import { SETUPS } from './failures/tested-setups.ts'

describe('reasons', () => {
  let contracts: readonly CompiledContract[]
  let lines: ReadonlyMap<string, number>
  beforeAll(async () => {
    contracts = contractsOf(PLAIN, await compilerRun(PLAIN))
    lines = await namedLines()
  }, 300_000)

  test('out of gas in a function names its loop', () => {
    const failure = new FailureRuns(contracts).explain({ contract: 'Failures', call: 'burn', gas: 100_000 })!
    expect(failure.reason).toMatchObject({ kind: 'out of gas', message: 'ran out of gas: it had 100000 gas' })
    expect([lines.get('burn'), lines.get('burn-loop')]).toContain(failure.stack[0]?.line)
  })

  test('out of gas in a call is passed on', () => {
    const failure = new FailureRuns(contracts).explain({
      contract: 'Caller',
      call: 'withGas',
      args: ['Failures'],
    })!
    expect(failure.reason.message).toBe('ran out of gas: it had 30000 gas')
    expect(failure.stack[0]?.function).toBe('burn')
    expect(shownStack(failure).at(-1)).toBe(`Caller.withGas:${lines.get('with-gas')}`)
  })

  test('out of gas when the code of a new contract is stored', () => {
    const failure = new FailureRuns(contracts).explain({ contract: 'Failures', args: [1n], gas: 900_000 })!
    expect(failure.reason.kind).toBe('deposit out of gas')
    expect(shownStack(failure)).toEqual([`Failures.constructor:${lines.get('constructor-head')}`])
  })

  test('an unknown contract has an entry without names', () => {
    const known = contracts.filter(({ name }) => name !== 'Replies')
    const runs = new FailureRuns(contracts, known)
    const failure = runs.explain({ contract: 'Caller', call: 'direct', args: [5n] })!
    expect(failure.reason.message).toBe("reverted with reason string 'reply refuses'")
    expect(failure.stack.map(({ contract, function: name }) => [contract, name])).toEqual([
      [undefined, undefined],
      ['Caller', 'direct'],
    ])
  })

  test('a call that succeeds has no failure', () => {
    expect(
      new FailureRuns(contracts).explain({ contract: 'Failures', call: 'requireText', args: [9n] }),
    ).toBeUndefined()
  })

  test('an entry has the column and the text of its line', () => {
    const failure = new FailureRuns(contracts).explain({
      contract: 'Failures',
      call: 'requireText',
      args: [3n],
    })!
    expect(failure.stack[0]).toMatchObject({
      file: 'Failures.sol',
      column: 5,
      excerpt: 'require(x > 5, "too small"); // #require-text',
    })
  })
})

describe.each(SETUPS.map((one) => [setupName(one), one] as const))('%s', (_name, one) => {
  let runs: FailureRuns
  let lines: ReadonlyMap<string, number>
  beforeAll(async () => {
    runs = new FailureRuns(contractsOf(one, await compilerRun(one)))
    lines = await namedLines()
  }, 300_000)

  test('out of gas has no wrong line', () => {
    const { reason, stack } = runs.explain({ contract: 'Failures', call: 'burn', gas: 100_000 })!
    expect([reason.kind, stack[0]?.function, stack.length]).toEqual(['out of gas', 'burn', 1])
    expect([lines.get('burn'), lines.get('burn-loop'), undefined]).toContain(stack[0]?.line)
  })

  test('a value that is not an address is an incorrect parameter', () => {
    const selector = toFunctionSelector('withArguments(uint256,address,bytes)')
    const data =
      `${selector}${'00'.repeat(32)}${'ff'.repeat(32)}${'00'.repeat(31)}60${'00'.repeat(32)}` as const
    const failure = runs.explain({ contract: 'Failures', data })
    // Before 0.8 the compiler ignores the other bytes; the new pipeline keeps too little of the sources if it optimizes.
    if (one.version === '0.7.6') expect(failure).toBeUndefined()
    else if (one.isOptimized && one.viaIr) expect(failure?.reason.kind).toBe('no reason')
    else expect(shownStack(failure!)).toEqual([`Failures.withArguments:${lines.get('arguments')}`])
  })

  test('a library that is called directly', () => {
    const data = encodeFunctionData({ abi: parseAbi(['function store(uint256 x)']), args: [4n] })
    const { reason, stack } = runs.explain({ contract: 'Writes', data })!
    expect([reason.kind, stack[0]?.contract, stack[0]?.function]).toEqual([
      'library called directly',
      'Writes',
      undefined,
    ])
  })
})
