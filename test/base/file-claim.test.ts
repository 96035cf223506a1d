import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { claimFile } from '../../lib/base/file-claim.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dev-node-claim-'))
})
afterEach(() => rm(folder, { recursive: true }))

const claim = () => claimFile({ path: join(folder, 'file'), title: 'the file', loss: 'nothing is lost' })

const killed = (id: number | undefined) =>
  `the node with process id ${id}, which used the file, did not end in order: its lock was removed; nothing is lost`

describe('a claim', () => {
  test('is refused to others until it is released', async () => {
    const { findings, release } = await claim()
    expect(findings).toEqual([])
    await expect(claim()).rejects.toMatchObject({
      kind: 'invalidOption',
      message:
        'the file is in use by another node of this process: end that node first, or give each node its own',
    })
    await release()
    await (await claim()).release()
    expect(await readdir(folder)).toEqual([])
  })

  test('names the process that holds it', async () => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => 1, 1000)'], { stdio: 'ignore' })
    await writeFile(join(folder, `file.${other.pid}-0-00ff00ff.lock`), '')
    await expect(claim()).rejects.toThrow(`the file is in use by the node with process id ${other.pid}: `)
    other.kill('SIGKILL')
    await once(other, 'exit')
    const { findings, release } = await claim()
    expect(findings).toEqual([killed(other.pid)])
    await release()
  })

  test('of a killed process ends although another process has its id', async () => {
    // This process has its own start, and the first process of the machine did not start at tick 12345678.
    await writeFile(join(folder, `file.${process.pid}-1-00ff00ff.lock`), '')
    await writeFile(join(folder, 'file.1-12345678-00ff00ff.lock'), '')
    const { findings, release } = await claim()
    expect(new Set(findings)).toEqual(new Set([killed(1), killed(process.pid)]))
    await release()
  })

  test('is made by one of many at once, or by none, and then by the next', async () => {
    const all = await Promise.allSettled(Array.from({ length: 8 }, claim))
    const held = all.filter((each) => each.status === 'fulfilled')
    expect(held.length).toBeLessThanOrEqual(1)
    for (const { value } of held) await value.release()
    await (await claim()).release()
  })

  test('is not that of a file with a longer name', async () => {
    await writeFile(join(folder, `file.old.${process.pid}-0-00ff00ff.lock`), '')
    await (await claim()).release()
    expect(await readdir(folder)).toHaveLength(1)
  })
})
