/** A network with its own names, which replace all neutral ones. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { encodeErrorResult, parseAbi } from 'viem'
import { NodeError } from '../../lib/base/errors.ts'
import { toHex } from '../../lib/base/hex.ts'
import { realHost } from '../../lib/base/host.ts'
import { OTHER_MODULES, filled } from '../../lib/config/names.ts'
import { loadNetwork } from '../support/networks.ts'
import { param, readMethod } from '../../lib/kernel/method.ts'
import type { Method } from '../../lib/kernel/method.ts'
import { NodeProvider } from '../../lib/embed/provider.ts'
import { allMethods } from '../../scripts/all-methods.ts'
import { RequestHistory } from '../../lib/rpc/request-history.ts'
import { namedMembers, moduleOf, Registry } from '../../lib/rpc/registry.ts'
import { openRpcDocument } from '../../lib/rpc/openrpc.ts'
import { text } from '../../lib/schema/results.ts'
import { call, dispatcherOf, freshNode, refusal } from '../support/node.ts'
import { ask, rpc, withServer } from '../support/server.ts'

const NAMES = { module: 'acme', aux: 'pow' }
const BACK = { module: 'node', aux: 'aux' }

/** Finds neutral names in a result or a document. */
const LEFT = /\bnode_|\bnode[A-Z]|[aA]ux(?!iliary)/

const folder = mkdtempSync(join(tmpdir(), 'names-'))
const network = join(folder, 'acme.json')
const preset = (names: unknown, file = network) =>
  writeFileSync(file, JSON.stringify({ extends: 'network-33', names }))

beforeAll(() => preset(NAMES))
afterAll(() => rmSync(folder, { recursive: true }))

const registry = allMethods.named(NAMES)
const rows = registry.methods.map((one): [string, Method] => [one.name, one])

/** A result with the neutral names, for the schemas. */
const inNeutralWords = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer).replaceAll('"acme', '"node').replaceAll('"pow', '"aux'))

describe.each(rows)('%s', (name, { example, result }) => {
  test('returns its example without a neutral name', async () => {
    const node = await freshNode({ network })
    for (const step of example.after ?? []) await call(node, step.method, step.params)
    if (example.refusal !== undefined) {
      const { kind, message } = await refusal(node, name, example.params)
      expect(kind).toBe(example.refusal)
      return expect(message).not.toMatch(LEFT)
    }
    const answer: unknown = await call(node, name, example.params)
    expect(JSON.stringify(answer)).not.toMatch(LEFT)
    expect(() => result.parse(inNeutralWords(answer))).not.toThrow()
    if (example.result !== undefined) expect(answer).toEqual(example.result)
  })
})

const renamed = allMethods.names.filter((name) => registry.find(name) === undefined)

test('only the module of the network, the submissions of merged mining and the auxiliary chain are renamed', () => {
  expect(renamed.length).toBeGreaterThan(7)
  for (const name of renamed) expect(name).toMatch(/^node_|^mnr_submitAux|^dev_aux/)
})

test.each(renamed)('%s is an unknown method', async (name) => {
  const { kind, message } = await refusal(await freshNode({ network }), name)
  expect(kind).toBe('methodNotFound')
  expect(message).toContain(`the method ${name} does not exist`)
})

test.each([
  [{}, 'acme_protocolVersion', 'node_protocolVersion'],
  [{}, 'mnr_submitPowBlockPartialMerkle', 'mnr_submitAuxBlockPartialMerkle'],
  [{ network }, 'node_protocolVersion', 'acme_protocolVersion'],
  [{ network }, 'mnr_submitAuxBlock', 'mnr_submitPowBlock'],
])('with %j, %s names %s', async (options, asked, own) => {
  const { message } = await refusal(await freshNode(options), asked)
  expect(message).toMatch(new RegExp(`is not available: here it is ${own}; `))
})

test.each(['acme_nothing', 'eth_nothing', 'acme'])('%s names no other method', async (asked) => {
  expect((await refusal(await freshNode(), asked)).message).toMatch(/is not available$/)
})

test('errors have the method name of the request', async () => {
  const { message } = await refusal(await freshNode({ network }), 'acme_protocolVersion', [1])
  expect(message).toContain('acme_protocolVersion takes no params')
})

describe('the tracer of the network', () => {
  const trace = async (tracer: string) => {
    const node = await freshNode({ network })
    return refusal(node, 'debug_traceTransaction', [`0x${'00'.repeat(32)}`, { tracer }])
  }

  test.each(['acmeTracer', 'ACMETRACER'])('is known as %s', async (tracer) => {
    const node = await freshNode({ network })
    const params = [`0x${'00'.repeat(32)}`, { tracer }]
    expect(await call(node, 'debug_traceTransaction', params)).toBeNull()
  })

  test('is refused under its neutral name', async () => {
    const { message } = await trace('nodeTracer')
    expect(message).toContain('acmeTracer')
    expect(message).toContain('got "nodeTracer"')
  })
})

describe('an error of a Bridge method', () => {
  const BRIDGE = '0x0000000000000000000000000000000001000006'
  // getAuxBlockchainBlockHashAtDepth(int256) without its argument.
  const transaction = { to: BRIDGE, data: '0xefd4441800' }
  const NAMED = 'getPowBlockchainBlockHashAtDepth(int256)'

  test.each(['callTracer', 'flatCallTracer', 'acmeTracer'])(
    'has the names of the network in %s',
    async (tracer) => {
      const node = await freshNode({ network })
      const traced = JSON.stringify(await call(node, 'debug_traceCall', [transaction, 'latest', { tracer }]))
      expect(traced).toContain(NAMED)
      expect(traced).not.toMatch(LEFT)
    },
  )

  test('has the names of the network in eth_call', async () => {
    const { message } = await refusal(await freshNode({ network }), 'eth_call', [transaction])
    expect(message).toContain(NAMED)
  })

  test('has neutral names on a network without names', async () => {
    const { message } = await refusal(await freshNode(), 'eth_call', [transaction])
    expect(message).toContain('getAuxBlockchainBlockHashAtDepth(int256)')
  })
})

test.each([
  ['eth_getBalance', ['auxHeader'], 'got "auxHeader"'],
  ['dev_setBridgeResponse', ['getAuxHeight()', '0x'], 'the Bridge has no method getAuxHeight()'],
])('the refusal of %s%j shows the params of the client', async (name, params, said) => {
  const { message } = await refusal(await freshNode({ network }), name, params)
  expect(message).toContain(said)
})

describe('texts of users stay unchanged', () => {
  const SAID = 'auxHeader: node_send of nodeTxs, an aux'
  const [first] = [`0x${'c0'.repeat(20)}`]

  /** Code that returns data, or reverts with it. */
  const codeWith = (data: string, end: 'f3' | 'fd') =>
    `0x60${(data.length / 2).toString(16).padStart(2, '0')}600c60003960${(data.length / 2).toString(16).padStart(2, '0')}6000${end}${data}`

  const revert = encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: [SAID] }).slice(2)

  test('the reason of a revert, in calls, estimates and transactions', async () => {
    const node = await freshNode({ network })
    await call(node, 'hardhat_setCode', [first, codeWith(revert, 'fd')])
    const request = { from: node.funded[0]!.address, to: first, gas: '0x100000' }
    for (const name of ['eth_call', 'eth_estimateGas', 'eth_sendTransaction']) {
      expect((await refusal(node, name, [request])).message).toContain(SAID)
    }
    const traced = await call(node, 'debug_traceCall', [request, 'latest', { tracer: 'callTracer' }])
    expect(traced.revertReason).toBe(SAID)
  })

  test('the id of an isolated chain', async () => {
    const node = await freshNode({ network })
    expect(await call(node, 'dev_createWorld', [{ id: 'auxWorld-node_1' }])).toMatchObject({
      id: 'auxWorld-node_1',
    })
    expect(JSON.stringify(await call(node, 'dev_worlds'))).toContain('auxWorld-node_1')
  })

  test('the extra data of the genesis', async () => {
    const file = join(folder, 'extra.json')
    const extraData = toHex(new TextEncoder().encode(SAID))
    writeFileSync(file, JSON.stringify({ extends: 'network-33', names: NAMES, genesis: { extraData } }))
    const node = await freshNode({ network: file })
    const block = await call(node, 'eth_getBlockByNumber', ['earliest', false])
    expect(block).toMatchObject({ extraData, powMergedMiningHeader: '0x00' })
  })

  test('an error text of a method, which is made with the names it needs', async () => {
    const failing = readMethod({
      name: '{module}_fail',
      summary: 'Fails as {module}_fail does.',
      params: [],
      result: text,
      example: { params: [] },
      run: () => {
        throw new NodeError('reverted', SAID, { data: '0x01', txHash: '0x02', phrases: { node33: SAID } })
      },
    })
    const own = new Registry([failing]).named(NAMES)
    expect(own.methods[0]?.summary).toBe('Fails as acme_fail does.')
    const dispatcher = dispatcherOf(await freshNode(), { registry: own })
    await expect(dispatcher.call('acme_fail', [], 'node33')).rejects.toMatchObject({
      message: SAID,
      details: { data: '0x01', txHash: '0x02', phrases: { node33: SAID } },
    })
  })
})

test('a running node uses its names in results and in OpenRPC', async () => {
  await withServer({ network }, async (server) => {
    const known = await ask(server, { body: rpc('acme_protocolVersion') })
    expect(JSON.parse(known.text)).toMatchObject({ result: '0x3e' })
    const unknown = await ask(server, { body: rpc('node_protocolVersion') })
    expect(JSON.parse(unknown.text)).toMatchObject({ error: { code: -32601 } })
    const { text: document } = await ask(server, { method: 'GET', path: '/openrpc.json' })
    expect(document).not.toMatch(LEFT)
    expect(document).toContain('"mnr_submitPowBlock"')
    expect(document).toContain('"acmeTxsWaitingForSignatures"')
  })
})

test('a provider in process uses the names in results and notifications', async () => {
  const node = await freshNode({ network })
  const provider = new NodeProvider(node, { history: new RequestHistory(realHost) })
  const messages: unknown[] = []
  provider.on('message', (message) => messages.push(message))
  await provider.request({ method: 'eth_subscribe', params: ['newHeads'] })
  await provider.request({ method: 'evm_mine' })
  expect(await provider.request({ method: 'acme_protocolVersion' })).toBe('0x3e')
  await new Promise((resolve) => setImmediate(resolve))
  expect(JSON.stringify(messages)).toContain('"powMergedMiningHeader"')
  expect(JSON.stringify(messages)).not.toMatch(LEFT)
})

test('without names nothing is renamed', () => {
  expect(allMethods.named(BACK)).toBe(allMethods)
  expect(JSON.stringify(openRpcDocument(allMethods))).toContain('"node_protocolVersion"')
})

test('names that replace each other are swapped', () => {
  const crossed = { module: 'aux', aux: 'node' }
  const members = { auxMergedMiningHeader: 1, nodePteEdges: 2 }
  expect(namedMembers(crossed, members)).toEqual({ nodeMergedMiningHeader: 1, auxPteEdges: 2 })
  expect(allMethods.named(crossed).find('mnr_submitNodeBlock')).toBeDefined()
  expect(allMethods.named(crossed).find('aux_protocolVersion')).toBeDefined()
})

test('placeholders are filled, and words are not replaced', () => {
  expect(filled('{module}_x of mnr_submit{Aux}Block, {aux}Header', NAMES)).toBe(
    'acme_x of mnr_submitPowBlock, powHeader',
  )
  expect(filled('node_x of the auxHeader, {other}', NAMES)).toBe('node_x of the auxHeader, {other}')
})

test('members are renamed, values are not', () => {
  const answer = { auxMergedMiningHeader: 'auxMergedMiningHeader', auxOther: ['nodePteEdges'] }
  expect(namedMembers(NAMES, answer)).toEqual({
    powMergedMiningHeader: 'auxMergedMiningHeader',
    auxOther: ['nodePteEdges'],
  })
})

test('params that are not names are not renamed', async () => {
  const echo = readMethod({
    name: '{module}_echo',
    summary: 'Echo.',
    params: [param('said', text, 'Anything.')],
    result: text,
    example: { params: ['x'] },
    run: ({ said }) => said,
  })
  const dispatcher = dispatcherOf(await freshNode(), { registry: new Registry([echo]).named(NAMES) })
  expect(await dispatcher.call('acme_echo', ['auxCoinbase'], 'node33')).toBe('auxCoinbase')
})

describe('a preset', () => {
  const file = join(folder, 'wrong.json')
  const load = (names: unknown) => {
    preset(names, file)
    return loadNetwork(file).names
  }

  test('keeps the neutral names it does not replace', () => {
    expect(loadNetwork('network-33').names).toEqual(BACK)
    expect(load({ aux: 'pow' })).toEqual({ module: 'node', aux: 'pow' })
  })

  test.each([
    [{ module: 'eth' }, 'names.module: eth is another module'],
    [{ module: 'call' }, 'names.module: callTracer is another tracer'],
    [{ module: 'Acme' }, 'names.module: expected a lower-case identifier such as "acme", got "Acme"'],
    [{ aux: '' }, 'names.aux: expected a lower-case identifier such as "acme", got ""'],
    [{ aux: 'two words' }, 'names.aux: expected a lower-case identifier'],
    [{ aux: 7 }, 'names.aux: expected a lower-case identifier'],
    [{ modul: 'acme' }, 'unknown key names.modul'],
  ])('with %j is refused: %s', (names, message) => {
    expect(() => load(names)).toThrow(NodeError)
    expect(() => load(names)).toThrow(message)
  })

  test('knows which modules are taken', () => {
    const taken = new Set(allMethods.names.map(moduleOf).filter((name) => name !== 'node'))
    expect(OTHER_MODULES).toEqual(expect.arrayContaining([...taken]))
  })
})
