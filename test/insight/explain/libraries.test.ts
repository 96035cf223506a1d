/** Calls of libraries with storage arguments, names of enums, data that `abi.decode` refuses, and caught failures, in explanations and profiles. */

import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { rm } from 'node:fs/promises'
import { Chalk } from 'chalk'
import { encodeFunctionData } from 'viem'
import type { Hex } from 'viem'
import { explanationLines } from '../../../lib/cli/explanation-lines.ts'
import { createNode } from '../../../lib/embed/dev-node.ts'
import { compileProject, standardJson, writeProject } from '../../support/artifact-projects.ts'

const PATH = 'contracts/Bank.sol'
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
library Ledger {
    struct Data { uint256 sum; mapping(address => uint256) of_; }
    function add(Data storage data, uint256 amount) external { data.sum += amount; }
    function divided(Data storage data, uint256 by) external view returns (uint256) { return data.sum / by; }
}
enum Side { Left, Right }
contract Bank {
    enum State { Closed, Open }
    struct Door { State state; Side[] sides; }
    event Opened(State indexed before, Door door, string note);
    error Stuck(Side side, State[] states);
    function open() external {
        Side[] memory sides = new Side[](1);
        sides[0] = Side.Right;
        emit Opened(State.Closed, Door(State.Open, sides), "by hand");
        revert Stuck(Side.Right, new State[](2));
    }
    Ledger.Data private data;
    function put(uint256 amount) external { Ledger.add(data, amount); }
    function decoded(bytes calldata words) external pure returns (uint256, address) {
        return abi.decode(words, (uint256, address));
    }
    function ratio(uint256 by) external view returns (uint256) { return data.sum / by; }
    function tried(uint256 by) external view returns (uint256) {
        try this.ratio(by) returns (uint256 found) { return found; } catch {}
        return 1 / by;
    }
}
`

const run = compileProject({ [PATH]: SOURCE })
let folder: string
let node: Awaited<ReturnType<typeof createNode>>
let bank: Hex

const request = (method: string, ...params: readonly unknown[]): Promise<any> =>
  node.provider.request({ method, params })

async function deployed(name: string, library = ''): Promise<Hex> {
  const { object } = run.output.contracts[PATH]![name]!.evm.bytecode
  const [from] = await request('eth_accounts')
  const data = `0x${object.replaceAll(/__\$.{34}\$__/g, library.slice(2))}`
  const hash = await request('eth_sendTransaction', { from, data })
  return (await request('eth_getTransactionReceipt', hash)).contractAddress
}

const dataOf = (functionName: string, ...args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: run.output.contracts[PATH]!['Bank']!.abi, functionName, args })

const explained = (...given: Parameters<typeof dataOf>): Promise<any> =>
  request('dev_explainCall', { to: bank, data: dataOf(...given) })

const lineOf = (text: string): number => 1 + SOURCE.split('\n').findIndex((line) => line.includes(text))

beforeAll(async () => {
  folder = await writeProject(standardJson(run))
  node = await createNode({ network: 'ethereum', artifacts: [folder] })
  bank = await deployed('Bank', await deployed('Ledger'))
})

afterAll(async () => {
  await node.close()
  await rm(folder, { recursive: true })
})

test('explanations and flame graphs name a function of a library with a storage argument', async () => {
  const [from] = await request('eth_accounts')
  const hash = await request('eth_sendTransaction', { from, to: bank, data: dataOf('put', 5) })
  const { call } = await request('dev_explainTransaction', hash)
  expect(call.steps[0].call.function).toBe('add(Ledger.Data storage,uint256)')
  const { folded } = await request('dev_profile', hash)
  expect(folded).toMatch(/^Bank\.put;Ledger\.add \d+$/m)
  expect(folded).not.toContain('fallback')
})

test('errors and events have the names of enums', async () => {
  const { reason, call } = await explained('open')
  expect(reason.message).toBe("reverted with custom error 'Stuck(Right, [Closed, Closed])'")
  const [before, door] = call.steps[0].event.values
  const lines = explanationLines(await explained('open'), new Chalk({ level: 0 }))
  expect(lines.join('\n')).toContain(
    'Opened(before: Closed, door: [state: Open, sides: [Right]], note: "by hand")',
  )
  expect([before.value, door.value.map(({ value }: any) => value)]).toEqual(['Closed', ['Open', ['Right']]])
})

test('data that abi.decode refuses is the reason', async () => {
  const { reason, stack } = await explained('decoded', '0x01')
  expect(reason.message).toBe('abi.decode failed: the data does not encode the types')
  expect(stack[0]).toMatchObject({ function: 'decoded', line: lineOf('return abi.decode') })
})

test('a caught panic is marked, and is not blamed for a later one', async () => {
  const { call, stack } = await explained('tried', 0)
  expect(call.steps[0].call).toMatchObject({ status: 'reverted', isCaught: true })
  expect(stack.map(({ line }: { line: number }) => line)).toEqual([lineOf('return 1 / by')])
})
