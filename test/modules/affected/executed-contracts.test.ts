/** Which contracts of a project the chains of a node have run. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Interface } from 'ethers'
import { createNode, type Provider } from '../../../lib/index.ts'
import { compileProject, hardhat2, writeProject } from '../../support/artifact-projects.ts'

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
library Math { function twice(uint256 value) external pure returns (uint256) { return 2 * value; } }
contract Child { uint256 private immutable limit; constructor(uint256 most) { require(most > 0); limit = most; } function end() external view returns (uint256) { return limit; } }
contract Parent { Child public child; function make(uint256 most) external { child = new Child(most); } function ask() external view returns (uint256) { return child.end(); } }
contract Far { bytes32 public word = 0x1234567890123456789012345678901234567890123456789012345678901234; }
interface Named { function name() external view returns (string memory); }
`
const options = { evmVersion: 'shanghai', optimizer: { enabled: true, runs: 200 } }
const run = compileProject({ 'contracts/All.sol': SOURCE }, options)
const codes = run.output.contracts['contracts/All.sol']!
const code = (name: string): string => `0x${codes[name]!.evm.bytecode.object}`
let folder = ''

beforeAll(async () => {
  folder = await writeProject(hardhat2(run))
})
afterAll(() => rm(folder, { recursive: true }))

/** A node, and the names of the contracts since the last time. */
async function chain() {
  const node = await createNode({
    network: 'ethereum',
    affected: true,
    artifacts: [join(folder, 'artifacts')],
  })
  const { provider } = node
  const [from] = await provider.request({ method: 'eth_accounts' })
  const send = async (to: string | undefined, data: string) => {
    const hash = await provider.request({
      method: 'eth_sendTransaction',
      params: [{ from, to, data, gas: '0x500000' } as any],
    })
    return (await provider.request({ method: 'eth_getTransactionReceipt', params: [hash] }))!
  }
  const executed = async (contracts: readonly string[] = []) => {
    const answer = await provider.request({ method: 'dev_executedContracts', params: [contracts, true] })
    return {
      names: Object.keys(answer!.contracts)
        .map((id) => id.split(':')[1])
        .toSorted(),
      doubts: answer!.doubts,
    }
  }
  return { node, provider, send, executed }
}

const PARENT = new Interface(['function make(uint256)', 'function ask()'])

const MAKE = (most: number): string => PARENT.encodeFunctionData('make', [most])
test('contracts are those that ran or were created, also by others and in creations that failed', async () => {
  const { provider, send, executed } = await chain()
  expect(await executed()).toEqual({ names: [], doubts: [] })
  const { contractAddress: parent } = await send(undefined, code('Parent'))
  expect(await executed()).toEqual({ names: ['Parent'], doubts: [] })
  await send(parent!, MAKE(5))
  expect((await executed()).names).toEqual(['Child', 'Parent'])
  await provider.request({
    method: 'eth_call',
    params: [{ to: parent!, data: PARENT.encodeFunctionData('ask') }],
  })
  expect((await executed()).names).toEqual(['Child', 'Parent'])
  expect((await send(parent!, MAKE(0))).status).toBe('0x0')
  expect((await executed()).names).toEqual(['Child', 'Parent'])
  expect((await executed()).names).toEqual([])
})

test('a constant that solc puts behind the metadata belongs to the code of a creation', async () => {
  const { send, executed } = await chain()
  await send(undefined, code('Far'))
  expect(await executed()).toEqual({ names: ['Far'], doubts: [] })
})

test('contracts that are asked for are in the answer, with a hash that only their own code and ABI change', async () => {
  const { executed } = await chain()
  expect((await executed(['contracts/All.sol:Named', 'contracts/All.sol:Gone'])).names).toEqual(['Named'])
})

test('code with the metadata of solc that is in no artifact is a doubt, other code is none', async () => {
  const { send, executed } = await chain()
  await send(undefined, '0x5f5ff3')
  expect((await executed()).doubts).toEqual([])
  await send(undefined, code('Child').replace('0x', '0x5b'))
  expect((await executed()).doubts).toEqual(['contracts without artifacts'])
})

test('each world has its own, and what runs in worlds that nobody asks for belongs to all', async () => {
  const { node } = await chain()
  const first = node.world('first')
  const other = node.world('other')
  const names = async (of: Provider): Promise<readonly string[]> =>
    Object.keys((await of.request({ method: 'dev_executedContracts' }))!.contracts).map(
      (id) => id.split(':')[1]!,
    )
  await names(first)
  const deploy = async (on: Provider, name: string): Promise<void> => {
    const [from] = await on.request({ method: 'eth_accounts' })
    await on.request({
      method: 'eth_sendTransaction',
      params: [{ from, data: code(name), gas: '0x500000' } as any],
    })
  }
  await deploy(first, 'Parent')
  await deploy(other, 'Far')
  expect((await names(first)).toSorted()).toEqual(['Far', 'Parent'])
  await names(other)
  await deploy(other, 'Parent')
  expect(await names(first)).toEqual(['Far'])
})

test('without the option there is no answer', async () => {
  const { provider } = await createNode({ network: 'ethereum' })
  expect(await provider.request({ method: 'dev_executedContracts' })).toBeNull()
})
