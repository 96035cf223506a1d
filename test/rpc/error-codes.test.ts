/** Errors as clients see them: every kind and every failing program in every dialect. */

import { describe, expect, test } from '@jest/globals'
import { ERROR_KINDS, NodeError } from '../../lib/base/errors.ts'
import type { ErrorKind } from '../../lib/base/errors.ts'
import { DIALECTS } from '../../lib/config/dialect.ts'
import type { Dialect } from '../../lib/config/dialect.ts'
import type { OptionsInput } from '../../lib/modules/options.ts'
import type { Node } from '../../lib/node/node.ts'
import { codesOf, toWireError } from '../../lib/rpc/error-codes.ts'
import { ENDLESS, INVALID, creating, errorData, panicData, reverting } from '../support/programs.ts'
import { call, dispatcherOf, freshNode } from '../support/node.ts'
import { ask, rpc, withServer } from '../support/server.ts'
import { COW, signed } from '../support/signing.ts'

describe('codes', () => {
  const table: readonly (readonly [ErrorKind, number, number, number])[] = [
    ['parseError', -32700, -32700, -32700],
    ['invalidRequest', -32600, -32600, -32600],
    ['methodNotFound', -32601, -32601, -32601],
    ['needsSocket', -32601, -32601, -32601],
    ['invalidParams', -32602, -32602, -32602],
    ['internal', -32603, -32603, -32603],
    ['serverError', -32603, -32603, -32603],
    ['unexpectedError', -32099, -32099, -32099],
    ['notMined', -32009, -32009, -32009],
    ['unknownBlock', -32600, -32000, -32000],
    ['stateDropped', -32000, -32000, -32000],
    ['unknownFilter', -32000, -32000, -32000],
    ['limitExceeded', -32012, -32005, -32005],
    ['unknownAccount', -32602, -32000, -32000],
    ['lockedAccount', -32602, -32000, -32000],
    ['wrongPassphrase', -32602, -32000, -32000],
    ['walletDisabled', -32604, -32004, -32004],
    ['unsupportedTransaction', -32602, -32602, -32000],
    ['invalidTransaction', -32602, -32602, -32000],
    ['wrongChainId', -32602, -32602, -32000],
    ['alreadyKnown', -32010, -32000, -32000],
    ['receiptTimeout', 4, 4, 4],
    ['nonceTooLow', -32010, -32000, -32000],
    ['nonceTooHigh', -32010, -32000, -32000],
    ['insufficientFunds', -32010, -32000, -32000],
    ['gasLimitTooHigh', -32010, -32000, -32000],
    ['intrinsicGasTooLow', -32010, -32000, -32000],
    ['feeTooLow', -32010, -32000, -32000],
    ['feeTooHigh', -32010, -32000, -32000],
    ['underpriced', -32010, -32000, -32000],
    ['initCodeTooLarge', -32010, -32602, -32000],
    ['senderNotExternal', -32010, -32000, -32000],
    ['transactionRejected', -32010, -32000, -32000],
    ['reverted', -32015, 3, 3],
    ['executionFailed', -32015, 3, -32000],
    ['estimationFailed', -32000, -32000, -32000],
    ['callTimeout', -32000, -32000, -32000],
    ['nodeClosed', -32000, -32000, -32000],
    ['submissionRefused', -33000, -33000, -33000],
    ['miningRefused', -32000, -32000, -32000],
    ['blockNumberOrder', -38020, -38020, -38020],
    ['blockTimeOrder', -38021, -38021, -38021],
    ['unknownSnapshot', -32000, -32000, -32000],
    ['unknownSession', -32000, -32000, -32000],
    ['unknownSlot', -32000, -32000, -32000],
    ['remoteFailed', -32000, -32000, -32000],
    ['invalidState', -32602, -32602, -32602],
    ['coverageOff', -32000, -32000, -32000],
    ['coverageFailed', -32000, -32000, -32000],
    ['crossCheckFailed', -32000, -32000, -32000],
    ['invalidOption', -32603, -32603, -32603],
    ['addressInUse', -32603, -32603, -32603],
  ]

  test.each(table)('%s is %d, %d for Hardhat, %d for Ethereum', (kind, node33, hardhat, ethereum) => {
    expect(codesOf(kind)).toEqual({ node33, hardhat, ethereum })
  })

  test('every kind is in the table', () => {
    expect(table.map(([kind]) => kind).toSorted()).toEqual([...ERROR_KINDS].toSorted())
  })

  test.each(DIALECTS)('an error that is not a NodeError shows no detail in dialect %s', (dialect) => {
    const wire = toWireError(new TypeError('secret of line 7'), dialect)
    expect(wire).toEqual({ code: -32603, message: 'Internal error' })
  })

  test.each(DIALECTS)('dialect %s shows message, data and txHash, and not the cause', (dialect) => {
    const details = { data: '0x01', txHash: '0x02', cause: new Error('secret') }
    const wire = toWireError(new NodeError('nonceTooLow', 'nonce too low: 1, 0', details), dialect)
    const code = codesOf('nonceTooLow')[dialect]
    expect(wire).toEqual({ code, message: 'nonce too low: 1, 0', data: '0x01', txHash: '0x02' })
  })
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

/** Name, revert data, and the message in each dialect. */
const REVERTS: readonly (readonly [string, string, Readonly<Record<Dialect, string>>])[] = [
  [
    'a reason',
    errorData('boom'),
    {
      node33: `${VM} revert boom`,
      hardhat: `${VM} reverted with reason string 'boom'`,
      ethereum: 'execution reverted: boom',
    },
  ],
  [
    'a reason in other letters',
    errorData('zu früh ☃ "\\'),
    {
      node33: `${VM} revert zu früh ☃ "\\`,
      hardhat: `${VM} reverted with reason string 'zu früh ☃ "\\'`,
      ethereum: 'execution reverted: zu früh ☃ "\\',
    },
  ],
  [
    'an empty reason',
    errorData(''),
    {
      node33: `${VM} revert `,
      hardhat: `${VM} reverted with reason string ''`,
      ethereum: 'execution reverted: ',
    },
  ],
  [
    'a custom error',
    custom,
    {
      node33: `${VM} transaction reverted`,
      hardhat: `${VM} reverted with an unrecognized custom error (return data: ${custom})`,
      ethereum: 'execution reverted',
    },
  ],
  [
    'a panic',
    panicData(0x11),
    {
      node33: `${VM} transaction reverted`,
      hardhat: `${VM} reverted with panic code 0x11 (Arithmetic operation overflowed outside of an unchecked block)`,
      ethereum: 'execution reverted: panic: arithmetic underflow or overflow (0x11)',
    },
  ],
  [
    'an undefined panic code',
    panicData(0x99),
    {
      node33: `${VM} transaction reverted`,
      hardhat: `${VM} reverted with unknown panic code 0x99`,
      ethereum: 'execution reverted: panic: unknown code (0x99)',
    },
  ],
  [
    'a reason that cannot be decoded',
    broken,
    {
      node33: `${VM} transaction reverted`,
      hardhat: `${VM} reverted with an unrecognized custom error (return data: ${broken})`,
      ethereum: 'execution reverted',
    },
  ],
  [
    'less than a selector',
    '0x010203',
    {
      node33: `${VM} transaction reverted`,
      hardhat: `${VM} reverted with an unrecognized custom error (return data: 0x010203)`,
      ethereum: 'execution reverted',
    },
  ],
  [
    'nothing',
    '0x',
    {
      node33: `${VM} transaction reverted`,
      hardhat: 'Transaction reverted without a reason string',
      ethereum: 'execution reverted',
    },
  ],
]

const inEachDialect = REVERTS.flatMap(([name, data, messages]) =>
  DIALECTS.map((dialect) => {
    const cause = dialect === 'node33' ? { cause: { code: 3, message: messages.ethereum, data } } : {}
    return { name, data, dialect, message: messages[dialect], cause }
  }),
)
const CODE = { node33: -32015, hardhat: 3, ethereum: 3 }

describe('a revert', () => {
  test.each(inEachDialect)('with $name, called, in $dialect', async ({ data, dialect, message, cause }) => {
    const { node, to } = await nodeWith(reverting(data))
    const expected = JSON.stringify({ code: CODE[dialect], message, data, ...cause })
    expect(await errorOf(node, 'eth_call', [{ to }], dialect)).toBe(expected)
    expect(await errorOf(node, 'eth_estimateGas', [{ to, from: COW }], dialect)).toBe(expected)
  })

  const sending = inEachDialect.filter(({ dialect }) => dialect !== 'ethereum')
  test.each(sending)('with $name, sent, in $dialect', async ({ data, dialect, message, cause }) => {
    const { node, to } = await nodeWith(reverting(data))
    const error = await errorOf(node, 'eth_sendTransaction', [{ from: COW, to }], dialect)
    const txHash = await lastHash(node)
    expect(error).toBe(JSON.stringify({ code: CODE[dialect], message, data, txHash, ...cause }))
  })
})

/** The texts of Hardhat 2.29 and 3.18, and of Anvil 1.7. */
const PANICS: readonly (readonly [code: number, hardhat: string, ethereum: string])[] = [
  [0x00, 'unknown panic code 0x0', 'generic/unspecified error (0x00)'],
  [0x01, 'panic code 0x1 (Assertion error)', 'assertion failed (0x01)'],
  [0x12, 'panic code 0x12 (Division or modulo division by zero)', 'division or modulo by zero (0x12)'],
  [
    0x21,
    'panic code 0x21 (Tried to convert a value into an enum, but the value was too big or negative)',
    'failed to convert value into enum type (0x21)',
  ],
  [
    0x22,
    'panic code 0x22 (Incorrectly encoded storage byte array)',
    'storage byte array incorrectly encoded (0x22)',
  ],
  [0x31, 'panic code 0x31 (.pop() was called on an empty array)', 'called `.pop()` on an empty array (0x31)'],
  [
    0x32,
    'panic code 0x32 (Array accessed at an out-of-bounds or negative index)',
    'array out-of-bounds access (0x32)',
  ],
  [
    0x41,
    'panic code 0x41 (Too much memory was allocated, or an array was created that is too large)',
    'memory allocation error (0x41)',
  ],
  [
    0x51,
    'panic code 0x51 (Called a zero-initialized variable of internal function type)',
    'called an invalid internal function (0x51)',
  ],
]

test.each(PANICS)('panic %i has the texts of Hardhat and Anvil', (code, hardhat, ethereum) => {
  const error = new NodeError('reverted', 'execution reverted', { data: panicData(code) })
  expect(toWireError(error, 'hardhat').message).toBe(`${VM} reverted with ${hardhat}`)
  expect(toWireError(error, 'ethereum').message).toBe(`execution reverted: panic: ${ethereum}`)
})

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
  const rows = exceptions.flatMap((row) => DIALECTS.map((dialect) => ({ ...row, dialect })))
  const wire = (dialect: Dialect, text: string) => {
    if (dialect === 'ethereum') return { code: -32000, message: text, data: '0x' }
    // As Hardhat 2 says it, also about unknown contracts.
    const isOutOfGas = dialect === 'hardhat' && text === 'out of gas'
    const message = isOutOfGas ? 'Transaction ran out of gas' : `${VM} ${text}`
    return { code: CODE[dialect], message, data: '0x' }
  }

  test.each(rows)('$name, called, in $dialect', async ({ runtime, text, dialect }) => {
    const { node, to } = await nodeWith(runtime)
    const error = await errorOf(node, 'eth_call', [{ to, gas: '0xc350' }], dialect)
    expect(error).toBe(JSON.stringify(wire(dialect, text)))
  })

  test.each(rows)('$name, estimated, in $dialect', async ({ runtime, text, dialect }) => {
    const { node, to } = await nodeWith(runtime)
    const error = await errorOf(node, 'eth_estimateGas', [{ to, from: COW, gas: '0xc350' }], dialect)
    const message = text === 'out of gas' ? `gas required exceeds allowance (50000): ${text}` : text
    const failed = { code: -32000, message, data: '0x' }
    expect(error).toBe(JSON.stringify(dialect === 'hardhat' ? wire(dialect, text) : failed))
  })

  test.each(rows.filter(({ dialect }) => dialect !== 'ethereum'))(
    '$name, sent, in $dialect',
    async ({ runtime, text, dialect }) => {
      const { node, to } = await nodeWith(runtime)
      const error = await errorOf(node, 'eth_sendTransaction', [{ from: COW, to, gas: '0xc350' }], dialect)
      const txHash = await lastHash(node)
      expect(error).toBe(JSON.stringify({ ...wire(dialect, text), txHash }))
    },
  )
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
