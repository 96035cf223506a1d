import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from '@jest/globals'
import { millisecondsIn, useOf } from '../../bench/process-tree.ts'

/** Starts a process that works for 300 milliseconds, and tells when it has. */
const PROGRAM = `
  require('node:child_process').spawn(process.execPath, ['-e', \`
    const until = process.cpuUsage().user + 300_000
    while (process.cpuUsage().user < until);
    console.log('done')
    setInterval(() => undefined, 1000)
    process.on('disconnect', () => process.exit())
  \`], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
`

test('counts time and memory of the processes that a process started', async () => {
  const child = spawn(process.execPath, ['-e', PROGRAM], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    await once(child.stdout, 'data')
    const { cpuMs, memory } = useOf(child.pid!)
    expect(cpuMs).toBeGreaterThan(300)
    // Two processes of Node.
    expect(memory).toBeGreaterThan(60_000_000)
  } finally {
    child.kill()
  }
})

test.each([
  ['0:00.50', 500],
  ['03:04', 184_000],
  ['02:03:04', 7_384_000],
  ['1-00:00:01', 86_401_000],
])('ps writes %s for %d milliseconds', (text, expected) => expect(millisecondsIn(text)).toBe(expected))
