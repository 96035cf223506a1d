/** What a new user types first: standard clients against a node without any option, in its default dialect. */

import { describe, expect, test } from '@jest/globals'
import { JsonRpcProvider } from 'ethers'
import { providers } from 'ethers5'
import { createPublicClient, http } from 'viem'
import { Web3 } from 'web3'
import { withServer } from '../support/server.ts'

/** Runs a test with the URL of a node that was started without options. */
const withDefaults = (run: (url: string) => Promise<void>) =>
  withServer({}, ({ port }) => run(`http://127.0.0.1:${port}`))

describe('the block pending is read by', () => {
  const next = { number: 1 }

  test('ethers 6', () =>
    withDefaults(async (url) => {
      const provider = new JsonRpcProvider(url)
      expect(await provider.getBlock('pending')).toMatchObject(next)
      provider.destroy()
    }))

  test('ethers 5', () =>
    withDefaults(async (url) => {
      expect(await new providers.JsonRpcProvider(url).getBlock('pending')).toMatchObject(next)
    }))

  test('viem', () =>
    withDefaults(async (url) => {
      const client = createPublicClient({ transport: http(url) })
      expect(await client.getBlock({ blockTag: 'pending' })).toMatchObject({ number: 1n })
    }))

  test('web3', () =>
    withDefaults(async (url) => {
      expect(await new Web3(url).eth.getBlock('pending')).toMatchObject({ number: 1n })
    }))
})
