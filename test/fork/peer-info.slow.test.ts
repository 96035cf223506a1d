/** What a fork says of itself, compared with Anvil and Hardhat 2 that fork the same block of the same remote. */

import { expect, test } from '@jest/globals'
import { withAnvil } from '../support/anvil.ts'
import { describeFoundry } from '../support/foundry.ts'
import { withRemote } from '../support/forks.ts'
import { withHardhat2 } from '../support/hardhat2.ts'
import { without } from './support/remote-block.ts'

type AskFork = (method: string, params?: readonly unknown[]) => Promise<any>

/** Runs a test with a remote of nine blocks, and a fork of its block 5. */
const withFork = (run: (url: string, fork: AskFork) => Promise<void>): Promise<void> =>
  withRemote({ network: 'ethereum', chainId: 5, dialect: 'ethereum' }, async ({ url, call }) => {
    await call('hardhat_mine', ['0x9'])
    const options = { network: 'ethereum', forkUrl: url, forkBlockNumber: 5, noForkCache: true } as const
    await withRemote(options, (fork) => run(url, fork.call))
  })

/** Members that name the program or the run. */
const OWN = ['clientVersion', 'clientSemver', 'clientCommitSha', 'instanceId']

describeFoundry('Anvil', () => {
  test('answers as the fork', () =>
    withFork((url, fork) =>
      withAnvil(['--fork-url', url, '--fork-block-number', '5'], async (anvil) => {
        const info = await anvil('anvil_nodeInfo')
        expect(await fork('anvil_nodeInfo')).toEqual({
          ...info,
          // Anvil names the forks of blob parameters, adds a tip to the price, and waits for a second.
          hardFork: 'osaka',
          environment: { ...info.environment, gasPrice: info.environment.baseFee },
          forkConfig: { ...info.forkConfig, forkRetryBackoff: 250 },
        })
        expect(without(OWN, await fork('anvil_metadata'))).toEqual(
          without(OWN, await anvil('anvil_metadata')),
        )
        for (const method of ['anvil_getAutomine', 'anvil_getIntervalMining', 'eth_chainId', 'net_version'])
          expect({ method, answer: await fork(method) }).toEqual({ method, answer: await anvil(method) })
      }),
    ))
})

test('Hardhat 2 answers as the fork', () =>
  withFork((url, fork) =>
    withHardhat2({ chainId: 5, forking: { url, blockNumber: 5 } }, async (hardhat) => {
      expect(without(OWN, await fork('hardhat_metadata'))).toEqual(
        without(OWN, await hardhat('hardhat_metadata')),
      )
      expect(await fork('hardhat_getAutomine')).toBe(await hardhat('hardhat_getAutomine'))
    }),
  ))
