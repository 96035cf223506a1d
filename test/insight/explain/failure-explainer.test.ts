/** Contracts that are compiled while the node runs are known when they fail. */

import { rm } from 'node:fs/promises'
import { expect, test } from '@jest/globals'
import { compileProject, hardhat2, writeInto, writeProject } from '../../support/artifact-projects.ts'
import { ManualHost, dispatcherOf, elapse, freshNode } from '../../support/node.ts'
import { PATH, plain } from '../../support/shop.ts'

/** Files of another project, and none. */
test.each([
  ['other contracts are known', hardhat2(compileProject())],
  ['none is known', []],
])('a contract compiled a moment ago has a stack: %s', async (_case, files) => {
  const folder = await writeProject(files)
  const host = new ManualHost()
  const node = await freshNode({ network: 'ethereum', artifacts: [folder] }, host)
  const { object } = plain.output.contracts[PATH]!['Shop']!.evm.bytecode
  // The argument of the constructor is missing.
  const params = [{ data: `0x${object}` }]
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params })
  const stack = async () =>
    JSON.parse((await dispatcherOf(node).answer(body, 'ethereum'))!).error.solidityStack

  expect(await stack()).toBeUndefined()
  for (const [path, content] of hardhat2(plain)) await writeInto(folder, path, JSON.stringify(content))
  await elapse(node, host, 40)
  // The folder was read less than 50 ms ago.
  expect(await stack()).toBeUndefined()
  await elapse(node, host, 20)
  expect(await stack()).toMatchObject([{ contract: 'Shop', function: 'constructor' }])
  await node.close()
  await rm(folder, { recursive: true })
})
