/** EIPs that a preset adds to an older hard fork, and all their effects that clients see. */

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { privateKeyToAccount } from 'viem/accounts'
import { HARDFORK_EIPS } from '../../lib/config/eips.ts'
import { HARDFORKS } from '../../lib/config/eips.ts'
import type { Hardfork } from '../../lib/config/eips.ts'
import type { Node } from '../../lib/node/node.ts'
import { BLOB_HASH, SENDER_KEY, sentBlobs } from '../support/blobs.ts'
import { LibraryChain } from '../support/library-chain.ts'
import { call, freshNode, refusal } from '../support/node.ts'

/** A node of a preset file that adds EIPs to a hard fork. */
async function nodeWith(hardfork: Hardfork, eips: readonly number[]): Promise<Node> {
  const file = join(mkdtempSync(join(tmpdir(), 'dev-node-eips-')), 'mine.json')
  writeFileSync(file, JSON.stringify({ extends: 'ethereum', hardfork, eips }))
  return freshNode({ network: file, genesisTimestamp: '1700000000' })
}

const latest = (node: Node) => call(node, 'eth_getBlockByNumber', ['latest', false])

/** A result, or the message of the error. */
const answerOf = (result: Promise<string>): Promise<string> => result.catch((error: unknown) => String(error))

/** Result of code that returns a word, or the message of its failure. */
async function run(node: Node, code: string): Promise<string> {
  const address = `0x${'c0'.repeat(20)}`
  const overrides = { [address]: { code: `0x${code}60005260206000f3` } }
  return answerOf(call(node, 'eth_call', [{ to: address, gas: '0x100000' }, 'latest', overrides]))
}

const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`

describe('all EIPs of a hard fork on the one before it make that hard fork', () => {
  const steps = HARDFORKS.slice(1).map((hardfork, index) => [HARDFORKS[index]!, hardfork] as const)

  test.each(steps)('%s and the EIPs of %s', async (before, hardfork) => {
    const nodes = [await nodeWith(before, HARDFORK_EIPS[hardfork]), await nodeWith(hardfork, [])]
    const seen = nodes.map(async (node) => {
      const [from, to] = node.funded.map(({ address }) => address)
      await call(node, 'eth_sendTransaction', [{ from, to, value: '0x1' }])
      const { chain } = node
      return [chain.at(0n)!.block.hash, chain.head.block.hash, await call(node, 'eth_config')]
    })
    const [own, other] = await Promise.all(seen)
    expect(own).toEqual(other)
  })
})

describe('header fields', () => {
  test.each([
    ['paris', [4895], ['withdrawals', 'withdrawalsRoot']],
    ['shanghai', [4844], ['blobGasUsed', 'excessBlobGas']],
    ['shanghai', [4788], ['parentBeaconBlockRoot']],
    ['cancun', [7685], ['requestsHash']],
  ] as const)('%s and %j: %j', async (hardfork, eips, fields) => {
    const plain = await nodeWith(hardfork, [])
    const node = await nodeWith(hardfork, eips)
    await call(node, 'evm_mine')
    for (const block of ['0x0', '0x1', 'pending']) {
      const known = Object.keys(await call(plain, 'eth_getBlockByNumber', ['latest', false]))
      const members = Object.keys(await call(node, 'eth_getBlockByNumber', [block, false]))
      expect(members.filter((name) => !known.includes(name))).toEqual(fields)
    }
  })

  test('keep their positions in the encoding: an absent one is empty, as in geth', async () => {
    const node = await nodeWith('paris', [7685])
    const encoded: string = await call(node, 'debug_getRawHeader', ['latest'])
    const requestsHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
    // Four bytes of base fee, then four empty strings and the hash of no requests.
    expect(encoded).toMatch(new RegExp(`843b9aca0080808080a0${requestsHash}$`))
  })
})

describe('system contracts', () => {
  const BEACON_ROOTS = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02'
  const BLOCK_HASHES = '0x0000f90827f1c53a10cb7a02335b175320002935'

  test('of EIP-4788 are at genesis, written by blocks and read by calls', async () => {
    const node = await nodeWith('shanghai', [4788])
    await call(node, 'evm_mine')
    const { timestamp, parentBeaconBlockRoot } = await latest(node)
    const reading = { to: BEACON_ROOTS, data: word(BigInt(timestamp)) }
    expect(await call(node, 'eth_call', [reading, 'latest'])).toBe(parentBeaconBlockRoot)
    expect(await call(node, 'eth_getTransactionCount', [BEACON_ROOTS, 'earliest'])).toBe('0x1')
    expect((await call(node, 'eth_config')).current.systemContracts).toEqual({
      BEACON_ROOTS_ADDRESS: BEACON_ROOTS,
    })
  })

  test('of EIP-2935 return the hashes of blocks', async () => {
    const node = await nodeWith('shanghai', [2935])
    await call(node, 'hardhat_mine', ['0x3'])
    const { hash } = await call(node, 'eth_getBlockByNumber', ['0x1', false])
    expect(await call(node, 'eth_call', [{ to: BLOCK_HASHES, data: word(1n) }, 'latest'])).toBe(hash)
  })

  test('of EIP-7002, 7251 and 6110 make requests, as in the stock library', async () => {
    const node = await nodeWith('cancun', [6110, 7002, 7251, 7685])
    const library = await LibraryChain.at(node)
    const from = node.funded[0]!.address
    const to = '0x00000961ef480eb55e80d19ad83579a64c007002'
    const data = `0x${'07'.repeat(48)}0000000773594000`
    await call(node, 'eth_sendTransaction', [{ from, to, data, value: '0x1', gas: '0x40000' }])
    await library.import(node.chain.head.block)
    expect(node.chain.head.block.requests).toHaveLength(1)
    expect(Object.keys((await call(node, 'eth_config')).current.systemContracts)).toEqual([
      'BEACON_ROOTS_ADDRESS',
      'CONSOLIDATION_REQUEST_PREDEPLOY_ADDRESS',
      'DEPOSIT_CONTRACT_ADDRESS',
      'WITHDRAWAL_REQUEST_PREDEPLOY_ADDRESS',
    ])
  })

  test('of EIP-7002 alone take no deposits and no consolidations', async () => {
    const node = await nodeWith('cancun', [7002, 7685])
    expect(Object.keys((await call(node, 'eth_config')).current.systemContracts)).toEqual([
      'BEACON_ROOTS_ADDRESS',
      'WITHDRAWAL_REQUEST_PREDEPLOY_ADDRESS',
    ])
  })
})

test('EIP-4895: blocks carry withdrawals, as in the stock library', async () => {
  const node = await nodeWith('paris', [4895])
  const library = await LibraryChain.at(node)
  const address = `0x${'5a'.repeat(20)}`
  await call(node, 'dev_addWithdrawal', [{ address, amount: '0x3' }])
  await call(node, 'evm_mine')
  await library.import(node.chain.head.block)
  expect(await call(node, 'eth_getBalance', [address, 'latest'])).toBe('0xb2d05e00')
})

describe('precompiles (EIP-2537, 4844 and 7951)', () => {
  test.each([
    ['cancun', 2537, ['BLS12_G1ADD', 'BLS12_G1MSM', 'BLS12_G2ADD', 'BLS12_G2MSM']],
    ['shanghai', 4844, ['KZG_POINT_EVALUATION']],
    ['london', 7951, ['P256VERIFY']],
  ] as const)('%s and EIP-%i', async (hardfork, eip, names) => {
    const node = await nodeWith(hardfork, [eip])
    const { precompiles } = (await call(node, 'eth_config')).current
    expect(Object.keys(precompiles)).toEqual(expect.arrayContaining([...names]))
    // An invalid input is an error of the precompile, or no result; an account without code would return no data.
    const gasOf = (to: unknown) => answerOf(call(node, 'eth_estimateGas', [{ to, data: word(1n) }]))
    expect(await gasOf(precompiles[names[0]])).not.toBe(await gasOf(`0x${'99'.repeat(20)}`))
  })

  /** Base, exponent and modulus of a length each. */
  const operands = (size: number) => ({
    to: `0x${'05'.padStart(40, '0')}`,
    data: `0x${word(BigInt(size)).slice(2).repeat(3)}${'ff'.repeat(3 * size)}`,
    gas: '0xf00000',
  })

  test('EIP-7823 limits modexp, EIP-7883 raises its price', async () => {
    const [plain, limited, dearer] = [
      await nodeWith('prague', []),
      await nodeWith('prague', [7823]),
      await nodeWith('prague', [7883]),
    ]
    const gasOf = (node: Node, size: number) => call(node, 'eth_estimateGas', [operands(size)])
    expect(await gasOf(limited, 64)).toBe(await gasOf(plain, 64))
    expect(Number(await gasOf(dearer, 64))).toBeGreaterThan(Number(await gasOf(plain, 64)))
    expect(await call(plain, 'eth_call', [{ ...operands(1025), data: `0x${word(1025n).slice(2)}` }])).toBe(
      '0x',
    )
    const tooLong = [{ ...operands(1025), data: `0x${word(1025n).slice(2)}` }]
    expect((await refusal(limited, 'eth_call', tooLong)).kind).toBe('executionFailed')
  })
})

describe('instructions (EIP-1153, 3855, 4844, 5656, 7516 and 7939)', () => {
  test.each([
    ['london', [3855], '5f', word(0n)],
    ['london', [5656], '6000600060205e6007', word(7n)],
    ['paris', [1153], '600760005d60005c', word(7n)],
    ['london', [7939], '60011e', word(255n)],
    ['shanghai', [4844], '600049', word(0n)],
    ['shanghai', [4844, 7516], '4a', word(1n)],
  ] as const)('%s and %j: %s', async (hardfork, eips, code, expected) => {
    expect(await run(await nodeWith(hardfork, []), code)).toMatch(/invalid opcode|INVALID/i)
    expect(await run(await nodeWith(hardfork, eips), code)).toBe(expected)
  })

  test('EIP-4399: 0x44 returns the mix hash instead of the difficulty', async () => {
    const [plain, random] = [await nodeWith('london', []), await nodeWith('london', [4399])]
    await call(random, 'evm_mine')
    expect(await run(plain, '44')).toBe(word(0n))
    expect(await run(random, '44')).toBe((await latest(random)).mixHash)
  })
})

describe('transaction types', () => {
  test('EIP-4844: blobs are sent, priced and mined', async () => {
    const node = await nodeWith('shanghai', [4844])
    const raw = await sentBlobs(0)
    const hash = await call(node, 'eth_sendRawTransaction', [raw])
    expect(await call(node, 'eth_getTransactionByHash', [hash])).toMatchObject({
      type: '0x3',
      blobVersionedHashes: [BLOB_HASH],
    })
    expect(await latest(node)).toMatchObject({ blobGasUsed: '0x20000', excessBlobGas: '0x0' })
    expect(await call(node, 'eth_blobBaseFee')).toBe('0x1')
    expect((await call(node, 'eth_config')).current.blobSchedule).toMatchObject({ target: 3, max: 6 })
  })

  test('EIP-7702: an account delegates to code', async () => {
    const node = await nodeWith('shanghai', [7702])
    const account = privateKeyToAccount(SENDER_KEY)
    const code = `0x${'ab'.repeat(20)}` as const
    const authorization = await account.signAuthorization({ address: code, chainId: 31337, nonce: 1 })
    const raw = await account.signTransaction({
      type: 'eip7702',
      chainId: 31337,
      nonce: 0,
      gas: 100_000n,
      maxFeePerGas: 2_000_000_000n,
      to: account.address,
      authorizationList: [authorization],
    })
    await call(node, 'eth_sendRawTransaction', [raw])
    expect(await call(node, 'eth_getCode', [account.address, 'latest'])).toBe(`0xef0100${code.slice(2)}`)
  })

  test('are refused without their EIP', async () => {
    const node = await nodeWith('shanghai', [])
    const raw = await sentBlobs(0)
    expect((await refusal(node, 'eth_sendRawTransaction', [raw])).kind).toBe('unsupportedTransaction')
  })
})

describe('figures (EIP-3860 and 7623)', () => {
  const estimate = (node: Node, request: object) => call(node, 'eth_estimateGas', [request])

  test.each([
    ['london', 3860, { data: `0x${'00'.repeat(64)}` }],
    ['cancun', 7623, { to: `0x${'99'.repeat(20)}`, data: `0x${'11'.repeat(64)}` }],
  ] as const)('%s and EIP-%i cost more gas', async (hardfork, eip, request) => {
    const [plain, dearer] = [await nodeWith(hardfork, []), await nodeWith(hardfork, [eip])]
    expect(Number(await estimate(dearer, request))).toBeGreaterThan(Number(await estimate(plain, request)))
  })

  test('EIP-3651: the coinbase is warm', async () => {
    // The gas of BALANCE(COINBASE), measured by GAS before and after.
    const code = '5a4131505a9003'
    const [cold, warm] = [await nodeWith('paris', []), await nodeWith('paris', [3651])]
    // The coinbase of the genesis block is the caller.
    for (const node of [cold, warm]) await call(node, 'evm_mine')
    expect(Number(await run(cold, code)) - Number(await run(warm, code))).toBe(2500)
  })

  test('EIP-6780: a contract stays after SELFDESTRUCT', async () => {
    const contract = `0x${'de'.repeat(20)}`
    const left = async (node: Node) => {
      await call(node, 'hardhat_setCode', [contract, '0x30ff'])
      await call(node, 'eth_sendTransaction', [{ from: node.funded[0]!.address, to: contract }])
      return call(node, 'eth_getCode', [contract, 'latest'])
    }
    expect(await left(await nodeWith('shanghai', []))).toBe('0x')
    expect(await left(await nodeWith('shanghai', [6780]))).toBe('0x30ff')
  })

  test('EIP-7825: a transaction has at most 2^24 gas', async () => {
    const send = { to: `0x${'99'.repeat(20)}`, gas: '0x1000001' }
    const [plain, capped] = [await nodeWith('prague', []), await nodeWith('prague', [7825])]
    const from = plain.funded[0]!.address
    await call(plain, 'eth_sendTransaction', [{ from, ...send }])
    expect((await refusal(capped, 'eth_sendTransaction', [{ from, ...send }])).message).toContain('EIP-7825')
  })

  test('EIP-7918: few blobs raise the price while it is far below the base fee', async () => {
    const excess = async (node: Node) => {
      await call(node, 'eth_sendRawTransaction', [await sentBlobs(0, { count: 3 })])
      await call(node, 'evm_mine')
      return (await latest(node)).excessBlobGas
    }
    expect(await excess(await nodeWith('cancun', []))).toBe('0x0')
    // Three blobs of 2^17 gas, times (6 - 3) / 6.
    expect(await excess(await nodeWith('cancun', [7918]))).toBe('0x30000')
  })

  test('EIP-7691 and 7594 change blobs', async () => {
    const node = await nodeWith('cancun', [7691])
    expect((await call(node, 'eth_config')).current.blobSchedule).toEqual({
      baseFeeUpdateFraction: 5_007_716,
      max: 9,
      target: 6,
    })
    const cells = await nodeWith('cancun', [7594])
    const raw = await sentBlobs(1)
    expect((await refusal(node, 'eth_sendRawTransaction', [raw])).kind).toBe('invalidTransaction')
    expect(await call(cells, 'eth_sendRawTransaction', [raw])).toMatch(/^0x/)
  })
})
