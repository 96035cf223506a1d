/** Failures have the same messages over HTTP, in the dialect of Hardhat, as on Hardhat 2's in-process network. */

import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { compileProject, standardJson, writeProject } from '../support/artifact-projects.ts'
import { FAILURES } from '../insight/explain/failures/failure-cases.ts'
import { FailureRuns } from '../insight/explain/failures/failure-runs.ts'
import type { FailingCall } from '../insight/explain/failures/failure-runs.ts'
import { PLAIN, compilerRun, contractsOf, setupName } from '../insight/explain/failures/failing-contracts.ts'
import type { CompilerRun, CompilerSetup } from '../insight/explain/failures/failing-contracts.ts'
import { hardhat2Failures } from '../insight/explain/failures/hardhat2-stacks.ts'
import type { HardhatFailure } from '../insight/explain/failures/hardhat2-stacks.ts'
import { withServer } from '../support/server.ts'

/** Where Hardhat says that it could not infer the reason, which is known here. */
const WITHOUT_OPINION: ReadonlySet<string> = new Set([
  'created code begins with 0xef',
  'slice that ends after the data',
  'Hidden.transferRefused()',
  'Sink 0x',
])
const NO_OPINION = "Transaction reverted and Hardhat couldn't infer the reason."
const BARE = 'Transaction reverted without a reason string'

/** What Hardhat's own network says, and what this node says to Hardhat over HTTP. */
async function bothFailures(setup: CompilerSetup, run: CompilerRun, cases: readonly FailingCall[]) {
  const runs = new FailureRuns(contractsOf(setup, run))
  const theirs = await hardhat2Failures(setup, run, runs, { cases })
  const artifacts = await writeProject(standardJson(run))
  let ours: readonly HardhatFailure[] = []
  const options = { network: 'ethereum', hardfork: 'cancun', dialect: 'hardhat' } as const
  await withServer({ ...options, artifacts: [artifacts] }, async ({ url }) => {
    ours = await hardhat2Failures(setup, run, runs, { cases, url })
  })
  await rm(artifacts, { recursive: true })
  return { theirs, ours }
}

/** The messages of a call and of a transaction. */
const messages = (failure: HardhatFailure | undefined) => [failure?.message, failure?.sent]

function compare(
  setup: CompilerSetup,
  compile: () => Promise<CompilerRun>,
  cases: readonly (FailingCall & { readonly title: string })[],
): void {
  let both: Awaited<ReturnType<typeof bothFailures>>
  beforeAll(async () => {
    both = await bothFailures(setup, await compile(), cases)
  })

  test.each(cases.map(({ title }, index) => [title, index] as const))('%s', (title, index) => {
    const expected = messages(both.theirs[index])
    if (WITHOUT_OPINION.has(title)) {
      expect(expected).toEqual([NO_OPINION, NO_OPINION])
      expect(messages(both.ours[index])).toEqual([BARE, BARE])
    } else expect(messages(both.ours[index])).toEqual(expected)
  })
}

// test/insight/explain compares the reasons under older compilers too.
describe(setupName(PLAIN), () => compare(PLAIN, () => compilerRun(PLAIN), FAILURES))

const content = readFileSync(join(import.meta.dirname, '../../fixtures/explained/Hidden.sol'), 'utf8')
const functions = [...content.slice(content.indexOf('contract Hidden')).matchAll(/function (\w+)\(([^)])?/g)]

const ofHidden = functions.map(([, call = '', param]) => ({
  title: `Hidden.${call}()`,
  contract: 'Hidden',
  call,
  args: param === undefined ? [] : [5],
}))

const withData = (contract: string, data: `0x${string}`, value = 0n) => ({
  title: `${contract} ${data}${value === 0n ? '' : ` with ${value}`}`,
  contract,
  data,
  value,
})

describe('reasons that no data tells', () => {
  compare(
    PLAIN,
    () => Promise.resolve(compileProject({ 'Hidden.sol': content })),
    [
      ...ofHidden,
      withData('Sink', '0x'),
      withData('NoReceive', '0x'),
      withData('NoReceive', '0x', 5n),
      withData('NoReceive', '0x12'),
      withData('NoReceive', '0x12345678'),
      withData('FallbackOnly', '0x', 5n),
      withData('FallbackOnly', '0x12345678', 5n),
      withData('FallbackAndReceive', '0x12345678', 5n),
      { title: 'creation that reverts', contract: 'Bare' },
      { title: 'creation that runs out of gas', contract: 'Spinner' },
      // Hardhat needs seconds for a loop with millions of gas.
    ].map((one) => ({ ...one, gas: 500_000 })),
  )
})
