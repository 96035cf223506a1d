/** Forks in process, and in the companion of Jest. The remotes are real nodes behind sockets. */

import { expect, test } from '@jest/globals'
import { createNode } from '../../../lib/embed/dev-node.ts'
import { closeNode, startNode } from '../../../lib/embed/testing/test-run.ts'
import { connect } from '../../../lib/embed/testing/test-chain.ts'
import { withRemote } from '../../support/forks.ts'
import type { TestRemote } from '../../support/forks.ts'

const withBlocks = (run: (remote: TestRemote) => Promise<void>) =>
  withRemote({ network: 'ethereum', chainId: 5 }, async (remote) => {
    for (let block = 0; block < 9; block++) await remote.call('evm_mine')
    await run(remote)
  })

test('a node in process continues a remote chain, and so do its worlds', () =>
  withBlocks(async ({ url, call }) => {
    await using node = await createNode({ forkUrl: url, forkBlockNumber: 7, noForkCache: true })
    const block = await call('eth_getBlockByNumber', ['0x7', false])
    for (const provider of [node.provider, node.world('a')]) {
      expect(await provider.request({ method: 'eth_chainId' })).toBe('0x5')
      const params = ['latest', false] as const
      expect(await provider.request({ method: 'eth_getBlockByNumber', params })).toEqual(block)
    }
    await expect(createNode({ forkUrl: url, forkBlockNumber: 70, noForkCache: true })).rejects.toThrow(
      `the remote ${url} has no block 70`,
    )
  }))

test('each worker of a run has a world of the fork, and may continue another block', () =>
  withBlocks(async ({ url }) => {
    const environment: Record<string, string | undefined> = {}
    const devNode = { forkUrl: url, forkBlockNumber: 7, noForkCache: true, quiet: true }
    await startNode({ rootDir: '/nowhere', testEnvironmentOptions: { devNode } }, environment)
    try {
      const workers = ['one', 'two'].map((world) => connect({ url: environment['DEV_NODE_URL']!, world }))
      for (const worker of workers) await worker.beginWorld()
      const [one, two] = workers
      await one!.rpc('hardhat_reset', [{ forking: { jsonRpcUrl: url, blockNumber: 3 } }])
      await two!.rpc('evm_mine')
      expect(await one!.rpc('eth_blockNumber')).toBe('0x3')
      expect(await two!.rpc('eth_blockNumber')).toBe('0x8')
      for (const worker of workers) await worker.beginWorld()
      expect(await one!.rpc('eth_blockNumber')).toBe('0x7')
      expect(await two!.rpc('eth_blockNumber')).toBe('0x7')
    } finally {
      await closeNode()
    }
  }))
