/** Forks of one node: what they share, and when it is closed. */

import { KINDS } from '../support/networks.ts'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asAddress } from '../../lib/base/hex.ts'
import { realHost } from '../../lib/base/host.ts'
import { finish } from '../../lib/base/routine.ts'
import { resolveOptions } from '../../lib/modules/resolve-options.ts'
import { forkOpener, type Fork } from '../../lib/fork/fork.ts'
import { withFaultProxy } from '../support/fault-proxy.ts'

let folder: string
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'forks-'))))
afterEach(() => rm(folder, { recursive: true }))

const faults: string[] = []
const optionsFor = (forkUrl: string, forkBlockNumber: number) =>
  resolveOptions({ values: { forkUrl, forkBlockNumber, forkCache: folder } })
const ACCOUNT = asAddress(`0x${'ab'.repeat(20)}`)

/** The balance of an account in the state of a fork. */
async function balanceOn(fork: Fork, account = ACCOUNT): Promise<bigint> {
  const { state } = await fork.open(fork.network, new Map())
  return finish(() => state.balance(account))
}

test('forks of one block share its facts, forks of one remote its connection, until the last one is closed', () =>
  withFaultProxy(
    [],
    async ({ httpUrl: url, received }) => {
      const openFork = forkOpener(optionsFor(url, 0), realHost, (sentence) => faults.push(sentence), KINDS)
      const open = (number: number) => openFork(optionsFor(url, number))
      const [one, same, other] = await Promise.all([open(0), open(0), open(0)])
      const late = one.share()
      expect(await balanceOn(one)).toBe(0n)
      const asked = received.length
      expect([await balanceOn(same), await balanceOn(late)]).toEqual([0n, 0n])
      expect(received).toHaveLength(asked)
      for (const fork of [one, same, other]) await fork.close()
      const another = asAddress(`0x${'cd'.repeat(20)}`)
      expect(await balanceOn(late, another)).toBe(0n)
      await late.close()
      await expect(balanceOn(late, asAddress(`0x${'ef'.repeat(20)}`))).rejects.toThrow('was closed before')
      const before = received.length
      const again = await open(0)
      const opened = received.length
      expect(opened).toBeGreaterThan(before)
      expect([await balanceOn(again), await balanceOn(again, another)]).toEqual([0n, 0n])
      expect(received).toHaveLength(opened)
      await again.close()
      expect(faults).toEqual([])
      expect((await readdir(folder)).length).toBeGreaterThan(0)
    },
    { network: 'ethereum' },
  ))
