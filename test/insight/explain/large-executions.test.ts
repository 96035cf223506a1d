/** Explanations of large executions have a bounded size, and name the failure at their end. */

import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Chalk } from 'chalk'
import { describe, expect, test } from '@jest/globals'
import { encodeFunctionData } from 'viem'
import { explanationLines } from '../../../lib/cli/explanation-lines.ts'
import { compileProject, standardJson, writeProject } from '../../support/artifact-projects.ts'
import { askerOf } from '../../support/fork-pair.ts'
import { withServer } from '../../support/server.ts'
import type { Explained } from '../../support/shop.ts'

const PATH = 'contracts/Large.sol'
const content = readFileSync(join(import.meta.dirname, '../../../fixtures/explained/Large.sol'), 'utf8')
const run = compileProject({ [PATH]: content }, { optimizer: { enabled: true } })
const { abi, evm } = run.output.contracts[PATH]!['Large']!

/** Explains a call of the contract with an amount of gas. */
async function explain(functionName: string, count: number, gas = 2_000_000_000): Promise<Explained> {
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
      explained = await ask('dev_explainCall', [{ from, to, data, gas: `0x${gas.toString(16)}` }, 'latest'])
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
  })

  test('name the variables of hundreds of values of a mapping', async () => {
    const { storage, call } = await explain('writes', 600)
    expect(storage.map(({ variable }) => variable)).toEqual(
      Array.from({ length: 600 }, (_, at) => `values[${at}]`),
    )
    expect([stepsIn(call), call.omittedSteps]).toEqual([600, undefined])
  })

  test('can be deep', async () => {
    const { stack, call } = await explain('deep', 300)
    expect(stack).toHaveLength(301)
    expect(stepsIn(call)).toBe(300)
  })
})

describe('where the gas went', () => {
  const spendersOf = ({ gasSpent = [] }: Explained) =>
    gasSpent.map(({ contract, function: signature }) => `${contract}.${signature}`)

  /** Gas of the frames of the contract without that of their calls, from the tree. */
  const ownGas = ({ contract, gasUsed, steps }: Explained['call'], name: string): number =>
    steps.reduce(
      (sum, step) =>
        'call' in step
          ? sum + ownGas(step.call, name) - (contract === name ? Number(step.call.gasUsed) : 0)
          : sum,
      contract === name ? Number(gasUsed) : 0,
    )

  test('is told if the outer frame runs out', async () => {
    const explained = await explain('writes', 1000, 200_000)
    expect(explained.reason?.message).toMatch(/^ran out of gas/)
    expect(spendersOf(explained)).toEqual(['Large.writes(uint256)'])
    expect(explained.gasSpent?.[0]?.gas).toBe(explained.call.gasUsed)
    const [, line] = explanationLines(explained, new Chalk({ level: 0 }))
    expect(line).toBe(`  most gas: Large.writes ${Number(explained.call.gasUsed)}`)
  })

  test('is told if an inner frame with 63/64 of the gas runs out', async () => {
    const explained = await explain('deep', 1_000_000, 100_000)
    expect(explained.reason?.kind).toBe('out of gas')
    expect(spendersOf(explained)).toEqual(['Large.deep(uint256)'])
    expect(explained.gasSpent?.[0]?.gas).toBe(explained.call.gasUsed)
  })

  test('is told for a loop of calls, the largest first', async () => {
    const explained = await explain('calls', 1_000_000, 500_000)
    expect(explained.reason?.kind).toBe('out of gas')
    expect(spendersOf(explained)).toEqual(['Large.calls(uint256)', 'Leaf.plusOne(uint256)'])
    expect(explained.gasSpent?.map(({ gas }) => Number(gas))).toEqual([
      ownGas(explained.call, 'Large'),
      ownGas(explained.call, 'Leaf'),
    ])
  })

  test('is not told of another failure, or if calls are left out', async () => {
    expect((await explain('deep', 3)).gasSpent).toBeUndefined()
    const cut = await explain('calls', 1_000_000, 20_000_000)
    expect(cut.reason?.kind).toBe('out of gas')
    expect([cut.call.omittedSteps! > 0, cut.gasSpent]).toEqual([true, undefined])
  })
})
