/* eslint-disable no-restricted-globals -- the one look at which processes there are */
/** The process that this runs in, and whether others are alive. */

/** This process: its number, and when it began in milliseconds since the epoch. */
export const ownProcess = { id: process.pid, beganAtMs: performance.timeOrigin }

/** Whether there is a process with a number, whoever it belongs to. */
export function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch (error) {
    return typeof error === 'object' && error !== null && 'code' in error && error.code === 'EPERM'
  }
}
