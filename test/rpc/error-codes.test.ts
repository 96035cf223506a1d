/** Errors as clients see them: failing programs in every dialect. */

import { describe, expect, test } from '@jest/globals'
import { NodeError } from '../../lib/base/errors.ts'
import { DIALECTS } from '../../lib/config/dialect.ts'
import type { Dialect } from '../../lib/config/dialect.ts'
import type { OptionsInput } from '../../lib/modules/options.ts'
import type { Node } from '../../lib/node/node.ts'
import { toWireError } from '../../lib/rpc/error-codes.ts'
import { ENDLESS, INVALID, creating, errorData, panicData, reverting } from '../support/programs.ts'
import { call, dispatcherOf, freshNode } from '../support/node.ts'
import { ask, rpc, withServer } from '../support/server.ts'
import { COW, signed } from '../support/signing.ts'

test('an error that is not a NodeError shows no detail, and one that is shows no cause', () => {
  for (const dialect of DIALECTS) {
    expect(toWireError(new TypeError('secret of line 7'), dialect)).toEqual({
      code: -32603,
      message: 'Internal error',
    })
    const details = { data: '0x01', txHash: '0x02', cause: new Error('secret') }
    expect(toWireError(new NodeError('nonceTooLow', 'nonce too low', details), dialect)).toEqual({
      code: dialect === 'node33' ? -32010 : -32000,
      message: 'nonce too low',
      data: '0x01',
      txHash: '0x02',
    })
  }
})

/** The error of a response, as text so that the order of its members counts, too. */
async function errorOf(node: Node, method: string, params: unknown, dialect: Dialect): Promise<string> {
  const answer = await dispatcherOf(node).answer(rpc(method, params), dialect)
  return JSON.stringify(JSON.parse(answer!).error)
}

/** A node with a contract that runs the program. */
async function nodeWith(runtime: string, options: OptionsInput = {}): Promise<{ node: Node; to: string }> {
  const node = await freshNode(options)
  const hash = await call(node, 'eth_sendTransaction', [
    { from: COW, gas: '0x30d40', data: creating(runtime) },
  ])
  const { contractAddress } = await call(node, 'eth_getTransactionReceipt', [hash])
  return { node, to: contractAddress }
}

const lastHash = async (node: Node): Promise<string> =>
  (await call(node, 'eth_getBlockByNumber', ['latest'])).transactions[0]

const VM = 'VM Exception while processing transaction:'
const custom = `0xf988f737${'00'.repeat(31)}2a`
const broken = `0x08c379a0${'ff'.repeat(64)}`

const unrecognized = (data: string) => `an unrecognized custom error (return data: ${data})`
const PLAIN = 'transaction reverted'
const EARLY = 'zu früh ☃ "\\'
const underflow = 'arithmetic underflow or overflow'
const overflow = 'Arithmetic operation overflowed outside of an unchecked block'

/** Name, revert data, and the end of the message in each dialect. */
const REVERTS: readonly (readonly [string, string, node33: string, hardhat: string, ethereum: string])[] = [
  ['a reason', errorData('boom'), 'revert boom', `reason string 'boom'`, ': boom'],
  ['other letters', errorData(EARLY), `revert ${EARLY}`, `reason string '${EARLY}'`, `: ${EARLY}`],
  ['an empty reason', errorData(''), 'revert ', `reason string ''`, ': '],
  ['a custom error', custom, PLAIN, unrecognized(custom), ''],
  ['a panic', panicData(0x11), PLAIN, `panic code 0x11 (${overflow})`, `: panic: ${underflow} (0x11)`],
  ['an undefined panic', panicData(0x99), PLAIN, 'unknown panic code 0x99', ': panic: unknown code (0x99)'],
  ['a reason that cannot be decoded', broken, PLAIN, unrecognized(broken), ''],
  ['less than a selector', '0x010203', PLAIN, unrecognized('0x010203'), ''],
  ['nothing', '0x', PLAIN, '', ''],
]

const CODE = { node33: -32015, hardhat: 3, ethereum: 3 }

test.each(REVERTS)(
  'a revert with %s, called, estimated and sent',
  async (_, data, node33, hardhat, ethereum) => {
    const { node, to } = await nodeWith(reverting(data))
    const geth = `execution reverted${ethereum}`
    const messages = {
      node33: `${VM} ${node33}`,
      hardhat:
        hardhat === '' ? 'Transaction reverted without a reason string' : `${VM} reverted with ${hardhat}`,
      ethereum: geth,
    }
    for (const dialect of DIALECTS) {
      const error = { code: CODE[dialect], message: messages[dialect], data }
      const cause = dialect === 'node33' ? { cause: { code: 3, message: geth, data } } : {}
      const expected = JSON.stringify({ ...error, ...cause })
      expect(await errorOf(node, 'eth_call', [{ to }], dialect)).toBe(expected)
      expect(await errorOf(node, 'eth_estimateGas', [{ to, from: COW }], dialect)).toBe(expected)
      if (dialect === 'ethereum') continue
      const sent = await errorOf(node, 'eth_sendTransaction', [{ from: COW, to }], dialect)
      expect(sent).toBe(JSON.stringify({ ...error, txHash: await lastHash(node), ...cause }))
    }
  },
)

describe('a transaction that reverts', () => {
  test('is mined, uses its nonce and has a receipt of status 0', async () => {
    const { node, to } = await nodeWith(reverting('0x'))
    const error = JSON.parse(await errorOf(node, 'eth_sendTransaction', [{ from: COW, to }], 'node33'))
    const receipt = await call(node, 'eth_getTransactionReceipt', [error.txHash])
    expect(receipt).toMatchObject({ status: '0x0', blockNumber: '0x2', from: COW, to, logs: [] })
    expect(await call(node, 'eth_getTransactionCount', [COW])).toBe('0x2')
  })

  test('returns the error also when it was sent raw', async () => {
    const { node, to } = await nodeWith(reverting(errorData('boom')))
    const raw = signed({ nonce: 1n, to, gas: 90_000n, value: 0n })
    const error = JSON.parse(await errorOf(node, 'eth_sendRawTransaction', [raw], 'node33'))
    expect(error).toEqual({
      code: -32015,
      message: `${VM} revert boom`,
      data: errorData('boom'),
      txHash: await lastHash(node),
      cause: { code: 3, message: 'execution reverted: boom', data: errorData('boom') },
    })
  })

  test.each<[string, OptionsInput, Dialect]>([
    ['in the ethereum dialect', {}, 'ethereum'],
    ['with --return-hash-on-revert', { returnHashOnRevert: true }, 'node33'],
    ['with --return-hash-on-revert, as Hardhat', { returnHashOnRevert: true }, 'hardhat'],
  ])('returns its hash %s', async (_, options, dialect) => {
    const { node, to } = await nodeWith(reverting(errorData('boom')), options)
    const answer = await call(node, 'eth_sendTransaction', [{ from: COW, to }], dialect)
    expect(answer).toBe(await lastHash(node))
    expect((await call(node, 'eth_getTransactionReceipt', [answer])).status).toBe('0x0')
  })
})

describe('an exception', () => {
  const exceptions = [
    { name: 'INVALID', runtime: INVALID, text: 'invalid opcode' },
    { name: 'an endless loop', runtime: ENDLESS, text: 'out of gas' },
  ]
  const wire = (dialect: Dialect, text: string) => {
    if (dialect === 'ethereum') return { code: -32000, message: text, data: '0x' }
    // As Hardhat 2 says it, also about unknown contracts.
    const isOutOfGas = dialect === 'hardhat' && text === 'out of gas'
    const message = isOutOfGas ? 'Transaction ran out of gas' : `${VM} ${text}`
    return { code: CODE[dialect], message, data: '0x' }
  }

  test.each(exceptions)('$name, called, estimated and sent', async ({ runtime, text }) => {
    const { node, to } = await nodeWith(runtime)
    const request = { from: COW, to, gas: '0xc350' }
    const estimated = text === 'out of gas' ? `gas required exceeds allowance (50000): ${text}` : text
    for (const dialect of DIALECTS) {
      const error = wire(dialect, text)
      expect(await errorOf(node, 'eth_call', [request], dialect)).toBe(JSON.stringify(error))
      const failed = dialect === 'hardhat' ? error : { code: -32000, message: estimated, data: '0x' }
      expect(await errorOf(node, 'eth_estimateGas', [request], dialect)).toBe(JSON.stringify(failed))
      if (dialect === 'ethereum') continue
      const sent = await errorOf(node, 'eth_sendTransaction', [request], dialect)
      expect(sent).toBe(JSON.stringify({ ...error, txHash: await lastHash(node) }))
    }
  })
})

test('an estimate that the sender cannot pay has the code -32000; in dialect hardhat it is made', async () => {
  const node = await freshNode()
  const poor = `0x${'11'.repeat(20)}`
  const params = [{ from: poor, to: COW, value: '0x1' }]
  const expected = JSON.stringify({
    code: -32000,
    message: `insufficient funds for transfer: address ${poor} have 0, want 1`,
  })
  for (const dialect of ['node33', 'ethereum'] as const)
    expect(await errorOf(node, 'eth_estimateGas', params, dialect)).toBe(expected)
  expect(await errorOf(node, 'eth_estimateGas', params, 'hardhat')).toBeUndefined()
})

describe('the dialect of a connection', () => {
  const unknown = rpc('eth_getBalance', [COW, '0xff'])
  const codeAt = async (server: { readonly port: number }, path: string) =>
    JSON.parse((await ask(server, { path, body: unknown })).text).error.code

  test('is the dialect of the node, unless the URL has another', () =>
    withServer({ dialect: 'hardhat' }, async (server) => {
      expect(await codeAt(server, '/')).toBe(-32000)
      expect(await codeAt(server, '/?dialect=node33')).toBe(-32600)
      expect(await codeAt(server, '/some-key?x=1&dialect=node33')).toBe(-32600)
      expect(await codeAt(server, '/?dialect=ethereum')).toBe(-32000)
    }))

  test.each(['', 'NODE33', 'geth', 'constructor'])('%j is refused', (dialect) =>
    withServer({}, async (server) => {
      const { status, text } = await ask(server, { path: `/?dialect=${dialect}`, body: unknown })
      expect(status).toBe(400)
      expect(JSON.parse(text)).toEqual({
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32600, message: 'dialect must be one of node33, hardhat, ethereum' },
      })
    }),
  )
})
