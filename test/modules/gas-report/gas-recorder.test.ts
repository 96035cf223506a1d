/** Gas reports of a node, with compiled contracts and a real client. */

import { describe, expect, test } from '@jest/globals'
import { Contract, ContractFactory, JsonRpcProvider } from 'ethers'
import type { GasReport } from '../../../lib/modules/gas-report/results.ts'
import { gasReportObject } from '../../../lib/modules/gas-report/results.ts'
import { foundry, hardhat2, hardhat3, truffle } from '../../support/artifact-projects.ts'
import { PATH, compiledAs, failed, plain, withShop } from '../../support/shop.ts'
import type { Scene } from '../../support/shop.ts'

const RECORDED = { gasReport: true }

/** Runs a test with a client of a URL. */
async function withClient<T>(url: string, run: (client: JsonRpcProvider) => Promise<T>): Promise<T> {
  const client = new JsonRpcProvider(url, undefined, {
    cacheTimeout: -1,
    staticNetwork: true,
    batchMaxCount: 1,
  })
  try {
    return await run(client)
  } finally {
    client.destroy()
  }
}

const reportAt = (url: string): Promise<GasReport> =>
  withClient(url, async (client) => gasReportObject.parse(await client.send('dev_gasReport', [])))

/** The figures of a function, by the end of the title of its contract. */
async function rowOf(url: string, contract: string, name: string) {
  const { contracts } = await reportAt(url)
  return contracts
    .find(({ contract: title }) => title.endsWith(contract))
    ?.functions.find(({ function: signature }) => signature === name)
}

/** Sends a transaction; the gas that its receipt names. */
async function gasOf(contract: Contract, name: string, ...given: readonly unknown[]): Promise<number> {
  const sent = (await contract[name]!(...given)) as { wait: () => Promise<{ gasUsed: bigint }> }
  return Number((await sent.wait()).gasUsed)
}

const onceUsed = (gas: number) => ({ count: 1, failed: 0, least: gas, mean: gas, median: gas, most: gas })

describe.each([
  ['Hardhat 2', () => hardhat2(plain)],
  ['Hardhat 3', () => hardhat3(compiledAs('project/'))],
  ['Foundry', () => foundry(plain)],
  ['Truffle', () => truffle(compiledAs('project:/'))],
])('a gas report with artifacts of %s', (_, files) => {
  test('has the gas of the receipts, by contract and signature', async () => {
    await withShop(
      files(),
      async ({ url, shop }) => {
        const [one, two] = [await gasOf(shop, 'buy', 1), await gasOf(shop, 'buy', 1)]
        await failed(shop, 'buy', 30)
        const { contracts } = await reportAt(url)
        expect(contracts.map(({ contract }) => contract.replace(/^.*contracts/, ''))).toEqual([
          '/Shop.sol:Shop',
          '/Shop.sol:Token',
        ])
        expect(await rowOf(url, 'Shop', 'buy(uint256)')).toEqual({
          function: 'buy(uint256)',
          transactions: {
            count: 2,
            failed: 1,
            least: Math.min(one, two),
            mean: Math.round((one + two) / 2),
            median: Math.round((one + two) / 2),
            most: Math.max(one, two),
          },
        })
      },
      RECORDED,
    )
  })
})

/** A shop of Hardhat whose node records gas. */
const recorded = (run: (scene: Scene) => Promise<void>) => withShop(hardhat2(plain), run, RECORDED)

describe('a gas report', () => {
  test('has deployments with the size of the code', async () => {
    await recorded(async ({ url, shop }) => {
      const { contracts } = await reportAt(url)
      const { deployments } = contracts.find(({ contract }) => contract.endsWith('Shop'))!
      const gas = await withClient(url, async (client) => {
        const block = await client.getBlock(2)
        return Number((await client.getTransactionReceipt(block!.transactions[0]!))!.gasUsed)
      })
      const code = await shop.getDeployedCode()
      expect(deployments).toEqual({ ...onceUsed(gas), codeSize: code!.length / 2 - 1 })
    })
  })

  test('has calls apart from transactions, without estimates', async () => {
    await recorded(async ({ url, shop, token }) => {
      await token['balances']!(await shop.getAddress())
      await token['transfer']!.staticCall(await shop.getAddress(), 1)
      await token['transfer']!.estimateGas(await shop.getAddress(), 1)
      const gas = await gasOf(token, 'transfer', await shop.getAddress(), 1)
      expect(await rowOf(url, 'Token', 'balances(address)')).toMatchObject({ calls: { count: 1 } })
      expect(await rowOf(url, 'Token', 'transfer(address,uint256)')).toMatchObject({
        transactions: onceUsed(gas),
        calls: { count: 1 },
      })
    })
  })

  test('keeps what a revert of a snapshot drops, and a later run counts again', async () => {
    await recorded(async ({ url, token }) => {
      await withClient(url, async (client) => {
        for (let round = 0; round < 3; round++) {
          const id = (await client.send('evm_snapshot', [])) as string
          await gasOf(token, 'pause')
          await client.send('evm_revert', [id])
        }
      })
      expect(await rowOf(url, 'Token', 'pause()')).toMatchObject({ transactions: { count: 3 } })
    })
  })

  test('has the transactions of all worlds, and none twice that a world begins with', async () => {
    await recorded(async ({ url, token }) => {
      for (const world of ['a', 'b']) {
        await withClient(`${url}/w/${world}`, async (client) => {
          const { abi } = plain.output.contracts[PATH]!['Token']!
          await gasOf(
            new Contract(await token.getAddress(), abi as never, await client.getSigner(0)),
            'pause',
          )
        })
      }
      expect(await rowOf(url, 'Token', 'pause()')).toMatchObject({ transactions: { count: 2 } })
      const { contracts } = await reportAt(`${url}/w/c`)
      expect(contracts.map(({ deployments }) => deployments?.count)).toEqual([1, 1])
    })
  })

  test('names a contract without artifacts as the user named it, and sums up unknown ones', async () => {
    const { abi, evm } = plain.output.contracts[PATH]!['Token']!
    await withShop(
      [['artifacts/build-info/none.json', {}]],
      async ({ url, token }) => {
        await gasOf(token, 'pause')
        await withClient(url, async (client) => {
          const signer = await client.getSigner(0)
          const factory = new ContractFactory(abi as never, evm.bytecode.object, signer)
          const other = await (await factory.deploy(1)).waitForDeployment()
          await client.send('dev_addContract', [await other.getAddress(), { name: 'Coin', abi }])
          await gasOf(new Contract(await other.getAddress(), abi as never, signer), 'pause')
          await (await signer.sendTransaction({ to: `0x${'aa'.repeat(20)}`, value: 1 })).wait()
        })
        const { contracts } = await reportAt(url)
        expect(contracts).toMatchObject([
          { contract: 'Coin', functions: [{ function: 'pause()', transactions: { count: 1 } }] },
          {
            contract: 'accounts without code',
            functions: [{ function: 'transfer of value', transactions: { ...onceUsed(21_000) } }],
          },
          { contract: 'unknown contracts', deployments: { count: 3 } },
        ])
      },
      RECORDED,
    )
  })
})
