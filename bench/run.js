/** Measures speed and memory of the built command as test suites use it. Run by `npm run bench`. */

import { performance } from 'node:perf_hooks'
import { start } from './command.js'
import { median } from './median.js'
import { compareWorkers } from './workers.js'

const SENDER = '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826'
const RECEIVER = '0x7986b3df570230288501eea3d890bd66948c9b79'
const TRANSFER = { from: SENDER, to: RECEIVER, value: '0x1', gas: '0x5208' }

async function repeat(times, task) {
  for (let index = 0; index < times; index++) await task(index)
}

/** Milliseconds from the start of the process to its first answer. */
async function startup() {
  const runs = []
  await repeat(7, async () => {
    const startedAt = performance.now()
    const node = await start()
    await node.call('eth_chainId')
    runs.push(performance.now() - startedAt)
    await node.stop()
  })
  return median(runs)
}

/** Processor milliseconds of the server and wall milliseconds of one operation, after a warm-up. */
async function perOperation(node, { warmUp, times }, task) {
  await repeat(warmUp, task)
  const before = await node.health()
  const startedAt = performance.now()
  await repeat(times, task)
  const wallMs = (performance.now() - startedAt) / times
  const after = await node.health()
  return { cpuMs: (after.cpuMs - before.cpuMs) / times, wallMs }
}

async function cycle(node) {
  const id = await node.call('evm_snapshot')
  await repeat(5, () => node.call('eth_sendTransaction', TRANSFER))
  await node.call('evm_revert', id)
}

/** Creation code of a contract that logs one word under two topics a hundred times in a call: LOG2 of memory in a loop. */
const LOGGER = [
  '61001480600c6000396000f3', // CODECOPY of what follows, RETURN
  '6064', // PUSH1 100
  '5b', // JUMPDEST
  '60073360206000a2', // PUSH1 7, CALLER, PUSH1 32, PUSH1 0, LOG2
  '60019003', // PUSH1 1, SWAP1, SUB
  '806002', // DUP1, PUSH1 2
  '57', // JUMPI
  '00', // STOP
].join('')

/** Processor milliseconds of the server for a repeated eth_getLogs with ten thousand logs. */
async function tenThousandLogs(node) {
  const hash = await node.call('eth_sendTransaction', { from: SENDER, data: `0x${LOGGER}`, gas: '0x100000' })
  const { contractAddress: to } = await node.call('eth_getTransactionReceipt', hash)
  await repeat(100, () => node.call('eth_sendTransaction', { from: SENDER, to, gas: '0x100000' }))
  const ask = async () => {
    const { length } = await node.call('eth_getLogs', { fromBlock: 'earliest', address: to })
    if (length !== 10_000) throw new Error(`${length} logs instead of 10000`)
  }
  return perOperation(node, { warmUp: 10, times: 30 }, ask)
}

const rows = []
const row = (what, figure, target) => rows.push({ what, figure, target })

row('start to first answer', `${(await startup()).toFixed(0)} ms`, '< 400 ms')

const node = await start()
const transfer = await perOperation(node, { warmUp: 3000, times: 3000 }, () =>
  node.call('eth_sendTransaction', TRANSFER),
)
row('transfer, mined and answered: server CPU', `${transfer.cpuMs.toFixed(3)} ms`, '< 1 ms')
row('transfer, mined and answered: wall', `${transfer.wallMs.toFixed(3)} ms`, '')
const cycles = await perOperation(node, { warmUp: 100, times: 300 }, () => cycle(node))
row('snapshot, five transactions, revert: server CPU', `${cycles.cpuMs.toFixed(2)} ms`, '< 4 ms')
row('snapshot, five transactions, revert: wall, client included', `${cycles.wallMs.toFixed(2)} ms`, '')
const call = await perOperation(node, { warmUp: 2000, times: 3000 }, () => node.call('eth_blockNumber'))
row('eth_blockNumber: server CPU', `${call.cpuMs.toFixed(3)} ms`, '')
const logs = await tenThousandLogs(node)
row('eth_getLogs of 10,000 logs: server CPU', `${logs.cpuMs.toFixed(1)} ms`, '< 40 ms')
await node.stop()

const long = await start()
await repeat(20_000, () => long.call('eth_sendTransaction', TRANSFER))
const { blockNumber, memory } = await long.health()
row(
  `resident memory after ${blockNumber} transfer blocks`,
  `${(memory.rss / 2 ** 20).toFixed(0)} MB`,
  '< 500 MB',
)
await long.stop()

await compareWorkers(row)

console.table(Object.fromEntries(rows.map(({ what, figure, target }) => [what, { figure, target }])))
