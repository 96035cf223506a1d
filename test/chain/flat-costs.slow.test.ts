/** Compares the costs of a long chain with those of a short one, in a process of its own. */

import { expect, test } from '@jest/globals'
import { outputOf } from '../support/own-process.ts'

/** Prints, for each operation, how many times as long it takes at a height of 1,000 as at a height of 100. */
const MEASUREMENT = `
import { call, freshNode } from './test/support/node.ts'

const hex = (number) => '0x' + number.toString(16)
const nodeAt = async (height) => {
  const node = await freshNode({ network: process.argv[2] })
  const [from, to] = node.funded.map(({ address }) => address)
  const tx = { from, to, value: '0x1', gas: '0x5208' }
  for (let sent = 0; sent < height; sent++) await call(node, 'eth_sendTransaction', [tx])
  return { ask: (method, params = []) => call(node, method, params), tx, to, height }
}
const OPERATIONS = {
  sendAndReceipt: async ({ ask, tx }) => ask('eth_getTransactionReceipt', [await ask('eth_sendTransaction', [tx])]),
  logsOf100Blocks: ({ ask, height }) => ask('eth_getLogs', [{ fromBlock: hex(height - 100), toBlock: hex(height) }]),
  snapshotAndRevert: async ({ ask, tx }) => {
    const id = await ask('evm_snapshot')
    await ask('eth_sendTransaction', [tx])
    await ask('evm_revert', [id])
  },
  newBlock: ({ ask, height }, n) => ask('eth_getBlockByNumber', [hex(height - (n % 50)), true]),
  oldBlock: ({ ask }, n) => ask('eth_getBlockByNumber', [hex(1 + n), true]),
  balanceAtOldBlock: ({ ask, to }, n) => ask('eth_getBalance', [to, hex(1 + n)]),
}
const nodes = [await nodeAt(100), await nodeAt(1000)]
const run = async (node, operation) => {
  const start = process.cpuUsage()
  for (let n = 0; n < 25; n++) await operation(node, n)
  const { user, system } = process.cpuUsage(start)
  return user + system
}
// A low quantile: collections of garbage hit single rounds.
const low = (values) => values.sort((left, right) => left - right)[1]
const ratios = {}
for (const [name, operation] of Object.entries(OPERATIONS)) {
  const times = [[], []]
  for (let round = 0; round < 6; round++) {
    for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) times[index].push(await run(nodes[index], operation))
  }
  ratios[name] = low(times[1]) / low(times[0])
}
console.log(JSON.stringify(ratios))
process.exit()
`

test.each(['network-33', 'ethereum'])(
  'operations cost the same at every height on %s',
  async (network) => {
    const ratios: Record<string, number> = JSON.parse(await outputOf(MEASUREMENT, network))
    expect(Object.keys(ratios)).toHaveLength(6)
    // A cost that grew with the height would be ten times as high.
    expect(Object.entries(ratios).filter(([, ratio]) => !(ratio < 4))).toEqual([])
  },
  240_000,
)
