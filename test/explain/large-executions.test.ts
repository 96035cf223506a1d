/** Explanations of large executions have a bounded size, and name the failure at their end. */

import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Chalk } from 'chalk'
import { describe, expect, test } from '@jest/globals'
import { encodeFunctionData } from 'viem'
import { explanationLines } from '../../lib/cli/explanation-lines.ts'
import { compileProject, standardJson, writeProject } from '../support/artifact-projects.ts'
import { askerOf } from '../support/fork-pair.ts'
import { withServer } from '../support/server.ts'
import type { Explained } from '../support/shop.ts'

const PATH = 'contracts/Large.sol'
const content = readFileSync(join(import.meta.dirname, '../../fixtures/explained/Large.sol'), 'utf8')
const run = compileProject({ [PATH]: content }, { optimizer: { enabled: true } })
const { abi, evm } = run.output.contracts[PATH]!['Large']!

/** Explains a call of the contract. */
async function explain(functionName: string, count: number): Promise<Explained> {
  const folder = await writeProject(standardJson(run))
  let explained: Explained | undefined
  await withServer(
    { network: 'ethereum', artifacts: [folder], blockGasLimit: 2_000_000_000n },
    async (server) => {
      const ask = askerOf(server)
      const [from] = await ask('eth_accounts', [])
      const hash = await ask('eth_sendTransaction', [
        { from, data: `0x${evm.bytecode.object}`, gas: '0x1e8480' },
      ])
      const { contractAddress: to } = await ask('eth_getTransactionReceipt', [hash])
      const data = encodeFunctionData({ abi, functionName, args: [BigInt(count)] })
      explained = await ask('node_explainCall', [{ from, to, data, gas: '0x77359400' }, 'latest'])
    },
  )
  await rm(folder, { recursive: true })
  return explained!
}

/** Number of calls, events and console outputs in a call and its calls. */
const stepsIn = ({ steps }: Explained['call']): number =>
  steps.reduce((sum, step) => sum + 1 + ('call' in step ? stepsIn(step.call) : 0), 0)

describe('large executions', () => {
  test('have the first 10,000 steps and the number of the others', async () => {
    const explained = await explain('calls', 12_000)
    expect([stepsIn(explained.call), explained.call.omittedSteps]).toEqual([10_000, 2000])
    expect(explained.reason?.message).toBe("reverted with reason string 'counted'")
    expect(explained.stack?.map((entry) => entry.function)).toEqual(['calls'])
    expect(explanationLines(explained, new Chalk({ level: 0 })).at(-1)).toBe('└─ 2000 more steps')
  }, 60_000)

  test('name the variables of hundreds of values of a mapping', async () => {
    const { storage, call } = await explain('writes', 600)
    expect(storage.map(({ variable }) => variable)).toEqual(
      Array.from({ length: 600 }, (_, at) => `values[${at}]`),
    )
    expect([stepsIn(call), call.omittedSteps]).toEqual([600, undefined])
  }, 60_000)

  test('can be deep', async () => {
    const { stack, call } = await explain('deep', 300)
    expect(stack).toHaveLength(301)
    expect(stepsIn(call)).toBe(300)
  }, 60_000)
})
