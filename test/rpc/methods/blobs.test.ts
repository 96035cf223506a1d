/** Methods that return blobs. */

import { describe, expect, test } from '@jest/globals'
import { toHex } from '../../../lib/base/hex.ts'
import type { OptionsInput } from '../../../lib/config/options.ts'
import type { Node } from '../../../lib/node.ts'
import { BLOB, BLOB_HASH, sentBlobs } from '../../support/blobs.ts'
import { call, freshNode } from '../../support/node.ts'

const ethereum = (options: OptionsInput = {}): Promise<Node> => freshNode({ network: 'ethereum', ...options })

/** A node with manual mining. */
const manual = (options: OptionsInput = {}): Promise<Node> => ethereum({ noMining: true, ...options })

const send = async (node: Node, ...sent: Parameters<typeof sentBlobs>): Promise<string> =>
  call(node, 'eth_sendRawTransaction', [await sentBlobs(...sent)])

describe('blobs', () => {
  test('are found by transaction and by hash until a revert', async () => {
    const node = await ethereum()
    const before = await call(node, 'evm_snapshot')
    const hash = await send(node, 1, { count: 2 })
    const blob = toHex(BLOB)
    expect(await call(node, 'anvil_getBlobsByTransactionHash', [hash])).toEqual([blob, blob])
    expect(await call(node, 'anvil_getBlobByHash', [BLOB_HASH])).toBe(blob)
    await call(node, 'evm_revert', [before])
    expect(await call(node, 'anvil_getBlobsByTransactionHash', [hash])).toBeNull()
    expect(await call(node, 'anvil_getBlobByHash', [BLOB_HASH])).toBeNull()
    expect(node.sidecars.all.size).toBe(0)
  })

  test('of a block removed by anvil_rollback are not found', async () => {
    const node = await ethereum()
    const hash = await send(node)
    await call(node, 'anvil_rollback', [1])
    expect(await call(node, 'anvil_getBlobsByTransactionHash', [hash])).toBeNull()
    expect(await call(node, 'anvil_getBlobByHash', [BLOB_HASH])).toBeNull()
  })

  test('of a transaction in a block made by anvil_reorg are found', async () => {
    const node = await ethereum()
    const hash = await send(node, 1)
    await call(node, 'anvil_reorg', [1, [[await sentBlobs(1), 0]]])
    expect(await call(node, 'eth_getTransactionReceipt', [hash])).toMatchObject({
      blockNumber: '0x1',
      status: '0x1',
    })
    expect(await call(node, 'anvil_getBlobByHash', [BLOB_HASH])).toBe(toHex(BLOB))
  })

  test('are found in a world that begins with their block', async () => {
    const node = await ethereum()
    const hash = await send(node)
    const { id } = await call(node, 'dev_createWorld')
    const { chain: world } = node.worlds.acquire(id)
    expect(await call(world, 'anvil_getBlobsByTransactionHash', [hash])).toEqual([toHex(BLOB)])
  })

  test('of pooled transactions are in a dumped state, and those of blocks are not', async () => {
    const node = await manual()
    const mined = await send(node, 0, { nonce: 0 })
    await call(node, 'evm_mine')
    const pooled = await send(node, 1, { nonce: 1 })
    const state = await call(node, 'anvil_dumpState')
    const other = await manual()
    await call(other, 'anvil_loadState', [state])
    expect(await call(other, 'anvil_getBlobsByTransactionHash', [pooled])).toEqual([toHex(BLOB)])
    expect(await call(other, 'anvil_getBlobsByTransactionHash', [mined])).toBeNull()
    expect(await call(other, 'eth_getTransactionReceipt', [mined])).toMatchObject({ blobGasUsed: '0x20000' })
    await call(other, 'evm_mine')
    expect(await call(other, 'eth_getTransactionReceipt', [pooled])).toMatchObject({ status: '0x1' })
  })
})
