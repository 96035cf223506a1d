/** What clients see of the hard fork amsterdam. Its rules of execution are tested in test/vectors/blockchain-tests.test.ts. */

import { describe, expect, test } from '@jest/globals'
import { fromHex, toHex } from '../../lib/base/hex.ts'
import { keccak256 } from '../../lib/crypto/keccak.ts'
import { call, freshNode, refusal } from '../support/node.ts'

const started = async () => {
  const node = await freshNode({ network: 'ethereum', hardfork: 'amsterdam' })
  const [from = '', to = ''] = node.funded.map(({ address }) => address)
  return { node, from, to }
}

const latest = { blockTag: 'latest' }.blockTag

/** Code that a creation deploys. */
const creationOf = (code: string): string => {
  const length = (code.length / 2).toString(16).padStart(2, '0')
  return `0x60${length}600c60003960${length}6000f3${code}`
}

test('EIP-7928: a block has the hash of its access list, which methods return', async () => {
  const { node, from, to } = await started()
  await call(node, 'eth_sendTransaction', [{ from, to, value: '0x5' }])
  const raw: string = await call(node, 'debug_getRawBlockAccessList', [latest])
  const { blockAccessListHash } = await call(node, 'eth_getBlockByNumber', [latest, false])
  expect(toHex(keccak256(fromHex(raw)))).toBe(blockAccessListHash)
  const list: { address: string }[] = await call(node, 'eth_getBlockAccessList', [latest])
  const balance = await call(node, 'eth_getBalance', [to, latest])
  expect(list.find(({ address }) => address === to)).toEqual({
    address: to,
    storageChanges: [],
    storageReads: [],
    balanceChanges: [{ index: '0x1', value: balance }],
    nonceChanges: [],
    codeChanges: [],
  })
})

test('EIP-7708: a transfer has a log', async () => {
  const { node, from, to } = await started()
  const hash = await call(node, 'eth_sendTransaction', [{ from, to, value: '0x5' }])
  const { logs } = await call(node, 'eth_getTransactionReceipt', [hash])
  const topicOf = (address: string) => `0x${address.slice(2).padStart(64, '0')}`
  expect(logs).toMatchObject([
    {
      address: '0xfffffffffffffffffffffffffffffffffffffffe',
      topics: [
        '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
        topicOf(from),
        topicOf(to),
      ],
      data: topicOf('0x5'),
    },
  ])
})

test('EIP-7708: a simulation does not show a transfer twice', async () => {
  const { node, from, to } = await started()
  const request = { blockStateCalls: [{ calls: [{ from, to, value: '0x5' }] }], traceTransfers: true }
  const [block] = await call(node, 'eth_simulateV1', [request, latest])
  expect(block.calls[0].logs).toHaveLength(1)
})

test('EIP-7843: SLOTNUM returns the slot number, one more with each block', async () => {
  const { node } = await started()
  await call(node, 'hardhat_mine', ['0x20'])
  expect(await call(node, 'eth_getBlockByNumber', [latest, false])).toMatchObject({ slotNumber: '0x20' })
  // SLOTNUM, MSTORE, RETURN
  const data = '0x4b60005260206000f3'
  expect(BigInt(await call(node, 'eth_call', [{ data }, latest]))).toBe(0x20n)
})

describe('EIP-8037', () => {
  /** SSTORE of one, zero or the word of the call data, in the slot of the call data. */
  const storing = creationOf('600160003555')

  test('an estimate has the gas of new state, and the execution uses it', async () => {
    const { node, from } = await started()
    const gas = await call(node, 'eth_estimateGas', [{ from, data: storing }])
    const hash = await call(node, 'eth_sendTransaction', [{ from, data: storing, gas }])
    const receipt = await call(node, 'eth_getTransactionReceipt', [hash])
    expect(receipt).toMatchObject({ status: '0x1', gasUsed: gas })
    const write = { from, to: receipt.contractAddress, data: `0x${'07'.padStart(64, '0')}` }
    const estimated = await call(node, 'eth_estimateGas', [write])
    // 21,000, data, 2900 and 2100 for the slot, three instructions, and 32 bytes at 1174.
    expect(BigInt(estimated)).toBe(21_000n + 31n * 4n + 16n + 5000n + 9n + 32n * 1174n)
    const written = await call(node, 'eth_sendTransaction', [{ ...write, gas: estimated }])
    expect(await call(node, 'eth_getTransactionReceipt', [written])).toMatchObject({
      status: '0x1',
      gasUsed: estimated,
    })
    const { gasUsed } = await call(node, 'eth_getBlockByNumber', [latest, false])
    expect(BigInt(gasUsed)).toBe(32n * 1174n)
  })

  test('the gas limit of a transaction may be above the cap of EIP-7825, if the rest pays for state', async () => {
    const { node, from, to } = await started()
    const hash = await call(node, 'eth_sendTransaction', [{ from, to, gas: '0x1800000' }])
    expect(await call(node, 'eth_getTransactionReceipt', [hash])).toMatchObject({ gasUsed: '0x5208' })
    // JUMPDEST, PUSH1 0, JUMP: it runs out of the gas that is no state gas.
    const endless = await refusal(node, 'eth_call', [{ from, data: '0x5b600056', gas: '0x1800000' }, latest])
    expect(endless.message).toMatch(/out of gas/)
  })
})

test('EIP-7778: refunds do not make a block smaller', async () => {
  const { node, from } = await started()
  const address = `0x${'c0'.repeat(20)}`
  // Sets slot 0 to zero.
  await call(node, 'hardhat_setCode', [address, '0x60006000555f'])
  await call(node, 'hardhat_setStorageAt', [address, '0x0', `0x${'01'.padStart(64, '0')}`])
  const hash = await call(node, 'eth_sendTransaction', [{ from, to: address, gas: '0x20000' }])
  const { gasUsed } = await call(node, 'eth_getTransactionReceipt', [hash])
  const block = await call(node, 'eth_getBlockByNumber', [latest, false])
  expect(BigInt(block.gasUsed) - BigInt(gasUsed)).toBe(4800n)
})

test('EIP-7892: blocks have at most 21 blobs', async () => {
  const { node } = await started()
  const { current } = await call(node, 'eth_config')
  expect(current.blobSchedule).toMatchObject({ target: 14, max: 21, baseFeeUpdateFraction: 11_684_671 })
})

test('EIP-7954 and 8024: code may be larger, and have instructions for deep words', async () => {
  const { node, from } = await started()
  // A creation of 24,832 zero bytes.
  const gas = await call(node, 'eth_estimateGas', [{ from, data: '0x6161006000f3' }])
  expect(BigInt(gas)).toBeGreaterThan(24_832n * 1174n)
  // Eighteen words, DUPN 17, MSTORE, RETURN.
  const data = `0x6007${'5f'.repeat(16)}e6805f5260205ff3`
  expect(BigInt(await call(node, 'eth_call', [{ data }, latest]))).toBe(7n)
})

test('EIP-8024: traces show the stack after a swap of deep words', async () => {
  const { node, from } = await started()
  // Three words, EXCHANGE 1 2, seventeen further words, SWAPN 17, STOP.
  const data = `0x600160026003e88e${'5f'.repeat(15)}e78000`
  const { structLogs } = await call(node, 'debug_traceCall', [{ from, data }, latest, {}])
  const stackAt = (pc: number) => structLogs.find((step: { pc: number }) => step.pc === pc).stack
  expect(stackAt(8)).toEqual(['0x2', '0x1', '0x3'])
  expect(stackAt(structLogs.at(-1).pc)).toEqual(['0x0', '0x1', '0x3', ...Array(14).fill('0x0'), '0x2'])
  expect(structLogs.map((step: { op: string }) => step.op)).toContain('EXCHANGE')
})

test('EIP-8037: what state costs beyond the state gas is in the gas of a trace', async () => {
  const { node, from } = await started()
  // SSTORE of one to slot 0, with and without gas above the cap of EIP-7825.
  const costs = ['0x100000', '0x1100000'].map(async (gas) => {
    const { structLogs } = await call(node, 'debug_traceCall', [
      { from, data: '0x60015f5500', gas },
      latest,
      {},
    ])
    return structLogs[2].gasCost
  })
  expect(await Promise.all(costs)).toEqual([5000 + 32 * 1174, 5000])
})

test('blocks of a state file have their access lists', async () => {
  const { node, from, to } = await started()
  await call(node, 'eth_sendTransaction', [{ from, to, value: '0x5' }])
  const state = await call(node, 'anvil_dumpState')
  const other = await freshNode({ network: 'ethereum', hardfork: 'amsterdam' })
  await call(other, 'anvil_loadState', [state])
  const list = await call(node, 'eth_getBlockAccessList', ['0x1'])
  expect(list.length).toBeGreaterThan(4)
  expect(await call(other, 'eth_getBlockAccessList', ['0x1'])).toEqual(list)
})

test('a cross-check is refused, because the library does not have the rules', async () => {
  const options = { network: 'ethereum', hardfork: 'amsterdam', crossCheck: true } as const
  await expect(freshNode(options)).rejects.toThrow(
    'crossCheck: @ethereumjs/vm does not have the rules of amsterdam',
  )
})
