/** Blob transactions by viem, ethers and cast, against Ethereum chains over HTTP. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import {
  createTestClient,
  fromBlobs,
  http,
  parseGwei,
  publicActions,
  toBlobs,
  toHex,
  walletActions,
} from 'viem'
import type { Hex } from 'viem'
import { hardhat } from 'viem/chains'
import type { Hardfork } from '../../lib/config/eips.ts'
import { ACCOUNT, SENDER_KEY, kzg } from '../support/blobs.ts'
import { describeFoundry, openFoundry } from '../support/foundry.ts'
import { withServer } from '../support/server.ts'

const THERE = '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB'

/** Gas of a blob. */
const GAS_PER_BLOB = 131_072n

function connect(url: string) {
  return createTestClient({
    chain: hardhat,
    transport: http(url),
    mode: 'anvil',
    account: ACCOUNT,
    pollingInterval: 20,
  })
    .extend(publicActions)
    .extend(walletActions)
}

type Client = ReturnType<typeof connect>

const withNode = (hardfork: Hardfork, run: (client: Client, url: string) => Promise<void>) =>
  withServer({ network: 'ethereum', hardfork, crossCheck: true }, async ({ port }) => {
    const url = `http://127.0.0.1:${port}/?dialect=ethereum`
    await run(connect(url), url)
  })

/** Requests the blobs in Anvil's format. */
const blobsOf = (client: Client, hash: Hex) =>
  client.request<{ Method: 'anvil_getBlobsByTransactionHash'; Parameters: [Hex]; ReturnType: Hex[] | null }>({
    method: 'anvil_getBlobsByTransactionHash',
    params: [hash],
  })

// Proofs are of blobs before Osaka, and of cells from there on.
describe('under cancun', () => {
  test('viem sends data in blobs and reads them back', () =>
    withNode('cancun', async (client) => {
      const data = toHex('a letter '.repeat(10_000))
      const blobs = toBlobs({ data })
      const hash = await client.sendTransaction({ blobs, kzg, to: THERE, maxFeePerBlobGas: parseGwei('30') })
      const receipt = await client.waitForTransactionReceipt({ hash })
      expect(receipt).toMatchObject({
        status: 'success',
        type: 'eip4844',
        blobGasUsed: GAS_PER_BLOB,
        blobGasPrice: 1n,
      })
      const transaction = await client.getTransaction({ hash })
      expect(transaction).toMatchObject({ type: 'eip4844', maxFeePerBlobGas: parseGwei('30') })
      expect(transaction.blobVersionedHashes).toHaveLength(1)
      const block = await client.getBlock({ includeTransactions: true })
      expect(block).toMatchObject({ blobGasUsed: GAS_PER_BLOB, excessBlobGas: 0n })
      const kept = (await blobsOf(client, hash))!
      expect(fromBlobs({ blobs: kept, to: 'hex' })).toBe(data)
      expect(await client.getBlobBaseFee()).toBe(1n)
    }))
})

interface CastReceipt {
  readonly status: Hex
  readonly type: Hex
  readonly blobGasUsed: Hex
  readonly blobGasPrice: Hex
  readonly transactionHash: Hex
}

describeFoundry('cast', () => {
  // Its proofs of whole blobs, before Osaka, are those of viem.
  test('sends a file as a blob under osaka with proofs of cells', () =>
    withNode('osaka', async (client, url) => {
      const foundry = await openFoundry({ ETH_RPC_URL: url })
      const path = join(foundry.folder, 'letter.txt')
      await writeFile(path, 'a letter '.repeat(10_000))
      const sending = ['send', '--json', '--private-key', SENDER_KEY, '--blob', '--path', path, THERE]
      const receipt = JSON.parse(await foundry.print('cast', ...sending)) as CastReceipt
      expect(receipt).toMatchObject({
        status: '0x1',
        type: '0x3',
        blobGasUsed: '0x20000',
        blobGasPrice: '0x1',
      })
      expect(await blobsOf(client, receipt.transactionHash)).toHaveLength(1)
      await foundry.remove()
    }))
})
