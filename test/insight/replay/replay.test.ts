/** Properties of traces over random blocks: a replay equals the original execution. */

import { runAtOnce } from '../../../lib/base/routine.ts'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { asAddress, asHash, fromHex, stripZeros, toHex } from '../../../lib/base/hex.ts'
import type { Receipt } from '../../../lib/chain/block.ts'
import type { ChainEntry } from '../../../lib/chain/chain-entry.ts'
import { blockContextOf } from '../../../lib/chain/ancestors.ts'
import type { OptionsInput } from '../../../lib/modules/options.ts'
import { Engine } from '../../../lib/evm/engine.ts'
import type { Node } from '../../../lib/node/node.ts'
import { StateRoot } from '../../../lib/state/state-root.ts'
import { State } from '../../../lib/state/state.ts'
import { loadContracts } from '../../support/contracts.ts'
import { call, freshNode } from '../../support/node.ts'
import { Playground, anyTransaction, runs } from '../../support/transaction-steps.ts'

const NETWORKS: readonly (readonly [name: string, options: OptionsInput])[] = [
  ['network-33', { network: 'network-33' }],
  ['ethereum london', { network: 'ethereum', hardfork: 'london' }],
  ['ethereum prague', { network: 'ethereum', hardfork: 'prague' }],
]

const contracts = await loadContracts()
const program = fc.array(anyTransaction(), { minLength: 8, maxLength: 25, size: 'max' })

/** Runs random programs and checks every block with them. */
async function everyBlock(
  options: OptionsInput,
  check: (node: Node, entry: ChainEntry) => Promise<void>,
): Promise<void> {
  const play = fc.asyncProperty(program, async (steps) => {
    const node = await freshNode(options)
    const playground = await Playground.on(node, contracts)
    for await (const block of playground.blocks(steps))
      await check(node, node.chain.get({ hash: block.hash }))
    await node.close()
  })
  await fc.assert(play, runs(3))
}

const tracesOf = (node: Node, { block }: ChainEntry, options: object): Promise<readonly any[]> =>
  call(node, 'debug_traceBlockByHash', [block.hash, options])

/** Instructions after which the gas is not the gas before less their cost. */
const CALLS = /^(CALL|CALLCODE|DELEGATECALL|STATICCALL|CREATE|CREATE2)$/

/** The faults in gas and depth from entry to entry. */
function complaints(logs: readonly any[]): readonly string[] {
  return logs.slice(1).flatMap((log, position) => {
    const before = logs[position]
    const at = `${position}: ${before.op} to ${log.op}`
    if (log.depth - before.depth > 1) return [`${at}: depth ${before.depth} to ${log.depth}`]
    if (log.depth > before.depth && !CALLS.test(before.op)) return [`${at}: enters a frame`]
    if (log.depth !== before.depth || CALLS.test(before.op)) return []
    return log.gas === before.gas - before.gasCost
      ? []
      : [`${at}: ${before.gas} - ${before.gasCost} is not ${log.gas}`]
  })
}

describe.each(NETWORKS)('blocks of %s', (_name, options) => {
  test('are replayed to the same state', async () => {
    await everyBlock(options, async (node, entry) => {
      const { header, receipts } = entry.block
      const after = await node.replayer.stateAfter(entry, receipts.length)
      expect(after.hash).toBe(header.stateRoot)
    })
  })

  test('have struct logs whose gas matches the receipts and is continuous', async () => {
    await everyBlock(options, async (node, entry) => {
      const { receipts } = entry.block
      const traces = await tracesOf(node, entry, {})
      const told = receipts.map(({ transaction, outcome }) => ({
        txHash: transaction.hash,
        gas: Number(outcome.gasUsed),
        failed: outcome.status !== 'success',
        returnValue: outcome.status === 'failed' ? '0x' : toHex(outcome.returnData),
      }))
      expect(traces.map(({ txHash, result: { structLogs: _, ...rest } }) => ({ txHash, ...rest }))).toEqual(
        told,
      )
      expect(traces.flatMap(({ result }) => complaints(result.structLogs))).toEqual([])
      expect(traces.every(({ result }) => (result.structLogs[0]?.depth ?? 1) === 1)).toBe(true)
    })
  })

  test('have frames that use at most their gas, and the logs of the receipts', async () => {
    await everyBlock(options, async (node, entry) => {
      const traces = await tracesOf(node, entry, { tracer: 'callTracer', withLog: true })
      for (const [index, { result }] of traces.entries()) {
        const { outcome, transaction } = entry.block.receipts[index]!
        expect([BigInt(result.gas), BigInt(result.gasUsed)]).toEqual([transaction.gasLimit, outcome.gasUsed])
        expect(framesIn(result).filter((frame) => BigInt(frame.gasUsed) > BigInt(frame.gas))).toEqual([])
        const logs = framesIn(result).flatMap((frame) => frame.logs ?? [])
        const inOrder = logs.toSorted((left, right) => Number(left.index) - Number(right.index))
        expect(inOrder.map(({ address, topics, data }) => ({ address, topics, data }))).toEqual(
          outcome.logs.map((log) => ({ ...log, data: toHex(log.data) })),
        )
      }
    })
  })

  test('have prestates from which each transaction runs the same on an empty state', async () => {
    const node = await freshNode(options)
    // On merged-mining networks an empty account differs from an absent one, and a prestate shows both in the same way.
    if (node.network.kind.name === 'merged-mining') return
    const engine = new Engine(await node.consensus.rules(node.network, node.options))
    await everyBlock(options, async (own, entry) => {
      const traces = await tracesOf(own, entry, { tracer: 'prestateTracer' })
      for (const [index, { result }] of traces.entries()) {
        const receipt = entry.block.receipts[index]!
        const block = engine.open(blockContextOf(entry, node.network))
        const again = runAtOnce(engine.execute(stateOf(result), block, receipt.transaction))
        expect(told(again)).toEqual(told(receipt.outcome))
      }
    })
  })
})

const framesIn = (frame: any): readonly any[] => [frame, ...(frame.calls ?? []).flatMap(framesIn)]

const told = ({ status, gasUsed, returnData, logs }: Receipt['outcome']) => ({
  status,
  gasUsed,
  logs,
  returnData: toHex(returnData),
})

/** A state with only the accounts. */
function stateOf(accounts: Readonly<Record<string, any>>): State {
  const state = new State(StateRoot.empty)
  for (const [key, { balance = '0x0', nonce = 0, code = '0x', storage = {} }] of Object.entries(accounts)) {
    const address = asAddress(key)
    if (balance === '0x0' && nonce === 0 && code === '0x') continue
    state.putAccount(address, { balance: BigInt(balance), nonce: BigInt(nonce) })
    if (code !== '0x') state.putCode(address, fromHex(code))
    for (const [slot, value] of Object.entries<string>(storage)) {
      state.putStorage(address, asHash(slot), stripZeros(fromHex(value)))
    }
  }
  return new State(state.commitRoot())
}
