/** Rows of blocks, snapshots, logs and traces. */

import { performance } from 'node:perf_hooks'
import type { Repetition, Session } from '../session.ts'
import { check, quantity, word } from '../words.ts'
import { arithmeticCall } from './calls.ts'
import type { Row } from './row.ts'

/** Snapshots, each with five transactions and a revert after it. */
export async function snapshotCycles(session: Session, repetition: Repetition) {
  const [, to] = await session.accounts()
  const height = async () => Number(await session.call('eth_blockNumber'))
  const before = await height()
  return session.measure(repetition, async (cycle) => {
    const id = await session.call('evm_snapshot')
    for (let index = 1; index <= 5; index++) {
      // Another value each time: Anvil may lose a transaction that it has seen before the revert.
      await session.transact({ to, value: quantity(cycle * 5 + index), gas: quantity(21_000) })
    }
    check('the height before the revert', await height(), before + 5)
    check('the answer of evm_revert', await session.call('evm_revert', id), true)
    check('the height after the revert', await height(), before)
  })
}

const LOGS = 10_000
const LOGS_PER_TRANSACTION = 100

async function tenThousandLogs(session: Session) {
  const address = await session.contract('Loops')
  await session.keep('logs', async () => {
    const data = `0xf82c50f1${word(LOGS_PER_TRANSACTION)}`
    for (let sent = 0; sent < LOGS; sent += LOGS_PER_TRANSACTION) {
      await session.transact({ to: address, data, gas: quantity(1_000_000) })
    }
  })
  return session.measure({ warmUp: 5, operations: 15 }, async () => {
    const logs = (await session.call('eth_getLogs', { fromBlock: 'earliest', address })) as unknown[]
    check('the number of logs', logs.length, LOGS)
  })
}

/** Empty blocks. */
export async function minedBlocks(session: Session) {
  const height = async () => Number(await session.call('eth_blockNumber'))
  const before = await height()
  let mined = 0
  const measured = await session.measure({ warmUp: 200, operations: 300 }, async () => {
    await session.call('evm_mine')
    mined++
  })
  check('the height', await height(), before + mined)
  return measured
}

/** Turns of the arithmetic loop, of 24 instructions each. */
const TRACED_TURNS = 4_170

const STEPS = 100_000

/** The trace of a transaction, with the default options of clients. */
export async function trace(session: Session) {
  const to = await session.contract('Loops')
  const data = arithmeticCall(TRACED_TURNS)
  const { transactionHash } = await session.transact({ to, data, gas: quantity(2_000_000) })
  return session.measure({ operations: 1 }, async () => {
    const { structLogs } = (await session.call('debug_traceTransaction', transactionHash)) as {
      structLogs: unknown[]
    }
    if (structLogs.length < STEPS)
      throw new Error(`the trace has ${structLogs.length} steps instead of ${STEPS}`)
  })
}

const TRANSFERS = 20_000

/** Longest time of the transfers: a node that takes longer has done fewer. */
const TRANSFERS_LIMIT_MS = 45_000

async function memoryAdded(session: Session) {
  const [, to] = await session.accounts()
  const before = session.running.use().memory
  const startedAt = performance.now()
  let sent = 0
  while (sent < TRANSFERS * session.extent.scale && performance.now() - startedAt < TRANSFERS_LIMIT_MS) {
    await session.transact({ to, value: '0x1', gas: quantity(21_000) })
    sent++
  }
  check('the height', Number(await session.call('eth_blockNumber')), sent)
  const added = (session.running.use().memory - before) / 2 ** 20
  if (sent === TRANSFERS) return { megabytes: added }
  const note = `measured after ${sent} transfers, and scaled`
  return { megabytes: (added * TRANSFERS) / sent, note }
}

/** Snapshots, logs, empty blocks, a trace, and the memory of many blocks. */
export const BLOCK_ROWS: readonly Row[] = [
  {
    name: 'snapshot, five transactions, revert',
    measure: (session) => snapshotCycles(session, { warmUp: 60, operations: 60 }),
  },
  { name: '10,000 logs', measure: tenThousandLogs },
  { name: 'evm_mine, one by one', measure: minedBlocks },
  { name: 'trace of 100,000 steps', process: 'step traces', measure: trace },
  { name: 'memory added by 20,000 transfers', process: 'fresh', isMemory: true, measure: memoryAdded },
]

/** The start of the process. */
export const START_ROWS: readonly Row[] = [
  { name: 'start to the first answer', measure: async ({ running }) => running.start },
]
