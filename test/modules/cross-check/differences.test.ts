/** Differences that were planted into the node: what the request gets, and whether the report alone repeats them. */

import { KINDS } from '../../support/networks.ts'
import { describe, expect, test } from '@jest/globals'
import { toWord } from '../../../lib/base/hex.ts'
import { finish } from '../../../lib/base/routine.ts'
import { ChainEntry } from '../../../lib/chain/chain-entry.ts'
import { resolveOptions } from '../../../lib/modules/resolve-options.ts'
import { NodeError } from '../../../lib/base/errors.ts'
import { CrossCheckResults, openCrossCheck } from '../../../lib/modules/cross-check/index.ts'
import { crossCheckReport } from '../../../lib/modules/cross-check/results.ts'
import type { CrossCheckReport, ExecutionDifference } from '../../../lib/modules/cross-check/results.ts'
import { wireServices } from '../../../lib/node/services.ts'
import { createForkOpener, createSharedServices } from '../../../lib/node/shared-services.ts'
import type { SharedServices } from '../../../lib/node/shared-services.ts'
import { MODULES } from '../../../lib/modules/list.ts'
import type { Node } from '../../../lib/node/node.ts'
import { State } from '../../../lib/state/state.ts'
import { ManualHost, call, dispatcherOf, freshNode } from '../../support/node.ts'
import { repeatWithEngine, repeatWithLibrary } from './repeat-report.ts'

const CODE = `0x${'c0'.repeat(20)}`

/** The shared services of a node with cross-checks. */
function sharedOf(network: string): Promise<SharedServices> {
  const options = resolveOptions({ values: { network, crossCheck: true } })
  const host = new ManualHost()
  const forkOpener = createForkOpener(options, host, () => undefined, KINDS)
  return createSharedServices(options, { host, forkOpener, modules: MODULES, isWorker: false })
}

/** A chain whose transactions cost one gas too much. */
async function faultyChain(network: string) {
  const shared = await sharedOf(network)
  const engine = shared.engine.with({ base: shared.engine.rules.transaction.base + 1 })
  // Methods that send use the services of the chain only.
  return { node: wireServices({ ...shared, engine }) as Node, engine }
}

/** The response of a node, as a client gets it. */
async function respond(node: Node, method: string, params: readonly unknown[]) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return JSON.parse((await dispatcherOf(node).answer(body, 'ethereum'))!)
}

describe('a node that charges a gas too much', () => {
  test('fails the request with a report that repeats both executions, and adds no block', async () => {
    const { node, engine } = await faultyChain('ethereum')
    const [from] = node.funded.map(({ address }) => address)
    // Stores SLOAD of slot 1 and the hash of the last block.
    await call(node, 'hardhat_setCode', [CODE, '0x6001545f5560014303406002555f5f5fa000'])
    await call(node, 'hardhat_setStorageAt', [CODE, '0x1', toWord(7n)])
    const request = { from, to: CODE, gas: '0x30d40', value: '0x5' }
    const { error } = await respond(node, 'eth_sendTransaction', [request])
    const report = error.crossCheck as CrossCheckReport
    expect(crossCheckReport.parse(report)).toEqual(report)
    const [sent] = report.transactions
    expect(error).toMatchObject({ code: -32000 })
    expect(error.message).toContain(
      `cross-check: block 1 was not added, because @ethereumjs/vm disagrees: gasUsed of ${sent!.hash} is`,
    )
    const repeated = await repeatWithLibrary(report)
    expect(repeatWithEngine(report, engine, (raw) => node.codec.decode(raw))).toEqual([repeated[0]! + 1n])
    const gas = report.differences.find(({ kind }) => kind === 'gasUsed')
    expect(gas).toMatchObject({ node: String(repeated[0]! + 1n), secondOpinion: String(repeated[0]) })
    expect(node.chain.height).toBe(0n)
    expect(node.mempool.size).toBe(0)
    expect(await call(node, 'eth_getTransactionCount', [from, 'latest'])).toBe('0x0')
    expect(await call(node, 'dev_crossChecks')).toEqual({
      blocks: 1,
      transactions: 1,
      failures: 1,
      reports: [report],
    })
  })

  test('fails evm_mine, and drops the transactions of the block', async () => {
    const { node } = await faultyChain('ethereum')
    const [from, to] = node.funded.map(({ address }) => address)
    await call(node, 'evm_setAutomine', [false])
    for (const value of ['0x1', '0x2']) await call(node, 'eth_sendTransaction', [{ from, to, value }])
    const { error } = await respond(node, 'evm_mine', [])
    expect(error.crossCheck.transactions).toHaveLength(1)
    expect(node.mempool.size).toBe(0)
    // An empty block has nothing to disagree about.
    expect(await respond(node, 'evm_mine', [])).toHaveProperty('result')
    expect(node.chain.height).toBe(1n)
  })
})

/** The differences that a check finds in the head of a node after it was falsified. */
async function foundIn(node: Node, falsify: (entry: ChainEntry) => ChainEntry) {
  const { engine } = await sharedOf(node.network.kind.name === 'ethereum' ? 'ethereum' : 'network-33')
  const check = await openCrossCheck(node.network, engine, new CrossCheckResults())
  await expect(finish(check(node.chain.head))).resolves.toBeUndefined()
  try {
    await finish(check(falsify(node.chain.head)))
  } catch (error) {
    if (error instanceof NodeError && error.kind === 'crossCheckFailed')
      return (error.details.report as CrossCheckReport).differences
    throw error
  }
  return []
}

const kindsOf = (differences: readonly ExecutionDifference[]) => differences.map(({ kind }) => kind)

describe.each(['ethereum', 'network-33'])('a block of %s that was changed', (network) => {
  const mined = async () => {
    const node = await freshNode({ network })
    await call(node, 'hardhat_setCode', [CODE, '0x602a60005560006000a000'])
    const [from] = node.funded.map(({ address }) => address)
    await call(node, 'eth_sendTransaction', [{ from, to: CODE, gas: '0x30d40', value: '0x5' }])
    return node
  }

  test('in a slot, a balance, a nonce and a code', async () => {
    const node = await mined()
    const address = node.chain.head.block.receipts[0]!.transaction.to!
    const found = await foundIn(node, (entry) => {
      const state = new State(entry.state)
      state.putStorage(address, toWord(0n), Uint8Array.of(0x2b))
      state.putAccount(address, { nonce: 1n, balance: 6n })
      state.putCode(address, Uint8Array.of(0))
      return entry.withState(state.commitRoot())
    })
    expect(found).toEqual(
      expect.arrayContaining([
        { kind: 'nonce', address, node: '1', secondOpinion: '0' },
        { kind: 'balance', address, node: '6', secondOpinion: '5' },
        { kind: 'code', address, node: '0x00', secondOpinion: '0x602a60005560006000a000' },
        { kind: 'storage', address, slot: toWord(0n), node: toWord(0x2bn), secondOpinion: toWord(42n) },
      ]),
    )
  })

  test('in what the receipt says', async () => {
    const node = await mined()
    const found = await foundIn(node, (entry) => {
      const { block, state, parent } = entry
      const [receipt, ...others] = block.receipts
      const outcome = { ...receipt!.outcome, logs: [], gasUsed: 1n, returnData: Uint8Array.of(1) }
      return new ChainEntry({
        block: { ...block, receipts: [{ ...receipt!, outcome }, ...others] },
        state,
        parent,
      })
    })
    expect(kindsOf(found)).toEqual(['gasUsed', 'logs', 'returnData'])
  })
})

test('on Ethereum networks, a wrong member of the header is found', async () => {
  const node = await freshNode({ network: 'ethereum' })
  await call(node, 'evm_mine')
  const found = await foundIn(node, (entry) => {
    const { block, state, parent } = entry
    return new ChainEntry({
      block: { ...block, header: { ...block.header, gasUsed: 1n } },
      state,
      parent,
    })
  })
  expect(kindsOf(found)).toEqual(['block'])
})

test('a network with an EIP that @ethereumjs/vm does not know is refused at the start', async () => {
  const { network, engine } = await sharedOf('ethereum')
  const unknown = { ...network, eips: [999_999] }
  await expect(openCrossCheck(unknown, engine, new CrossCheckResults())).rejects.toMatchObject({
    kind: 'invalidOption',
    message: expect.stringMatching(/^crossCheck: @ethereumjs\/vm cannot run this network: /),
  })
})
