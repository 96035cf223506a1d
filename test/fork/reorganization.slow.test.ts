/** A remote that is reorganized below the block of a fork: no answer mixes two chains, and the cache has facts of one only. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { toHex } from '../../lib/base/hex.ts'
import { listForks } from '../../lib/fork/cached-forks.ts'
import type { CachedFork } from '../../lib/fork/cached-forks.ts'
import { factsPath, readFacts } from '../../lib/fork/fact-store.ts'
import { assembleCode, creationCode, words } from '../support/bytecode.ts'
import { withAnvil } from '../support/anvil.ts'
import { describeFoundry } from '../support/foundry.ts'
import { withFaultProxy } from '../support/fault-proxy.ts'
import type { ProxiedMessage, ProxyFault } from '../support/fault-proxy.ts'
import { snapshotOf } from './support/faulty-fork.ts'
import { askerOf, withFork } from '../support/fork-pair.ts'
import type { Ask } from '../support/peer-process.ts'
import { withServer } from '../support/server.ts'

/** The number of the newest block that both chains have, and of the block of the fork. */
const COMMON = 3
const FORKED = 8

const quantity = (number: number): string => `0x${number.toString(16)}`

/** Logs its call data, and writes its first word to slot 0. */
const LOGGER_CODE = creationCode(
  assembleCode(`
  CALLDATASIZE 0 0 CALLDATACOPY CALLDATASIZE 0 LOG0 0 CALLDATALOAD 0 SSTORE`),
)

/** Mines blocks whose content depends on `mark`, up to a height. */
async function grow(ask: Ask, logger: string, height: number, mark: bigint): Promise<void> {
  const [from] = await ask('eth_accounts')
  while (Number(await ask('eth_blockNumber')) < height)
    await mined(ask, {
      from,
      to: logger,
      value: quantity(Number(mark)),
      data: words([mark]),
      gas: '0x30d40',
    })
}

async function deploy(ask: Ask): Promise<string> {
  const [from] = await ask('eth_accounts')
  const receipt = await mined(ask, { from, data: toHex(LOGGER_CODE), gas: '0x30d40' })
  return receipt.contractAddress
}

/** Sends a transaction; its receipt. Anvil answers the hash before it mines. */
async function mined(ask: Ask, sent: object): Promise<any> {
  const hash = await ask('eth_sendTransaction', [sent])
  for (;;) {
    const receipt = await ask('eth_getTransactionReceipt', [hash])
    if (receipt !== null) return receipt
  }
}

type Question = readonly [method: string, ...params: readonly unknown[]]

/** Questions about blocks and states of the remote up to a block. */
async function questionsAbout(ask: Ask, logger: string): Promise<readonly Question[]> {
  const asked: Question[] = []
  for (let number = 1; number <= FORKED; number++) {
    const { hash, transactions } = await ask('eth_getBlockByNumber', [quantity(number), false])
    const at = quantity(number)
    asked.push(
      ['eth_getBlockByNumber', at, true],
      ['eth_getBlockByHash', hash, true],
      ['eth_getBlockReceipts', at],
      ['eth_getTransactionByHash', transactions[0]],
      ['eth_getTransactionReceipt', transactions[0]],
      ['eth_getLogs', { fromBlock: at, toBlock: quantity(FORKED) }],
      ['eth_getStorageAt', logger, '0x0', at],
      ['eth_getBalance', logger, at],
      ['eth_getProof', logger, ['0x0'], at],
      ['eth_call', { to: logger }, at],
      ['debug_traceTransaction', transactions[0], { tracer: 'prestateTracer' }],
    )
  }
  return asked
}

const answerOf = ([method, ...params]: Question, ask: Ask): Promise<unknown> =>
  ask(method, params).then(
    (result) => ({ result }),
    (error: unknown) => ({ error: error instanceof Error ? error.message : error }),
  )

/** The remotes: those that take a block by its hash, and those that refuse it. */
const REMOTES: readonly (readonly [string, (message: ProxiedMessage) => ProxyFault])[] = [
  ['takes block hashes', () => 'pass'],
  [
    'refuses block hashes',
    ({ requests }) =>
      requests.some(({ params }) => JSON.stringify(params).includes('blockHash"'))
        ? { error: { code: -32602, message: 'invalid argument 2: cannot unmarshal object' } }
        : 'pass',
  ],
]

/** Answers that a fork may give: those of its chain, and errors that name the block that the remote no longer has. */
function expectOneChain(
  questions: readonly Question[],
  answers: readonly any[],
  truth: readonly any[],
): void {
  for (const [index, question] of questions.entries()) {
    const { error } = answers[index]
    const expected = error === undefined ? truth[index] : { error: expect.stringMatching(LOST) }
    expect({ question, ...answers[index] }).toEqual({ question, ...expected })
  }
}

const LOST =
  /^the remote \S+ no longer has block \d+ 0x[0-9a-f]{64}: (its block \d+ is 0x|it has no block \d+$)/

async function answersTo(questions: readonly Question[], ask: Ask): Promise<readonly any[]> {
  const answers: unknown[] = []
  for (const question of questions) answers.push(await answerOf(question, ask))
  return answers
}

/** Hashes of the blocks above the common ones, and of their transactions. */
async function hashesOf(ask: Ask): Promise<readonly string[]> {
  const hashes: string[] = []
  for (let number = COMMON + 1; number <= Number(await ask('eth_blockNumber')); number++) {
    const { hash, transactions } = await ask('eth_getBlockByNumber', [quantity(number), false])
    hashes.push(hash, ...transactions)
  }
  return hashes
}

let folder: string
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'dev-node-fork-'))))
afterEach(() => rm(folder, { recursive: true }))

/** A remote with two chains, one of which it has now. */
interface TwoChains {
  readonly url: string
  readonly remote: Ask
  readonly logger: string
  readonly asked: readonly Question[]
  /** The answers about the first chain. */
  readonly truth: readonly any[]
  /** Goes to the second chain. */
  readonly leave: () => Promise<void>
  /** Goes back to the first chain. */
  readonly heal: () => Promise<void>
}

async function withTwoChains(
  script: (message: ProxiedMessage) => ProxyFault,
  run: (chains: TwoChains) => Promise<void>,
): Promise<void> {
  await withServer({ network: 'ethereum' }, async (server) => {
    const remote = askerOf(server)
    const logger = await deploy(remote)
    await grow(remote, logger, COMMON, 1n)
    const common = await remote('evm_snapshot')
    await grow(remote, logger, FORKED, 2n)
    const asked = await questionsAbout(remote, logger)
    const truth = await answersTo(asked, remote)
    const first = await remote('evm_snapshot')
    const leave = async (): Promise<void> => {
      await remote('evm_revert', [common, { keep: true }])
      await grow(remote, logger, FORKED + 2, 3n)
    }
    const heal = () => remote('evm_revert', [first, { keep: true }])
    await withFaultProxy(
      script,
      ({ httpUrl: url }) => run({ url, remote, logger, asked, truth, leave, heal }),
      { targetPort: server.port },
    )
  })
}

const OPTIONS = { network: 'ethereum', forkBlockNumber: FORKED, forkRetries: 0 } as const

describe.each(REMOTES)('a remote that %s and leaves the chain of the fork', (_case, script) => {
  test('is named by every answer that it cannot give any more, until it has the chain again', () =>
    withTwoChains(script, async ({ url, remote, logger, asked, truth, leave, heal }) => {
      await withFork(
        url,
        async ({ node, ask }) => {
          const head = await ask('eth_getBlockByNumber', ['latest', true])
          await leave()
          const answers = await answersTo(asked, ask)
          expectOneChain(asked, answers, truth)
          expect(answers.filter(({ error }) => error !== undefined).length).toBeGreaterThan(FORKED * 5)
          const [, orphan] = await hashesOf(remote)
          expect(await answerOf(['eth_getTransactionReceipt', orphan], ask)).toEqual({
            error: expect.stringMatching(LOST),
          })
          const [from] = await ask('eth_accounts')
          const sent: Question = [
            'eth_sendTransaction',
            { from, to: logger, data: words([9n]), gas: '0x30d40' },
          ]
          const earlier = await snapshotOf({ node, ask })
          expect(await answerOf(sent, ask)).toEqual({ error: expect.stringMatching(LOST) })
          expect(await snapshotOf({ node, ask })).toEqual(earlier)
          expect(await ask('eth_getBlockByNumber', ['latest', true])).toEqual(head)
          await heal()
          expect(await answerOf(sent, ask)).toEqual({ result: expect.stringMatching(/^0x/) })
          expect(await answersTo(asked, ask)).toEqual(truth)
        },
        { ...OPTIONS, forkCache: folder },
      )
    }))

  test('leaves no fact of another chain in the cache', () =>
    withTwoChains(script, async ({ url, remote, asked, truth, leave, heal }) => {
      const options = { ...OPTIONS, forkCache: folder }
      await withFork(
        url,
        async ({ ask }) => {
          await answersTo(asked.slice(0, asked.length / 2), ask)
          await leave()
          await answersTo(asked, ask)
        },
        options,
      )
      const others = await hashesOf(remote)
      const [fork] = (await listForks(folder)) as [CachedFork]
      const { facts, fault } = await readFacts(factsPath(fork.folder))
      expect(fault).toBeUndefined()
      const kept = [...facts].join('\n')
      expect(others.filter((hash) => kept.includes(hash))).toEqual([])
      const now = await answersTo(asked.filter(isByNumber), remote)
      await withFork(
        url,
        async ({ ask }) => expect(await answersTo(asked.filter(isByNumber), ask)).toEqual(now),
        options,
      )
      await heal()
      await withFork(url, async ({ ask }) => expect(await answersTo(asked, ask)).toEqual(truth), options)
    }))
})

describeFoundry('Anvil', () => {
  test.each(['evm_revert', 'anvil_reorg'])(
    'that leaves the chain of the fork by %s is named, and not mixed',
    (method) =>
      withAnvil(['--hardfork', 'prague'], async (remote, url) => {
        const logger = await deploy(remote)
        await grow(remote, logger, COMMON, 1n)
        const common = await remote('evm_snapshot')
        await grow(remote, logger, FORKED, 2n)
        const asked = (await questionsAbout(remote, logger)).filter(([name]) => OF_ANVIL.includes(name))
        await withFork(
          url,
          async ({ ask }) => {
            const truth = await answersTo(asked, ask)
            expect(truth.filter(({ error }) => error !== undefined)).toEqual([])
            await withFork(
              url,
              async (late) => {
                if (method === 'evm_revert') await remote(method, [common])
                else await remote(method, [FORKED - COMMON, []])
                await grow(remote, logger, FORKED + 2, 3n)
                const answers = await answersTo(asked, late.ask)
                expectOneChain(asked, answers, truth)
                expect(answers.filter(({ error }) => error !== undefined).length).toBeGreaterThan(FORKED * 2)
              },
              OPTIONS,
            )
          },
          OPTIONS,
        )
      }),
  )
})

/** Questions whose answers are the same from Anvil and from a fork of it. */
const OF_ANVIL = [
  'eth_getBlockByNumber',
  'eth_getTransactionByHash',
  'eth_getTransactionReceipt',
  'eth_getLogs',
  'eth_getStorageAt',
  'eth_getBalance',
  'eth_call',
]

/** Whether both chains have an answer. */
const isByNumber = ([, ...params]: Question): boolean => !/"0x[0-9a-f]{64}"/.test(JSON.stringify(params))
