/** Random calls and transactions on forks of Anvil and Hardhat, and the same on these nodes themselves. */

import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { withAnvil } from '../support/anvil.ts'
import { loadContracts } from '../support/contracts.ts'
import { askerOf } from '../support/fork-pair.ts'
import { anyForkStep, requestOf } from './support/fork-steps.ts'
import { describeFoundry } from '../support/foundry.ts'
import { withHardhat2 } from '../support/hardhat2.ts'
import { withHardhat3 } from '../support/hardhat3.ts'
import { BALANCE, runOnBoth, SENDERS } from './support/peer-steps.ts'
import type { PeerPair } from './support/peer-steps.ts'
import { anyScene } from '../support/random-programs.ts'
import { loadRemote, putPrograms } from './support/remote-world.ts'
import { withServer } from '../support/server.ts'

/** Number of sequences, and of steps in each: `FORK_RUNS=80` for a long run, `FORK_SEED` takes other ones: peers have faults that are not known yet. */
const RUNS = Number(process.env['FORK_RUNS'] ?? 2)
const SEED = process.env['FORK_SEED'] ?? '1'
const STEPS = 25

const COINBASE = '0x00000000000000000000000000000000000000c0'

/** What differs between the programs. */
type PeerTraits = Pick<PeerPair, 'lacks' | 'hasTracers'>

/** Compares a node with forks of it. */
async function compareWithForks(url: string, setCoinbase: string, traits: PeerTraits): Promise<void> {
  const remote = askerOf({ port: Number(new URL(url).port) })
  await remote(setCoinbase, [COINBASE])
  for (const sender of SENDERS) {
    await remote('hardhat_setBalance', [sender, BALANCE])
    await remote('hardhat_impersonateAccount', [sender])
  }
  const world = await loadRemote(remote, await loadContracts(), SENDERS)
  await remote('evm_setAutomine', [false])
  const law = fc.asyncProperty(
    anyScene('prague'),
    fc.array(anyForkStep, { minLength: STEPS, maxLength: STEPS, size: 'max' }),
    async ({ world: given }, steps) => {
      const snapshot = await remote('evm_snapshot')
      await putPrograms(remote, given)
      await remote('evm_mine', [])
      const options = { forkUrl: url, noForkCache: true, hardfork: 'prague', coinbase: COINBASE } as const
      await withServer(options, async (server) => {
        const fork = askerOf(server)
        await fork('evm_setAutomine', [false])
        for (const step of steps) {
          const { expected, answered } = await runOnBoth({ remote, fork, world, ...traits }, step)
          try {
            expect(answered).toEqual(expected)
          } catch (error) {
            ;(error as Error).message += `\n${JSON.stringify(step)} ${JSON.stringify(requestOf(world, step))}`
            throw error
          }
        }
      })
      await remote('evm_revert', [snapshot])
    },
  )
  await fc.assert(law, {
    numRuns: RUNS,
    endOnFailure: true,
    seed: Number(SEED),
    ...(process.env['FORK_PATH'] === undefined ? {} : { path: process.env['FORK_PATH'] }),
  })
}

describeFoundry('a fork of Anvil', () => {
  test('answers random calls and transactions as Anvil does', async () => {
    await withAnvil(['--hardfork', 'prague'], (_ask, url) =>
      compareWithForks(url, 'anvil_setCoinbase', { lacks: [], hasTracers: true }),
    )
  }, 1_800_000)
})

describe('a fork of Hardhat 2', () => {
  test('answers random calls and transactions as Hardhat does', async () => {
    const network = { hardfork: 'prague', throwOnTransactionFailures: false, throwOnCallFailures: true }
    await withHardhat2(network, (_ask, url) =>
      compareWithForks(url, 'hardhat_setCoinbase', { lacks: ['accessList', 'traceCall'], hasTracers: false }),
    )
  }, 1_800_000)
})

describe('a fork of Hardhat 3', () => {
  test('answers random calls and transactions as Hardhat does', async () => {
    const network = {
      type: 'edr-simulated',
      chainType: 'l1',
      hardfork: 'prague',
      throwOnTransactionFailures: false,
    }
    await withHardhat3(network, (_ask, url) =>
      compareWithForks(url, 'hardhat_setCoinbase', { lacks: ['accessList'], hasTracers: true }),
    )
  }, 1_800_000)
})
