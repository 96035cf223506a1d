/** Block overrides of calls and estimates, as the BlockOverrides of geth. */

import { describe, expect, test } from '@jest/globals'
import { createPublicClient, http, concat, keccak256, numberToHex, type Hex } from 'viem'
import { toHex, toQuantity } from '../../../lib/base/hex.ts'
import { FEDERATORS } from '../../../lib/modules/network-33/aux-chain/registration.ts'
import { BRIDGE_ADDRESS as BRIDGE } from '../../../lib/modules/network-33/bridge/constants.ts'
import type { OptionsInput } from '../../../lib/modules/options.ts'
import type { Node } from '../../../lib/node/node.ts'
import { assembleCode, CONTRACTS, words } from '../../support/bytecode.ts'
import { fingerprint } from '../../support/fingerprint.ts'
import { call, freshNode, refusal, dispatcherOf } from '../../support/node.ts'
import { withServer } from '../../support/server.ts'
import { EVERYTHING, tracedNode } from '../../support/tracing.ts'

const PROBE = `0x${'cc'.repeat(20)}` as const
const MINER = `0x${'00'.repeat(18)}beef` as const
const RANDOM = `0x${'00'.repeat(30)}cafe` as const

/** Code that returns the word that instructions leave on the stack. */
const answering = (source: string) => toHex(assembleCode(`${source} 0 MSTORE 32 0 RETURN`))
const probe = (source: string) => ({ [PROBE]: { code: answering(source) } })

/** The result of a probe with block overrides. */
async function seen(options: object, source: string, overrides: object): Promise<bigint> {
  const node = await freshNode(options)
  return BigInt(await call(node, 'eth_call', [{ to: PROBE }, 'latest', probe(source), overrides]))
}

const ethereum = { network: 'ethereum' }

describe('eth_call', () => {
  test.each([
    ['NUMBER', { number: '0x1000' }, 0x1000n, {}],
    ['TIMESTAMP', { time: '0x1001' }, 0x1001n, {}],
    ['GASLIMIT', { gasLimit: '0x1002' }, 0x1002n, {}],
    ['COINBASE', { feeRecipient: MINER }, 0xbeefn, {}],
    ['COINBASE', { coinbase: MINER }, 0xbeefn, {}],
    ['NUMBER', { blockNumber: '0x1000' }, 0x1000n, {}],
    ['TIMESTAMP', { timestamp: '0x1001' }, 0x1001n, {}],
    ['PREVRANDAO', { random: RANDOM }, 0xcafen, ethereum],
    ['BASEFEE', { baseFee: '0x1004' }, 0x1004n, ethereum],
    ['BASEFEE', { baseFeePerGas: '0x1004', baseFee: '0x1' }, 0x1004n, ethereum],
    ['DIFFICULTY', { difficulty: '0x1003' }, 0x1003n, {}],
    ['PREVRANDAO', { prevRandao: RANDOM }, 0xcafen, ethereum],
    ['BASEFEE', { baseFeePerGas: '0x1004' }, 0x1004n, ethereum],
    ['BASEFEE', { baseFeePerGas: '0x1004' }, 0x1004n, {}],
    ['BLOBBASEFEE', { blobBaseFee: '0x1005' }, 0x1005n, { ...ethereum, hardfork: 'cancun' }],
    ['7 BLOCKHASH', { number: '0x8', blockHash: { '0x7': RANDOM } }, 0xcafen, {}],
    ['7 BLOCKHASH', { number: '0x8', blockHash: { 7: RANDOM } }, 0xcafen, ethereum],
    ['7 BLOCKHASH', { number: '0x8' }, 0n, {}],
  ])('%s sees the overrides %j', async (source, overrides, expected, options) => {
    expect(await seen(options, source, overrides)).toBe(expected)
  })

  test('keeps BLOCKHASH of the chain below an overridden number', async () => {
    const node = await freshNode()
    await call(node, 'hardhat_mine', ['0x3'])
    const { hash } = await call(node, 'eth_getBlockByNumber', ['0x2'])
    const params = [{ to: PROBE }, 'latest', probe('2 BLOCKHASH'), { number: '0x10' }]
    expect(await call(node, 'eth_call', params)).toBe(hash)
  })

  test.each([{}, ethereum])(
    'BLOCKHASH of the newest block is known under a higher number: %j',
    async (options) => {
      const node = await freshNode(options)
      await call(node, 'hardhat_mine', ['0x3'])
      const { hash } = await call(node, 'eth_getBlockByNumber', ['latest'])
      const overrides = probe('3 BLOCKHASH')
      const newest = async (block: string, ...more: readonly unknown[]) =>
        call(node, 'eth_call', [{ to: PROBE }, block, overrides, ...more])
      expect(await newest('latest', { number: '0x4' })).toBe(hash)
      expect(await newest('latest', { number: '0x10' })).toBe(hash)
      expect(await newest('pending', { number: '0x10' })).toBe(hash)
      expect(BigInt(await newest('latest'))).toBe(0n)
      const blockOverrides = { number: '0x4' }
      const traced = [
        { to: PROBE },
        'latest',
        { tracer: 'callTracer', stateOverrides: overrides, blockOverrides },
      ]
      expect((await call(node, 'debug_traceCall', traced)).output).toBe(hash)
      const flat = await call(node, 'trace_call', [
        { to: PROBE },
        ['trace'],
        'latest',
        overrides,
        blockOverrides,
      ])
      expect(flat.output).toBe(hash)
      const [simulated] = await call(node, 'eth_simulateV1', [
        {
          blockStateCalls: [
            { stateOverrides: overrides, blockOverrides: { number: '0x4' }, calls: [{ to: PROBE }] },
          ],
        },
      ])
      expect(simulated.calls[0].returnData).toBe(hash)
    },
  )

  test.each([
    ['withdrawals', []],
    ['beaconRoot', RANDOM],
    ['parentBeaconBlockRoot', RANDOM],
  ])('refuses %s as geth does', async (member, value) => {
    const { kind, message } = await refusal(await freshNode(), 'eth_call', [
      { to: PROBE },
      'latest',
      null,
      { [member]: value },
    ])
    expect(kind).toBe('invalidParams')
    expect(message).toContain(`block override "${member}" is not supported for this RPC method`)
  })

  test('names a wrong member', async () => {
    const node = await freshNode()
    const refused = (overrides: unknown) =>
      refusal(node, 'eth_call', [{ to: PROBE }, 'latest', null, overrides])
    expect((await refused({ number: 'soon' })).message).toContain('params[3].number (blockOverrides)')
    expect((await refused({ height: '0x1' })).message).toContain('height')
    expect((await refused({ blockHash: { '-1': RANDOM } })).message).toContain('params[3].blockHash.-1')
    expect((await refused(7)).message).toContain('params[3] (blockOverrides)')
  })
})

describe('what no transaction can be', () => {
  const hash = (version: string) => `0x${version}${'0'.repeat(62)}`
  const list = [{ chainId: '0x0', address: PROBE, nonce: '0x0', yParity: '0x0', r: '0x1', s: '0x1' }]
  const cases: readonly (readonly [string, object, string])[] = [
    ['blobs without a receiver', { blobVersionedHashes: [hash('01')] }, 'blob transaction of type create'],
    ['no blobs', { to: PROBE, blobVersionedHashes: [] }, 'blob transaction missing blob hashes'],
    ['another version', { to: PROBE, blobVersionedHashes: [hash('02')] }, 'blob 0 has invalid hash version'],
    [
      'too many blobs',
      { to: PROBE, blobVersionedHashes: Array.from({ length: 7 }, () => hash('01')) },
      'too many blobs in transaction: have 7, permitted 6',
    ],
    ['no authorizations', { to: PROBE, authorizationList: [] }, 'EIP-7702 transaction with empty auth list'],
    [
      'authorizations without a receiver',
      { authorizationList: list },
      'EIP-7702 transaction cannot be used to create contract',
    ],
  ]
  const methods = ['eth_estimateGas', 'eth_call', 'debug_traceCall', 'eth_createAccessList', 'trace_call']

  test.each(methods.flatMap((method) => cases.map((row) => [method, ...row] as const)))(
    '%s refuses %s',
    async (method, _case, request, message) => {
      const more = method === 'trace_call' ? [['trace']] : []
      const refused = await refusal(await freshNode(ethereum), method, [request, ...more])
      expect(refused.message).toContain(message)
    },
  )
})

test.each([
  ['9.0.3', 'network-33', 'estimationFailed'],
  ['9.1.0', 'network-33', undefined],
  ['9.1.0', 'ethereum', 'estimationFailed'],
])('release %s on %s: an estimate with too little gas gives %s', async (release, network, kind) => {
  const node = await freshNode({ release, network })
  const request = { to: PROBE, gas: '0x5300', data: `0x${'01'.repeat(1000)}` }
  const estimate = call(node, 'eth_estimateGas', [request])
  if (kind === undefined) expect(Number(await estimate)).toBeGreaterThan(0x5300)
  else await expect(estimate).rejects.toMatchObject({ kind })
})

describe('movePrecompileToAddress', () => {
  const SHA256 = `0x${'2'.padStart(40, '0')}`
  const RIPEMD160 = `0x${'3'.padStart(40, '0')}`
  const moved = (overrides: object, to: string) =>
    freshNode(ethereum).then((node) => call(node, 'eth_call', [{ to, data: '0x05' }, 'latest', overrides]))

  test('moves a precompile, whose own address has none then', async () => {
    const overrides = { [SHA256]: { movePrecompileToAddress: PROBE } }
    const hash = await moved({}, SHA256)
    expect(hash).toHaveLength(66)
    expect(await moved(overrides, PROBE)).toBe(hash)
    expect(await moved(overrides, SHA256)).toBe('0x')
    expect(await moved({ [SHA256]: { movePrecompileToAddress: RIPEMD160 } }, RIPEMD160)).toBe(hash)
  })

  test('leaves room for code, which can call it, also in a simulation', async () => {
    const node = await freshNode(ethereum)
    const forwards = toHex(assembleCode(`32 0 0 0 0 ${PROBE} 100000 CALL POP 32 0 RETURN`))
    const overrides = { [SHA256]: { movePrecompileToAddress: PROBE, code: forwards } }
    const hash = await moved({}, SHA256)
    const empty = await call(node, 'eth_call', [{ to: SHA256 }])
    expect(await call(node, 'eth_call', [{ to: SHA256 }, 'latest', overrides])).toBe(empty)
    const block = { stateOverrides: overrides, calls: [{ to: PROBE, data: '0x05' }] }
    const [simulated] = await call(node, 'eth_simulateV1', [{ blockStateCalls: [block] }])
    expect(simulated.calls[0].returnData).toBe(hash)
  })

  test.each([
    ['no precompile', PROBE, SHA256, `account ${PROBE} is not a precompile`],
    ['itself', SHA256, SHA256, `account ${SHA256} is already overridden`],
  ])('refuses %s', async (_case, from, to, message) => {
    const params = [{ to: PROBE }, 'latest', { [from]: { movePrecompileToAddress: to } }]
    expect(await refusal(await freshNode(ethereum), 'eth_call', params)).toEqual({
      kind: 'invalidTransaction',
      message,
    })
  })

  test('is not supported on network 33', async () => {
    const params = [{ to: PROBE }, 'latest', { [SHA256]: { movePrecompileToAddress: PROBE } }]
    const refused = await refusal(await freshNode(), 'eth_call', params)
    expect(refused).toEqual({
      kind: 'invalidTransaction',
      message: 'movePrecompileToAddress is not supported',
    })
  })
})

describe('the code of an override at the address of a precompile', () => {
  const identity = `0x${'4'.padStart(40, '0')}`
  const bridge = '0x0000000000000000000000000000000001000006'
  const code = toHex(assembleCode('42 0 MSTORE 32 0 RETURN'))
  const calling = (to: string) => toHex(assembleCode(`32 0 0 0 0 ${to} 100000 CALL POP 32 0 RETURN`))

  test.each([
    ['of Ethereum', ethereum, identity],
    ['of the Bridge', {}, bridge],
  ])('%s runs, also below a contract', async (_, options, to) => {
    const node = await freshNode(options)
    const answer = `0x${'2a'.padStart(64, '0')}`
    expect(await call(node, 'eth_call', [{ to }, 'latest', { [to]: { code } }])).toBe(answer)
    const overrides = { [to]: { code }, [PROBE]: { code: calling(to) } }
    expect(await call(node, 'eth_call', [{ to: PROBE }, 'latest', overrides])).toBe(answer)
    // The precompile answers the next call.
    expect(await call(node, 'eth_call', [{ to: identity, data: '0x0102' }])).toBe('0x0102')
  })

  test('does not run where the override has none', async () => {
    const node = await freshNode(ethereum)
    const params = [{ to: identity, data: '0x0102' }, 'latest', { [identity]: { balance: '0x1' } }]
    expect(await call(node, 'eth_call', params)).toBe('0x0102')
  })
})

test('an override names a key that is no address', async () => {
  const { message } = await refusal(await freshNode(), 'eth_call', [{ to: PROBE }, 'latest', { '0xzz': {} }])
  expect(message).toBe('params[2].0xzz (overrides): expected a 20-byte address, got "0xzz"')
})

describe('eth_estimateGas', () => {
  test('runs in the overridden block', async () => {
    const node = await freshNode()
    const code = toHex(assembleCode('NUMBER 4095 LT 9 JUMPI STOP JUMPDEST 1 DUP1 SSTORE STOP'))
    const estimate = (overrides: object) =>
      call(node, 'eth_estimateGas', [{ to: PROBE }, 'latest', { [PROBE]: { code } }, overrides])
    const [now, later] = [await estimate({}), await estimate({ number: '0x1000' })]
    expect(Number(later) - Number(now)).toBeGreaterThan(15_000)
  })

  test('sees a gas price that pays an overridden base fee', async () => {
    const node = await freshNode(ethereum)
    // Fails where the gas price is below the base fee.
    const code = toHex(assembleCode('BASEFEE GASPRICE LT 7 JUMPI STOP JUMPDEST INVALID'))
    const overrides = { baseFeePerGas: toQuantity(10n ** 15n) }
    const params = [{ to: PROBE }, 'latest', { [PROBE]: { code } }, overrides]
    expect(await call(node, 'eth_estimateGas', params)).toMatch(/^0x5[0-9a-f]{3}$/)
  })

  test('is bounded by an overridden gas limit', async () => {
    const node = await freshNode()
    const code = toHex(assembleCode('1 DUP1 SSTORE STOP'))
    const params = [{ to: PROBE }, 'latest', { [PROBE]: { code } }, { gasLimit: toQuantity(30_000n) }]
    expect(await refusal(node, 'eth_estimateGas', params)).toMatchObject({ kind: 'estimationFailed' })
  })
})

test('viem calls with block overrides, alone and with state overrides', () =>
  withServer({}, async ({ port }) => {
    const client = createPublicClient({ transport: http(`http://127.0.0.1:${port}`) })
    const blockOverrides = { number: 4096n, time: 2_000_000_000n, feeRecipient: MINER }
    const ask = (source: string) =>
      client.call({ to: PROBE, stateOverride: [{ address: PROBE, code: answering(source) }], blockOverrides })
    expect(BigInt((await ask('NUMBER')).data!)).toBe(4096n)
    expect(BigInt((await ask('TIMESTAMP')).data!)).toBe(2_000_000_000n)
    expect((await client.call({ to: PROBE, blockOverrides })).data).toBeUndefined()
  }))

describe('a call with a price', () => {
  const network33 = { network: 'network-33' }
  const CALLER = `0x${'ca'.repeat(20)}`
  const balanceIn = async (options: object, members: object) => {
    const node = await freshNode(options)
    await call(node, 'hardhat_setBalance', [CALLER, '0x100000'])
    const request = { from: CALLER, to: PROBE, gas: '0x10000', ...members }
    return Number(await call(node, 'eth_call', [request, 'latest', probe('CALLER BALANCE')]))
  }

  test.each([
    ['none', ethereum, {}, 0x100000],
    ['a gas price', ethereum, { gasPrice: '0x3' }, 0xd0000],
    ['a gas price on network 33, which charges no call', network33, { gasPrice: '0x3' }, 0x100000],
    ['a tip', ethereum, { maxPriorityFeePerGas: '0x3' }, 0xd0000],
    ['a maximum fee below the base fee and no tip', ethereum, { maxFeePerGas: '0x3' }, 0x100000],
    [
      'more than the balance, and value in Hardhat',
      { ...ethereum, dialect: 'hardhat' },
      { gasPrice: '0xff', value: '0x7' },
      0,
    ],
  ])('%s leaves the sender its balance less the gas', async (_case, options, members, left) => {
    expect(await balanceIn(options, members)).toBe(left)
  })

  test.each(['eth_call', 'eth_estimateGas'])('%s refuses a tip above the maximum fee', async (method) => {
    const request = { to: PROBE, maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' }
    const { message } = await refusal(await freshNode(ethereum), method, [request])
    expect(message).toBe('max priority fee per gas higher than max fee per gas: 2 > 1')
  })

  test('may have a tip above the maximum fee on network 33', async () => {
    expect(await balanceIn(network33, { maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' })).toBe(0x100000)
  })
})

const POOR = `0x${'aa'.repeat(20)}`
const THERE = `0x${'bb'.repeat(20)}`
const CONTRACT = `0x${'cc'.repeat(20)}`
const NATIVE_COIN = `0x${'ee'.repeat(20)}`

type Blocks = readonly Record<string, unknown>[]

const simulate = (node: Node, blockStateCalls: Blocks, more: object = {}) =>
  call(node, 'eth_simulateV1', [{ blockStateCalls, ...more }, 'latest'], 'ethereum')

const refused = (node: Node, blockStateCalls: Blocks, more: object = {}) =>
  refusal(node, 'eth_simulateV1', [{ blockStateCalls, ...more }, 'latest'])

/** The code of the error of a request in dialect ethereum. */
async function errorCode(
  node: Node,
  method: string,
  params: readonly unknown[],
): Promise<number | undefined> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return JSON.parse((await dispatcherOf(node).answer(body, 'ethereum')) ?? '').error?.code
}

const codeOfRefusal = (node: Node, blockStateCalls: Blocks, more: object = {}) =>
  errorCode(node, 'eth_simulateV1', [{ blockStateCalls, ...more }])

const rich = { [POOR]: { balance: '0xde0b6b3a7640000' } }
const codeOf = (name: keyof typeof CONTRACTS) => ({ [CONTRACT]: { code: toHex(CONTRACTS[name]) } })

describe.each<readonly [string, OptionsInput]>([
  ['network 33', {}],
  ['the rules of Ethereum', { network: 'ethereum' }],
])('on %s', (_, options) => {
  test('a call runs on the state after the calls and blocks before it', async () => {
    const node = await freshNode(options)
    const store = (value: bigint) => ({ to: CONTRACT, data: words([1n, value]) })
    const [first, second] = await simulate(node, [
      { stateOverrides: { [CONTRACT]: { code: toHex(CONTRACTS.store) } }, calls: [store(7n), store(8n)] },
      { stateOverrides: codeOf('load'), calls: [{ to: CONTRACT, data: words([1n]) }] },
    ])
    expect(first.calls.map(({ status }: { status: string }) => status)).toEqual(['0x1', '0x1'])
    expect(BigInt(second.calls[0].returnData)).toBe(8n)
    expect(second.parentHash).toBe(first.hash)
  })

  test('failed and reverted calls have different errors, and neither ends the simulation', async () => {
    const node = await freshNode(options)
    const calls = [
      { to: CONTRACT, data: '0xc0ffee', gas: '0x186a0' },
      { to: THERE, gas: '0x186a0' },
    ]
    const overrides = { ...codeOf('revert'), [THERE]: { code: toHex(CONTRACTS.invalid) } }
    const [block] = await simulate(node, [{ stateOverrides: overrides, calls }])
    const [reverted, failed] = block.calls
    expect(reverted).toMatchObject({ status: '0x0', returnData: '0x', error: { code: 3, data: '0xc0ffee' } })
    expect(failed).toMatchObject({ status: '0x0', gasUsed: '0x186a0', error: { code: -32015 } })
  })

  test('a contract can be the sender without validation only', async () => {
    const node = await freshNode(options)
    const block = {
      stateOverrides: { [CONTRACT]: { code: toHex(CONTRACTS.echo), balance: '0x1' } },
      calls: [{ from: CONTRACT, to: CONTRACT, value: '0x1', data: '0x05' }],
    }
    const [simulated] = await simulate(node, [block])
    expect(simulated.calls[0]).toMatchObject({ status: '0x1', returnData: '0x05' })
    const priced = { ...block.calls[0], maxFeePerGas: '0x0' }
    const validated = { ...block, blockOverrides: { baseFeePerGas: '0x0' }, calls: [priced] }
    if (options.network === undefined) delete (priced as { maxFeePerGas?: string }).maxFeePerGas
    expect((await refused(node, [validated], { validation: true })).kind).toBe('senderNotExternal')
  })
})

describe('blocks', () => {
  test('between two requested numbers are filled in', async () => {
    const node = await freshNode()
    const blocks = await simulate(node, [{}, { blockOverrides: { number: '0x4' } }])
    expect(blocks.map(({ number }: { number: string }) => number)).toEqual(['0x1', '0x2', '0x3', '0x4'])
    const times = blocks.map(({ timestamp }: { timestamp: string }) => Number(timestamp))
    expect(times).toEqual(times.toSorted((a: number, b: number) => a - b))
    for (const [index, { parentHash }] of blocks.entries())
      if (index > 0) expect(parentHash).toBe(blocks[index - 1].hash)
  })

  test.each([
    ['a number twice', Array(2).fill({ blockOverrides: { number: '0x2' } }), 'blockNumberOrder'],
    ['a time twice', Array(2).fill({ blockOverrides: { time: '0x20' } }), 'blockTimeOrder'],
    ['too many', [{ blockOverrides: { number: '0x101' } }], 'limitExceeded'],
    ['too many calls', [{ calls: Array.from({ length: 5001 }, () => ({})) }], 'limitExceeded'],
  ])('%s: refused', async (_, blocks, kind) => {
    expect((await refused(await freshNode(), blocks)).kind).toBe(kind)
  })

  test('have the overridden fields', async () => {
    const node = await freshNode({ network: 'ethereum' })
    const blockOverrides = {
      number: '0x1',
      time: '0x77359400',
      feeRecipient: THERE,
      gasLimit: '0xf4240',
      prevRandao: `0x${'0d'.repeat(32)}`,
      baseFeePerGas: '0x7',
    }
    const call7 = { from: POOR, to: CONTRACT, data: words([0n]), gasPrice: '0x7' }
    const stateOverrides = { ...rich, ...codeOf('environment') }
    const [block] = await simulate(node, [{ blockOverrides, stateOverrides, calls: [call7] }])
    const { timestamp, miner, gasLimit, mixHash, baseFeePerGas } = block
    expect({ timestamp, miner, gasLimit, mixHash, baseFeePerGas }).toEqual({
      timestamp: '0x77359400',
      miner: THERE,
      gasLimit: '0xf4240',
      mixHash: `0x${'0d'.repeat(32)}`,
      baseFeePerGas: '0x7',
    })
    const [seenNumber, seenTime, seenMiner, seenRandao, seenLimit, seenFee] = block.calls[0].logs[0].data
      .slice(2)
      .match(/.{64}/g)
      .map((word: string) => BigInt(`0x${word}`))
    expect([seenNumber, seenTime, seenMiner, seenLimit, seenFee]).toEqual([
      1n,
      2_000_000_000n,
      BigInt(THERE),
      1_000_000n,
      7n,
    ])
    expect(seenRandao).toBe(BigInt(`0x${'0d'.repeat(32)}`))
  })
})

test('the names of alloy are those of geth', async () => {
  const names = {
    blockNumber: '0x1',
    timestamp: '0x77359400',
    coinbase: THERE,
    random: `0x${'0d'.repeat(32)}`,
    baseFee: '0x7',
    parentBeaconBlockRoot: `0x${'0e'.repeat(32)}`,
  }
  const [block] = await simulate(await freshNode({ network: 'ethereum' }), [{ blockOverrides: names }])
  expect(block).toMatchObject({
    number: names.blockNumber,
    timestamp: names.timestamp,
    miner: names.coinbase,
    mixHash: names.random,
    baseFeePerGas: names.baseFee,
    parentBeaconBlockRoot: names.parentBeaconBlockRoot,
  })
})

test('contracts see the beacon root of an override (EIP-4788), and PREVRANDAO is 0 without one', async () => {
  const beaconRoot = `0x${'0e'.repeat(32)}`
  const roots = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02'
  const randao = { [CONTRACT]: { code: toHex(assembleCode('PREVRANDAO 0 MSTORE 32 0 RETURN')) } }
  const calls = [{ to: roots, data: words([2_000_000_000n]) }, { to: CONTRACT }]
  const blockOverrides = { time: '0x77359400', beaconRoot }
  const node = await freshNode({ network: 'ethereum' })
  await call(node, 'evm_mine')
  const [block] = await simulate(node, [{ blockOverrides, stateOverrides: randao, calls }])
  expect(block.calls.map(({ returnData }: any) => returnData)).toEqual([beaconRoot, `0x${'00'.repeat(32)}`])
  expect(block.mixHash).toBe(`0x${'00'.repeat(32)}`)
})

test('maxUsedGas is without refunds', async () => {
  const node = await freshNode({ network: 'ethereum' })
  const stateOverrides = { [CONTRACT]: { code: '0x5f5f55', stateDiff: { '0x0': words([1n]) } } }
  const [block] = await simulate(node, [{ stateOverrides, calls: [{ to: CONTRACT }] }])
  const { gasUsed, maxUsedGas } = block.calls[0]
  expect(Number(maxUsedGas) - Number(gasUsed)).toBe(4800)
})

describe('the code of a simulation', () => {
  const funded = { [POOR]: { balance: '0xde0b6b3a7640000', nonce: '0x5' } }
  const from = { from: POOR, to: THERE, maxFeePerGas: '0x77359400' }
  test.each<[string, number | undefined, object, boolean]>([
    ['a low nonce', -38010, { ...from, nonce: '0x4' }, true],
    ['a high nonce', -38011, { ...from, nonce: '0x6' }, true],
    ['any nonce without validation', undefined, { ...from, nonce: '0x6' }, false],
    ['a fee below the base fee', -38012, { ...from, maxFeePerGas: '0x0' }, true],
    ['less gas than the intrinsic gas', -38013, { ...from, gas: '0x1' }, false],
    ['more value than the balance', -38014, { ...from, value: '0xde0b6b3a7640001' }, false],
    ['more gas than the block', -38015, { ...from, gas: '0xffffffffff' }, false],
    ['too large init code', -38025, { from: POOR, data: `0x${'00'.repeat(49_153)}` }, false],
  ])('%s: %i', async (_case, code, request, validation) => {
    const node = await freshNode({ network: 'ethereum' })
    expect(await codeOfRefusal(node, [{ stateOverrides: funded, calls: [request] }], { validation })).toBe(
      code,
    )
  })

  test.each<[string, number, Blocks]>([
    ['numbers out of order', -38020, [{ blockOverrides: { number: '0x0' } }]],
    ['times out of order', -38021, [{ blockOverrides: { time: '0x1' } }]],
    ['too many blocks', -38026, Array.from({ length: 257 }, () => ({}))],
  ])('%s: %i', async (_case, code, blocks) => {
    expect(await codeOfRefusal(await freshNode({ network: 'ethereum' }), blocks)).toBe(code)
  })
})

describe('validation', () => {
  const next = { network: 'ethereum' } as const

  test('charges fees, so that a simulated block equals the mined one', async () => {
    const node = await freshNode(next)
    const { from } = { from: node.funded[0]!.address }
    const head = await call(node, 'eth_getBlockByNumber', ['latest'])
    const fields = { from, to: THERE, value: '0x5', gas: '0x5208', nonce: '0x0', type: '0x2' }
    const fees = { maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x3b9aca00' }
    const pending = await call(node, 'eth_getBlockByNumber', ['pending'])
    const blockOverrides = { time: pending.timestamp, feeRecipient: node.network.coinbase }
    const [simulated] = await simulate(node, [{ blockOverrides, calls: [{ ...fields, ...fees }] }], {
      validation: true,
    })
    await call(node, 'eth_sendTransaction', [{ ...fields, ...fees }])
    const mined = await call(node, 'eth_getBlockByNumber', ['latest'])
    expect(simulated.parentHash).toBe(head.hash)
    const { stateRoot, receiptsRoot, gasUsed, baseFeePerGas } = mined
    expect(simulated).toMatchObject({ stateRoot, receiptsRoot, gasUsed, baseFeePerGas })
  })
})

describe('transfers', () => {
  test('of calls and of contracts are logged in order, without those of failed calls', async () => {
    const node = await freshNode()
    const stateOverrides = {
      ...rich,
      [CONTRACT]: { code: toHex(CONTRACTS.forward) },
      [THERE]: { code: toHex(CONTRACTS.destroy) },
    }
    const heir = `0x${'dd'.repeat(20)}`
    const forward = { from: POOR, to: CONTRACT, value: '0x9', data: words([BigInt(THERE), BigInt(heir)]) }
    const [block] = await simulate(node, [{ stateOverrides, calls: [forward] }], { traceTransfers: true })
    const shown = block.calls[0].logs.map(({ address, topics, data }: any) => [
      address,
      `0x${topics[1].slice(26)}`,
      `0x${topics[2].slice(26)}`,
      BigInt(data),
    ])
    expect(shown).toEqual([
      [NATIVE_COIN, POOR, CONTRACT, 9n],
      [NATIVE_COIN, CONTRACT, THERE, 9n],
      [NATIVE_COIN, THERE, heir, 9n],
    ])
    expect(block.calls[0].logs.map(({ logIndex }: any) => logIndex)).toEqual(['0x0', '0x1', '0x2'])
    const failing = { ...stateOverrides, [CONTRACT]: { code: toHex(CONTRACTS.revert) } }
    const [other] = await simulate(node, [{ stateOverrides: failing, calls: [forward] }], {
      traceTransfers: true,
    })
    expect(other.calls[0].logs).toEqual([])
  })
})

const BLOCK = `0x${'cc'.repeat(20)}`
const REVERTS = `0x${'dd'.repeat(20)}`
const GWEI = 1_000_000_000n

/** Returns what a contract sees of its block. */
const SEES = assembleCode(
  'NUMBER 0 MSTORE TIMESTAMP 32 MSTORE COINBASE 64 MSTORE PREVRANDAO 96 MSTORE GASLIMIT 128 MSTORE BASEFEE 160 MSTORE 1 NUMBER SUB BLOCKHASH 192 MSTORE COINBASE BALANCE 224 MSTORE 256 0 RETURN',
)

async function nodeWithContracts(): Promise<Node> {
  const node = await freshNode({ network: 'ethereum', returnHashOnRevert: true })
  await call(node, 'hardhat_setCode', [BLOCK, toHex(SEES)])
  await call(node, 'hardhat_setCode', [REVERTS, toHex(CONTRACTS.revert)])
  await call(node, 'evm_mine')
  return node
}

/** Signs transactions of the first account, with consecutive nonces. */
async function signAll(node: Node, transactions: readonly object[]): Promise<readonly Hex[]> {
  const [from] = await call(node, 'eth_accounts')
  const nonce = Number(await call(node, 'eth_getTransactionCount', [from]))
  const fees = { maxFeePerGas: numberToHex(9n * GWEI), maxPriorityFeePerGas: numberToHex(2n * GWEI) }
  const signed: Hex[] = []
  for (const [index, transaction] of transactions.entries()) {
    const filled = { from, gas: '0x7a120', nonce: numberToHex(nonce + index), ...fees, ...transaction }
    signed.push((await call(node, 'eth_signTransaction', [filled])).raw)
  }
  return signed
}

const bundle = (node: Node, txs: readonly Hex[], more: object = {}) =>
  call(node, 'eth_callBundle', [{ txs, blockNumber: '0x2', stateBlockNumber: 'latest', ...more }])

/** Mines the transactions in one block, and describes them as a bundle does. */
async function mined(node: Node, txs: readonly Hex[]) {
  await call(node, 'evm_setAutomine', [false])
  for (const raw of txs) await call(node, 'eth_sendRawTransaction', [raw])
  const before = await call(node, 'eth_getBlockByNumber', ['latest', false])
  await call(node, 'evm_mine')
  const block = await call(node, 'eth_getBlockByNumber', ['latest', false])
  expect(block.transactions).toHaveLength(txs.length)
  const balanceAt = async (number: string) =>
    BigInt(await call(node, 'eth_getBalance', [block.miner, number]))
  const results = []
  for (const hash of block.transactions) {
    const { gasUsed, from, to, effectiveGasPrice } = await call(node, 'eth_getTransactionReceipt', [hash])
    const { output = '0x', error } = await call(node, 'debug_traceTransaction', [
      hash,
      { tracer: 'callTracer' },
    ])
    const gasFees = BigInt(gasUsed) * (BigInt(effectiveGasPrice) - BigInt(block.baseFeePerGas))
    results.push({
      txHash: hash,
      fromAddress: from,
      toAddress: to,
      gasUsed: Number(gasUsed),
      gasFees: String(gasFees),
      ...(error === undefined
        ? { value: output }
        : error === 'execution reverted'
          ? { error, revert: output }
          : {}),
    })
  }
  const coinbaseDiff = (await balanceAt(block.number)) - (await balanceAt(before.number))
  return { results, coinbaseDiff: String(coinbaseDiff), totalGasUsed: Number(block.gasUsed) }
}

describe('eth_callBundle', () => {
  test('results are those of the block that has the transactions', async () => {
    const node = await nodeWithContracts()
    const { miner, timestamp } = await call(node, 'eth_getBlockByNumber', ['latest', false])
    const txs = await signAll(node, [
      { to: BLOCK },
      { to: miner, value: '0x5' },
      { to: REVERTS, data: '0xc0ffee' },
      { data: '0x60006000f3', maxPriorityFeePerGas: '0x0' },
      { to: BLOCK, maxPriorityFeePerGas: '0x7' },
    ])
    const time = numberToHex(BigInt(timestamp) + 100n)
    const cells = fingerprint(node.instance)
    const found = await bundle(node, txs, { timestamp: time })
    expect(fingerprint(node.instance)).toEqual(cells)
    await call(node, 'evm_setNextBlockTimestamp', [time])
    expect(found).toMatchObject(await mined(node, txs))
    expect(found.results.map(({ ethSentToCoinbase }: any) => ethSentToCoinbase)).toEqual([
      '0',
      '5',
      '0',
      '0',
      '0',
    ])
    expect(found.bundleHash).toBe(keccak256(concat(found.results.map(({ txHash }: any) => txHash))))
    expect(BigInt(found.coinbaseDiff)).toBe(BigInt(found.gasFees) + 5n)
    expect(BigInt(found.bundleGasPrice)).toBe(BigInt(found.coinbaseDiff) / BigInt(found.totalGasUsed))
    expect(found.stateBlockNumber).toBe(1)
  })

  test('so are those of calls of every kind', async () => {
    const { node, tracer, dataOf } = await tracedNode({ network: 'ethereum' })
    const calls = EVERYTHING.map(([name, args, value]) => ({
      to: tracer,
      data: dataOf(name, args),
      value: numberToHex(value),
      gas: '0x1e8480',
    }))
    const txs = await signAll(node, calls)
    const found = await bundle(node, txs, { blockNumber: '0x2' })
    expect(found).toMatchObject(await mined(node, txs))
  })

  test('the block is as the request says, on an older state', async () => {
    const node = await nodeWithContracts()
    const txs = await signAll(node, [{ to: BLOCK }])
    const [from] = await call(node, 'eth_accounts')
    await call(node, 'eth_sendTransaction', [{ from, to: BLOCK }])
    expect((await refusal(node, 'eth_callBundle', [{ txs, blockNumber: '0x9' }])).message).toContain(
      'nonce 0',
    )
    const coinbase = `0x${'ab'.repeat(20)}`
    const members = {
      stateBlockNumber: '0x1',
      timestamp: 2_000_000_000,
      coinbase,
      gasLimit: '0x989680',
      baseFee: '0x9',
    }
    const { results, stateBlockNumber } = await bundle(node, txs, { blockNumber: '0x9', ...members })
    const words = results[0].value
      .slice(2)
      .match(/.{64}/g)
      .map((word: string) => BigInt(`0x${word}`))
    expect(words.slice(0, 3)).toEqual([9n, 2_000_000_000n, BigInt(coinbase)])
    expect(words.slice(4, 6)).toEqual([10_000_000n, 9n])
    expect(stateBlockNumber).toBe(1)
  })

  test('on network 33 fees do not go to the coinbase at once', async () => {
    const node = await freshNode()
    const [from] = await call(node, 'eth_accounts')
    const { raw } = await call(node, 'eth_signTransaction', [
      { from, to: from, gas: '0x5208', gasPrice: '0x7', nonce: '0x0', value: '0x0' },
    ])
    const { results } = await bundle(node, [raw], { blockNumber: '0x1' })
    expect(results).toMatchObject([
      { gasUsed: 21_000, gasFees: '147000', coinbaseDiff: '0', ethSentToCoinbase: '0' },
    ])
  })

  test.each([
    [
      'no transactions',
      { txs: [] },
      'params[0].txs (bundle): expected an array of 1 to 1000 signed transactions',
    ],
    ['no block number', { txs: ['0x00'], blockNumber: undefined }, 'params[0].blockNumber'],
    ['a transaction that is none', { txs: ['0xc0'] }, 'members'],
    ['an unknown state', { stateBlockNumber: '0x99' }, 'Block 0x99 not found'],
    ['an unknown member', { builder: 1 }, 'expected an object with txs, blockNumber'],
    ['more gas than the block has', { gasLimit: '0x5208' }, 'has gas 500000, left 21000'],
    [
      'a base fee above the maximum',
      { baseFee: '0x3b9aca0000' },
      'max fee per gas 9000000000 is below the base fee',
    ],
  ])('refuses %s', async (_case, change, message) => {
    const node = await nodeWithContracts()
    const request = { txs: await signAll(node, [{ to: BLOCK }]), blockNumber: '0x3', ...change }
    expect((await refusal(node, 'eth_callBundle', [request])).message).toContain(message)
  })
})

test('a free call of the Bridge on network 33 costs nothing', async () => {
  const node = await freshNode({ federation: 'off' })
  const { privateKey } = FEDERATORS[0]!
  const from = await call(node, 'personal_importRawKey', [toHex(privateKey).slice(2), ''])
  await call(node, 'personal_unlockAccount', [from, '', '0xffffff'])
  // getBestChainHeight through a transaction.
  const request = {
    from,
    to: BRIDGE,
    gas: '0x186a0',
    gasPrice: '0x0',
    value: '0x0',
    nonce: '0x0',
    data: '0x14c89c01',
  }
  const { raw } = await call(node, 'eth_signTransaction', [request])
  const answer = await bundle(node, [raw], { blockNumber: '0x1' })
  expect(answer).toMatchObject({ bundleGasPrice: '0', gasFees: '0', coinbaseDiff: '0', totalGasUsed: 0 })
})
