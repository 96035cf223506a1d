/** Controls that change what the remote has: accounts, slots, tokens, and the next blocks, on forks of both kinds of networks. */

import { describe, expect, test } from '@jest/globals'
import { encodeFunctionData } from 'viem'
import { loadContracts } from '../support/contracts.ts'
import { withNode, withRemote } from '../support/forks.ts'
import { call, refusal } from '../support/node.ts'
import type { Node } from '../../lib/node/node.ts'

const { GameToken } = await loadContracts()

/** An account of the remote without a key on the fork: it has 10^18 wei, 1000 tokens, and has sent one transaction. */
const HOLDER = '0x00000000000000000000000000000000000a11ce'
const SPENDER = '0x0000000000000000000000000000000000b0b000'
const ZERO_WORD = `0x${'00'.repeat(32)}`
const GAS = '0x80000'

const dataOf = (functionName: string, args: readonly unknown[]): string =>
  encodeFunctionData({ abi: GameToken.abi, functionName, args })

interface Fork {
  readonly ask: (method: string, params?: readonly unknown[]) => Promise<any>
  readonly node: Node
  readonly token: string
  /** The number that a view of the token returns. */
  readonly read: (functionName: string, ...args: readonly unknown[]) => Promise<bigint>
}

/** Runs a test with a fork of a remote, which must be as it was afterwards. */
const withFork = (network: string, run: (fork: Fork) => Promise<void>): Promise<void> =>
  withRemote({ network, systemTransaction: false }, async (remote) => {
    const [owner] = await remote.call('eth_accounts')
    const send = async (fields: object) => {
      const hash = await remote.call('eth_sendTransaction', [{ from: owner, gas: GAS, ...fields }])
      return remote.call('eth_getTransactionReceipt', [hash])
    }
    const constructed = owner.slice(2).padStart(64, '0')
    const { contractAddress: token } = await send({
      data: `${GameToken.bytecode}${constructed}`,
      gas: '0x200000',
    })
    await send({ to: HOLDER, value: '0x1bc16d674ec80000' })
    await send({ to: token, data: dataOf('mint', [HOLDER, 1000n]) })
    await remote.call('hardhat_impersonateAccount', [HOLDER])
    await send({ from: HOLDER, to: owner, value: '0x1' })
    await remote.call('hardhat_setBalance', [HOLDER, '0xde0b6b3a7640000'])
    await remote.call('evm_mine')
    const state = () =>
      Promise.all([
        remote.call('eth_getBlockByNumber', ['latest', false]),
        remote.call('eth_getCode', [token, 'latest']),
        remote.call('eth_getBalance', [HOLDER, 'latest']),
      ])
    const before = await state()
    await withNode({ forkUrl: remote.url }, async (node) => {
      const ask: Fork['ask'] = (method, params = []) => call(node, method, params)
      const read: Fork['read'] = async (functionName, ...args) =>
        BigInt(await ask('eth_call', [{ to: token, data: dataOf(functionName, args) }, 'latest']))
      await run({ ask, node, token, read })
    })
    expect(await state()).toEqual(before)
  })

describe.each(['ethereum', 'network-33'])('on a fork of %s', (network) => {
  test('token balances and allowances are set, over those of the remote, and can be spent', () =>
    withFork(network, async ({ ask, token, read }) => {
      for (const [index, method] of [
        'anvil_dealERC20',
        'hardhat_dealERC20',
        'anvil_setERC20Balance',
      ].entries()) {
        expect(await read('balanceOf', HOLDER)).toBe(index === 0 ? 1000n : 49n + BigInt(index))
        await ask(method, [HOLDER, token, `0x${(50 + index).toString(16)}`])
      }
      await ask('anvil_setERC20Allowance', [HOLDER, SPENDER, token, '0x10'])
      expect(await read('allowance', HOLDER, SPENDER)).toBe(16n)
      await ask('hardhat_setBalance', [SPENDER, '0xde0b6b3a7640000'])
      await ask('hardhat_impersonateAccount', [SPENDER])
      const spend = {
        from: SPENDER,
        to: token,
        gas: GAS,
        data: dataOf('transferFrom', [HOLDER, SPENDER, 16n]),
      }
      const hash = await ask('eth_sendTransaction', [spend])
      expect(await ask('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
      expect([await read('balanceOf', HOLDER), await read('balanceOf', SPENDER)]).toEqual([36n, 16n])
    }))

  test('balances and nonces go on from those of the remote', () =>
    withFork(network, async ({ ask }) => {
      for (const method of ['anvil_addBalance', 'hardhat_addBalance', 'tenderly_addBalance'])
        await ask(method, [HOLDER, '0x5'])
      expect(await ask('eth_getBalance', [HOLDER, 'latest'])).toBe(`0x${(10n ** 18n + 15n).toString(16)}`)
      for (const method of ['hardhat_setBalance', 'evm_setAccountBalance']) {
        await ask(method, [HOLDER, '0x0'])
        expect(await ask('eth_getBalance', [HOLDER, 'latest'])).toBe('0x0')
      }
      expect(await ask('eth_getTransactionCount', [HOLDER, 'latest'])).toBe('0x1')
      await ask('anvil_setNonce', [HOLDER, '0x0'])
      expect(await ask('eth_getTransactionCount', [HOLDER, 'latest'])).toBe('0x0')
    }))

  test('slots and code of the remote are cleared', () =>
    withFork(network, async ({ ask, token }) => {
      const slots = await Promise.all(
        [0, 1, 2, 3, 4, 5].map((slot) => ask('eth_getStorageAt', [token, `0x${slot}`, 'latest'])),
      )
      const used = slots.findIndex((value) => BigInt(value) !== 0n)
      await ask('hardhat_setStorageAt', [token, `0x${used}`, ZERO_WORD])
      await ask('evm_mine')
      expect(BigInt(await ask('eth_getStorageAt', [token, `0x${used}`, 'latest']))).toBe(0n)
      const parent = `0x${(BigInt(await ask('eth_blockNumber')) - 2n).toString(16)}`
      expect(await ask('eth_getStorageAt', [token, `0x${used}`, parent])).toBe(slots[used])
      await ask('evm_setAccountCode', [token, '0x'])
      expect(await ask('eth_getCode', [token, 'latest'])).toBe('0x')
    }))

  test('every account is impersonated, also those of the remote', () =>
    withFork(network, async ({ ask, node }) => {
      const transaction = { from: HOLDER, to: SPENDER, value: '0x7', gas: '0x5208' }
      expect((await refusal(node, 'eth_sendTransaction', [transaction])).message).toContain('unknown account')
      await ask('anvil_autoImpersonateAccount', [true])
      const hash = await ask('eth_sendTransaction', [transaction])
      expect(await ask('eth_getTransactionByHash', [hash])).toMatchObject({ nonce: '0x1', from: HOLDER })
      expect(await ask('eth_getBalance', [SPENDER, 'latest'])).toBe('0x7')
    }))

  test('time goes on from the remote block', () =>
    withFork(network, async ({ ask }) => {
      const time = async () => Number((await ask('eth_getBlockByNumber', ['latest', false])).timestamp)
      await ask('anvil_setBlockTimestampInterval', [12])
      const before = await time()
      await ask('evm_mine')
      await ask('evm_mine')
      expect(await time()).toBe(before + 24)
      await ask('anvil_removeBlockTimestampInterval')
      await ask('evm_setTime', [(before + 86_400) * 1000])
      await ask('evm_mine')
      expect(await time()).toBeGreaterThanOrEqual(before + 86_400)
      await ask('evm_increaseTime', [3600])
      const [block] = await ask('evm_mine_detailed')
      expect(Number(block.timestamp)).toBeGreaterThanOrEqual(before + 90_000)
    }))
})

test('the minimum gas price of a fork of network 33 is set', () =>
  withFork('network-33', async ({ ask }) => {
    await ask('hardhat_setMinGasPrice', ['0x7b'])
    await ask('evm_mine')
    expect(await ask('eth_getBlockByNumber', ['latest', false])).toMatchObject({ minimumGasPrice: '0x7b' })
  }))

test('local blocks only are replaced and rolled back', () =>
  withFork('ethereum', async ({ ask, node }) => {
    const block = (number: string) => ask('eth_getBlockByNumber', [number, false])
    const remote = await block('latest')
    const first = `0x${(BigInt(remote.number) + 1n).toString(16)}`
    await ask('hardhat_mine', ['0x3'])
    const { hash } = await block(first)
    await ask('anvil_reorg', [3, []])
    expect((await block(first)).hash).not.toBe(hash)
    const said = `4 blocks cannot be removed, the chain has 3 above block ${Number(remote.number)}, which is the remote's`
    for (const [method, params] of [
      ['anvil_rollback', [4]],
      ['anvil_reorg', [4, []]],
    ] as const)
      expect((await refusal(node, method, params)).message).toContain(said)
    await ask('anvil_rollback', [3])
    expect(await block('latest')).toEqual(remote)
  }))
