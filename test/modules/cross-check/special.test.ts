/** Cross-checks of what random transactions do not have: delegations, blobs, impersonated contracts, withdrawals, forks. */

import { expect, test } from '@jest/globals'
import { privateKeyToAccount } from 'viem/accounts'
import { toHex } from '../../../lib/base/hex.ts'
import type { Hex } from '../../../lib/base/hex.ts'
import type { OptionsInput } from '../../../lib/modules/options.ts'
import type { Node } from '../../../lib/node/node.ts'
import { SENDER_KEY, sentBlobs } from '../../support/blobs.ts'
import { dataOf, withFork, withRemoteChain } from '../../support/forked-node.ts'
import { call, freshNode } from '../../support/node.ts'
import { EVERYTHING } from '../../support/tracing.ts'

const CODE: Hex = `0x${'c0'.repeat(20)}`
const OTHER: Hex = `0x${'0e'.repeat(20)}`

const checked = (options: OptionsInput = {}): Promise<Node> =>
  freshNode({ network: 'ethereum', crossCheck: true, ...options })

/** The status of the receipt of a sent transaction. */
async function statusOf(node: Node, hash: Hex): Promise<string> {
  return (await call(node, 'eth_getTransactionReceipt', [hash])).status
}

/** Runs code in a transaction, after the account has it. */
async function runCode(node: Node, code: Hex, request: object = {}): Promise<string> {
  await call(node, 'hardhat_setCode', [CODE, code])
  const [from] = await call(node, 'eth_accounts')
  const sent = { from, to: CODE, gas: '0x7a120', ...request }
  return statusOf(node, await call(node, 'eth_sendTransaction', [sent]))
}

/** Expects that blocks were checked, without a difference. */
async function expectAgreement(node: Node, atLeast = 1): Promise<void> {
  const { blocks, failures } = await call(node, 'dev_crossChecks')
  expect(failures).toBe(0)
  expect(blocks).toBeGreaterThanOrEqual(atLeast)
}

test('a delegation (EIP-7702), and a call of the delegating account', async () => {
  const node = await checked({ hardfork: 'prague' })
  const account = privateKeyToAccount(SENDER_KEY)
  // Stores the caller in slot 0.
  await call(node, 'hardhat_setCode', [CODE, '0x335f5500'])
  const authorization = await account.signAuthorization({ chainId: 31337, contractAddress: CODE, nonce: 1 })
  const signed = await account.signTransaction({
    type: 'eip7702',
    chainId: 31337,
    nonce: 0,
    to: account.address,
    gas: 200_000n,
    maxFeePerGas: 4_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    authorizationList: [authorization],
  })
  expect(await statusOf(node, await call(node, 'eth_sendRawTransaction', [signed]))).toBe('0x1')
  expect(await call(node, 'eth_getStorageAt', [account.address, '0x0', 'latest'])).toMatch(/2266$/)
  await expectAgreement(node)
})

test('blobs (EIP-4844) and a proof of one in a precompile', async () => {
  const node = await checked({ hardfork: 'cancun' })
  expect(await statusOf(node, await call(node, 'eth_sendRawTransaction', [await sentBlobs()]))).toBe('0x1')
  // go-ethereum's test of the precompile; the code stores whether the call succeeded.
  const input =
    '0x01e798154708fe7789429634053cbf9f99b619f9f084048927333fce637f549b' +
    '564c0a11a0f704f4fc3e8acfe0f8245f0ad1347b378fbf96e206da11a5d36306' +
    '24d25032e67a7e6a4910df5834b8fe70e6bcfeeac0352434196bdf4b2485d5a1' +
    '8f59a8d2a1a625a17f3fea0fe5eb8c896db3764f3185481bc22f91b4aaffcca25f26936857bc3a7c2539ea8ec3a952b7' +
    '873033e038326e87ed3e1276fd140253fa08e9fc25fb2d9a98527fc22a2c9612fbeafdad446cbc7bcdbdcd780af2c16a'
  const callPrecompile = '0x365f5f3760405f365f600a5afa5f5500'
  for (const [data, isValid] of [
    [input, '1'],
    [input.replace('24d25032', '24d25033'), '0'],
  ]) {
    expect(await runCode(node, callPrecompile, { data })).toBe('0x1')
    expect(await call(node, 'eth_getStorageAt', [CODE, '0x0', 'latest'])).toBe(
      `0x${isValid!.padStart(64, '0')}`,
    )
  }
  await expectAgreement(node, 3)
})

test('an impersonated contract that sends, calls itself and reads its own code', async () => {
  const node = await checked()
  // Stores EXTCODEHASH and EXTCODESIZE of itself.
  await call(node, 'hardhat_setCode', [CODE, '0x303f5f55303b60015500'])
  await call(node, 'hardhat_setBalance', [CODE, '0xde0b6b3a7640000'])
  await call(node, 'hardhat_impersonateAccount', [CODE])
  for (const to of [OTHER, CODE]) {
    const hash = await call(node, 'eth_sendTransaction', [{ from: CODE, to, value: '0x1', gas: '0x30d40' }])
    expect(await statusOf(node, hash)).toBe('0x1')
  }
  await expectAgreement(node, 2)
})

test('hashes of earlier blocks, a chosen random value, time and fees', async () => {
  const node = await checked()
  await call(node, 'hardhat_mine', ['0x12c'])
  await call(node, 'hardhat_setPrevRandao', [`0x${'5a'.repeat(32)}`])
  await call(node, 'evm_increaseTime', [3600])
  await call(node, 'hardhat_setNextBlockBaseFeePerGas', ['0x3b9aca00'])
  await call(node, 'hardhat_setCoinbase', [OTHER])
  // Stores BLOCKHASH of NUMBER - 1, - 200 and - 300, PREVRANDAO, TIMESTAMP, BASEFEE and COINBASE.
  const code = '0x60014303405f5560c843034060015561012c430340600255446003554260045548600555416006' + '5500'
  expect(await runCode(node, code as Hex)).toBe('0x1')
  expect(await call(node, 'eth_getStorageAt', [CODE, '0x3', 'latest'])).toBe(`0x${'5a'.repeat(32)}`)
  await expectAgreement(node, 2)
})

test('withdrawals, requests to withdraw, and a chain id that was set', async () => {
  const node = await checked({ hardfork: 'prague' })
  const withdrawal = { index: '0x0', validatorIndex: '0x2a', address: OTHER, amount: '0x3' }
  await call(node, 'dev_addWithdrawal', [withdrawal])
  const [from] = await call(node, 'eth_accounts')
  // A request is 48 bytes of a public key and 8 bytes of an amount (EIP-7002).
  const request = { from, to: '0x00000961ef480eb55e80d19ad83579a64c007002', value: '0x1', gas: '0x7a120' }
  const hash = await call(node, 'eth_sendTransaction', [{ ...request, data: `0x${'11'.repeat(56)}` }])
  expect(await statusOf(node, hash)).toBe('0x1')
  await call(node, 'anvil_setChainId', [5])
  expect(await runCode(node, '0x465f5500')).toBe('0x1')
  expect(await call(node, 'eth_getStorageAt', [CODE, '0x0', 'latest'])).toMatch(/05$/)
  await expectAgreement(node, 2)
})

test('contracts of any size', async () => {
  const node = await checked({ allowUnlimitedContractSize: true })
  const [from] = await call(node, 'eth_accounts')
  const data = toHex(Uint8Array.from([0x62, 0x01, 0x00, 0x00, 0x5f, 0xf3]))
  const hash = await call(node, 'eth_sendTransaction', [{ from, data, gas: '0xf42400' }])
  expect(await statusOf(node, hash)).toBe('0x1')
  await expectAgreement(node)
})

test('blocks of worlds, after reverts and reorganizations', async () => {
  const node = await checked()
  const id = await call(node, 'evm_snapshot')
  await runCode(node, '0x60015f5500')
  await call(node, 'evm_revert', [id])
  await runCode(node, '0x60025f5500')
  await call(node, 'anvil_reorg', [1])
  const { chain } = node.worlds.create('one')
  await runCode(chain, '0x60035f5500')
  await expectAgreement(node, 3)
})

test.each(['ethereum', 'network-33'])('transactions on a fork of %s', async (network) => {
  await withRemoteChain({ network }, (remote) =>
    withFork(remote, { crossCheck: true, returnHashOnRevert: true }, async ({ node }) => {
      const [from] = await call(node, 'eth_accounts')
      for (const [name, args, value] of EVERYTHING) {
        const data = await dataOf(name, args)
        await call(node, 'eth_sendTransaction', [{ from, to: remote.tracer, data, value, gas: '0xf4240' }])
      }
      await expectAgreement(node, EVERYTHING.length)
    }),
  )
})
