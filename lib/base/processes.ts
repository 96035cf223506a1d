/* eslint-disable no-restricted-globals -- the only file that inspects processes */
/** Identifies this process, and checks whether others are alive. */

import { readFileSync } from 'node:fs'
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

/**
 * The start of a process in ticks since the machine's start, which tells it from a later process with its id. No clock that a user
 * can set changes it. 0 where the system does not tell (Linux does), or if there is no such process.
 */
export function startTicks(id: number): number {
  try {
    // The name of the program, in parentheses, may contain spaces. Start is member 22 of the line, and 20 after the name (proc(5)).
    const members = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
    return Number(members?.[START_MEMBER] ?? 0)
  } catch {
    return 0
  }
}

/** Index of the start among the members after the name. */
const START_MEMBER = 19
