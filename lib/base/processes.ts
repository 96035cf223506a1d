/* oxlint-disable no-restricted-globals -- the only file that inspects processes */
/** Identifies this process, and checks whether others are alive. */

import { codeOf } from './system-errors.ts'

export const ownProcessId = process.pid

/** Whether a process with the id exists, of any user. */
export function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}
