/** Types of requests: `tsc` checks this file, and reports an expected error that does not occur. */

import { describe, expect, test } from '@jest/globals'
import { BrowserProvider } from 'ethers'
import { createPublicClient, custom } from 'viem'
import { Web3 } from 'web3'
import { createNode } from '../../lib/index.ts'
import type { DevNode, MethodResult, Provider } from '../../lib/index.ts'
import { COW } from '../support/signing.ts'

/** Compiles where the types are the same, either way. */
type Same<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false

const same = <One, Other>(isSame: Same<One, Other>): void => expect(isSame).toBe(true)

/** Runs on a node that is closed afterwards. */
async function withNode(run: (provider: Provider, node: DevNode) => Promise<void>): Promise<void> {
  await using node = await createNode({ frozenTime: true })
  await run(node.provider, node)
}

describe('a typed request', () => {
  test('has the declared type of the result', () =>
    withNode(async ({ request }) => {
      const height = await request({ method: 'eth_blockNumber' })
      same<typeof height, string>(true)
      expect(height).toBe('0x0')
      const accounts = await request({ method: 'eth_accounts' })
      same<typeof accounts, readonly string[]>(true)
      expect(accounts).toHaveLength(10)
      const block = await request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
      expect(block?.timestamp).toMatch(/^0x/)
      same<MethodResult<'eth_getBalance'>, string>(true)
      same<MethodResult<'anvil_setBalance'>, MethodResult<'hardhat_setBalance'>>(true)
    }))

  test('takes params by position and by name, and leaves optional ones out', () =>
    withNode(async ({ request }) => {
      const at = { blockNumber: '0x0' }
      await request({ method: 'eth_getBalance', params: [COW] })
      await request({ method: 'eth_getBalance', params: [COW, at] })
      await request({ method: 'eth_getBalance', params: [COW, null] })
      await request({ method: 'eth_getBalance', params: { address: COW, block: at } })
      await request({ method: 'evm_mine' })
      await request({ method: 'evm_mine', params: [] })
      expect(await request({ method: 'eth_blockNumber' })).toBe('0x2')
    }))

  test('does not compile with wrong params', () =>
    withNode(async ({ request }) => {
      // @ts-expect-error -- an address is wanted
      await expect(request({ method: 'eth_getBalance' })).rejects.toThrow('address')
      // @ts-expect-error -- an address is text
      await expect(request({ method: 'eth_getBalance', params: [1] })).rejects.toThrow('address')
      // @ts-expect-error -- by name, too
      await expect(request({ method: 'eth_getBalance', params: { owner: COW } })).rejects.toThrow('owner')
      // @ts-expect-error -- there is no third one
      await expect(request({ method: 'eth_getBalance', params: [COW, 1, 2] })).rejects.toThrow('at most 2')
      // @ts-expect-error -- a member of the call
      await expect(request({ method: 'eth_call', params: [{ to: 1 }] })).rejects.toThrow('to')
    }))

  test('of an unknown method has a result of any type', () =>
    withNode(async ({ request }) => {
      const method: string = ['eth', 'chainId'].join('_')
      const answer = await request({ method, params: [] })
      same<typeof answer, unknown>(true)
      expect(answer).toBe('0x21')
      await expect(request({ method: 'acme_anything', params: [1, {}] })).rejects.toMatchObject({
        code: -32601,
      })
    }))
})

test('events have types', () =>
  withNode(async (provider) => {
    const connected = new Promise<string>((resolve) =>
      provider.once('connect', ({ chainId }) => resolve(chainId)),
    )
    // @ts-expect-error -- there is no such event
    provider.on('connected', () => undefined)
    await provider.request({ method: 'eth_chainId' })
    expect(await connected).toBe('0x21')
  }))

test('libraries take the provider as it is', () =>
  withNode(async (provider) => {
    expect(await new BrowserProvider(provider).getBlockNumber()).toBe(0)
    expect(await createPublicClient({ transport: custom(provider) }).getBlockNumber()).toBe(0n)
    expect(await new Web3(provider).eth.getBlockNumber()).toBe(0n)
  }))
