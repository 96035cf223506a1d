import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from '@jest/globals'
import { RevertFailed, RpcError, TestChain, connect } from '../../../lib/embed/testing/test-chain.ts'
import type { OptionsInput } from '../../../lib/modules/options.ts'
import { withServer } from '../../support/server.ts'

const folders: string[] = []

/** Runs a test in its own folder, which is deleted afterwards. */
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dev-node-fixtures-'))
  folders.push(folder)
  return folder
}

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

/** Sends a transaction with a visible effect, and returns its hash. */
async function pay(chain: TestChain): Promise<string> {
  const [from, to] = await chain.rpc('eth_accounts')
  return await chain.rpc('eth_sendTransaction', [{ from, to, value: '0x1' }])
}

const height = (chain: TestChain) => chain.rpc('eth_blockNumber')

describe('a test chain', () => {
  test('returns results, and throws the error of a request with its code', () =>
    withServer({}, async ({ url }) => {
      const chain = new TestChain({ url })
      expect(await chain.rpc('eth_chainId')).toBe('0x21')
      const error = await chain.rpc('eth_getBalance', ['0x12']).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(RpcError)
      expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(/^eth_getBalance: /) })
    }))

  test('reports a URL without a node, or with another server', async () => {
    const server = createServer((_, response) => response.end('<html>'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const chain = new TestChain({ url: `http://127.0.0.1:${port}` })
    await expect(chain.rpc('eth_chainId')).rejects.toThrow(`${chain.url} answered 200 and no JSON-RPC`)
    await new Promise((resolve) => server.close(resolve))
    await expect(chain.rpc('eth_chainId')).rejects.toThrow(`eth_chainId: no node answers at ${chain.url}`)
  })

  test('reverts to a snapshot by id and by name, any number of times', () =>
    withServer({}, async ({ url }) => {
      const chain = new TestChain({ url, world: 'a' })
      const id = await chain.snapshot('deployed')
      for (const snapshot of [id, 'deployed', id]) {
        await pay(chain)
        await chain.revert(snapshot)
        expect(await height(chain)).toBe('0x0')
      }
    }))

  test.each([['node33'], ['strict']])('throws when there is no snapshot to revert to (%s)', (kind) =>
    withServer({ strictRevert: kind === 'strict' }, async ({ url }) => {
      const chain = new TestChain({ url })
      await chain.snapshot('deployed')
      const error = await chain.revert('0x9').catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(RevertFailed)
      expect(error).toMatchObject({
        message: expect.stringContaining('there is no snapshot 0x9 to revert to; there are: 0x1 (deployed)'),
      })
    }),
  )
})

describe('a fixture', () => {
  test('begins at the start of the chain, also beside other fixtures', () =>
    withServer({}, async ({ url }) => {
      const chain = new TestChain({ url, world: 'a' })
      const one = () => pay(chain)
      const two = async () => [await pay(chain), await pay(chain)]
      for (let round = 0; round < 3; round++) {
        await chain.fixture('one', one)
        expect(await height(chain)).toBe('0x1')
        await chain.fixture('two', two)
        expect(await height(chain)).toBe('0x2')
      }
    }))

  test('whose snapshot was dropped by a revert or a reset is built again', () =>
    withServer({}, async ({ url }) => {
      const chain = new TestChain({ url, world: 'a' })
      let built = 0
      const build = async () => {
        built++
        return pay(chain)
      }
      const before = await chain.snapshot()
      await chain.fixture('deployed', build)
      await chain.revert(before)
      await chain.fixture('deployed', build)
      await chain.rpc('evm_reset')
      await chain.fixture('deployed', build)
      expect([built, await height(chain)]).toEqual([3, '0x1'])
    }))

  test('is not built on the blocks after a reset', () =>
    withServer({}, async ({ url }) => {
      const chain = new TestChain({ url, world: 'a' })
      await chain.fixture('deployed', pay)
      await chain.rpc('evm_reset')
      await pay(chain)
      await expect(chain.fixture('deployed', pay)).rejects.toThrow(
        'the chain was reset, or reverted to before its beginning, and has gone on to block 0x1 since',
      )
    }))

  test('is built again for another key', () =>
    withServer({}, async ({ url }) => {
      const chain = new TestChain({ url, world: 'a' })
      let built = 0
      const build = async () => ++built
      const keys = ['1', '2', '1']
      const values = []
      for (const key of keys) values.push(await chain.fixture('deployed', build, { key }))
      expect(values).toEqual([1, 2, 1])
    }))

  test('is built again for a chain with another id or other rules', async () => {
    const fixtures = await newFolder()
    let built = 0
    const others: OptionsInput[] = [{}, { chainId: 5 }, { hardfork: 'prague' }, {}]
    for (const options of others) {
      await withServer(
        { network: 'ethereum', genesisTimestamp: 1_700_000_000, ...options },
        async ({ url }) => {
          await new TestChain({ url, world: 'a', fixtures }).fixture('built', async () => ++built)
        },
      )
    }
    expect(built).toBe(3)
  })

  test('returns the same when it is built and loaded, and refuses values that JSON cannot hold', () =>
    withServer({}, async ({ url }) => {
      const fixtures = await newFolder()
      const chains = ['a', 'b'].map((world) => new TestChain({ url, world, fixtures }))
      // As JavaScript writes it.
      const build = (async () => ({ at: new Date(0), none: undefined })) as unknown as () => Promise<string>
      for (const chain of chains)
        expect(await chain.fixture('dated', build)).toStrictEqual({ at: '1970-01-01T00:00:00.000Z' })
      // @ts-expect-error -- JSON has no such numbers
      const wrong = chains[0]?.fixture('supply', async () => ({ supply: 1n }))
      await expect(wrong).rejects.toThrow('the result of fixture supply is not JSON: ')
    }))

  test('is loaded from disk by another worker of another run', async () => {
    const fixtures = await newFolder()
    let built = 0
    const hashes: unknown[] = []
    for (const world of ['a', 'b']) {
      await withServer({}, async ({ url }) => {
        const chain = new TestChain({ url, world, fixtures })
        const build = async (mine: TestChain) => {
          built++
          return pay(mine)
        }
        const hash = await chain.fixture('deployed', build)
        hashes.push(hash)
        expect(await chain.rpc('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
        await pay(chain)
        expect(await chain.fixture('deployed', build)).toBe(hash)
        expect(await height(chain)).toBe('0x1')
      })
    }
    expect(built).toBe(1)
    expect(hashes[1]).toBe(hashes[0])
  })

  test('that is loaded keeps earlier fixtures valid', () =>
    withServer({}, async ({ url }) => {
      const fixtures = await newFolder()
      const stand = (chain: TestChain, blocks: number) =>
        chain.fixture(`${blocks} blocks`, async () => await chain.rpc('hardhat_mine', [blocks]), {
          key: String(blocks),
        })
      const one = new TestChain({ url, world: 'one', fixtures })
      for (const blocks of [1, 2, 3]) await stand(one, blocks)
      const two = new TestChain({ url, world: 'two', fixtures })
      for (const blocks of [4, 1, 4, 2, 3, 1, 4, 2, 3]) {
        await stand(two, blocks)
        expect(await height(two)).toBe(`0x${blocks}`)
      }
    }))

  test('whose source returns undefined is kept', () =>
    withServer({}, async ({ url }) => {
      const fixtures = await newFolder()
      let built = 0
      const build = async (chain: TestChain) => {
        built++
        await pay(chain)
      }
      for (const world of ['a', 'b']) {
        const chain = new TestChain({ url, world, fixtures })
        expect(await chain.fixture('paid', build)).toBeNull()
        expect(await height(chain)).toBe('0x1')
      }
      expect(built).toBe(1)
    }))

  test('has its accounts able to send', () =>
    withServer({ stateParts: ['transactions'] }, async ({ url }) => {
      const fixtures = await newFolder()
      const stranger = `0x${'5e'.repeat(20)}`
      const build = async ({ rpc }: TestChain) => {
        await rpc('hardhat_setBalance', [stranger, '0xde0b6b3a7640000'])
        await rpc('hardhat_impersonateAccount', [stranger])
        return await rpc('personal_importRawKey', ['11'.repeat(32), 'secret'])
      }
      for (const world of ['a', 'b']) {
        const chain = new TestChain({ url, world, fixtures })
        const address = await chain.fixture('accounts', build)
        expect(await chain.rpc('eth_accounts')).toContain(address)
        await chain.rpc('eth_sendTransaction', [{ from: stranger, to: address, value: '0x1' }])
      }
    }))
})

test('the start is the head at the first request of any worker', () =>
  withServer({}, async ({ url }) => {
    const [earlier, later] = [new TestChain({ url, world: 'a' }), new TestChain({ url, world: 'a' })]
    await pay(earlier)
    await earlier.begin()
    await earlier.fixture('deployed', pay)
    await later.begin()
    expect(await height(later)).toBe('0x1')
    await pay(later)
    await later.begin()
    expect(await height(later)).toBe('0x1')
  }))

test('a world keeps its start after resets', () =>
  withServer({}, async ({ url }) => {
    const [earlier, later] = [new TestChain({ url, world: 'a' }), new TestChain({ url, world: 'a' })]
    await earlier.beginWorld()
    await earlier.rpc('evm_reset')
    await pay(earlier)
    await later.beginWorld()
    expect(await height(later)).toBe('0x0')
  }))

describe('connecting', () => {
  test('goes to the world of the worker', () => {
    const chain = connect({ url: 'http://127.0.0.1:1' })
    expect(chain.url).toBe(`http://127.0.0.1:1/w/worker-${process.env['JEST_WORKER_ID']}`)
  })

  test('without an address is refused with a remedy', () => {
    const url = process.env['DEV_NODE_URL']
    delete process.env['DEV_NODE_URL']
    try {
      expect(() => connect()).toThrow('no node to connect to: give its url, or set DEV_NODE_URL')
    } finally {
      if (url !== undefined) process.env['DEV_NODE_URL'] = url
    }
  })
})
