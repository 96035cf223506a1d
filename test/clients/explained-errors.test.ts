/** Client libraries read errors with a Solidity stack as they read errors without one. */

import { describe, expect, test } from '@jest/globals'
import { ethers as ethers5 } from 'ethers5'
import { Contract, JsonRpcProvider } from 'ethers'
import { BaseError, createPublicClient, http } from 'viem'
import { Web3 } from 'web3'
import { hardhat2 } from '../support/artifact-projects.ts'
import { PATH, plain as compiled, withShop } from '../support/shop.ts'

/** A client's error in its own terms. */
type Read = (url: string, at: { readonly shop: string; readonly buyer: string }) => Promise<unknown>

const abi = compiled.output.contracts[PATH]!['Shop']!.abi as any[]
const shared = compiled.output.contracts[PATH]!['Token']!.abi as any[]
const known = [...abi, ...shared.filter(({ type }) => type === 'error')]

/** Failed reads and writes: a custom error, and a selector that no function has. */
const CLIENTS: Readonly<Record<string, Read>> = {
  'ethers 6': async (url, { shop, buyer }) => {
    const provider = new JsonRpcProvider(url, undefined, {
      cacheTimeout: -1,
      staticNetwork: true,
      batchMaxCount: 1,
    })
    const contract = new Contract(shop, known, await provider.getSigner(buyer))
    const seen = (error: any) => [error.code, error.shortMessage, error.data, error.revert?.name]
    try {
      return [
        await contract['buy']!.staticCall(30).catch(seen),
        await contract['buy']!.estimateGas(30).catch(seen),
        await contract['buy']!(30, { gasLimit: 500_000 }).catch(seen),
        await provider.call({ to: shop, data: '0x12345678' }).catch(seen),
      ]
    } finally {
      provider.destroy()
    }
  },
  'ethers 5': async (url, { shop, buyer }) => {
    const provider = new ethers5.providers.StaticJsonRpcProvider(url)
    const contract = new ethers5.Contract(shop, known, provider.getSigner(buyer))
    const seen = (error: any) => [error.code, error.reason, error.errorName, error.data]
    return [
      await contract.callStatic['buy']!(30).catch(seen),
      await contract.estimateGas['buy']!(30).catch(seen),
      await contract['buy']!(30, { gasLimit: 500_000 }).catch((error: any) => [
        error.code,
        error.error?.code,
      ]),
      await provider.call({ to: shop, data: '0x12345678' }).catch(seen),
    ]
  },
  viem: async (url, { shop, buyer }) => {
    const client = createPublicClient({ transport: http(url, { retryCount: 0 }) })
    const at = { address: shop, abi: known, functionName: 'buy', args: [30n], account: buyer } as never
    const names = (error: unknown) => {
      const found: unknown[] = []
      if (error instanceof BaseError)
        error.walk((one: any) => {
          found.push([one.name, one.shortMessage, one.data?.errorName])
          return false
        })
      return found
    }
    return [
      await client.readContract(at).catch(names),
      await client.estimateContractGas(at).catch(names),
      await client.call({ to: shop as `0x${string}`, data: '0x12345678' }).catch(names),
    ]
  },
  'web3.js': async (url, { shop, buyer }) => {
    const web3 = new Web3(url)
    const contract = new web3.eth.Contract(known, shop)
    const seen = (error: any) => [
      error.name,
      error.code,
      error.message,
      error.cause?.errorName,
      error.innerError?.data,
    ]
    const buy = contract.methods['buy']!(30)
    return [
      await buy.call({ from: buyer }).catch(seen),
      await buy.estimateGas({ from: buyer }).catch(seen),
      await buy.send({ from: buyer, gas: '500000' }).catch(seen),
      await web3.eth.call({ to: shop, data: '0x12345678' }).catch(seen),
    ]
  },
}

/** The message of an inferred reason differs in the dialect of Hardhat; in that of Ethereum, messages end with place and command. */
const INFERRED = "Transaction reverted: function selector was not recognized and there's no fallback function"
const BARE = 'Transaction reverted without a reason string'
const HINT =
  /(?:,| with reason:) at \w+(?:\.\w+)? \(contracts\/Shop\.sol:\d+:\d+\); npx dev-node explain \w+/g

describe.each(['node33', 'hardhat', 'ethereum'] as const)('in the dialect %s', (dialect) => {
  test.each(Object.entries(CLIENTS))('%s', async (client, read) => {
    const results: string[] = []
    for (const solidityStacks of [true, false]) {
      await withShop(
        hardhat2(compiled),
        async ({ url, shop, buyer }) => {
          const seen = await read(url, { shop: await shop.getAddress(), buyer })
          results.push(
            JSON.stringify(seen, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)),
          )
        },
        { dialect, solidityStacks },
      )
    }
    const [explained, plain] = results
    const hints = explained?.match(HINT) ?? []
    expect(hints.length > 0).toBe(dialect === 'ethereum' && ['ethers 5', 'viem'].includes(client))
    const withoutHint = explained?.replaceAll(HINT, (hint) =>
      hint.startsWith(',') ? '' : ' for an unknown reason',
    )
    expect(withoutHint?.replaceAll(INFERRED, BARE)).toBe(plain)
    // viem looks at the code only, which is another one in the dialect node33.
    const isDecoded = dialect !== 'node33' || client !== 'viem'
    expect(plain).toContain(isDecoded ? 'TooPoor' : 'RPC Request failed.')
  })
})
