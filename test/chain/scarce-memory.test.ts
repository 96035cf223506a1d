/** Compares what a node with very little memory answers with what one without a limit answers, after the same commands. */

import { expect, test } from '@jest/globals'
import type { OptionsInput } from '../../lib/config/options.ts'
import type { Node } from '../../lib/node.ts'
import { call, freshNode } from '../support/node.ts'
import { drawsFrom } from '../support/random-draws.ts'
import { answerOf, withServer } from '../support/server.ts'
import { addressOf } from '../support/transactions.ts'

/** Sets the slot of the first word of its data to the second, and logs the caller. */
const CODE = '602035600035553360006000a100'
const WRITER = `0x6d${CODE}600052600e6012f3`
const GAS = '0x20000'

/** Seed of the story: `SCARCE_SEED=2 npm test -- test/chain/scarce-memory.test.ts` makes another. */
const SEED = Number(process.env['SCARCE_SEED'] ?? 1)
const STEPS = 260

/** The default would make a runner's process scarce of memory that has run many suites before. */
const PLENTY = '1024g'

const quantity = (value: number) => `0x${value.toString(16)}`
const word = (value: number) => value.toString(16).padStart(64, '0')

/** Changes a node at random; returns the answers that the changes got. */
async function play(node: Node, steps: number): Promise<readonly unknown[]> {
  const draw = drawsFrom(SEED)
  const ask = (method: string, ...params: readonly unknown[]) => call(node, method, params)
  const [from, to] = node.funded.map(({ address }) => address)
  const send = (transaction: object) => ask('eth_sendTransaction', { from, gas: GAS, ...transaction })
  const { contractAddress } = await ask('eth_getTransactionReceipt', await send({ data: WRITER }))
  const snapshots: string[] = []
  const filters = [await ask('eth_newFilter', { address: contractAddress }), await ask('eth_newBlockFilter')]
  const actions: readonly (readonly [weight: number, run: () => Promise<unknown>])[] = [
    [30, () => send({ to: draw(3) === 0 ? addressOf(100 + draw(500)) : to, value: quantity(draw(1000)) })],
    [
      40,
      () => send({ to: contractAddress, data: `0x${word(draw(40))}${word(draw(4) === 0 ? 0 : draw(9000))}` }),
    ],
    [3, () => send({ data: WRITER })],
    [3, () => ask('hardhat_mine', quantity(1 + draw(9)))],
    [3, () => ask('hardhat_setBalance', addressOf(100 + draw(500)), quantity(draw(1_000_000)))],
    [3, () => ask('hardhat_setStorageAt', contractAddress, quantity(draw(40)), `0x${word(draw(3))}`)],
    [2, () => ask('hardhat_setCode', addressOf(900 + draw(3)), `0x${CODE}`)],
    [4, async () => snapshots.push(await ask('evm_snapshot'))],
    [3, async () => ask('evm_revert', snapshots.splice(draw(snapshots.length + 1))[0] ?? '0x0')],
    [1, () => ask('anvil_reorg', 1 + draw(3), [])],
    [1, () => ask('anvil_rollback', 1 + draw(30))],
    [4, () => ask('eth_getFilterChanges', filters[draw(2)])],
    [4, () => ask('eth_getBalance', to, quantity(draw(Number(node.chain.height) + 1)))],
  ]
  const whole = actions.reduce((sum, [weight]) => sum + weight, 0)
  const answers: unknown[] = []
  for (let step = 0; step < steps; step++) {
    let left = draw(whole)
    const [, run] = actions.find(([weight]) => (left -= weight) < 0)!
    answers.push(await run())
  }
  answers.push(await ask('eth_getFilterLogs', filters[0]), await ask('eth_getFilterChanges', filters[1]))
  return [contractAddress, ...answers]
}

/** What a node answers about its old blocks, newest first and at random. */
async function answersOf(node: Node, contract: unknown, first: number): Promise<readonly unknown[]> {
  const draw = drawsFrom(SEED + 1)
  const ask = async (method: string, ...params: readonly unknown[]): Promise<unknown> =>
    call(node, method, params).catch((error: unknown) => String(error))
  const height = Number(node.chain.height)
  const [, to] = node.funded.map(({ address }) => address)
  const answers = [
    await ask('eth_getLogs', { fromBlock: quantity(first), address: contract }),
    await ask('trace_filter', { fromBlock: quantity(first), toBlock: 'latest', count: 50 }),
    await ask('eth_feeHistory', '0x20', 'latest', [50]),
  ]
  for (let count = 0; count < 40; count++) {
    const tag = quantity(count < 10 ? height - 7 * count : first + draw(height - first + 1))
    const block: any = await ask('eth_getBlockByNumber', tag, true)
    answers.push(
      block,
      await ask('eth_getBlockByHash', block.hash, false),
      await ask('eth_getBlockReceipts', tag),
      await ask('eth_getBalance', to, tag),
      await ask('eth_getStorageAt', contract, quantity(draw(40)), tag),
      await ask('eth_call', { to: contract, data: `0x${word(1)}${word(2)}` }, tag),
      await ask('eth_getProof', contract, [`0x${word(draw(40))}`], tag),
      await ask('debug_traceBlockByNumber', tag, {
        tracer: 'prestateTracer',
        tracerConfig: { diffMode: true },
      }),
    )
    for (const { hash } of block.transactions)
      answers.push(
        await ask('eth_getTransactionReceipt', hash),
        await ask('debug_traceTransaction', hash, { tracer: 'callTracer' }),
      )
  }
  return answers
}

/** The answers of a node with options, of a world of it, and of a node that loads its state. */
async function storyOf(options: OptionsInput, first: number): Promise<unknown> {
  const node = await freshNode(options)
  const [contract, ...answers] = await play(node, STEPS)
  const ofNode = await answersOf(node, contract, first)
  await call(node, 'dev_createWorld', [{ id: 'other' }])
  const world = node.worlds.acquire('other').chain
  const inWorld = [...(await play(world, STEPS / 4)), ...(await answersOf(world, contract, first))]
  const loaded = await freshNode(options)
  await call(loaded, 'dev_loadState', [await call(node, 'dev_dumpState', [])])
  const compressed = node.chain.entriesFrom(0).filter(({ packed }) => packed?.isCompressed).length
  expect(compressed > 60).toBe(options.maxMemory !== PLENTY)
  const ofLoaded = await answersOf(loaded, contract, first)
  expect(await answersOf(node, contract, first)).toEqual(ofNode)
  for (const one of [node, loaded]) await one.close()
  return { answers, ofNode, inWorld, ofLoaded }
}

test.each(['network-33', 'ethereum'])(
  'a node of %s with a memory of 1m answers as one with plenty of it',
  async (network) => {
    expect(await storyOf({ network, maxMemory: '1m' }, 0)).toEqual(
      await storyOf({ network, maxMemory: PLENTY }, 0),
    )
  },
  120_000,
)

test('so does a fork', async () => {
  await withServer({ network: 'ethereum' }, async ({ port }) => {
    const forkUrl = `http://127.0.0.1:${port}`
    for (let count = 0; count < 3; count++) await answerOf(forkUrl, 'evm_mine', [])
    const options = { forkUrl, noForkCache: true }
    expect(await storyOf({ ...options, maxMemory: '1m' }, 3)).toEqual(
      await storyOf({ ...options, maxMemory: PLENTY }, 3),
    )
  })
}, 120_000)
