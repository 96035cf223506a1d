/** Profiles of transactions: the gas of all lines and paths is the gas of the receipt. */

import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { JsonRpcProvider } from 'ethers'
import { toHex, toQuantity, toWord } from '../../../lib/base/hex.ts'
import { gasProfileObject } from '../../../lib/modules/gas-profile/results.ts'
import type { GasProfile } from '../../../lib/modules/gas-profile/results.ts'
import { foundry, hardhat2, hardhat3, truffle } from '../../support/artifact-projects.ts'
import { call, freshNode } from '../../support/node.ts'
import { anyScene } from '../../support/random-programs.ts'
import { PATH, compiledAs, failed, lineOf, plain, withShop } from '../../support/shop.ts'
import type { Scene } from '../../support/shop.ts'

/** The paths of a profile with their gas. */
const pathsOf = ({ folded }: GasProfile): ReadonlyMap<string, number> =>
  new Map(
    folded
      .trimEnd()
      .split('\n')
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )

const sum = (amounts: Iterable<number>): number => [...amounts].reduce((total, gas) => total + gas, 0)

/** Checks that nothing is missing and nothing is counted twice. */
function expectWhole(profile: GasProfile, gasUsed: number): void {
  const { intrinsicGas, refund, floorGas, lines } = profile
  expect(profile.gasUsed).toBe(gasUsed)
  expect(sum(lines.map(({ gas }) => gas)) + intrinsicGas - refund + floorGas).toBe(gasUsed)
  expect(sum(pathsOf(profile).values()) - refund).toBe(gasUsed)
}

const profileOf = async (url: string, hash: string): Promise<GasProfile> => {
  const client = new JsonRpcProvider(url, undefined, {
    cacheTimeout: -1,
    staticNetwork: true,
    batchMaxCount: 1,
  })
  try {
    const receipt = (await client.getTransactionReceipt(hash))!
    const profile = gasProfileObject.parse(await client.send('dev_profile', [hash]))
    expectWhole(profile, Number(receipt.gasUsed))
    return profile
  } finally {
    client.destroy()
  }
}

const sent = async (sending: Promise<unknown>): Promise<string> => ((await sending) as { hash: string }).hash

describe.each([
  ['Hardhat 2', () => hardhat2(plain)],
  ['Hardhat 3', () => hardhat3(compiledAs('project/'))],
  ['Foundry', () => foundry(plain)],
  ['Truffle', () => truffle(compiledAs('project:/'))],
])('a profile with artifacts of %s', (_, files) => {
  test('has call paths with internal functions, and lines', async () => {
    await withShop(files(), async ({ url, shop }) => {
      const profile = await profileOf(url, await sent(shop['buy']!(2)))
      expect([...pathsOf(profile).keys()]).toEqual(
        expect.arrayContaining([
          'intrinsic gas',
          'Shop.buy',
          'Shop.buy;Prices.total',
          'Shop.buy;Token.transferFrom',
          'Shop.buy;Token.transferFrom;Token._move',
        ]),
      )
      const lines = new Map(
        profile.lines.map(({ file, line, gas }) => [
          `${file?.replace(/^.*contracts/, 'contracts')}:${line}`,
          gas,
        ]),
      )
      // A zero slot that is set, twice in the call of the token.
      expect(lines.get(`${PATH}:${lineOf('balances[to] += value')}`)).toBeGreaterThan(22_000)
      expect(lines.get(`${PATH}:${lineOf('sold += count')}`)).toBeGreaterThan(20_000)
      expect(profile.lines[0]).toMatchObject({ excerpt: 'balances[to] += value;' })
    })
  })
})

const inShop = (run: (scene: Scene) => Promise<void>) => withShop(hardhat2(plain), run)

describe('a profile', () => {
  test('of a failure has the gas up to the revert', async () => {
    await inShop(async ({ url, shop }) => {
      const profile = await profileOf(url, (await failed(shop, 'buy', 30)).hash)
      expect(pathsOf(profile).get('Shop.buy;Token.transferFrom;Token._move')).toBeGreaterThan(2000)
    })
  })

  test('of a creation has the deposit of the code', async () => {
    await inShop(async ({ url, token }) => {
      const client = token.runner!.provider!
      const block = (await client.getBlock(1))!
      const profile = await profileOf(url, block.transactions[0]!)
      const size = (await token.getDeployedCode())!.length / 2 - 1
      expect(pathsOf(profile).get('Token.constructor;code deposit')).toBe(200 * size)
      expect(profile.lines).toContainEqual({ title: 'code deposit of Token', gas: 200 * size })
    })
  })

  test('of a transfer is the intrinsic gas', async () => {
    await inShop(async ({ url, token }) => {
      const signer = token.runner as unknown as { sendTransaction: (request: object) => Promise<unknown> }
      const profile = await profileOf(
        url,
        await sent(signer.sendTransaction({ to: `0x${'aa'.repeat(20)}`, value: 1 })),
      )
      expect(profile).toEqual({
        gasUsed: 21_000,
        intrinsicGas: 21_000,
        refund: 0,
        floorGas: 0,
        lines: [],
        folded: 'intrinsic gas 21000\n',
      })
    })
  })

  test('is null for an unknown transaction', async () => {
    expect(await call(await freshNode(), 'dev_profile', [`0x${'ab'.repeat(32)}`])).toBeNull()
  })

  test.each(['london', 'prague'] as const)('of random programs under %s is whole', async (hardfork) => {
    const node = await freshNode({ network: 'ethereum', hardfork, returnHashOnRevert: true, baseFee: 0n })
    const from = node.funded[0]!.address
    await fc.assert(
      fc.asyncProperty(anyScene(hardfork), async ({ world, sent: { to, data, value } }) => {
        for (const [address, { code, storage, balance }] of world) {
          if (balance !== undefined)
            await call(node, 'hardhat_setBalance', [address, toQuantity(balance % 2n ** 64n)])
          if (code !== undefined) await call(node, 'hardhat_setCode', [address, toHex(code)])
          for (const [slot, word] of storage ?? [])
            await call(node, 'hardhat_setStorageAt', [address, toWord(slot), toWord(word)])
        }
        const request = {
          from,
          to,
          data: toHex(data),
          value: toQuantity(value % 1000n),
          gas: '0x186a0',
          gasPrice: '0x1',
        }
        const hash = (await call(node, 'eth_sendTransaction', [request])) as string
        const { gasUsed } = (await call(node, 'eth_getTransactionReceipt', [hash])) as { gasUsed: string }
        const profile = gasProfileObject.parse(await call(node, 'dev_profile', [hash]))
        expectWhole(profile, Number(gasUsed))
        for (const { gas } of profile.lines) expect(gas).toBeGreaterThan(0)
      }),
      { numRuns: 60 },
    )
  })
})
