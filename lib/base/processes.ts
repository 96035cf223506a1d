/* eslint-disable no-restricted-globals -- the only file that inspects processes */
/** Identifies this process, and checks whether others are alive. */

/** This process: its id, and its start in milliseconds since the epoch. */
export const ownProcess = { id: process.pid, beganAtMs: performance.timeOrigin }

/** Whether a process with the id exists, of any user. */
export function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch (error) {
    return typeof error === 'object' && error !== null && 'code' in error && error.code === 'EPERM'
  }
}
