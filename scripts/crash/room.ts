/** The folder of a crash test: a disk of its own in memory where this process may mount one, so that it can be full or read-only. */

import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** Megabytes of the disk. */
const DISK_MB = 48

const BALLAST = 'ballast'

/** A folder, and what can happen to its disk. */
export class Room {
  readonly folder = mkdtempSync(join(tmpdir(), 'dev-node-crash-'))
  /** Exists while the clock of the nodes is an hour late. */
  readonly clockFlag = `${this.folder}-late`
  /** Whether the disk can be made full and read-only. */
  readonly isMounted: boolean

  constructor() {
    this.isMounted = mount(['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', this.folder])
  }

  path(name: string): string {
    return join(this.folder, name)
  }

  /** The files that killed writes left. */
  async unfinished(): Promise<readonly string[]> {
    const names = await readdir(this.folder, { recursive: true })
    return names.filter((name) => /\.(draft|tmp)$/.test(name))
  }

  /** Takes all space that is left. */
  fill(): void {
    const { bavail, bsize } = statfsSync(this.folder)
    try {
      appendFileSync(this.path(BALLAST), Buffer.alloc(bavail * bsize))
    } catch {
      // A node took some of it meanwhile.
    }
  }

  free(): void {
    rmSync(this.path(BALLAST), { force: true })
  }

  /** The system refuses while a file is open for writing. */
  async forbidWrites(): Promise<void> {
    while (!mount(['-o', 'remount,ro', this.folder])) await pause(1)
  }

  allowWrites(): void {
    mount(['-o', 'remount,rw', this.folder])
  }

  setClockBack(): void {
    writeFileSync(this.clockFlag, '')
  }

  setClockRight(): void {
    rmSync(this.clockFlag, { force: true })
  }

  close(): void {
    this.setClockRight()
    if (this.isMounted) execFileSync('umount', ['--lazy', this.folder])
    rmSync(this.folder, { recursive: true, force: true })
  }
}

function mount(args: readonly string[]): boolean {
  try {
    execFileSync('mount', [...args], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** A module for `--import` whose process sees the wall clock an hour late while the file exists. Timers are not affected. */
export const lateClock = (flag: string): string =>
  `data:text/javascript,${encodeURIComponent(`
    import { existsSync } from 'node:fs'
    const now = Date.now
    let late = false
    setInterval(() => (late = existsSync(${JSON.stringify(flag)})), 20).unref()
    Date.now = () => now() - (late ? 3_600_000 : 0)
  `)}`
