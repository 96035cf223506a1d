/** Entries of single instructions. Gas and depth of consecutive entries are tested on random blocks in replay.test.ts. */

import { describe, expect, test } from '@jest/globals'
import { privateKeyToAccount } from 'viem/accounts'
import { toHex } from '../../../lib/base/hex.ts'
import { call, freshNode } from '../../support/node.ts'
import { errorData, reverting } from '../../support/programs.ts'
import { COW } from '../../support/signing.ts'
import { EVERYTHING, tracedNode } from '../../support/tracing.ts'

const word = (n: number) => `0x${n.toString(16).padStart(64, '0')}`

/** Traces creation code on a new node. */
async function traced(data: string, options: object = {}): Promise<any> {
  const { node } = await tracedNode()
  return call(node, 'debug_traceCall', [{ from: COW, data, gas: '0x186a0' }, 'latest', options])
}

test('an SSTORE without its second word touches no slot', async () => {
  const { structLogs } = await traced('0x600055')
  expect(structLogs[1]).toMatchObject({ op: 'SSTORE', error: expect.stringContaining('stack underflow') })
  expect(structLogs[1]).not.toHaveProperty('storage')
})

test('the disable flags leave members out, alone and inside tracerConfig, also as text', async () => {
  const { send, trace } = await tracedNode()
  const hash = await send('fill', [0n, 1n])
  const membersWith = async (options: object) => {
    const { structLogs } = await trace(hash, options)
    return [...new Set(structLogs.flatMap(Object.keys))].filter((name) => /^[ms]/.test(String(name))).sort()
  }
  expect(await membersWith({})).toEqual(['memory', 'stack', 'storage'])
  expect(await membersWith({ disableMemory: true })).toEqual(['stack', 'storage'])
  expect(await membersWith({ enableMemory: false })).toEqual(['stack', 'storage'])
  expect(await membersWith({ disablestack: 'true', disableStorage: 'false' })).toEqual(['memory', 'storage'])
  expect(await membersWith({ tracerConfig: { disableStorage: true, disableStack: true } })).toEqual([
    'memory',
  ])
})

test("memory is left out in geth's dialect unless the request asks for it", async () => {
  const { node, trace, send } = await tracedNode({ dialect: 'ethereum' })
  const hash = await send('fill', [0n, 1n])
  const hasMemory = async (options: object) => 'memory' in (await trace(hash, options)).structLogs[0]
  expect(await hasMemory({})).toBe(false)
  expect(await hasMemory({ enableMemory: true })).toBe(true)
  expect(await hasMemory({ disableMemory: false })).toBe(true)
  const [{ result }] = await call(node, 'debug_traceBlockByNumber', ['latest'])
  expect(result.structLogs[0]).not.toHaveProperty('memory')
})

test('the refund counter begins with the refund for authorizations (EIP-7702)', async () => {
  const node = await freshNode({ network: 'ethereum', hardfork: 'prague' })
  const [{ address: from }, permitting] = [node.funded[0]!, node.funded[1]!]
  const to = `0x${'c0'.repeat(20)}` as const
  await call(node, 'hardhat_setCode', [to, '0x60015000'])
  const account = privateKeyToAccount(toHex(permitting.privateKey))
  const signed = await account.signAuthorization({ chainId: 31337, contractAddress: to, nonce: 0 })
  const authorization = {
    chainId: '0x7a69',
    address: to,
    nonce: '0x0',
    r: signed.r,
    s: signed.s,
    yParity: `0x${signed.yParity}`,
  }
  const request = { from, to, gas: '0x30000', authorizationList: [authorization] }
  const hash = await call(node, 'eth_sendTransaction', [request])
  const { structLogs, gas } = await call(node, 'debug_traceTransaction', [hash])
  expect(structLogs.map(({ op, refund }: any) => [op, refund])).toEqual([
    ['PUSH1', 12_500],
    ['POP', 12_500],
    ['STOP', 12_500],
  ])
  // A fifth of 46,005, which is less than the counter (EIP-3529).
  expect(gas).toBe(46_005 - 9201)
})

test('limit bounds the list, and not the execution', async () => {
  const { send, trace } = await tracedNode()
  const hash = await send('loop', [9n])
  const whole = await trace(hash)
  const cut = await trace(hash, { limit: 5 })
  expect(cut).toEqual({ ...whole, structLogs: whole.structLogs.slice(0, 5) })
  expect(await trace(hash, { limit: 0 })).toEqual(whole)
})

test('enableReturnData has the return data of the last call, and none after a successful creation', async () => {
  const { send, trace } = await tracedNode()
  const called = await trace(await send('nest', [5n]), { enableReturnData: true, disableMemory: true })
  const shown = new Set(called.structLogs.map(({ returnData }: any) => returnData))
  expect([...shown]).toEqual([undefined, word(10), word(12), word(5)])
  const made = await trace(await send('create', [1n, word(0)]), { enableReturnData: true })
  expect(made.structLogs.some(({ returnData }: any) => returnData !== undefined)).toBe(false)
})

describe('the entry at which an execution fails', () => {
  test('has the error', async () => {
    const { structLogs } = await traced('0x60016000600a56')
    expect(structLogs.at(-1)).toMatchObject({ op: 'JUMP', error: 'invalid jump destination' })
    expect(structLogs.filter(({ error }: any) => error !== undefined).length).toBe(1)
  })

  test('has the reason of a revert', async () => {
    const data = errorData('no')
    const { structLogs, failed, returnValue } = await traced(reverting(data))
    expect({ failed, returnValue }).toEqual({ failed: true, returnValue: data })
    expect(structLogs.at(-1)).toMatchObject({ op: 'REVERT', reason: data })
    expect(structLogs.at(-1).error).toBeUndefined()
  })

  test('of an inner call is that of the inner call', async () => {
    // Network 33 loses the reason of a creation, which the contract then cannot catch (node-chain 9.1).
    const { send, trace } = await tracedNode({ network: 'ethereum' })
    const { structLogs, failed } = await trace(await send('catchAll'))
    expect(failed).toBe(false)
    const failing = structLogs.filter(({ reason }: any) => reason !== undefined)
    expect(failing.map(({ op, depth }: any) => [op, depth])).toEqual(Array(2).fill(['REVERT', 2]))
  })
})

describe('the trace of the reference node', () => {
  test.each(EVERYTHING)('of %s(%j) has the entries of the struct logs', async (name, args, value) => {
    const { tracer, send, trace } = await tracedNode()
    const hash = await send(name, args, value)
    const { structLogs, failed } = await trace(hash)
    const own = await trace(hash, { tracer: 'nodeTracer' })
    const told = (logs: any[]) =>
      logs.map(({ pc, gas, gasCost, stack }) => ({ pc, gas, gasCost, words: stack.length }))
    expect(told(own.structLogs)).toEqual(told(structLogs))
    expect(own.structLogs.map(({ depth }: any) => Number(depth) + 1)).toEqual(
      structLogs.map(({ depth }: any) => depth),
    )
    expect(own.contractAddress).toBe(tracer.slice(2))
    expect(own.reverted || own.error !== '').toBe(failed)
  })

  test('has the storage before and after, and each slot from the entry after its access', async () => {
    const { send, trace } = await tracedNode()
    const { initStorage, currentStorage, storageSize, structLogs } = await trace(
      await send('fill', [0n, 1n]),
      {
        tracer: 'nodetracer',
      },
    )
    expect([Object.keys(initStorage).length, Object.keys(currentStorage).length, storageSize]).toEqual([
      1, 2, 2,
    ])
    const writing = structLogs.findIndex(({ op }: any) => op === 'SSTORE')
    expect(Object.keys(structLogs[writing].storage)).toEqual([])
    expect(Object.keys(structLogs.at(Number(writing) + 1).storage).length).toBe(1)
    expect(structLogs.some(({ op }: any) => op === 'SHA3')).toBe(true)
  })

  test('of a transfer has no entries', async () => {
    const { node, trace } = await tracedNode()
    const hash = await call(node, 'eth_sendTransaction', [{ from: COW, to: COW, value: 1 }])
    expect(await trace(hash, { tracer: 'nodeTracer' })).toMatchObject({
      structLogs: [],
      error: '',
      reverted: false,
    })
  })
})
