/** Statements for which the compiler makes no code, and functions whose code it puts into others. */

import { rm } from 'node:fs/promises'
import { expect, test } from '@jest/globals'
import { encodeFunctionData } from 'viem'
import type { Hex } from 'viem'
import { createNode } from '../../../lib/embed/dev-node.ts'
import { compileProject, standardJson, writeProject } from '../../support/artifact-projects.ts'
import { countsOfLcov } from './lcov.ts'

const PATH = 'contracts/Ratio.sol'
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Ratio {
    function of_(uint256 a, uint256 b) external pure {
        uint256 c = a / b;
        c;
    }
    function either(bool first) external pure returns (uint256 sum) {
        for (uint256 i = 0; i < 3; i++) {
            if (first) {
                sum += 1;
                continue;
            }
            break;
        }
    }
    function early(uint256 a) external pure returns (uint256) {
        if (a == 0) return 1;
        a;
        for (uint256 i = 0; i < a; i++) { if (i == 1) break; }
        a;
        return 2;
    }
    uint256 private stored = 3;
    function _stored() public view virtual returns (uint256) {
        return stored;
    }
    function check() internal view virtual { if (_stored() > 5) revert(); }
    modifier small() { check(); _; }
    function read() external view small returns (uint256) {
        return 1;
    }
    function other() external view small returns (uint256) {
        return 2;
    }
}
`

const lineOf = (text: string): number => 1 + SOURCE.split('\n').findIndex((line) => line.includes(text))

/** Counts after calls. */
async function countsAfter(calls: readonly (readonly [string, readonly unknown[]])[], settings: object = {}) {
  const run = compileProject({ [PATH]: SOURCE }, settings)
  const folder = await writeProject(standardJson(run))
  await using node = await createNode({ network: 'ethereum', artifacts: [folder] })
  const request = (method: string, params: readonly unknown[] = []): Promise<any> =>
    node.provider.request({ method, params })
  await request('dev_startCoverage')
  const { abi, evm } = run.output.contracts[PATH]!['Ratio']!
  const [from] = await request('eth_accounts')
  await request('eth_sendTransaction', [{ from, data: `0x${evm.bytecode.object}` }])
  const { transactions } = await request('eth_getBlockByNumber', ['latest', false])
  const { contractAddress: to } = await request('eth_getTransactionReceipt', [transactions[0]])
  for (const [functionName, args] of calls) {
    const data: Hex = encodeFunctionData({ abi, functionName, args })
    await request('eth_call', [{ to, data }]).catch(() => undefined)
  }
  const { lcov } = await request('dev_coverage', [{ lcov: true }])
  await rm(folder, { recursive: true })
  return countsOfLcov(lcov).get(PATH)!
}

const linesAfter = async (calls: Parameters<typeof countsAfter>[0]) => (await countsAfter(calls)).lines

test('a statement after one that fails was not executed', async () => {
  expect(await linesAfter([['of_', [6, 0]]])).toMatchObject({ 5: 1, 6: 0 })
})

test('a statement after one that succeeds was executed', async () => {
  const calls = [
    ['of_', [6, 0]],
    ['of_', [6, 3]],
  ] as const
  const lines = await linesAfter(calls)
  expect(lines[5]).toBe(2)
  expect(lines[6]).toBeGreaterThan(0)
})

test('a jump that ends a way of a branch is executed with it', async () => {
  expect(await linesAfter([['either', [true]]])).toMatchObject({ 11: 3, 12: 3, 14: 0 })
  const lines = await linesAfter([['either', [false]]])
  expect([lines[11], lines[12]]).toEqual([0, 0])
  expect(lines[14]).toBeGreaterThan(0)
})

test('a function that the optimizer puts into another one is executed with it', async () => {
  const optimizer = { enabled: true, runs: 200 }
  const { functions, lines } = await countsAfter([['read', []]], { optimizer })
  expect(lines[lineOf('return stored')]).toBeGreaterThan(0)
  expect(functions).toMatchObject({ 'Ratio._stored': lines[lineOf('return stored')], 'Ratio.of_': 0 })
})

test('a statement after one that can return was executed as often as that one did not', async () => {
  const after = async (...given: readonly number[]) => {
    const { lines } = await countsAfter(given.map((a) => ['early', [a]] as const))
    return [
      lines[lineOf('if (a == 0)')],
      lines[lineOf('if (a == 0)') + 1],
      lines[lineOf('for (uint256 i = 0; i < a') + 1],
    ]
  }
  expect(await after(0)).toEqual([1, 0, 0])
  expect(await after(0, 3, 4)).toEqual([3, 2, 2])
})
