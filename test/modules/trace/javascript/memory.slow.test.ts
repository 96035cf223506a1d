/** Many tracers in JavaScript leave the memory of the process as it was. */

import { expect, test } from '@jest/globals'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { call, freshNode } from '../../../support/node.ts'

const TRACERS = [
  '{ all: [], fault: function () {}, step: function (log) { this.all.push(new Uint8Array(1e5)) }, result: function () { return this.all.length } }',
  '{ fault: function () {}, step: function () { throw new Error("mine") }, result: function () {} }',
]

test('many tracers leave the memory as it was', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const node = await freshNode({ network: 'ethereum' })
  /** Bytes of the process that are in use, after a number of requests. */
  const afterRequests = async (count: number): Promise<number> => {
    for (let at = 0; at < count; at++) {
      const options = { tracer: TRACERS[at % TRACERS.length] }
      await call(node, 'debug_traceCall', [{ data: '0x5f5f5f00' }, 'latest', options]).catch(() => undefined)
    }
    // Memory of WebAssembly is freed in the turn after a collection.
    for (let turn = 0; turn < 4; turn++) {
      collect()
      await new Promise((resolve) => setImmediate(resolve))
    }
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const before = await afterRequests(20)
  const after = await afterRequests(150)
  expect(after / before).toBeLessThan(1.2)
})
