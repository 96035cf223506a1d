/** States that Anvil writes and reads, exchanged with a running Anvil. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { nextTurn } from '../../../lib/base/host.ts'
import type { Node } from '../../../lib/node/node.ts'
import { withAnvil } from '../../support/anvil.ts'
import type { Ask } from '../../support/peer-process.ts'
import { loadContracts } from '../../support/contracts.ts'
import { describeFoundry } from '../../support/foundry.ts'
import { call, freshNode } from '../../support/node.ts'

const [OWNER, OTHER] = [
  '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
] as const
/** Where the first contract of the owner is. */
const CONTRACT = '0x5fbdb2315678afecb367f032d93f642f64180aa3'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dev-node-anvil-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** A contract with a word in its storage, a transfer, and some empty blocks. */
async function live(ask: Ask): Promise<void> {
  const { Storage } = await loadContracts()
  const data = `${Storage.bytecode}${'7'.padStart(64, '0')}`
  await ask('eth_sendTransaction', [{ from: OWNER, data, gas: '0x200000' }])
  await ask('eth_sendTransaction', [{ from: OWNER, to: OTHER, value: '0x5', gas: '0x5208' }])
  await ask('evm_mine')
  await ask('evm_increaseTime', [1000])
  await ask('evm_mine')
}

/** A nonce and a base fee that JavaScript's numbers do not hold. */
async function setLargeNumbers(ask: Ask): Promise<void> {
  await ask('anvil_setNextBlockBaseFeePerGas', ['0x20000000000001'])
  await ask('evm_mine')
  await ask('anvil_setNonce', [OWNER, '0xfffffffffffffffe'])
}

/** Requests that must have the same results on both. */
async function seen(ask: Ask): Promise<unknown> {
  const block = (await ask('eth_getBlockByNumber', ['latest', false])) as Record<string, string>
  return {
    number: block['number'],
    timestamp: block['timestamp'],
    gasLimit: block['gasLimit'],
    baseFee: block['baseFeePerGas'],
    balances: [
      await ask('eth_getBalance', [OWNER, 'latest']),
      await ask('eth_getBalance', [OTHER, 'latest']),
    ],
    nonces: [
      await ask('eth_getTransactionCount', [OWNER, 'latest']),
      await ask('eth_getTransactionCount', [CONTRACT, 'latest']),
    ],
    code: await ask('eth_getCode', [CONTRACT, 'latest']),
    storage: await ask('eth_getStorageAt', [CONTRACT, '0x0', 'latest']),
  }
}

const asking =
  (node: Node): Ask =>
  (method, params) =>
    call(node, method, params)
const ethereum = { network: 'ethereum', dialect: 'ethereum', noPredeploys: true } as const

describeFoundry('a state of Anvil', () => {
  test('is loaded by the method, and the chain continues from it', () =>
    withAnvil([], async (anvil) => {
      await live(anvil)
      const node = await freshNode(ethereum)
      expect(await call(node, 'anvil_loadState', [await anvil('anvil_dumpState')])).toBe(true)
      expect(await seen(asking(node))).toEqual(await seen(anvil))
      const hash = await call(node, 'eth_sendTransaction', [{ from: OWNER, to: OTHER, value: '0x1' }])
      expect(await call(node, 'eth_getTransactionReceipt', [hash])).toMatchObject({
        blockNumber: '0x5',
        status: '0x1',
      })
      expect(await call(node, 'eth_getBlockByNumber', ['0x3', false])).toMatchObject({ transactions: [] })
    }))

  test('is loaded from the file', async () => {
    const file = join(folder, 'anvil.json')
    let expected: unknown
    await withAnvil(['--dump-state', file], async (anvil) => {
      await live(anvil)
      expected = await seen(anvil)
    })
    expect(await seen(asking(await freshNode({ ...ethereum, loadState: file })))).toEqual(expected)
  })

  test('is written for Anvil, to a file and by the method', async () => {
    const file = join(folder, 'state.json')
    const node = await freshNode({ ...ethereum, dumpState: file, stateFormat: 'anvil' })
    await live(asking(node))
    const expected = await seen(asking(node))
    const dumped = await call(node, 'anvil_dumpState', [{ format: 'anvil' }])
    await node.close()
    await withAnvil(['--load-state', file], async (anvil) => {
      expect(await seen(anvil)).toEqual(expected)
    })
    await withAnvil([], async (anvil) => {
      expect(await anvil('anvil_loadState', [dumped])).toBe(true)
      expect(await seen(anvil)).toEqual(expected)
      const hash = await anvil('eth_sendTransaction', [{ from: OWNER, to: OTHER, value: '0x1' }])
      // Anvil returns before the transaction is in a block.
      while ((await anvil('eth_getTransactionReceipt', [hash])) === null) await nextTurn()
      expect(await anvil('eth_blockNumber')).toBe('0x5')
    })
  })

  test('keeps numbers beyond 2^53, both ways', async () => {
    const node = await freshNode({ ...ethereum, stateFormat: 'anvil' })
    await live(asking(node))
    await setLargeNumbers(asking(node))
    const expected = await seen(asking(node))
    const dumped = await call(node, 'anvil_dumpState')
    await withAnvil([], async (anvil) => {
      expect(await anvil('anvil_loadState', [dumped])).toBe(true)
      expect(await seen(anvil)).toEqual(expected)
      const loading = await freshNode(ethereum)
      expect(await call(loading, 'anvil_loadState', [await anvil('anvil_dumpState')])).toBe(true)
      expect(await seen(asking(loading))).toEqual(expected)
    })
  })
})

describe('the form for Anvil', () => {
  test('is loaded again here with numbers beyond 2^53', async () => {
    const options = { ...ethereum, state: join(folder, 'large.json'), stateFormat: 'anvil' } as const
    const node = await freshNode(options)
    await setLargeNumbers(asking(node))
    const expected = await seen(asking(node))
    expect(expected).toMatchObject({ nonces: ['0xfffffffffffffffe', '0x0'], baseFee: '0x20000000000001' })
    await node.close()
    expect(await seen(asking(await freshNode(options)))).toEqual(expected)
  })

  test('is loaded again here, and snapshots stay', async () => {
    const node = await freshNode({ ...ethereum, stateFormat: 'anvil' })
    await live(asking(node))
    const dumped = await call(node, 'dev_dumpState')
    const expected = await seen(asking(node))
    const other = await freshNode(ethereum)
    const genesis = await call(other, 'eth_getBlockByNumber', ['latest', false])
    const id = await call(other, 'evm_snapshot')
    await call(other, 'dev_loadState', [dumped])
    expect(await seen(asking(other))).toEqual(expected)
    expect(await call(other, 'evm_revert', [id])).toBe(true)
    expect(await call(other, 'eth_getBlockByNumber', ['latest', false])).toEqual(genesis)
  })

  test('is kept by --state from run to run', async () => {
    const options = { ...ethereum, state: join(folder, 'kept.json'), stateFormat: 'anvil' } as const
    const node = await freshNode(options)
    await live(asking(node))
    const expected = await seen(asking(node))
    await node.close()
    expect(JSON.parse(await readFile(options.state, 'utf8'))).toMatchObject({ best_block_number: 4 })
    expect(await seen(asking(await freshNode(options)))).toEqual(expected)
  })

  test.each<[string, (text: string) => string, RegExp]>([
    ['cut short', (text) => text.slice(0, -10), /: it was cut short or is not JSON$/],
    [
      'another version',
      (text) => text.replaceAll('"balance"', '"wei"'),
      /: it is not as Anvil 1\.7 writes it: accounts\.0x\w{40}\.balance: expected a whole number from 0 to \d+, got nothing/,
    ],
    [
      'of a block that no chain reaches',
      (text) => text.replace(/"best_block_number":\d+/, '"best_block_number":"0xffffffffffffffffffff"'),
      /best_block_number: expected a block number from 0 to \d+, got "0xf{20}"/,
    ],
    [
      'of a time beyond the year 9999',
      (text) => text.replace(/"timestamp":"0x\w+"/, '"timestamp":"0xffffffffff"'),
      /block\.timestamp: expected a Unix time in seconds from 0 to \d+/,
    ],
  ])('is refused where it is %s', async (_case, change, message) => {
    const node = await freshNode({ ...ethereum, stateFormat: 'anvil' })
    const written = (await call(node, 'dev_dumpState')) as string
    const text = change(gunzipSync(Buffer.from(written.slice(2), 'hex')).toString('utf8'))
    await expect(call(node, 'dev_loadState', [`0x${gzipSync(text).toString('hex')}`])).rejects.toThrow(
      message,
    )
  })

  test('keeps the settings of the next block out of the loaded chain', async () => {
    const node = await freshNode({ ...ethereum, stateFormat: 'anvil' })
    const written = await call(node, 'dev_dumpState')
    await call(node, 'evm_setNextBlockTimestamp', [node.clock.now + 1000n].map(String))
    await call(node, 'dev_loadState', [written])
    const { timestamp } = await call(node, 'eth_getBlockByNumber', ['latest', false])
    await call(node, 'evm_mine')
    const next = await call(node, 'eth_getBlockByNumber', ['latest', false])
    expect(Number(next.timestamp) - Number(timestamp)).toBeLessThan(1000)
  })

  test('is not written on another kind of network', async () => {
    const refused = /an Anvil state cannot be written: it is of an Ethereum chain, this node runs network-33/
    await expect(freshNode({ stateFormat: 'anvil' })).rejects.toThrow(refused)
    const node = await freshNode()
    await expect(call(node, 'dev_dumpState', [{ format: 'anvil' }])).rejects.toThrow(refused)
  })

  test('is refused on another kind of network', async () => {
    const file = join(folder, 'state.json')
    await writeFile(
      file,
      '{"accounts":{},"block":{"number":"0x0","timestamp":"0x1","gas_limit":1,"basefee":1}}',
    )
    await expect(freshNode({ loadState: file })).rejects.toThrow(
      /cannot load .*: the Anvil state cannot be loaded: it is of an Ethereum chain, this node runs network-33/,
    )
  })
})
