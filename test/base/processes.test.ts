import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from '@jest/globals'
import { isAlive, ownProcessId } from '../../lib/base/processes.ts'

test('a process is alive until it ends', async () => {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  expect(isAlive(child.pid!)).toBe(true)
  await ended
  expect(isAlive(child.pid!)).toBe(false)
})

test('processes of others are alive, too', () => {
  expect(isAlive(1)).toBe(true)
})

test('this process is alive', () => {
  expect(isAlive(ownProcessId)).toBe(true)
})
