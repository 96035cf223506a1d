/** State files of forks: what they hold, and where they can be loaded. */

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import type { Node } from '../../lib/node/node.ts'
import { dataOf, respond, withFork, withRemoteChain } from '../support/forked-node.ts'
import type { RemoteChain } from '../support/forked-node.ts'
import { call, freshNode, refusal } from '../support/node.ts'
import { HEIR } from '../support/tracing.ts'

const quantity = (number: number) => `0x${number.toString(16)}`
const DESTROYED = `0x${'d0'.repeat(20)}`

async function withFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'dev-node-fork-'))
  try {
    await run(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Changes accounts in every way: slots over remote ones, zero over a remote value, new and deleted accounts, pool, snapshots. */
async function change(node: Node, { tracer, accounts }: RemoteChain): Promise<void> {
  const [, from, to] = accounts
  const send = (transaction: object) =>
    call(node, 'eth_sendTransaction', [{ from, gas: quantity(3_000_000), ...transaction }])
  await call(node, 'hardhat_setBalance', [to, '0x1234'])
  await send({ to: tracer, data: await dataOf('fill', [2n, 3n]) })
  await call(node, 'evm_snapshot', [{ name: 'filled' }])
  await send({ to: tracer, data: await dataOf('clear', [0n, 4n]) })
  await send({ to: tracer, data: await dataOf('nest', [8n]), value: '0x9' })
  await send({ to: tracer, data: await dataOf('endChild', [HEIR]) })
  await call(node, 'hardhat_setCode', [DESTROYED, '0x60006000fd'])
  await call(node, 'hardhat_setStorageAt', [DESTROYED, '0x1', `0x${'00'.repeat(31)}07`])
  await call(node, 'hardhat_mine', ['0x64'])
  await call(node, 'evm_setAutomine', [false])
  await send({ to, value: '0x1' })
}

/** Answers about everything that was changed, and about what was not. */
async function answersOf(node: Node, { tracer, accounts, height }: RemoteChain): Promise<readonly unknown[]> {
  const answers: unknown[] = []
  const ask = async (method: string, ...params: unknown[]) =>
    answers.push(await respond(node, method, params))
  for (let number = height - 1; number <= height + 5; number++) {
    await ask('eth_getBlockByNumber', quantity(number), true)
    await ask('eth_getBlockReceipts', quantity(number))
    await ask('debug_traceBlockByNumber', quantity(number), { tracer: 'callTracer' })
    for (const account of [tracer, DESTROYED, ...accounts.slice(0, 3)]) {
      await ask('eth_getAccountInfo', account, quantity(number))
      const slots = Array.from({ length: 8 }, (_, index) => quantity(index))
      await ask('eth_getStorageValues', { [account]: slots }, quantity(number))
    }
  }
  const child = await call(node, 'eth_call', [{ to: tracer, data: await dataOf('child', []) }])
  await ask('eth_getAccountInfo', `0x${child.slice(26)}`)
  await ask('eth_getLogs', { fromBlock: '0x0' })
  await ask('eth_getBlockByNumber', 'latest', true)
  await ask('txpool_content')
  await ask('dev_snapshots')
  return answers
}

describe.each(['ethereum', 'network-33'])('state files of a fork of %s', (network) => {
  test('a node that loads the file answers as the one that wrote it, and reverts to its snapshots', async () => {
    await withFolder(async (folder) => {
      const state = join(folder, 'chain.state')
      await withRemoteChain({ network }, async (remote) => {
        let answers: readonly unknown[] = []
        let reverted: readonly unknown[] = []
        const at = {
          network,
          forkBlockNumber: remote.height,
          forkCache: join(folder, 'cache'),
          noForkCache: false,
        }
        await withFork(remote, { ...at, state }, async ({ node, proxy }) => {
          await change(node, remote)
          answers = await answersOf(node, remote)
          const saved = await call(node, 'dev_dumpState')
          await call(node, 'evm_revert', ['filled', { keep: true }])
          reverted = await answersOf(node, remote)
          await call(node, 'dev_loadState', [saved])
          expect(await answersOf(node, remote)).toEqual(answers)
          expect(gunzipSync(Buffer.from(saved.slice(2), 'hex')).toString()).toContain(
            `127.0.0.1:${proxy.port}`,
          )
        })
        await withFork(remote, { ...at, state }, async ({ node }) => {
          expect(await answersOf(node, remote)).toEqual(answers)
          await call(node, 'evm_revert', ['filled', { keep: true }])
          expect(await answersOf(node, remote)).toEqual(reverted)
        })
      })
    })
  })

  test('without blocks, the file has the accounts over the remote block', async () => {
    await withRemoteChain({ network }, async (remote) => {
      const { tracer, height } = remote
      await withFork(remote, { network }, async ({ node }) => {
        await change(node, remote)
        const slots = { [tracer]: ['0x2', '0x3', '0x4'] }
        const values = await call(node, 'eth_getStorageValues', [slots])
        const saved = await call(node, 'dev_dumpState', [{ blocks: false }])
        await call(node, 'dev_loadState', [saved])
        expect(await call(node, 'eth_blockNumber')).toBe(quantity(height))
        expect(await call(node, 'eth_getStorageValues', [slots])).toEqual(values)
      })
    })
  })
})

describe('where a state file of a fork can be loaded', () => {
  const network = 'ethereum'

  test('only over the same block of the same chain', async () => {
    await withRemoteChain({ network }, async (remote) => {
      const plain = await freshNode({ network })
      const whole = await call(plain, 'dev_dumpState')
      await withFork(remote, { network }, async ({ node }) => {
        await call(node, 'evm_mine')
        const head = await call(node, 'eth_getBlockByNumber', ['latest', false])
        const saved = await call(node, 'dev_dumpState')
        const { result: block } = await remote.ask('eth_getBlockByNumber', [quantity(remote.height), false])
        const fork = `block ${remote.height} (${block.hash}) of chain 31337`
        const advice = `start it with --fork-url and --fork-block-number ${remote.height}`
        const { message } = await refusal(plain, 'dev_loadState', [saved])
        expect(message).toContain(`the state file is of a fork of ${fork} of http://127.0.0.1:`)
        expect(message).toContain(`, this node continues no remote block: ${advice}`)
        expect(await refusal(node, 'dev_loadState', [whole])).toEqual({
          kind: 'invalidState',
          message: `the state file is not of a fork, this node continues ${fork}: start it without --fork-url`,
        })
        await withFork(remote, { network, forkBlockNumber: 2 }, async ({ node: other }) => {
          expect((await refusal(other, 'dev_loadState', [saved])).message).toContain(advice)
          expect(await call(other, 'eth_blockNumber')).toBe('0x2')
        })
        expect(await call(node, 'eth_getBlockByNumber', ['latest', false])).toEqual(head)
      })
      await plain.close()
    })
  })

  test('no state of Anvil is written or loaded', async () => {
    await withRemoteChain({ network }, async (remote) => {
      const plain = await freshNode({ network })
      const anvil = await call(plain, 'dev_dumpState', [{ format: 'anvil' }])
      await withFork(remote, { network }, async ({ node }) => {
        const reason = 'this node continues a remote chain, of which it does not have the whole state'
        expect(await refusal(node, 'dev_dumpState', [{ format: 'anvil' }])).toEqual({
          kind: 'invalidParams',
          message: `an Anvil state cannot be written: ${reason}`,
        })
        expect(await refusal(node, 'anvil_loadState', [anvil])).toEqual({
          kind: 'invalidState',
          message: `the Anvil state cannot be loaded: ${reason}`,
        })
      })
      await plain.close()
    })
  })

  test('the file has no key of the URL', async () => {
    await withFolder(async (folder) => {
      const dumpState = join(folder, 'chain.state')
      await withRemoteChain({ network }, async (remote) => {
        await withFork(remote, { network, dumpState }, ({ node }) => call(node, 'evm_mine'))
        const node = await freshNode({
          network,
          forkUrl: `http://user:secret@127.0.0.1:${remote.port}/?key=secret`,
          noForkCache: true,
          dumpState,
        })
        await node.close()
        expect(gunzipSync(await readFile(dumpState)).toString()).not.toContain('secret')
      })
    })
  })
})
