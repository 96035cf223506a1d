/** Answers of a remote that are wrong: each is an error that names the member, and never another fault. */

import { describe, expect, test } from '@jest/globals'
import { NodeError } from '../../lib/base/errors.ts'
import { loadNetwork } from '../support/networks.ts'
import { parseBlock, parseUncle, parseLogs, parseReceipts } from '../../lib/fork/remote-block.ts'
import { call, freshNode } from '../support/node.ts'
import { askAbout, renderedAnswers, without } from './support/remote-block.ts'
import type { RemoteAnswers } from './support/remote-block.ts'

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
    const [transaction] = full.transactions
    const authorizationList = [{ ...transaction.authorizationList[0], r: [] }]
    const error = (members: object) => errorOf(() => parseBlock({ ...full, ...members }, ethereum, 'block 1'))
    expect([
      error({ gasUsed: null }),
      error({ stateRoot: '0x12' }),
      error({ number: undefined }),
      error({ logsBloom: `0x${'0'.repeat(500)}` }),
      error({ transactions: null }),
      error({ withdrawals: [{}] }),
      error({ transactions: [transaction.hash] }),
      error({ transactions: [without(['chainId'], transaction)] }),
      error({ transactions: [{ ...transaction, authorizationList }] }),
    ]).toMatchInlineSnapshot(`
     [
       "the remote's block 1: gasUsed: expected a quantity of up to 64 bits, got null",
       "the remote's block 1: stateRoot: expected a 32-byte hash, got "0x12"",
       "the remote's block 1: number: expected a quantity of up to 64 bits, got nothing",
       "the remote's block 1: logsBloom: expected 256 bytes, got "0x000000000000000000000000000000000000000000000000000000000000000...",
       "the remote's block 1: transactions: expected an array, got null",
       "the remote's block 1: withdrawals[0].index: expected a quantity of up to 64 bits, got nothing",
       "the remote's block 1: transactions[0]: expected an object, got "0x31a05385f69b5a762470394163b43ea20453641bea9dbb2ce9942d78773ef5d8"",
       "the remote's block 1: transactions[0].chainId: expected a value, got nothing",
       "the remote's block 1: transactions[0].authorizationList[0].r: expected a quantity (a hex string such as "0x1f"), got []",
     ]
    `)
  })

  test('in other answers', async () => {
    const { full, receipts, logs } = await answersOf('ethereum')
    const { transactions } = parseBlock(full, ethereum)
    expect([
      errorOf(() => parseUncle(null, ethereum)),
      errorOf(() => parseReceipts([], transactions)),
      errorOf(() => parseReceipts([{ ...receipts[0], status: '0x2' }], transactions)),
      errorOf(() => parseReceipts([without(['status'], receipts[0])], transactions)),
      errorOf(() => parseLogs({})),
      errorOf(() => parseLogs([logs[0], { ...logs[0], topics: ['0x'] }])),
    ]).toMatchInlineSnapshot(`
     [
       "the remote's uncle: expected an object, got null",
       "the remote has no receipt of transaction 0x31a05385f69b5a762470394163b43ea20453641bea9dbb2ce9942d78773ef5d8",
       "the remote's receipt of transaction 0x31a05385f69b5a762470394163b43ea20453641bea9dbb2ce9942d78773ef5d8: status: expected 0x0 or 0x1, got "0x2"",
       "the remote's receipt of transaction 0x31a05385f69b5a762470394163b43ea20453641bea9dbb2ce9942d78773ef5d8 has no status",
       "the remote's logs: expected an array, got {}",
       "the remote's logs: [1].topics[0]: expected a 32-byte hash, got "0x"",
     ]
    `)
  })

  test('a block of network 33 whose remote is another network', async () => {
    const { full } = await answersOf('ethereum')
    expect(errorOf(() => parseUncle(full, loadNetwork('network-33')))).toBe(
      "the remote's block 1 has no auxMergedMiningHeader: it is no block of network 33",
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
