/** Answers of a remote that are wrong: each is an error that names the member, and never another fault. */

import { describe, expect, test } from '@jest/globals'
import { NodeError } from '../../../lib/base/errors.ts'
import { loadNetwork } from '../../../lib/config/network.ts'
import { parseBlock } from '../../../lib/fork/parse/block.ts'
import { parseHeader } from '../../../lib/fork/parse/header.ts'
import { parseLogs } from '../../../lib/fork/parse/logs.ts'
import { parseReceipts } from '../../../lib/fork/parse/receipts.ts'
import { parseTransaction } from '../../../lib/fork/parse/transaction.ts'
import { call, freshNode } from '../../support/node.ts'
import { askAbout, renderedAnswers } from '../../support/remote-block.ts'
import type { RemoteAnswers } from '../../support/remote-block.ts'

/** The answers of a node about a block with a log and an authorization. */
async function answersOf(network: string): Promise<RemoteAnswers> {
  const node = await freshNode({ network })
  const logging = `0x${'10'.repeat(20)}`
  await call(node, 'hardhat_setCode', [logging, '0x60aa60006000a1'])
  const [from] = node.funded.map(({ address }) => address)
  const word = `0x${'01'.padStart(64, '0')}`
  const authorization = { chainId: '0x1', address: logging, nonce: '0x0', yParity: '0x0', r: word, s: word }
  const own =
    network === 'ethereum'
      ? {
          authorizationList: [authorization],
          accessList: [{ address: logging, storageKeys: [word] }],
        }
      : {}
  if (network === 'ethereum') {
    const withdrawal = { index: '0x1', validatorIndex: '0x2a', address: logging, amount: '0x7' }
    await call(node, 'dev_addWithdrawal', [withdrawal])
  }
  await call(node, 'eth_sendTransaction', [{ from, to: logging, gas: '0x30000', ...own }])
  return askAbout((method, params) => call(node, method, params), 'latest')
}

const networks = ['ethereum', 'network-33']

/** The error about an answer. Throws if reading the answer succeeds. */
function errorOf(read: () => unknown): string {
  try {
    read()
  } catch (error) {
    if (error instanceof NodeError && error.kind === 'remoteFailed') return error.message
    throw error
  }
  throw new Error('there is no error')
}

describe('an error names what was wrong', () => {
  const ethereum = loadNetwork('ethereum')

  test('in a block', async () => {
    const { full } = await answersOf('ethereum')
    const error = (members: object) => errorOf(() => parseBlock({ ...full, ...members }, ethereum))
    expect(error({ gasLimit: null })).toBe(
      `the remote's block 1: expected "gasLimit" to be a quantity of up to 64 bits, got null`,
    )
    expect(error({ stateRoot: '0x12' })).toBe(
      `the remote's block 1: expected "stateRoot" to be a 32-byte hash, got "0x12"`,
    )
    expect(error({ number: undefined })).toBe(
      `the remote's block: expected "number" to be a quantity of up to 64 bits, got nothing`,
    )
    expect(error({ logsBloom: `0x${'0'.repeat(500)}` })).toMatch(
      /"logsBloom" to be 256 bytes, got "0x0{77}\.\.\.$/,
    )
    expect(error({ transactions: null })).toBe(
      `the remote's block 1: expected "transactions" to be a list, got null`,
    )
    expect(error({ withdrawals: [{}] })).toBe(
      `the remote's block 1: expected "withdrawals[0].index" to be a quantity of up to 64 bits, got nothing`,
    )
    expect(error({ transactions: [full.transactions[0].hash] })).toBe(
      `the remote's block 1: expected "transactions[0]" to be an object, got "${full.transactions[0].hash}"`,
    )
    const [transaction] = full.transactions
    const authorizationList = [{ ...transaction.authorizationList[0], r: 7 }]
    expect(error({ transactions: [{ ...transaction, authorizationList }] })).toBe(
      `the remote's block 1: expected "transactions[0].authorizationList[0].r" to be a quantity, got 7`,
    )
  })

  test('in other answers', async () => {
    const { full, receipts, logs } = await answersOf('ethereum')
    const { transactions } = parseBlock(full, ethereum)
    const [{ hash }] = full.transactions
    expect(errorOf(() => parseHeader(null, ethereum))).toBe(
      "the remote's block: expected an object, got null",
    )
    expect(errorOf(() => parseTransaction({ ...full.transactions[0], from: 'me' }))).toBe(
      `the remote's transaction ${hash}: expected "from" to be an address, got "me"`,
    )
    expect(errorOf(() => parseReceipts([], transactions))).toBe(
      `the remote has no receipt of transaction ${hash}`,
    )
    expect(errorOf(() => parseReceipts([{ ...receipts[0], status: '0x2' }], transactions))).toBe(
      `the remote's receipt of transaction ${hash}: expected "status" to be 0x0 or 0x1, got "0x2"`,
    )
    expect(errorOf(() => parseLogs({}))).toBe("the remote's logs: expected a list, got {}")
    expect(errorOf(() => parseLogs([logs[0], { ...logs[0], topics: ['0x'] }]))).toBe(
      `the remote's log 1: expected "topics[0]" to be a 32-byte hash, got "0x"`,
    )
  })

  test('a block of network 33 whose remote is another network', async () => {
    const { full } = await answersOf('ethereum')
    expect(errorOf(() => parseHeader(full, loadNetwork('network-33')))).toBe(
      `the remote's block 1: expected "auxMergedMiningHeader" to be hex data, got nothing`,
    )
  })
})

/** The same JSON with another value at one place, for every place. */
function* changed(json: unknown, value: unknown): Generator {
  yield value
  if (typeof json !== 'object' || json === null) return
  for (const [name, member] of Object.entries(json)) {
    for (const other of changed(member, value)) {
      yield Array.isArray(json) ? json.with(Number(name), other) : { ...json, [name]: other }
    }
  }
}

describe.each(networks)('a wrong value at any place of the answers of %s', (name) => {
  const values = [
    null,
    undefined,
    {},
    [],
    [null],
    '',
    '0x',
    '0xzz',
    `0x${'f'.repeat(65)}`,
    'text',
    -1,
    1.5,
    true,
  ]

  test.each(values)('such as %j is read or refused', async (value) => {
    const network = loadNetwork(name)
    const answers = await answersOf(name)
    let refused = 0
    for (const part of ['full', 'receipts', 'logs'] as const) {
      for (const json of changed(answers[part], value)) {
        try {
          renderedAnswers({ ...answers, [part]: json }, network)
        } catch (error) {
          expect(error).toMatchObject({ name: 'NodeError', kind: 'remoteFailed' })
          refused++
        }
      }
    }
    expect(refused).toBeGreaterThan(20)
  })
})
