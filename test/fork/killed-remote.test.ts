/** A remote whose process is killed in the middle of a block of a fork, and started again at the same port with its state. */

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { toQuantity, toWord } from '../../lib/base/hex.ts'
import { realHost } from '../../lib/base/host.ts'
import { startServer } from '../../lib/server/start.ts'
import { freePort } from '../support/free-port.ts'
import { words } from '../support/bytecode.ts'
import { errorOf, snapshotOf } from './support/faulty-fork.ts'
import { askerOf, withFork } from '../support/fork-pair.ts'
import type { Ask } from '../support/peer-process.ts'
import { startModule } from '../support/own-process.ts'

const STORE = `0x${'57'.repeat(20)}`
const TRANSACTIONS = 20

/** Scattered, so that no slot is loaded ahead with another one. */
const slotOf = (index: number): bigint => BigInt(index + 1) << 64n

/** A remote with the chain of a state file. It kills itself when it has run so many reads of slots, before the answer. */
const REMOTE = `
  import { startServer } from './lib/server/start.ts'
  const [loadState, port, reads] = process.argv.slice(2)
  let count = 0
  const onRequest = ({ method }) => {
    if (method === 'eth_getStorageAt' && ++count === Number(reads)) process.kill(process.pid, 'SIGKILL')
  }
  const server = await startServer({ network: 'ethereum', loadState, port: Number(port) }, { onRequest })
  console.log(server.port)`

/** Writes the state file of the remote: a contract that writes slots, whose slots have values. */
async function writeState(dumpState: string): Promise<void> {
  const server = await startServer({ network: 'ethereum', frozenTime: true, port: 0, dumpState })
  const ask = askerOf(server)
  await ask('hardhat_setCode', [STORE, '0x6020355f3555'])
  for (let index = 0; index < TRANSACTIONS; index++)
    await ask('hardhat_setStorageAt', [STORE, toQuantity(slotOf(index)), toWord(7n)])
  await ask('hardhat_mine', ['0x3'])
  await server.close()
}

let folder: string
let state: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dev-node-fork-'))
  state = join(folder, 'remote.state')
  await writeState(state)
})
afterAll(() => rm(folder, { recursive: true }))

const running = new Set<ChildProcess>()
afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
  running.clear()
})

interface StartedRemote {
  readonly port: number
  readonly ended: Promise<unknown>
  readonly kill: () => Promise<void>
}

async function startRemote(port: number, reads = 0): Promise<StartedRemote> {
  const child = await startModule(REMOTE, [state, String(port), String(reads)])
  running.add(child)
  const ended = once(child, 'exit')
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
  }
  return { port: Number(line), ended, kill }
}

async function poolAll(ask: Ask): Promise<void> {
  const [from] = await ask('eth_accounts')
  await ask('evm_setAutomine', [false])
  for (let index = 0; index < TRANSACTIONS; index++)
    await ask('eth_sendTransaction', [{ from, to: STORE, data: words([slotOf(index), 9n]), gas: '0xf000' }])
}

async function expectMined(ask: Ask, number: string): Promise<void> {
  const { transactions } = await ask('eth_getBlockByNumber', [number, false])
  expect(transactions).toHaveLength(TRANSACTIONS)
  for (let index = 0; index < TRANSACTIONS; index++) {
    const slot = toWord(slotOf(index))
    expect(await ask('eth_getStorageAt', [STORE, slot, 'latest'])).toBe(toWord(9n))
    expect(await ask('eth_getStorageAt', [STORE, slot, '0x3'])).toBe(toWord(7n))
  }
}

/** Reads before the kill: some of those of the block. */
const READS = 8

test('the block fails alone, and is mined when the remote is there again', async () => {
  const first = await startRemote(Number(await freePort()), READS)
  const options = { network: 'ethereum', forkRetries: 0, forkTimeout: 10_000 }
  await withFork(
    `http://127.0.0.1:${first.port}`,
    async ({ node, ask }) => {
      await poolAll(ask)
      const earlier = await snapshotOf({ node, ask })
      const error = await errorOf(ask('evm_mine'))
      expect(error).toMatchObject({ kind: 'remoteFailed' })
      expect(error.message).toMatch(
        /(closed the connection before it answered|refused the connection for) eth_getStorageAt$/,
      )
      await first.ended
      expect(await errorOf(ask('evm_mine'))).toMatchObject({ kind: 'remoteFailed' })
      expect(await snapshotOf({ node, ask })).toEqual(earlier)
      const second = await startRemote(first.port)
      await ask('evm_mine')
      await expectMined(ask, '0x4')
      await second.kill()
    },
    options,
    realHost,
  )
})

test('the block waits for the remote if there are retries', async () => {
  const first = await startRemote(Number(await freePort()), READS)
  const options = { network: 'ethereum', forkRetries: 20, forkTimeout: 10_000 }
  await withFork(
    `http://127.0.0.1:${first.port}`,
    async ({ ask }) => {
      await poolAll(ask)
      const mined = ask('evm_mine')
      await first.ended
      const second = await startRemote(first.port)
      await mined
      await expectMined(ask, '0x4')
      await second.kill()
    },
    options,
    realHost,
  )
})
