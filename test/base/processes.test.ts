import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from '@jest/globals'
import { isAlive, isWriterAlive, ownProcess } from '../../lib/base/processes.ts'

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

test('this process is alive, and began before now', () => {
  expect(isAlive(ownProcess.id)).toBe(true)
  expect(ownProcess.beganAtMs).toBeLessThanOrEqual(Date.now())
})

test('a file with the id of this process, but older than it, is from a process that has ended', () => {
  expect(isWriterAlive(ownProcess.id, ownProcess.beganAtMs - 1)).toBe(false)
  expect(isWriterAlive(ownProcess.id, ownProcess.beganAtMs)).toBe(true)
  expect(isWriterAlive(1, 0)).toBe(true)
})
