/** What a fork can prove and list of its state, and what it refuses. */

import { describe, expect, test } from '@jest/globals'
import { dataOf, withFork, withRemoteChain } from '../support/forked-node.ts'
import { call, refusal } from '../support/node.ts'

const network = 'ethereum'

describe('proofs on a fork', () => {
  test('an account that did not change has the proof of the remote, a changed one none', async () => {
    await withRemoteChain({ network }, async (remote) => {
      const { tracer, accounts, height } = remote
      await withFork(remote, { network }, async ({ node }) => {
        const { result: proof } = await remote.ask('eth_getProof', [tracer, ['0x1'], 'latest'])
        await call(node, 'evm_mine')
        expect(await call(node, 'eth_getProof', [tracer, ['0x1'], 'latest'])).toEqual(proof)
        expect((await call(node, 'eth_getAccount', [tracer])).storageRoot).toBe(proof.storageHash)

        // A value that arrives changes the account, but not its storage.
        const [from] = accounts
        await call(node, 'anvil_setBalance', [tracer, '0x7'])
        expect((await call(node, 'eth_getAccount', [tracer])).storageRoot).toBe(proof.storageHash)
        const message = `account ${tracer} differs from the block that this chain was forked from, so it has no proof: a fork does not have the whole state trie`
        expect(await refusal(node, 'eth_getProof', [tracer, ['0x1'], 'latest'])).toEqual({
          kind: 'invalidParams',
          message,
        })
        expect(await call(node, 'eth_getProof', [tracer, ['0x1'], `0x${height.toString(16)}`])).toEqual(proof)

        await call(node, 'eth_sendTransaction', [{ from, to: tracer, data: await dataOf('fill', [90n, 2n]) }])
        const { message: noRoot } = await refusal(node, 'eth_getAccount', [tracer])
        expect(noRoot).toContain('so it has no storage root')
        const { message: funded } = await refusal(node, 'eth_getProof', [from, [], 'latest'])
        expect(funded).toContain(`account ${from} differs`)
      })
    })
  })

  test('slots and codes are listed only where all of them are known', async () => {
    await withRemoteChain({ network }, async (remote) => {
      const { tracer } = remote
      await withFork(remote, { network }, async ({ node }) => {
        const own = `0x${'c0'.repeat(20)}`
        await call(node, 'hardhat_setCode', [own, '0x60aa'])
        await call(node, 'evm_mine')
        const { codeHash } = await call(node, 'eth_getAccount', [own])
        expect(await call(node, 'debug_codeByHash', [codeHash])).toBe('0x60aa')
        const { codeHash: ofTracer } = await call(node, 'eth_getAccount', [tracer])
        const { message: noCode } = await refusal(node, 'debug_codeByHash', [ofTracer])
        expect(noCode).toContain('those of the remote cannot be searched')
        const { message } = await refusal(node, 'debug_storageRangeAt', ['latest', 0, tracer, '0x00', 10])
        expect(message).toBe(
          `the slots of account ${tracer} cannot be listed: a fork knows only those that were read or written`,
        )
      })
    })
  })
})
