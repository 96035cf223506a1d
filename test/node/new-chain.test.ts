/** What a chain begins with: its first number, and the accounts that options fund. */

import { describe, expect, test } from '@jest/globals'
import { withNode, withRemote } from '../support/forks.ts'
import { STARTED_AT_MS, call, freshNode } from '../support/node.ts'

const SOMEBODY = `0x${'ab'.repeat(20)}`
const ETHER = 10n ** 18n
const STARTED_AT = BigInt(STARTED_AT_MS / 1000)

describe.each(['ethereum', 'network-33'])('a chain of %s that begins at a number', (network) => {
  test.each([1n, 2n, 100n, 25_000_000n])('%d has that block as its head', async (number) => {
    const node = await freshNode({
      network,
      number,
      baseFee: network === 'ethereum' ? 7_000_000_000n : undefined,
    })
    expect(BigInt(await call(node, 'eth_blockNumber'))).toBe(number)
    const [from] = await call(node, 'eth_accounts')
    const hash = await call(node, 'eth_sendTransaction', [{ from, to: SOMEBODY, value: '0x1' }])
    const { blockNumber } = await call(node, 'eth_getTransactionReceipt', [hash])
    expect(BigInt(blockNumber)).toBe(number + 1n)
    const parent = await call(node, 'eth_getBlockByNumber', [`0x${number.toString(16)}`, false])
    const next = await call(node, 'eth_getBlockByNumber', [blockNumber, false])
    expect(next.parentHash).toBe(parent.hash)
    await call(node, 'hardhat_reset')
    expect(BigInt(await call(node, 'eth_blockNumber'))).toBe(number)
    await node.close()
  })
})

test('the block has the time of the start, and the next one the base fee of the options', async () => {
  const node = await freshNode({ network: 'ethereum', number: 1000, baseFee: 7_000_000_000n })
  const { timestamp } = await call(node, 'eth_getBlockByNumber', ['latest', false])
  expect(BigInt(timestamp)).toBe(STARTED_AT)
  await call(node, 'evm_mine')
  const { baseFeePerGas } = await call(node, 'eth_getBlockByNumber', ['latest', false])
  expect(BigInt(baseFeePerGas)).toBe(7_000_000_000n)
  await node.close()
})

test('the genesis timestamp is the time of the block with that number', async () => {
  const node = await freshNode({ network: 'ethereum', number: 1000, genesisTimestamp: 1_600_000_000n })
  const { timestamp } = await call(node, 'eth_getBlockByNumber', ['latest', false])
  expect(BigInt(timestamp)).toBe(1_600_000_000n)
  await node.close()
})

test('a world of another network begins with its genesis', async () => {
  const node = await freshNode({ network: 'ethereum', number: 1000, genesisTimestamp: 1_600_000_000n })
  await call(node, 'dev_createWorld', [{ id: 'other', hardfork: 'cancun' }])
  const { chain } = node.worlds.acquire('other')
  expect(await call(chain, 'eth_blockNumber')).toBe('0x0')
  const { timestamp } = await call(chain, 'eth_getBlockByNumber', ['0x0', false])
  expect(BigInt(timestamp)).toBe(1_600_000_000n)
  await node.close()
})

test.each([
  [{ number: 1000, genesisTimestamp: 999n }, 'number 1000: with the genesis timestamp 999'],
  [{ number: 1000, network: 'network-33', systemTransaction: true }, 'each has a system transaction'],
])('%p is refused', async (options, message) => {
  await expect(freshNode(options)).rejects.toThrow(message)
})

test('options fund accounts in the genesis, in worlds and after a reset', async () => {
  const node = await freshNode({ network: 'ethereum', fundAccounts: [`${SOMEBODY}:1.5`] })
  const balance = async (): Promise<bigint> =>
    BigInt(await call(node, 'eth_getBalance', [SOMEBODY, 'latest']))
  expect(await balance()).toBe((3n * ETHER) / 2n)
  await call(node, 'hardhat_setBalance', [SOMEBODY, '0x1'])
  await call(node, 'hardhat_reset')
  expect(await balance()).toBe((3n * ETHER) / 2n)
  const { chain } = node.worlds.acquire('w')
  expect(BigInt(await call(chain, 'eth_getBalance', [SOMEBODY, 'latest']))).toBe((3n * ETHER) / 2n)
  await node.close()
})

test('the balance of an option goes before that of the keys', async () => {
  const [first] = await call(await freshNode({ network: 'ethereum' }), 'eth_accounts')
  const node = await freshNode({ network: 'ethereum', fundAccounts: [`${first}:3`] })
  expect(BigInt(await call(node, 'eth_getBalance', [first, 'latest']))).toBe(3n * ETHER)
  await node.close()
})

test('a contract of a forked chain that is funded keeps its code, its nonce and its storage', () =>
  withRemote({ network: 'ethereum' }, async (remote) => {
    await remote.call('hardhat_setCode', [SOMEBODY, '0x6001'])
    await remote.call('hardhat_setNonce', [SOMEBODY, '0x5'])
    await remote.call('hardhat_setStorageAt', [SOMEBODY, '0x0', `0x${'00'.repeat(31)}07`])
    await remote.call('evm_mine')
    await withNode({ forkUrl: remote.url, fundAccounts: [`${SOMEBODY}:2`] }, async (node) => {
      expect(BigInt(await call(node, 'eth_getBalance', [SOMEBODY, 'latest']))).toBe(2n * ETHER)
      expect(await call(node, 'eth_getCode', [SOMEBODY, 'latest'])).toBe('0x6001')
      expect(await call(node, 'eth_getTransactionCount', [SOMEBODY, 'latest'])).toBe('0x5')
      expect(BigInt(await call(node, 'eth_getStorageAt', [SOMEBODY, '0x0', 'latest']))).toBe(7n)
    })
  }))

test('a random mnemonic is another one each time, and has a checksum', async () => {
  const words = async (): Promise<string> => {
    const node = await freshNode({ network: 'ethereum', mnemonic: 'random', accounts: 1 })
    await node.close()
    return node.options.mnemonic ?? ''
  }
  const [one, other] = [await words(), await words()]
  expect(one.split(' ')).toHaveLength(12)
  expect(one).not.toBe(other)
  const { validateMnemonic } = await import('@scure/bip39')
  const { wordlist } = await import('@scure/bip39/wordlists/english.js')
  expect(validateMnemonic(one, wordlist)).toBe(true)
})

test.each([
  ['--code-size-limit allows code up to it', { codeSizeLimit: 30_000 }, 30_000, 30_001],
  ['the hard fork has a limit of its own', {}, 24_576, 24_577],
])('%s', async (_, options, fits, exceeds) => {
  const node = await freshNode({ network: 'ethereum', ...options })
  const [from] = await call(node, 'eth_accounts')
  // Returns as many zero bytes.
  const deploy = (size: number) =>
    call(node, 'eth_estimateGas', [{ from, data: `0x62${size.toString(16).padStart(6, '0')}5ff3` }])
  await expect(deploy(fits)).resolves.toMatch('0x')
  await expect(deploy(exceeds)).rejects.toThrow('code size')
  await node.close()
})
