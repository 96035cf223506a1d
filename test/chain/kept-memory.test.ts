/** Measures the memory that a long chain keeps, in a process of its own. */

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from '@jest/globals'
import { build } from 'esbuild'

/** Prints the bytes of heap that each of 2,000 blocks with a transfer adds. The first 300 make up for recent blocks and code. */
const MEASUREMENT = `
import { setImmediate } from 'node:timers/promises'
import { call, freshNode } from './test/support/node.ts'

const node = await freshNode({ network: process.argv[2] })
const [from, to] = node.funded.map(({ address }) => address)
const send = async (count) => {
  for (let sent = 0; sent < count; sent++) await call(node, 'eth_sendTransaction', [{ from, to, value: '0x1', gas: '0x5208' }])
}
const heapUsed = async () => {
  for (let time = 0; time < 3; time++) {
    await setImmediate()
    globalThis.gc()
  }
  return process.memoryUsage().heapUsed
}
await send(300)
const before = await heapUsed()
await send(2000)
console.log(((await heapUsed()) - before) / 2000)
await node.close()
`

test.each([
  ['network-33', 2600],
  ['ethereum', 5800],
])(
  'a block with a transfer on %s keeps less than %i bytes',
  async (network, bound) => {
    const kept = Number(await outputOf(MEASUREMENT, network))
    expect(kept).toBeGreaterThan(0)
    expect(kept).toBeLessThan(bound)
  },
  120_000,
)

/** What a module of this project prints. It runs in a process of its own that can collect garbage. */
async function outputOf(contents: string, ...args: readonly string[]): Promise<string> {
  const cwd = join(import.meta.dirname, '..', '..')
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: cwd, loader: 'ts' },
    write: false,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  })
  const flags = ['--expose-gc', '--input-type=module', '-']
  const child = spawn(process.execPath, [...flags, ...args], { cwd, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(outputFiles[0]!.contents)
  return text(child.stdout)
}
