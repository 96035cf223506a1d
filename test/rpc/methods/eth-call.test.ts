/** Block overrides of calls and estimates, as the BlockOverrides of geth. */

import { describe, expect, test } from '@jest/globals'
import { createPublicClient, http } from 'viem'
import { toHex, toQuantity } from '../../../lib/base/hex.ts'
import { assembleCode } from '../../support/bytecode.ts'
import { call, freshNode, refusal } from '../../support/node.ts'
import { withServer } from '../../support/server.ts'

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
