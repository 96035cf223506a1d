/** Counts of loops, jumps and modifiers that solc joins with the code around them, against numbers that were written down by hand. */

import { rm } from 'node:fs/promises'
import { expect, test } from '@jest/globals'
import { encodeFunctionData } from 'viem'
import { createNode } from '../../../lib/embed/dev-node.ts'
import { compileProject, standardJson, writeProject } from '../../support/artifact-projects.ts'
import { countsOfLcov } from './lcov.ts'

const PATH = 'contracts/Loops.sol'

/** A comment has the count of its line, and those of the ways of a branch or of the function. */
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Base {
    modifier hook() virtual { _; } // function 1
    modifier replaced() virtual { _; } // function 0
    modifier guard(uint256 j) { require(j != 9); _; } // function 2
}
contract Loops is Base {
    uint256 constant LARGE = 7;
    modifier replaced() override { _; } // function 1
    function jumps(uint256 j) external pure returns (uint256 s) { // function 1
        for (uint256 i = 0; i < j; i++) { // 3
            if (i > 90) { break; } // 4 [0,4]
            if (i > 90) { continue; } // 4 [0,4]
            if (i > 0 && i < 3) { continue; } // 4 [2,2]
            if (i > 90) { s++; } // 2 [0,2]
            else if (i == 3) { break; } // 2 [1,1]
            s++; // 1
        }
        do { // 1
            s++; // 1
            if (s == 2) { continue; } // 1 [1,0]
            s++; // 0
        } while (s < 2);
        s = j == 4 ? LARGE : LARGE; // 1 [1,0]
    }
    function loops(uint256 j) external pure returns (uint256 s) { // function 1
        if (j > 2) { while (s < j) s++; } // 4 [1,0]
        if (j > 2) { for (; s < 2 * j;) s++; } // 4 [1,0]
        if (j > 2) { do s++; while (s < 12); } // 4 [1,0]
        while (s < 18) { // 1
            while (s % 3 != 0 || s < 15) { // 1
                s++; // 3
            }
            do s++; while (s % 3 != 0); // 3
            while (s < 16) { s++; } // 1
            s += 0; // 1
        }
        while (s < 99) { s = 100; break; } // 1
    }
    function assembled(uint256 j) external pure returns (uint256 s) { // function 1
        assembly { // 1
            function left(a) -> b {
                if a { leave } // 1
                b := 1 // 0
            }
            for { let i := 0 } lt(i, j) { i := add(i, 1) } { // 4
                if gt(i, 90) { break } // 4
                if gt(i, 90) { continue } // 4
                s := add(s, 1) // 4
            }
            s := left(j) // 1
        }
    }
    function hooked(uint256 j) external pure guard(j) hook replaced returns (uint256) { // function 2
        return j; // 1
    }
    receive() external payable {} // function 1
    fallback() external {} // function 2
}
`

const lines = SOURCE.split('\n')

/** The comments by line, as far as a pattern matches them. */
const written = (pattern: RegExp): Readonly<Record<number, string>> =>
  Object.fromEntries(
    lines.flatMap((text, index) => {
      const found = pattern.exec(text)?.[1]
      return found === undefined ? [] : [[index + 1, found]]
    }),
  )

test('loops, jumps, branches and modifiers have the counts that were written down', async () => {
  const run = compileProject({ [PATH]: SOURCE })
  const folder = await writeProject(standardJson(run))
  await using node = await createNode({ network: 'ethereum', artifacts: [folder] })
  const request = (method: string, ...params: readonly unknown[]): Promise<any> =>
    node.provider.request({ method, params })
  const { abi, evm } = run.output.contracts[PATH]!['Loops']!
  const to = `0x${'1234'.padStart(40, '0')}`
  await request('hardhat_setCode', to, `0x${evm.deployedBytecode.object}`)
  await request('dev_startCoverage')
  for (const data of ['0x', '0x12', '0x34']) await request('eth_call', { to, data })
  for (const [functionName, j] of [
    ['jumps', 4n],
    ['loops', 4n],
    ['assembled', 4n],
    ['hooked', 4n],
    ['hooked', 9n],
  ] as const)
    await request('eth_call', { to, data: encodeFunctionData({ abi, functionName, args: [j] }) }).catch(
      () => undefined,
    )
  const { lcov } = await request('dev_coverage', { lcov: true })
  await rm(folder, { recursive: true })
  const counts = countsOfLcov(lcov).get(PATH)!
  const expected = written(/ \/\/ (\d+)/)
  const counted = Object.keys(expected).map((line) => [line, String(counts.lines[Number(line)])])
  expect(Object.fromEntries(counted)).toEqual(expected)
  const branches = written(/ \/\/ \d+ \[(.+)\]$/)
  const found = counts.branches.filter(({ line }) => line in branches)
  expect(found.map(({ line, ways }) => [line, ways.join()])).toEqual(
    Object.entries(branches).map(([line, ways]) => [Number(line), ways]),
  )
  expect(Object.values(counts.functions).map(String)).toEqual(Object.values(written(/ \/\/ function (\d+)$/)))
})
