import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import {
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { Node } from '../../../lib/node/node.ts'
import { ManualHost, call, freshNode } from '../../support/node.ts'
import { COW, COW1 } from '../../support/signing.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dev-node-'))
})
afterEach(() => rm(folder, { recursive: true }))

const send = (node: Node, value = '0x1') =>
  call(node, 'eth_sendTransaction', [{ from: COW, to: COW1, value, gas: '0x5208' }])

describe('a state file', () => {
  test('has the mining mode of its snapshots, and leaves that of the head to the options', async () => {
    const state = join(folder, 'chain.state')
    const node = await freshNode({ state })
    await call(node, 'evm_setAutomine', [false])
    await call(node, 'evm_snapshot')
    await node.close()
    const again = await freshNode({ state })
    expect(await call(again, 'hardhat_getAutomine')).toBe(true)
    await call(again, 'evm_revert', ['0x1'])
    expect(await call(again, 'hardhat_getAutomine')).toBe(false)
    await again.close()
  })

  test('keeps the option that impersonates all accounts', async () => {
    const state = join(folder, 'impersonated.state')
    await (await freshNode({ state })).close()
    const node = await freshNode({ state, autoImpersonate: true })
    const from = `0x${'5f'.repeat(20)}`
    await call(node, 'hardhat_setBalance', [from, '0xde0b6b3a7640000'])
    await call(node, 'eth_sendTransaction', [{ from, to: COW1, value: '0x1', gas: '0x5208' }])
    expect(await call(node, 'eth_getTransactionCount', [from])).toBe('0x1')
    await node.close()
    await rm(state)
  })

  test('is written at intervals, and complete at every moment', async () => {
    const dumpState = join(folder, 'chain.state')
    const host = new ManualHost()
    const node = await freshNode({ dumpState, stateInterval: 10 }, host)
    await send(node)
    host.step(10_000)
    const written = async (): Promise<boolean> => (await readdir(folder)).includes('chain.state')
    while (!(await written())) await new Promise((resolve) => setImmediate(resolve))
    const copy = await freshNode({ loadState: dumpState })
    expect(await call(copy, 'eth_blockNumber')).toBe('0x1')
    await node.close()
  })

  test('that is missing, cut or of another program fails the start with a message', async () => {
    const missing = join(folder, 'missing')
    await expect(freshNode({ loadState: missing })).rejects.toThrow(`there is no state file ${missing}`)
    const cut = join(folder, 'cut')
    const node = await freshNode({ dumpState: cut })
    await send(node)
    await node.close()
    await truncate(cut, (await readFile(cut)).length - 20)
    await expect(freshNode({ state: cut })).rejects.toThrow(`cannot load ${cut}`)
    await writeFile(cut, 'something else')
    await expect(freshNode({ loadState: cut })).rejects.toThrow(`cannot load ${cut}`)
  })

  test.each([
    ['in no folder', 'nowhere/chain.state', 'ENOENT'],
    ['under a file', 'file/chain.state', 'ENOTDIR'],
    ['that is a folder', '.', 'it is not a file'],
  ])('%s fails the start with a message', async (_case, place, reason) => {
    await writeFile(join(folder, 'file'), '')
    const dumpState = join(folder, place)
    const refused = new RegExp(`^cannot write the state file ${dumpState}: .*${reason}`)
    await expect(freshNode({ dumpState })).rejects.toThrow(refused)
  })

  test.each<readonly [string, () => Promise<unknown>, () => Promise<unknown>]>([
    [
      'whose folder became a file',
      async () => {
        await rename(join(folder, 'kept'), join(folder, 'moved'))
        await writeFile(join(folder, 'kept'), '')
      },
      async () => {
        await rm(join(folder, 'kept'))
        await rename(join(folder, 'moved'), join(folder, 'kept'))
      },
    ],
    [
      'in whose place a folder is',
      async () => {
        await rename(join(folder, 'kept', 'chain.state'), join(folder, 'moved'))
        await mkdir(join(folder, 'kept', 'chain.state'))
      },
      async () => {
        await rmdir(join(folder, 'kept', 'chain.state'))
        await rename(join(folder, 'moved'), join(folder, 'kept', 'chain.state'))
      },
    ],
  ])('%s is reported, and written once that is possible', async (_case, obstruct, clear) => {
    await mkdir(join(folder, 'kept'))
    const state = join(folder, 'kept', 'chain.state')
    const host = new ManualHost()
    await (await freshNode({ state }, host)).close()
    const old = await readFile(state)
    const node = await freshNode({ state, stateInterval: 10 }, host)
    await send(node)
    await obstruct()
    const failed = new Promise((resolve) => node.miner.failed.on(resolve))
    host.step(10_000)
    expect(await failed).toMatchObject({
      kind: 'invalidState',
      message: expect.stringContaining(`cannot write the state file ${state}: E`),
    })
    expect(await call(node, 'eth_blockNumber')).toBe('0x1')
    await clear()
    expect(await readFile(state)).toEqual(old)
    await node.close()
    expect(await readdir(join(folder, 'kept'))).toEqual(['chain.state'])
    const again = await freshNode({ loadState: state })
    expect(await call(again, 'eth_blockNumber')).toBe('0x1')
  })

  test('is written again at the end when a write is in progress', async () => {
    const state = join(folder, 'chain.state')
    const host = new ManualHost()
    const node = await freshNode({ state, stateInterval: 10 }, host)
    await call(node, 'hardhat_mine', ['0x400'])
    host.step(10_000)
    // Neither of them waits for the file or is in it.
    await send(node)
    await Promise.all([node.close(), node.close()])
    expect(await readdir(folder)).toEqual(['chain.state'])
    const again = await freshNode({ loadState: state })
    expect(await call(again, 'eth_blockNumber')).toBe('0x401')
  })

  test.each([false, true])(
    'holds the chain until it is there, if it is written because the memory is nearly full; during another write: %s',
    async (isDuringWrite) => {
      const state = join(folder, 'chain.state')
      const host = new ManualHost()
      const node = await freshNode({ state, stateInterval: 1 }, host)
      if (isDuringWrite) {
        host.step(1000)
        await Promise.resolve()
      }
      let isSaved = false
      const saved = node.stateKeeper.save().then(() => (isSaved = true))
      await call(node, 'evm_mine')
      expect([isSaved, existsSync(state)]).toEqual([true, true])
      await saved
      await node.close()
    },
  )

  test('is cleared of partial files of killed nodes, and of nothing else', async () => {
    const gone = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
    await once(gone, 'exit')
    // Another process can have the id of a killed one, as it happens in containers: no other node writes a claimed file.
    const left = [gone.pid, 1, process.pid].map((id) => `chain.state.${id}-00ff00ff.draft`)
    const kept = ['chain.state.draft', 'chain.state.old', 'other.state.99999999-12345678.draft']
    for (const name of [...left, ...kept]) await writeFile(join(folder, name), 'half of it')
    const node = await freshNode({ state: join(folder, 'chain.state') })
    const withoutLock = (await readdir(folder)).filter((name) => !name.endsWith('.lock'))
    expect(withoutLock.sort()).toEqual(kept)
    for (const name of left) {
      const said = expect.stringContaining(`removed ${join(folder, name)}, which the process`)
      expect(node.findings).toContainEqual(said)
    }
    await node.close()
    expect((await readdir(folder)).sort()).toEqual(['chain.state', ...kept].sort())
  })

  test.each(['600', '664', '444'])('keeps permissions %s and a symbolic link', async (octal) => {
    const mode = parseInt(octal, 8)
    const [file, state] = [join(folder, 'kept.state'), join(folder, 'link')]
    await (await freshNode({ state: file })).close()
    await chmod(file, mode)
    await symlink(file, state)
    const node = await freshNode({ state })
    await send(node)
    await node.close()
    expect((await readdir(folder)).sort()).toEqual(['kept.state', 'link'])
    expect((await stat(file)).mode & 0o777).toBe(mode)
    const again = await freshNode({ loadState: file })
    expect(await call(again, 'eth_blockNumber')).toBe('0x1')
  })

  test('does not replace a device', async () => {
    await symlink('/dev/null', join(folder, 'null'))
    await expect(freshNode({ dumpState: join(folder, 'null') })).rejects.toThrow('it is not a file')
  })

  test('of a node is refused to a second one, until the first has ended', async () => {
    const state = join(folder, 'chain.state')
    const node = await freshNode({ state })
    await send(node)
    await expect(freshNode({ state })).rejects.toMatchObject({
      kind: 'invalidOption',
      message: `the state file ${state} is in use by another node of this process: end that node first, or give each node its own`,
    })
    await node.close()
    const again = await freshNode({ state })
    expect(await call(again, 'eth_blockNumber')).toBe('0x1')
    await again.close()
    expect(await readdir(folder)).toEqual(['chain.state'])
  })
})
