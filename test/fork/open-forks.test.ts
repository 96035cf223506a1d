/** Forks of one node: what they share, and when it is closed. */

import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realHost } from '../../lib/base/host.ts'
import { resolveOptions } from '../../lib/config/resolve-options.ts'
import { OpenForks } from '../../lib/fork/open-forks.ts'
import { withRemote } from '../support/forks.ts'

let folder: string
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'forks-'))))
afterEach(() => rm(folder, { recursive: true }))

const faults: string[] = []
const optionsFor = (forkUrl: string, forkBlockNumber: number) =>
  resolveOptions({ values: { forkUrl, forkBlockNumber, forkCache: folder } })

test('forks of one block share its facts, forks of one remote its connection, until the last one is closed', () =>
  withRemote({ network: 'ethereum' }, async ({ url, call }) => {
    await call('hardhat_mine', ['0x3'])
    const forks = new OpenForks(optionsFor(url, 1), realHost, (sentence) => faults.push(sentence))
    const open = (number: number) => forks.open(optionsFor(url, number))
    const [one, same, other] = await Promise.all([open(1), open(1), open(2)])
    expect(same.remote).toBe(one.remote)
    expect(other.remote).not.toBe(one.remote)
    expect(other.remote.client).toBe(one.remote.client)
    const late = one.share()
    for (const lease of [one, same, other]) await lease.release()
    const { client } = late.remote
    expect(await client.request('eth_blockNumber', [])).toBe('0x3')
    const question = { method: 'eth_getBalance', params: [`0x${'00'.repeat(20)}`], block: undefined }
    await late.remote.ask(question)
    await late.release()
    await expect(client.request('eth_blockNumber', [])).rejects.toThrow('was closed before eth_blockNumber')
    const again = await open(1)
    expect(again.remote).not.toBe(one.remote)
    expect(again.remote.recall(question)).toBe('0x0')
    await again.release()
    expect(faults).toEqual([])
    expect((await readdir(folder)).length).toBeGreaterThan(0)
  }))
