/** Random calls and transactions on a fork, and the same on the remote itself. */

import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { addressOf } from '../support/transactions.ts'
import { loadContracts } from '../support/contracts.ts'
import { anyForkStep, requestOf, runStep } from './support/fork-steps.ts'
import { askerOf } from '../support/fork-pair.ts'
import { anyScene } from '../support/random-programs.ts'
import { loadRemote, putPrograms } from './support/remote-world.ts'
import { withServer } from '../support/server.ts'

/** Number of sequences, and of steps in each: `FORK_RUNS=100` for a long run, `FORK_SEED` repeats one. */
const RUNS = Number(process.env['FORK_RUNS'] ?? 3)
const SEED = process.env['FORK_SEED']
const STEPS = 25

const SENDERS = [0xa11ce, 0xb0b, 0xca401, 0xdade].map(addressOf)

describe.each([
  ['Ethereum', 'ethereum', 'prague'],
  ['network 33', 'network-33', 'cancun'],
] as const)('a fork of %s', (_name, network, programs) => {
  test('answers random calls and transactions as the remote does', async () => {
    const compiled = await loadContracts()
    const remoteOptions = {
      network,
      autoImpersonate: true,
      hardfork: network === 'ethereum' ? 'prague' : undefined,
    } as const
    await withServer(remoteOptions, async (server) => {
      const remote = askerOf(server)
      for (const sender of SENDERS) {
        await remote('hardhat_setBalance', [sender, '0x21e19e0c9bab2400000'])
      }
      const world = await loadRemote(remote, compiled, SENDERS)
      const law = fc.asyncProperty(
        anyScene(programs),
        fc.array(anyForkStep, { minLength: STEPS, maxLength: STEPS, size: 'max' }),
        async ({ world: given }, steps) => {
          const snapshot = await remote('evm_snapshot')
          await putPrograms(remote, given)
          await remote('evm_mine', [])
          await withServer(
            {
              forkUrl: server.url,
              noForkCache: true,
              autoImpersonate: true,
              hardfork: remoteOptions.hardfork,
            },
            async (forked) => {
              const fork = askerOf(forked)
              let time = Number((await remote('eth_getBlockByNumber', ['latest', false])).timestamp)
              for (const step of steps) {
                time += step.gap
                const expected = await runStep(remote, world, step, time)
                const answered = await runStep(fork, world, step, time)
                try {
                  expect(answered).toEqual(expected)
                } catch (error) {
                  ;(error as Error).message +=
                    `\n${JSON.stringify(step)} ${JSON.stringify(requestOf(world, step))}`
                  throw error
                }
              }
            },
          )
          await remote('evm_revert', [snapshot])
        },
      )
      await fc.assert(law, {
        numRuns: RUNS,
        endOnFailure: true,
        ...(SEED === undefined ? {} : { seed: Number(SEED) }),
        ...(process.env['FORK_PATH'] === undefined ? {} : { path: process.env['FORK_PATH'] }),
      })
    })
  }, 600_000)
})
