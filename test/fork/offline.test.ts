/** A suite on a fork, and the same suite again with a warm cache and without the remote: every answer is equal, byte for byte. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { OptionsInput } from '../../lib/modules/options.ts'
import { withFaultProxy } from '../support/fault-proxy.ts'
import type { ProxyScript } from '../support/fault-proxy.ts'
import { withRemoteChain } from '../support/forked-node.ts'
import type { RemoteChain } from '../support/forked-node.ts'
import { asReferenceNode } from '../modules/network-33/support/network-33-remote.ts'
import { Recorder, recordStory } from '../support/recorded-story.ts'
import { withServer } from '../support/server.ts'

const REMOTE_TIME = 1_700_000_000
const FORK_TIME = 1_700_100_000

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dev-node-offline-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** What the suite asks about. */
interface Story extends Pick<RemoteChain, 'tracer' | 'accounts' | 'height'> {
  /** Whether the remote has eth_getProof. */
  readonly hasProofs: boolean
}

/** Records a suite on a new fork. */
async function runSuite(options: OptionsInput, story: Story): Promise<Recorder['heard']> {
  const heard: Record<string, readonly string[]> = {}
  await withServer({ frozenTime: FORK_TIME, forkCache: folder, ...options }, async ({ url }) => {
    const recorder = new Recorder(url)
    await askAboutRemote(recorder, story)
    await recordStory(recorder)
    Object.assign(heard, recorder.heard)
  })
  return heard as Recorder['heard']
}

/** Reads all that a fork can tell of the remote: blocks, receipts, logs, states, proofs, fees, and traces that run here. */
async function askAboutRemote(
  recorder: Recorder,
  { tracer, accounts, height, hasProofs }: Story,
): Promise<void> {
  const [from, to] = accounts
  for (let number = 0; number <= height; number++) {
    const at = `0x${number.toString(16)}`
    const { hash, transactions } = await recorder.post('eth_getBlockByNumber', [at, false])
    await recorder.post('eth_getBlockByHash', [hash, true])
    await recorder.post('eth_getBlockReceipts', [at])
    await recorder.post('eth_getLogs', [{ blockHash: hash }])
    await recorder.post('eth_getBalance', [from, at])
    await recorder.post('eth_getCode', [tracer, at])
    await recorder.post('eth_getStorageAt', [tracer, '0x0', at])
    if (hasProofs) await recorder.post('eth_getProof', [tracer, ['0x0', '0x7'], at])
    await recorder.post('eth_call', [{ from, to: tracer, data: '0x', gas: '0x30d40' }, at])
    await recorder.post('trace_block', [at])
    for (const transaction of transactions as string[]) {
      await recorder.post('eth_getTransactionByHash', [transaction])
      await recorder.post('eth_getTransactionReceipt', [transaction])
      await recorder.post('debug_traceTransaction', [transaction, { tracer: 'prestateTracer' }])
      await recorder.post('debug_traceTransaction', [transaction, { tracer: 'callTracer' }])
    }
  }
  await recorder.post('eth_getLogs', [{ fromBlock: 'earliest', toBlock: 'latest', address: tracer }])
  await recorder.post('eth_feeHistory', ['0xa', 'latest', [10, 90]])
  await recorder.post('eth_estimateGas', [{ from, to: tracer, data: '0x' }])
  await recorder.post('eth_createAccessList', [{ from, to, value: '0x1' }])
  await askForUnknown(recorder, accounts)
}

/** Asks for what the remote does not have either, as a client does that waits for a receipt. */
async function askForUnknown(recorder: Recorder, [from, to]: readonly string[]): Promise<void> {
  const unknown = `0x${'ab'.repeat(32)}`
  await recorder.post('eth_getTransactionReceipt', [unknown])
  await recorder.post('eth_getTransactionByHash', [unknown])
  await recorder.post('eth_getBlockByHash', [unknown, false])
  await recorder.post('evm_setAutomine', [false])
  const hash = await recorder.post('eth_sendTransaction', [{ from, to, value: '0x1', gas: '0x5208' }])
  await recorder.post('eth_getTransactionReceipt', [hash])
  await recorder.post('eth_getTransactionByHash', [hash])
  await recorder.post('evm_mine')
  await recorder.post('eth_getTransactionReceipt', [hash])
  await recorder.post('evm_setAutomine', [true])
}

test.each([
  ['Ethereum', 'ethereum', []],
  ['the reference node of network 33', 'network-33', asReferenceNode()],
] as const satisfies readonly (readonly [string, string, ProxyScript])[])(
  'a suite on a fork of %s repeats without the remote',
  async (_name, network, script) => {
    const hasProofs = network === 'ethereum'
    const first: { answers?: Recorder['heard']; fork?: OptionsInput; story?: Story } = {}
    await withRemoteChain({ network, frozenTime: REMOTE_TIME }, (remote) =>
      withFaultProxy(
        script,
        async ({ httpUrl }) => {
          first.fork = { forkUrl: httpUrl, forkBlockNumber: BigInt(remote.height) }
          first.story = { ...remote, hasProofs }
          first.answers = await runSuite(first.fork, first.story)
        },
        { targetPort: remote.port },
      ),
    )
    const { answers, fork, story } = first
    const repeated = await runSuite(fork!, story!)
    expect(answers!['http']!.length).toBeGreaterThan(300)
    expect(repeated).toEqual(answers)
    // The chain would answer another run otherwise: nothing is missing in the cache.
    expect(await runSuite({ ...fork!, forkCacheOnly: true }, story!)).toEqual(answers)
  },
)
