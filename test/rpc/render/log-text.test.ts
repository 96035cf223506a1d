import { runAtOnce } from '../../../lib/base/routine.ts'
import { describe, expect, test } from '@jest/globals'
import { asHash, toHex } from '../../../lib/base/hex.ts'
import { logsOfBlock } from '../../../lib/chain/logs.ts'
import { minedLogText } from '../../../lib/rpc/render/notification.ts'
import { renderLog } from '../../../lib/rpc/render/block.ts'
import { assembleCode, creationCode } from '../../support/bytecode.ts'
import { call, freshNode } from '../../support/node.ts'

/** The logs of a block with three transactions, of which two have two logs each. */
async function placedLogs() {
  const node = await freshNode({ mining: false })
  const [from, to] = node.funded.map(({ address }) => address)
  const twice = toHex(creationCode(assembleCode('1 0 0 LOG1 2 32 0 LOG1')))
  const send = (fields: object) => call(node, 'eth_sendTransaction', [{ from, gas: '0x30d40', ...fields }])
  const hash = await send({ data: twice })
  runAtOnce(node.miner.mine())
  const { contractAddress } = await call(node, 'eth_getTransactionReceipt', [hash])
  for (const target of [contractAddress, to, contractAddress]) await send({ to: target })
  const block = runAtOnce(node.miner.mine())
  return logsOfBlock(block, { addresses: [], topics: [] })
}

describe('the text of a log', () => {
  test('is the JSON of the log at its index, also as removed', async () => {
    const logs = await placedLogs()
    expect(logs.map(({ logIndex }) => logIndex)).toEqual([0, 1, 2, 3])
    for (const removed of [true, false, true]) {
      for (const log of logs) {
        const placed = { ...log, removed }
        expect(minedLogText(placed)).toBe(JSON.stringify(renderLog(placed)))
      }
    }
  })

  test('has the hash of its own block, also when two blocks were made from the same work', async () => {
    const [log] = await placedLogs()
    const other = { ...log!, removed: false, block: { ...log!.block, hash: asHash(`0x${'42'.repeat(32)}`) } }
    for (const placed of [{ ...log!, removed: false }, other]) {
      expect(JSON.parse(minedLogText(placed))).toMatchObject({ blockHash: placed.block.hash })
    }
  })
})
