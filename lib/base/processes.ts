/* oxlint-disable no-restricted-globals -- the only file that inspects processes */
/** Identifies this process, and checks whether others are alive. */

import { codeOf } from './system-errors.ts'

/** This process: its id, and its start in milliseconds since the epoch. */
export const ownProcess = { id: process.pid, beganAtMs: performance.timeOrigin }

/** Whether a process with the id exists, of any user. */
export function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/**
 * Whether the process that wrote a file, last at this time, is alive. In a container a process often has the id of its
 * predecessor, whose files are older than this process.
 */
export function isWriterAlive(id: number, writtenAtMs: number): boolean {
  return id === ownProcess.id ? writtenAtMs >= ownProcess.beganAtMs : isAlive(id)
}
