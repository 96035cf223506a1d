/** What the JSON-RPC errors of real nodes and providers mean. */

import { describe, expect, test } from '@jest/globals'
import { answeredError, isBatchTooLong, isRateLimit } from '../../lib/fork/remote-error.ts'

const HASH = `0x${'ab'.repeat(32)}`
const ADDRESS = `0x${'cd'.repeat(20)}`

const asked = (params: readonly unknown[], method = 'eth_getBalance') => ({
  url: 'http://node.test',
  method,
  params,
  attempts: 1,
})

const errorOf = (code: number, message: string, data?: unknown) =>
  answeredError(asked([ADDRESS, '0x10']), { code, message, data }, false)

describe('the state is missing', () => {
  test.each([
    ['geth', -32000, `missing trie node ${HASH.slice(2)} (path ) state ${HASH} is not available, not found`],
    ['geth, tracing', -32000, 'required historical state unavailable (reexec=128)'],
    ['geth, path scheme', -32000, `historical state ${HASH} is not available`],
    ['geth, without the block', -32000, 'header not found'],
    ['Erigon', -32000, 'old data not available due to pruning'],
    ['reth', -32603, 'State at block #11052984 is pruned'],
    ['Nethermind', -32002, `No state available for block ${HASH}`],
    [
      'OpenEthereum',
      -32000,
      'This request is not supported because your node is running with state pruning. Run with --pruning=archive.',
    ],
    ['a public provider', -32602, 'Archive requests require a personal token. Get one at the site'],
    ['another provider', -32000, 'pruned history unavailable: requested 1, earliest available 2'],
  ])('%s', (_case, code, message) => {
    const error = errorOf(code, message)
    expect(error.reason).toBe('stateMissing')
    expect(error.message).toBe(
      `the remote http://node.test keeps no state of block 16: use an archive node or fork a newer block; eth_getBalance: ${message} (code ${code})`,
    )
  })

  test('Nethermind, in the data of an internal error', () => {
    const data = 'Nethermind.Trie.MissingTrieNodeException: Node A is missing from the DB'
    expect(errorOf(-32603, 'Internal error', data).reason).toBe('stateMissing')
  })

  test.each<[string, readonly unknown[], string]>([
    ['a number', [ADDRESS, '0x0', '0x1f'], 'block 31'],
    ['a hash of EIP-1898', [ADDRESS, { blockHash: HASH }], `block ${HASH}`],
    ['not in a request about a transaction', [HASH, {}], 'that block'],
    ['no params', [], 'that block'],
  ])('the block is %s', (_case, params, where) => {
    const error = { code: -32000, message: 'missing trie node', data: undefined }
    expect(answeredError(asked(params), error, false).message).toContain(`keeps no state of ${where}: use`)
  })
})

describe('the method is missing', () => {
  test.each([
    ['geth', -32601, 'the method eth_foo does not exist/is not available'],
    ['Hardhat', -32004, 'Method eth_foo is not supported'],
    ['Anvil', -32601, 'Method not found'],
    ['Alchemy', -32600, 'Unsupported method: eth_foo. See available methods at the site'],
    ['a proxy', -32000, 'rpc method is not whitelisted'],
    ['a proxy with its own code', -32000, 'method eth_foo not found'],
  ])('%s', (_case, code, message) => {
    expect(errorOf(code, message).reason).toBe('methodNotFound')
  })
})

describe('anything else', () => {
  test.each([
    [3, 'execution reverted: header not found'],
    [-32000, 'VM Exception while processing transaction: revert method not found'],
    [-32602, 'invalid argument 0: hex string without 0x prefix'],
    [-32000, 'insufficient funds for gas * price + value'],
    [-32000, 'filter not found'],
  ])('%i %s', (code, message) => {
    expect(errorOf(code, message).reason).toBe('other')
  })

  test('a long message is shortened', () => {
    expect(errorOf(-32000, 'x'.repeat(10_000)).message.length).toBeLessThan(400)
  })
})

describe('a rate limit', () => {
  test.each([
    [true, -32005, 'limit exceeded'],
    [true, -32005, 'daily request count exceeded, request rate limited'],
    [true, 429, 'Your app has exceeded its compute units per second capacity.'],
    [true, -32007, '15/second request limit reached'],
    [true, -32000, 'Too Many Requests'],
    [true, -32000, 'You reached Public endpoint rate limit'],
    [false, -32005, 'query returned more than 10000 results'],
    [false, -32005, 'block range is too wide'],
    [false, -32005, 'Log response size exceeded'],
    [false, -32000, 'execution reverted'],
  ])('is %p for %i %s', (isExpected, code, message) => {
    expect(isRateLimit({ code, message, data: undefined })).toBe(isExpected)
  })
})

test.each([
  [true, -32003, 'response too large'],
  [true, -32002, 'request timed out'],
  [false, -32003, 'nonce too high'],
  [false, -32002, 'No state available for block 5'],
])('a batch is too long: %p for %i %s', (isExpected, code, message) => {
  expect(isBatchTooLong({ code, message, data: undefined })).toBe(isExpected)
})
