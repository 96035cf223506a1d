/** Explanations on a fork: of transactions of the remote, and of local ones that call contracts of the remote. */

import { describe, expect, test } from '@jest/globals'
import { hardhat2 } from '../support/artifact-projects.ts'
import { askerOf } from '../support/fork-pair.ts'
import { withFaultProxy } from '../support/fault-proxy.ts'
import type { FaultProxy, ProxiedMessage } from '../support/fault-proxy.ts'
import { answerOf, withServer } from '../support/server.ts'
import { failed, lineOf, plain, withShop } from '../support/shop.ts'

/** Sent transactions that revert answer the error, not the hash. */
const SHARED = { noForkCache: true, autoImpersonate: true, dialect: 'node33' } as const

test('a fork explains as the remote does', async () => {
  await withShop(hardhat2(plain), async ({ url, artifacts, shop, buyer, explain }) => {
    const [before, success] = [await failed(shop, 'buy', 30), (await shop['buy']!(2)) as { hash: string }]
    // A fork names the accounts that it has loaded.
    const plainly = ({ names: _, units: __, ...explained }: any) => explained
    const expected = [await explain(Promise.resolve(before)), await explain(Promise.resolve(success))].map(
      plainly,
    )
    expect(expected[0]?.stack).toHaveLength(3)
    const options = { forkUrl: url, ...SHARED, artifacts: [artifacts] }
    await withServer(options, async (server) => {
      const ask = askerOf(server)
      expect(plainly(await ask('dev_explainTransaction', [before.hash]))).toEqual(expected[0])
      expect(plainly(await ask('dev_explainTransaction', [success.hash]))).toEqual(expected[1])

      const data = shop.interface.encodeFunctionData('buy', [2])
      const call = { from: buyer, to: await shop.getAddress(), data }
      const hash = await ask('eth_sendTransaction', [{ ...call, gas: '0x7a120' }])
      const local = await ask('dev_explainTransaction', [hash])
      expect(local.storage[0]).toMatchObject({ variable: 'sold', before: '2', after: '4' })
      expect((await ask('dev_explainCall', [call, 'latest'])).stack[0]).toMatchObject({
        function: 'open',
        line: lineOf('sold out'),
      })
    })
  })
})

describe('errors on a fork', () => {
  const gas = '0x7a120'
  const places = (stack: readonly any[] | undefined) =>
    stack?.map(({ contract, function: name, line }) => `${contract}.${name}:${line}`)

  test.each(['eth_call', 'eth_estimateGas', 'eth_sendTransaction', 'eth_createAccessList', 'eth_simulateV1'])(
    '%s has the stack of the remote, also at its first read of the remote',
    async (method) => {
      await withShop(hardhat2(plain), async ({ url, artifacts, shop, buyer, explainCall }) => {
        const data = shop.interface.encodeFunctionData('buy', [30])
        const request = { from: buyer, to: await shop.getAddress(), data, gas }
        const expected = await explainCall(request)
        expect(places(expected.stack)).toHaveLength(3)
        const options = { forkUrl: url, ...SHARED, artifacts: [artifacts] }
        await withServer(options, async (server) => {
          const params =
            method === 'eth_simulateV1' ? [{ blockStateCalls: [{ calls: [request] }] }] : [request]
          const { error, result } = await answerOf(server.url, method, params)
          const failure = error ?? result[0]?.calls[0].error ?? result
          expect(places(failure.solidityStack)).toEqual(places(expected.stack))
          if (method !== 'eth_sendTransaction') return
          const again = await askerOf(server)('dev_explainTransaction', [failure.txHash])
          expect(failure.solidityStack).toEqual(again.stack)
        })
      })
    },
  )
})

test('the stack of a failure on a fork costs no request to the remote', async () => {
  await withShop(hardhat2(plain), async ({ url, artifacts, shop, buyer }) => {
    const data = shop.interface.encodeFunctionData('buy', [30])
    const request = { from: buyer, to: await shop.getAddress(), data, gas: '0x7a120' }
    const asked: string[][] = []
    for (const solidityStacks of [true, false]) {
      const methods: string[] = []
      const script = ({ requests }: ProxiedMessage) => {
        methods.push(...requests.map(({ method }) => method))
        return 'pass' as const
      }
      const run = async ({ httpUrl }: FaultProxy) => {
        const shared = { ...SHARED, artifacts: [artifacts], solidityStacks }
        await withServer({ forkUrl: httpUrl, ...shared }, async (server) => {
          const { error } = await answerOf(server.url, 'eth_sendTransaction', [request])
          expect('solidityStack' in error).toBe(solidityStacks)
        })
      }
      await withFaultProxy(script, run, { targetPort: Number(new URL(url).port) })
      asked.push(methods.toSorted())
    }
    expect(asked[0]!.length).toBeGreaterThan(0)
    expect(asked[0]).toEqual(asked[1])
  })
})

test('a fork names the contracts that ran, of whose proxy slot it has read nothing', async () => {
  await withShop(hardhat2(plain), async ({ url, artifacts, shop, token, buyer }) => {
    await withServer({ forkUrl: url, ...SHARED, artifacts: [artifacts] }, async (server) => {
      const ask = askerOf(server)
      const contracts = [await shop.getAddress(), await token.getAddress()]
      const named = async () => Object.values((await ask('dev_nameAddresses', [contracts])).names)
      expect(await named()).toEqual([])
      const data = shop.interface.encodeFunctionData('buy', [2])
      const hash = await ask('eth_sendTransaction', [{ from: buyer, to: contracts[0], data, gas: '0x7a120' }])
      expect(await ask('dev_describeTransactions', [[hash]])).toEqual([
        { from: 'account 0', call: 'Shop.buy(2)' },
      ])
      expect(await named()).toEqual(['Shop', 'Token'])
    })
  })
})
