/** Long traces over real sockets: memory, other requests meanwhile, and errors during a trace. */

import { Agent, request } from 'node:http'
import type { Socket } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import { encodeFunctionData } from 'viem'
import { toHex } from '../../../lib/base/hex.ts'
import { nextTurn } from '../../../lib/base/host.ts'
import type { RequestLogEntry } from '../../../lib/config/request-log.ts'
import { loadContracts } from '../../support/contracts.ts'
import { assembleCode } from '../../support/bytecode.ts'
import { ManualHost, dispatcherOf, freshNode } from '../../support/node.ts'
import { ELSEWHERE, ask, rpc, withServer } from '../../support/server.ts'
import { COW } from '../../support/signing.ts'
import { HEIR, tracedNode } from '../../support/tracing.ts'

type Server = Parameters<Parameters<typeof withServer>[1]>[0]

/** Rounds of the loop that make more than 100,000 steps. */
const ROUNDS = 5300n

async function result(server: Server, method: string, params: readonly unknown[]): Promise<any> {
  const { text } = await ask(server, { body: rpc(method, params) })
  return JSON.parse(text).result
}

/** Sends a transaction that loops; returns its hash. */
async function loopOn(server: Server, rounds = ROUNDS): Promise<string> {
  const { abi, bytecode } = (await loadContracts()).Tracer
  const deployed = await result(server, 'eth_sendTransaction', [
    { from: COW, gas: 6_800_000, data: bytecode },
  ])
  const { contractAddress: to } = await result(server, 'eth_getTransactionReceipt', [deployed])
  const data = encodeFunctionData({ abi, functionName: 'loop', args: [rounds] })
  return result(server, 'eth_sendTransaction', [{ from: COW, gas: 6_800_000, to, data }])
}

/** Sends a transaction that calls an empty account a number of times; returns its hash. */
async function callsOn(server: Server, count: number): Promise<string> {
  // PUSH2 count; then, from position 3 on: CALL with 64 bytes of zeros, and the next round.
  const loop = `61${count.toString(16).padStart(4, '0')}5b5f5f60405f5f6112345af1506001900380600357`
  const deployed = await result(server, 'eth_sendTransaction', [
    { from: COW, gas: 6_800_000, data: `0x${loop}00` },
  ])
  const { status } = await result(server, 'eth_getTransactionReceipt', [deployed])
  expect(status).toBe('0x1')
  return deployed
}

/** Reads a response without keeping it; calls back for every piece. */
function drain(
  server: Server,
  body: string,
  onPiece: (bytes: Buffer) => void = () => undefined,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const sent = request({ port: server.port, method: 'POST', headers }, (response) => {
      let length = 0
      response.on('data', (bytes: Buffer) => {
        length += bytes.length
        onPiece(bytes)
      })
      response.on('end', () => resolve(length))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

test('100,000 steps need less memory than three times the response, and other requests are served meanwhile', async () => {
  await withServer({}, async (server) => {
    const body = rpc('debug_traceTransaction', [await loopOn(server)])
    const before = process.memoryUsage().rss
    let peak = 0
    const tracing = drain(server, body, () => (peak = Math.max(peak, process.memoryUsage().rss - before)))
    let answered = 0
    const asking = new AbortController()
    const askOn = async () => {
      for (; !asking.signal.aborted; answered++) {
        expect(await result(server, 'eth_blockNumber', [])).toBe('0x2')
      }
    }
    const [length] = await Promise.all([tracing.finally(() => asking.abort()), askOn()])
    expect(length).toBeGreaterThan(30_000_000)
    expect(peak).toBeLessThan(3 * length)
    expect(answered).toBeGreaterThan(5)
  })
})

test('the response is the same complete, streamed, compressed and in a batch', async () => {
  await withServer({}, async (server) => {
    const single = rpc('debug_traceTransaction', [await loopOn(server, 200n)])
    const { text, headers } = await ask(server, { body: single })
    expect(headers['content-length']).toBeUndefined()
    const trace = JSON.parse(text)
    expect(trace.result.structLogs.length).toBeGreaterThan(3000)
    const batch = await ask(server, { body: `[${single}]` })
    expect(JSON.parse(batch.text)).toEqual([trace])
    const compressed = await ask(server, {
      body: single,
      headers: { 'accept-encoding': 'gzip' },
      localAddress: ELSEWHERE,
    })
    expect(compressed.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(compressed.bytes).toString()).toBe(text)
  })
})

test('writes go on while a trace waits for its slow reader', async () => {
  await withServer({}, async (server) => {
    const body = rpc('debug_traceTransaction', [await loopOn(server)])
    await new Promise<void>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
      const sent = request({ port: server.port, method: 'POST', headers }, (response) => {
        response.pause()
        result(server, 'evm_mine', [])
          .then(() => result(server, 'eth_blockNumber', []))
          .then((number) => expect(number).toBe('0x3'))
          .then(() => resolve(), reject)
          .finally(() => response.destroy())
      })
      sent.on('error', reject)
      sent.end(body)
    })
    // The next trace is complete, although the last one was broken off.
    const length = await drain(server, body)
    expect(length).toBeGreaterThan(30_000_000)
  })
})

describe('the limit of a response', () => {
  test('is an error before the response has begun', async () => {
    await withServer({ answerLimit: 5000 }, async (server) => {
      const { text } = await ask(server, {
        body: rpc('debug_traceTransaction', [await loopOn(server, 1n)], 7),
      })
      expect(JSON.parse(text)).toMatchObject({
        id: 7,
        error: { message: 'response exceeds the limit of 5000 bytes' },
      })
    })
  })

  test('is an error of a tracer that answers at the end, also of a long response; the connection stays open', async () => {
    await withServer({ answerLimit: 5000 }, async (server) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      const hash = await callsOn(server, 1000)
      const ports = new Set<number | undefined>()
      agent.on('free', ({ localPort }: Socket) => ports.add(localPort))
      const body = rpc('debug_traceTransaction', [hash, { tracer: 'callTracer' }])
      const { text } = await ask(server, { body, agent })
      expect(JSON.parse(text).error.message).toBe('response exceeds the limit of 5000 bytes')
      const next = await ask(server, { body: rpc('eth_blockNumber'), agent })
      expect([JSON.parse(next.text).result, ports.size]).toEqual(['0x1', 1])
      agent.destroy()
    })
  })

  test('ends a response that has begun with an error, and is logged; the connection stays open', async () => {
    const log: RequestLogEntry[] = []
    const hooks = { onRequest: (entry: RequestLogEntry) => log.push(entry) }
    await withServer(
      { answerLimit: 200_000 },
      async (server) => {
        const body = rpc('debug_traceTransaction', [await loopOn(server)])
        const agent = new Agent({ keepAlive: true, maxSockets: 1 })
        const { text } = await ask(server, { body, agent })
        const { result: begun, error } = JSON.parse(text)
        expect(begun.structLogs.length).toBeGreaterThan(100)
        expect(error).toEqual({ code: -32012, message: 'response exceeds the limit of 200000 bytes' })
        expect(JSON.parse((await ask(server, { body: rpc('eth_blockNumber'), agent })).text).result).toBe(
          '0x2',
        )
        agent.destroy()
        expect(log.findLast(({ method }) => method.startsWith('debug'))?.error?.message).toBe(
          'response exceeds the limit of 200000 bytes',
        )
      },
      hooks,
    )
  })

  test('is an error in process', async () => {
    const { node, send } = await tracedNode()
    const hash = await send('loop', [ROUNDS])
    const dispatcher = dispatcherOf(node, { answerLimit: 200_000 })
    const answer = JSON.parse(
      (await dispatcher.answer(rpc('debug_traceTransaction', [hash], 'a'), 'node33'))!,
    )
    expect(answer).toMatchObject({ id: 'a', error: { code: -32012 } })
    const batch = `[${rpc('debug_traceTransaction', [hash], 'a')}]`
    expect(JSON.parse((await dispatcher.answer(batch, 'node33'))!)[0]).toEqual(answer)
  })
})

test('a trace that meets the time limit after it has begun ends with an error', async () => {
  // Each look at the clock takes 50 ms, so the limit is met after a number of slices.
  let elapsed = 0
  const host = Object.assign(new ManualHost(), { elapsed: () => (elapsed += 50) })
  const node = await freshNode({ callTimeout: 1000 }, host)
  const code = toHex(assembleCode('JUMPDEST 0 JUMP'))
  const options = { stateOverrides: { [HEIR]: { code } } }
  const params = [{ to: HEIR, gas: '0x989680' }, 'latest', options]
  const answer = await dispatcherOf(node).answerStreamed(rpc('debug_traceCall', params), 'ethereum')
  if (typeof answer !== 'object') throw new Error(`not streamed: ${answer?.slice(0, 200)}`)
  let text = ''
  for await (const piece of answer) text += piece
  const { result: begun, error } = JSON.parse(text)
  expect(begun.structLogs.length).toBeGreaterThan(100)
  expect(error).toEqual({ code: -32000, message: 'execution aborted (timeout = 1s)' })
})

test('a notification stops its trace early', async () => {
  const { node, send } = await tracedNode()
  const hash = await send('loop', [ROUNDS])
  const notification = JSON.stringify({ jsonrpc: '2.0', method: 'debug_traceTransaction', params: [hash] })
  expect(await dispatcherOf(node).answer(notification, 'node33')).toBeUndefined()
  await nextTurn()
})

test('an unknown tracer is refused with the names of the known ones', async () => {
  const { node } = await tracedNode()
  const params = [`0x${'00'.repeat(32)}`, { tracer: 'bigramTracer' }]
  const answer = JSON.parse(
    (await dispatcherOf(node).answer(rpc('debug_traceTransaction', params), 'node33'))!,
  )
  expect(answer.error).toEqual({
    code: -32602,
    message:
      'params[1].tracer (options): expected one of the tracers callTracer, flatCallTracer, prestateTracer, 4byteTracer, noopTracer, nodeTracer, erc7562Tracer, opcodeGasTracer, or code in JavaScript, got "bigramTracer"',
  })
})
