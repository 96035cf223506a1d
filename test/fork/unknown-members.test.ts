/** Remote blocks with members and transaction types that this node does not know. */

import { expect, test } from '@jest/globals'
import { withRemoteChain } from '../support/forked-node.ts'
import { withFaultProxy } from '../support/fault-proxy.ts'
import { call, freshNode, refusal } from '../support/node.ts'

const network = 'ethereum'

/** The answers with another type for the transactions of blocks, and another time for their headers. */
function changed(text: string): string {
  return text
    .replaceAll('"type":"0x2"', '"type":"0x6a"')
    .replaceAll(/"extraData":"0x[0-9a-f]*"/g, '"extraData":"0x77"')
}

test('what cannot be run or encoded exactly is refused', async () => {
  await withRemoteChain({ network }, async (remote) => {
    const at = '0x2'
    const { result: block } = await remote.ask('eth_getBlockByNumber', [at, true])
    const [{ hash, type }] = block.transactions
    expect(type).toBe('0x2')
    const change = (answer: unknown): unknown => JSON.parse(changed(JSON.stringify(answer)))
    await withFaultProxy(
      () => ({ change }),
      async ({ httpUrl }) => {
        const node = await freshNode({ network, forkUrl: httpUrl, noForkCache: true })
        expect((await call(node, 'eth_getTransactionByHash', [hash])).type).toBe('0x6a')
        const message = `transaction ${hash} of block 2 has type 106, which this node cannot run`
        expect(await refusal(node, 'debug_traceTransaction', [hash])).toEqual({
          kind: 'unsupportedTransaction',
          message,
        })
        const inexact = (what: string) => ({
          kind: 'remoteFailed',
          message: `the ${what} of the remote has members that this node does not know: its encoding would have another hash`,
        })
        expect(await refusal(node, 'debug_getRawTransaction', [hash])).toEqual(inexact(`transaction ${hash}`))
        expect(await refusal(node, 'debug_getRawHeader', [at])).toEqual(inexact('header of block 2'))
        expect(await refusal(node, 'debug_getRawBlock', [at])).toEqual(inexact('header of block 2'))
        expect(await refusal(node, 'debug_getRawReceipts', [at])).toEqual(inexact('receipts of block 2'))
        await node.close()
      },
      { targetPort: remote.port },
    )
  })
})
