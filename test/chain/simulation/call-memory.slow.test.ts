/** Calls leave nothing behind, in a process of its own whose heap can be measured. */

import { expect, test } from '@jest/globals'
import { outputOf } from '../../support/own-process.ts'

/** Megabytes of heap that calls to 12,000 accounts leave. */
const MEASUREMENT = `
import { createNode } from './lib/index.ts'
import { heapWithoutGarbage } from './scripts/soak/heap.ts'

const node = await createNode({ network: 'ethereum' })
const call = (number) => node.provider.request({ method: 'eth_call', params: [{ to: '0x' + number.toString(16).padStart(40, '0') }, 'latest'] })
for (let number = 1; number < 1000; number++) await call(2 ** 40 + number)
const before = await heapWithoutGarbage()
for (let number = 1; number <= 12_000; number++) await call(2 ** 41 + number)
console.log(((await heapWithoutGarbage()) - before) / 2 ** 20)
process.exit(0)
`

test('calls to ever new accounts do not fill the memory', async () => {
  // An account that stays takes 770 bytes, so that all would take 9 MB.
  expect(Number(await outputOf(MEASUREMENT))).toBeLessThan(4)
})
