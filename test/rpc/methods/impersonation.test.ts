/** Impersonated accounts and signatures. */

import { describe, expect, test } from '@jest/globals'
import { call, freshNode } from '../../support/node.ts'
import { COW, COW1 } from '../../support/signing.ts'

const STRANGER = `0x${'77'.repeat(20)}`

describe('impersonated accounts', () => {
  const BRIDGE = '0x0000000000000000000000000000000001000006'
  const transfer = (from: string, value: string) => ({ from, to: COW1, value, gas: '0x5208' })

  test('are all accounts with the option, also in worlds and after a reset', async () => {
    const node = await freshNode({ autoImpersonate: true })
    const world = node.worlds.create('a').chain
    for (const chain of [node, world]) {
      const send = () => call(chain, 'eth_sendTransaction', [transfer(STRANGER, '0x1')])
      await call(chain, 'anvil_autoImpersonateAccount', [false])
      await call(chain, 'evm_reset')
      await call(chain, 'hardhat_setBalance', [STRANGER, '0xde0b6b3a7640000'])
      const receipt = await call(chain, 'eth_getTransactionReceipt', [await send()])
      expect(receipt).toMatchObject({ from: STRANGER, status: '0x1' })
      await call(chain, 'anvil_autoImpersonateAccount', [false])
      await expect(send()).rejects.toThrow('unknown account')
    }
  })

  test.each(['network-33', 'ethereum'])('send without a key on %s, also contracts', async (network) => {
    const node = await freshNode({ network })
    const contract = network === 'ethereum' ? STRANGER : BRIDGE
    await call(node, 'hardhat_setBalance', [contract, '0xde0b6b3a7640000'])
    if (network === 'ethereum') await call(node, 'hardhat_setCode', [contract, '0x00'])
    await expect(call(node, 'eth_sendTransaction', [transfer(contract, '0x1')])).rejects.toThrow(
      'unknown account',
    )
    const id = await call(node, 'evm_snapshot')
    await call(node, 'hardhat_impersonateAccount', [contract])
    const hash = await call(node, 'eth_sendTransaction', [transfer(contract, '0x1')])
    expect(await call(node, 'eth_getTransactionReceipt', [hash])).toMatchObject({
      status: '0x1',
      from: contract,
    })
    expect(await call(node, 'eth_getTransactionByHash', [hash])).toMatchObject({
      from: contract,
      nonce: '0x0',
    })
    expect(await call(node, 'debug_traceTransaction', [hash, { tracer: 'callTracer' }])).toMatchObject({
      from: contract,
    })
    expect(await call(node, 'hardhat_stopImpersonatingAccount', [contract])).toBe(true)
    await expect(call(node, 'eth_sendTransaction', [transfer(contract, '0x2')])).rejects.toThrow(
      'unknown account',
    )
    await call(node, 'anvil_autoImpersonateAccount', [true])
    await call(node, 'eth_sendTransaction', [transfer(contract, '0x2')])
    await call(node, 'evm_revert', [id])
    await expect(call(node, 'eth_sendTransaction', [transfer(contract, '0x1')])).rejects.toThrow(
      'unknown account',
    )
    const unsigned = await call(node, 'eth_sendUnsignedTransaction', [transfer(contract, '0x3')])
    expect(await call(node, 'eth_getTransactionReceipt', [unsigned])).toMatchObject({ status: '0x1' })
  })

  test('of the same transaction have different hashes', async () => {
    const node = await freshNode({ mining: false })
    const hashes = [COW, COW1].map((from) =>
      call(node, 'eth_sendUnsignedTransaction', [transfer(from, '0x1')]),
    )
    expect(new Set(await Promise.all(hashes)).size).toBe(2)
  })

  test.each(['network-33', 'ethereum'])(
    'are recovered from impersonated signatures on %s until a revert',
    async (network) => {
      const node = await freshNode({ network })
      const [hash, v, r, s] = ['ab'.repeat(32), `${'00'.repeat(31)}1c`, '11'.repeat(32), '22'.repeat(32)]
      const recovered = (block = 'latest') =>
        call(node, 'eth_call', [
          { to: `0x${'0'.repeat(39)}1`, data: `0x${hash}${v}${r}${s}`, gas: '0x7530' },
          block,
        ])
      const before = await recovered()
      const id = await call(node, 'evm_snapshot')
      await call(node, 'evm_mine')
      await call(node, 'anvil_impersonateSignature', [`0x${r}${s}1c`, STRANGER])
      const told = `0x${'00'.repeat(12)}${STRANGER.slice(2)}`
      expect(await recovered()).toBe(told)
      // Called in a block, where empty accounts are cleared.
      await call(node, 'eth_sendTransaction', [
        { from: (await call(node, 'eth_accounts'))[0], to: `0x${'0'.repeat(39)}1`, gas: '0x7530' },
      ])
      expect([await recovered(), await recovered('earliest')]).toEqual([told, before])
      await call(node, 'evm_revert', [id])
      expect(await recovered()).toBe(before)
    },
  )

  test('are refused for an invalid signature', async () => {
    const node = await freshNode()
    await expect(call(node, 'anvil_impersonateSignature', [`0x${'11'.repeat(64)}1b`])).rejects.toThrow(
      'params[1] (address): expected a 20-byte address',
    )
    for (const signature of ['0x', `0x${'11'.repeat(64)}`, `0x${'11'.repeat(64)}01`]) {
      await expect(call(node, 'anvil_impersonateSignature', [signature, STRANGER])).rejects.toThrow(
        'params[0] (signature): expected a signature of 65 bytes',
      )
    }
  })
})
