/** The reason and the innermost function are those of Hardhat 2's in-process network, except where its own are not right. */

import { beforeAll, describe, expect, test } from '@jest/globals'
import { FAILURES } from './failures/failure-cases.ts'
import { FailureRuns, shownStack } from './failures/failure-runs.ts'
import { compilerRun, contractsOf, setupName } from './failures/failing-contracts.ts'
import { hardhat2Failures } from './failures/hardhat2-stacks.ts'
import type { HardhatFailure } from './failures/hardhat2-stacks.ts'
import { SETUPS } from './failures/tested-setups.ts'

/** What Hardhat says instead, by the title of the failure. */
const OTHER_TOPS: ReadonlyMap<string, RegExp> = new Map([
  // It names the contract that runs instead of the one that declares the function.
  ['super', /^Failures\.overridden:/],
  ['internal library', /^Failures\.small:/],
  ['constructor of a base contract', /^Failures\.constructor:/],
  // It names the function around inline assembly.
  ['function of inline assembly', /^Failures\.yulFunction:/],
  // The place of the RETURN instead of the constructor.
  ['created code begins with 0xef', /^BeginsWithEf\.constructor:/],
  // It blames a caught failure with the same data.
  ['panic after a caught one', /^CustomErrors\.ratio:/],
  ['custom error after an equal one', /^CustomErrors\.empty:/],
  ['failure after a caught one with the same text', /^Replies\.set:/],
])

const OTHER_REASONS: ReadonlyMap<string, RegExp> = new Map([
  // Since 0.8.10 the code is not checked before a call with a result.
  [
    'address without code, with a result',
    /function returned an unexpected amount of data|non-contract account/,
  ],
  ['created code begins with 0xef', /couldn't infer the reason/],
  ['slice that ends after the data', /couldn't infer the reason/],
])

const plain = SETUPS.filter(({ isOptimized, viaIr }) => !isOptimized && !viaIr)

describe.each(plain.map((setup) => [setupName(setup), setup] as const))('%s', (_name, setup) => {
  const cases = FAILURES.filter(({ isNew }) => !isNew || setup.version !== '0.7.6')
  let runs: FailureRuns
  let theirs: readonly HardhatFailure[]
  beforeAll(async () => {
    const run = await compilerRun(setup)
    runs = new FailureRuns(contractsOf(setup, run))
    theirs = await hardhat2Failures(setup, run, runs, { cases })
  })

  test.each(cases.map((one, index) => [one.title, one, index] as const))('%s', (title, one, index) => {
    const failure = runs.explain(one)!
    const { message, stack } = theirs[index]!
    const otherReason = OTHER_REASONS.get(title)
    if (otherReason !== undefined) expect(message).toMatch(otherReason)
    else expect(failure.reason.message).toMatch(startOf(withoutPhrase(message)))
    const otherTop = OTHER_TOPS.get(title)
    if (otherTop !== undefined) expect(stack[0]).toMatch(otherTop)
    else expect(shownStack(failure)[0]).toBe(stack[0]?.replace(/[<>]/g, ''))
  })
})

const withoutPhrase = (message: string): string =>
  message.replace(/^(VM Exception while processing transaction|Transaction reverted): |^Transaction /, '')

/** Own reasons may have figures at the end. */
const startOf = (text: string): RegExp => new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`)
