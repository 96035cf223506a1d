/** Names from lists of signatures in explanations of contracts without a source. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { hardhat2 } from '../../support/artifact-projects.ts'
import { answerOf, withServer } from '../../support/server.ts'
import { plain, withShop } from '../../support/shop.ts'

/** Explanations of a purchase, and of one that fails, by a fork without artifacts. */
async function purchases(selectors: readonly string[]) {
  const explained: any[] = []
  await withShop(hardhat2(plain), async ({ url, shop, buyer }) => {
    const options = { forkUrl: url, noForkCache: true, noArtifacts: true, selectors, autoImpersonate: true }
    await withServer(options, async (fork) => {
      for (const count of [2, 30]) {
        const data = shop.interface.encodeFunctionData('buy', [count])
        const request = { from: buyer, to: await shop.getAddress(), data, gas: '0x7a120' }
        explained.push((await answerOf(fork.url, 'dev_explainCall', [request, 'latest'])).result)
      }
      const data = shop.interface.encodeFunctionData('buy', [2])
      const sent = { from: buyer, to: await shop.getAddress(), data, gas: '0x7a120' }
      const { result: hash } = await answerOf(fork.url, 'eth_sendTransaction', [sent])
      explained.push((await answerOf(fork.url, 'dev_describeTransactions', [[hash]])).result[0])
    })
  })
  return explained
}

const innerCall = ({ call }: any): any => call.steps.find((step: any) => 'call' in step).call

test('the common standards name calls and events of tokens, but no contract', async () => {
  const [success, failure, described] = await purchases([])
  const inner = innerCall(success)
  expect([inner.contract, inner.function]).toEqual([undefined, 'transferFrom(address,address,uint256)'])
  expect(inner.arguments.map(({ name }: any) => name)).toEqual(['from', 'to', 'value'])
  expect(inner.results).toEqual([{ name: '', type: 'bool', value: true }])
  expect(inner.steps[0].event.event).toBe('Transfer(address,address,uint256)')
  expect([success.call.function, success.call.contract]).toEqual([undefined, undefined])
  expect(innerCall(failure).reason.message).toMatch(/unrecognized custom error/)
  expect(described.call).toMatch(/\.0x[0-9a-f]{8}\(36 bytes\)$/)
})

test('a list of the user names the others', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signatures-'))
  await writeFile(
    join(folder, 'shop.txt'),
    'buy(uint256)\nerror TooPoor(address who, uint256 has, uint256 needs)\n',
  )
  const [success, failure, described] = await purchases([folder])
  expect(success.call.function).toBe('buy(uint256)')
  expect(success.call.arguments).toEqual([{ name: '', type: 'uint256', value: '2' }])
  expect(failure.reason.message).toMatch(/TooPoor\(0x.*, 1000, 3000\)/)
  expect(described.call).toMatch(/\.buy\(2\)$/)
  await rm(folder, { recursive: true })
})
