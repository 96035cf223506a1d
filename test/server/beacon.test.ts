/** The pages for readers of blobs. */

import { expect, test } from '@jest/globals'
import { toHex } from '../../lib/base/hex.ts'
import { BLOB, BLOB_HASH, sentBlobs } from '../support/blobs.ts'
import { answerOf, ask, withServer } from '../support/server.ts'
import type { RunningServer } from '../../lib/server/start.ts'

const CANCUN = { network: 'ethereum', hardfork: 'cancun' } as const

const page = async (server: RunningServer, path: string, accept = 'application/json') => {
  const reply = await ask(server, { method: 'GET', path, headers: { accept } })
  return { ...reply, json: accept === 'application/json' ? JSON.parse(reply.text) : undefined }
}

test('the blobs of a block, by all its names', () =>
  withServer(CANCUN, async (server) => {
    await answerOf(server.url, 'eth_sendRawTransaction', [await sentBlobs(0, { count: 2 })])
    const { result: block } = await answerOf(server.url, 'eth_getBlockByNumber', ['latest', false])
    for (const name of ['head', '1', block.hash]) {
      const { status, json } = await page(server, `/eth/v1/beacon/blobs/${name}`)
      expect(status).toBe(200)
      expect(json).toEqual({
        execution_optimistic: false,
        finalized: false,
        data: [toHex(BLOB), toHex(BLOB)],
      })
    }
    const one = await page(server, `/eth/v1/beacon/blobs/1?versioned_hashes=${BLOB_HASH}`)
    expect(one.json.data).toHaveLength(2)
    const none = await page(server, `/eth/v1/beacon/blobs/1?versioned_hashes=0x${'01'.repeat(32)}`)
    expect(none.json.data).toEqual([])
    const binary = await page(server, '/eth/v1/beacon/blobs/1', 'application/octet-stream')
    expect(binary.bytes).toEqual(Buffer.concat([BLOB, BLOB]))
    const empty = await page(server, '/eth/v1/beacon/blobs/genesis')
    expect(empty.json.data).toEqual([])
  }))

test('a world has its own blocks, and a key is asked for', () =>
  withServer({ ...CANCUN, apiKeys: ['secret'] }, async (server) => {
    await answerOf(`${server.url}/secret/w/one`, 'evm_mine', [])
    expect(await page(server, '/secret/w/one/eth/v1/beacon/blobs/1')).toMatchObject({ status: 200 })
    expect(await page(server, '/secret/eth/v1/beacon/blobs/1')).toMatchObject({ status: 404 })
    expect(await page(server, '/w/one/eth/v1/beacon/blobs/1')).toMatchObject({
      status: 401,
      json: { code: 401, message: 'unknown API key' },
    })
  }))

test('the time of the genesis', () =>
  withServer({ ...CANCUN, frozenTime: 1_700_000_000n }, async (server) => {
    const { json } = await page(server, '/eth/v1/beacon/genesis')
    expect(json.data.genesis_time).toBe('1700000000')
  }))

test.each([
  ['/eth/v1/beacon/blobs/soon', 400, 'block soon: expected head, genesis, finalized, a number or a hash'],
  ['/eth/v1/beacon/blobs/0x12', 400, 'block 0x12: expected'],
  ['/eth/v1/beacon/blobs/7', 404, 'there is no block 7'],
  [
    '/eth/v1/beacon/blobs/0?versioned_hashes=0x12',
    400,
    'versioned_hashes: expected hashes of 32 bytes, with commas between',
  ],
])('%s is answered with %d', (path, status, message) =>
  withServer(CANCUN, async (server) => {
    const reply = await page(server, path)
    expect(reply.status).toBe(status)
    expect(reply.json).toEqual({ code: status, message: expect.stringContaining(message) })
  }),
)

test('a path that cannot be decoded is refused, and is no fault of the program', () =>
  withServer(CANCUN, async (server) => {
    for (const path of ['/eth/v1/beacon/blobs/%zz', '/%zz/eth/v1/beacon/genesis']) {
      const reply = await page(server, path)
      expect(reply.status).toBe(400)
      expect(reply.json.error.message).toBe('the path is not that of a URL')
    }
  }))

test('blobs that the node has dropped are named', () =>
  withServer(CANCUN, async (server) => {
    const raw = await sentBlobs(0, { count: 2 })
    await answerOf(server.url, 'eth_sendRawTransaction', [raw])
    // Blobs are in no state file.
    const { result: state } = await answerOf(server.url, 'dev_dumpState', [])
    await answerOf(server.url, 'dev_loadState', [state])
    const reply = await page(server, '/eth/v1/beacon/blobs/1')
    expect(reply.json).toMatchObject({ code: 404, message: expect.stringContaining('are not kept') })
  }))
