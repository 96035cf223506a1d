/** Processor time and memory of a process and of all processes it started. */

import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'

/** Milliseconds per clock tick of Linux in /proc. */
const TICK_MS = 10

/** What a tree of processes has used so far. */
export interface Use {
  readonly cpuMs: number
  /** Bytes of resident memory. */
  readonly memory: number
}

interface ProcessUse extends Use {
  readonly pid: number
  readonly parent: number
}

/** Use of a process and its descendants. */
export function useOf(pid: number): Use {
  const processes = process.platform === 'linux' ? fromProc() : fromPs()
  const tree = new Set([pid])
  for (let size = 0; size < tree.size;) {
    size = tree.size
    for (const { pid: child, parent } of processes) if (tree.has(parent)) tree.add(child)
  }
  const members = processes
    .filter((each) => tree.has(each.pid))
    .map((each) => (process.platform === 'linux' ? detailsOf(each) : each))
  return {
    cpuMs: members.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    memory: members.reduce((sum, { memory }) => sum + memory, 0),
  }
}

function fromProc(): readonly ProcessUse[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      // The name of a program, which may contain anything, ends with the last parenthesis.
      const fields = read(`/proc/${name}/stat`).split(') ').at(-1)?.split(' ') ?? []
      if (fields.length < 22) return []
      const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
      return [{ pid: Number(name), parent: Number(fields[1]), cpuMs: ticks * TICK_MS, memory: 0 }]
    })
}

/**
 * Ticks leave out up to 10 milliseconds; the time of the threads is exact but leaves out threads that ended. Both are less
 * than the truth, so the larger is closer to it.
 */
function detailsOf(process: ProcessUse): ProcessUse {
  const folder = `/proc/${process.pid}`
  const nanoseconds = names(`${folder}/task`).map(
    (thread) => Number(read(`${folder}/task/${thread}/schedstat`).split(' ')[0]) || 0,
  )
  const threadsMs = nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(read(`${folder}/status`)) ?? []
  return {
    ...process,
    cpuMs: Math.max(process.cpuMs, threadsMs),
    memory: Number(kilobytes ?? 0) * 1024,
  }
}

/** A process may end between two reads. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function fromPs(): readonly ProcessUse[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,time=,rss='], { encoding: 'utf8' }).trim()
  return lines.split('\n').map((line) => {
    const [pid, parent, time = '', kilobytes] = line.trim().split(/\s+/)
    return {
      pid: Number(pid),
      parent: Number(parent),
      cpuMs: millisecondsIn(time),
      memory: Number(kilobytes) * 1024,
    }
  })
}

/** `1-02:03:04`, `02:03:04` or `3:04.56` in milliseconds. */
export function millisecondsIn(time: string): number {
  const [clock = '', days = '0'] = time.split('-').reverse()
  const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return (Number(days) * 86_400 + seconds) * 1000
}
