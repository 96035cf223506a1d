/** Explanations on a fork: of transactions of the remote, and of local ones that call contracts of the remote. */

import { expect, test } from '@jest/globals'
import { hardhat2 } from '../support/artifact-projects.ts'
import { askerOf } from '../support/fork-pair.ts'
import { withServer } from '../support/server.ts'
import { failed, lineOf, plain, withShop } from '../support/shop.ts'

test('a fork explains as the remote does', async () => {
  await withShop(hardhat2(plain), async ({ url, artifacts, shop, buyer, explain }) => {
    const [before, success] = [await failed(shop, 'buy', 30), (await shop['buy']!(2)) as { hash: string }]
    const expected = [await explain(Promise.resolve(before)), await explain(Promise.resolve(success))]
    expect(expected[0]?.stack).toHaveLength(3)
    const options = { forkUrl: url, noForkCache: true, autoImpersonate: true, artifacts: [artifacts] }
    await withServer(options, async (server) => {
      const ask = askerOf(server)
      expect(await ask('node_explainTransaction', [before.hash])).toEqual(expected[0])
      expect(await ask('node_explainTransaction', [success.hash])).toEqual(expected[1])

      const data = shop.interface.encodeFunctionData('buy', [2])
      const call = { from: buyer, to: await shop.getAddress(), data }
      const hash = await ask('eth_sendTransaction', [{ ...call, gas: '0x7a120' }])
      const local = await ask('node_explainTransaction', [hash])
      expect(local.storage[0]).toMatchObject({ variable: 'sold', before: '2', after: '4' })
      expect((await ask('node_explainCall', [call, 'latest'])).stack[0]).toMatchObject({
        function: 'open',
        line: lineOf('sold out'),
      })
    })
  })
})
