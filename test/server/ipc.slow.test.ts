/** JSON-RPC on a local socket: real clients, framing, limits, and the file of the socket. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { IpcSocketProvider } from 'ethers'
import type { OptionsInput } from '../../lib/modules/options.ts'
import type { RunningServer } from '../../lib/server/start.ts'
import { describeFoundry, openFoundry } from '../support/foundry.ts'
import { rpc, withServer } from '../support/server.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dev-node-ipc-'))
  path = join(folder, 'node.ipc')
})
afterEach(() => rmSync(folder, { recursive: true }))

const withIpc = (options: OptionsInput, run: (server: RunningServer) => Promise<void>) =>
  withServer({ network: 'ethereum', dialect: 'ethereum', ipc: path, ...options }, run)

const refusal = (message: RegExp) =>
  expect.objectContaining({ kind: 'invalidOption', message: expect.stringMatching(message) })

/** Writes to the socket and returns the received lines: the requested number, or all until the end. */
async function exchange(text: string, count = Infinity): Promise<unknown[]> {
  const socket = connect(path)
  socket.write(text)
  return linesOf(socket, count)
}

async function linesOf(socket: Socket, count: number): Promise<unknown[]> {
  let received = ''
  for await (const chunk of socket) {
    received += String(chunk)
    if (received.split('\n').length > count) break
  }
  socket.destroy()
  const lines = received.split('\n').filter((line) => line !== '')
  return lines.map((line): unknown => JSON.parse(line))
}

describe('on a local socket', () => {
  test('ethers reads, sends and receives blocks', () =>
    withIpc({}, async ({ accounts }) => {
      const provider = new IpcSocketProvider(path)
      const signer = await provider.getSigner(0)
      const { hash } = await signer.sendTransaction({ to: accounts[1]!.address, value: 5n })
      expect(await provider.getTransactionReceipt(hash)).toMatchObject({ status: 1, blockNumber: 1 })
      let heard = 0
      await provider.once('block', (number: number) => (heard = number))
      // The subscription begins some time after it was asked for.
      while (heard === 0) await provider.send('evm_mine', [])
      expect(heard).toBeGreaterThan(1)
      provider.destroy()
    }))

  test('values are separated in any form', () =>
    withIpc({}, async () => {
      const block = rpc('eth_blockNumber', [], 1)
      const indented = JSON.stringify(JSON.parse(rpc('web3_sha3', ['0x7d'], 2)), undefined, 2)
      const batch = `[${rpc('eth_chainId', [], 3)},${rpc('net_version', [], 4)}]`
      expect(await exchange(`${block}${indented}\r\n ${batch}hello\n`, 4)).toMatchObject([
        { id: 1, result: '0x0' },
        { id: 2, result: expect.stringMatching(/^0x\w{64}$/) },
        [
          { id: 3, result: '0x7a69' },
          { id: 4, result: '31337' },
        ],
        { id: null, error: { code: -32700 } },
      ])
    }))

  test('a long trace comes in one line', () =>
    withIpc({}, async ({ accounts }) => {
      const [from] = accounts
      // JUMPDEST PUSH0 JUMP: a loop until the gas is used up.
      const call = { from: from!.address, data: '0x5b5f56', gas: '0x20000' }
      const [answer] = await exchange(rpc('debug_traceCall', [call, 'latest', {}]), 1)
      expect(answer).toMatchObject({ id: 1, result: { failed: true } })
    }))

  test('a request beyond the limit is refused, and ends the connection', () =>
    withIpc({ bodyLimit: 1000 }, async () => {
      const answers = await exchange(`{"jsonrpc":"2.0","params":["${'a'.repeat(1000)}`)
      expect(answers).toMatchObject([{ error: { message: 'request exceeds the limit of 1000 bytes' } }])
    }))

  test('a client that reads nothing is dropped once more than --ws-buffer-limit bytes wait', () =>
    withIpc({ wsBufferLimit: 1000 }, async () => {
      const deaf = connect(path)
      deaf.write(rpc('eth_subscribe', ['newHeads']))
      await once(deaf, 'data')
      deaf.pause()
      for (let mined = 0; mined < 2000; mined += 500) await exchange(rpc('hardhat_mine', ['0x1f4']), 1)
      let heads = 0
      deaf.on('data', (chunk) => (heads += String(chunk).split('"eth_subscription"').length - 1))
      await once(deaf.resume(), 'close')
      expect(heads).toBeLessThan(2000)
    }))

  test('a subscription ends with its connection, and the connection with the node', async () => {
    let socket: Socket | undefined
    await withIpc({}, async () => {
      socket = connect(path)
      socket.write(rpc('eth_subscribe', ['newHeads']) + rpc('evm_mine', [], 2))
      await once(socket, 'data')
    })
    if (!socket!.closed) await once(socket!.resume(), 'close')
    expect(socket!.closed).toBe(true)
  })
})

describe('the file of a local socket', () => {
  test('is accessible to its owner only, and removed with the node', async () => {
    await withIpc({}, () => {
      expect(statSync(path).mode & 0o777).toBe(0o600)
      return Promise.resolve()
    })
    expect(existsSync(path)).toBe(false)
  })

  test('of a killed process is replaced', async () => {
    const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`
    await once(spawn(process.execPath, ['-e', script]), 'exit')
    expect(statSync(path).isSocket()).toBe(true)
    await withIpc({}, async () => {
      expect(await exchange(rpc('eth_chainId'), 1)).toMatchObject([{ result: '0x7a69' }])
    })
  })

  test('of a running node is not replaced', () =>
    withIpc({}, async () => {
      await expect(withIpc({}, () => Promise.resolve())).rejects.toEqual(
        refusal(/^cannot listen on .*node\.ipc: another process listens on it \(--ipc\)$/),
      )
      expect(await exchange(rpc('eth_chainId'), 1)).toMatchObject([{ result: '0x7a69' }])
    }))

  test('does not replace a file of another kind', async () => {
    writeFileSync(path, 'precious')
    await expect(withIpc({}, () => Promise.resolve())).rejects.toEqual(
      refusal(/^cannot listen on .*node\.ipc: there is a file that is no socket \(--ipc\)$/),
    )
    expect(statSync(path).size).toBe(8)
  })
})

describeFoundry('cast on a local socket', () => {
  test('reads and sends', () =>
    withIpc({}, async ({ accounts }) => {
      const foundry = await openFoundry({ ETH_RPC_URL: path })
      expect(await foundry.print('cast', 'chain-id')).toBe('31337')
      const [from, to] = accounts.map(({ address }) => address)
      await foundry.print('cast', 'send', to!, '--value', '7', '--unlocked', '--from', from!)
      expect(await foundry.print('cast', 'balance', to!)).toBe('10000000000000000000007')
      await foundry.remove()
    }))
})
