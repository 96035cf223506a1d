/**
 * Claims a file or folder for one node. A claim is an empty file beside it whose name tells the process. Each node makes its own and
 * then looks for others, so two nodes never both hold a claim, and a claim of a process that was killed needs no clock to end.
 */

import { open, readFile, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { NodeError } from '../base/errors.ts'
import { keepAlive, realHost } from '../base/host.ts'
import { isAlive, ownProcess } from '../base/processes.ts'

/** A claim that this node holds. */
export interface FileClaim {
  /** Ids of the processes that were killed while they held it. */
  readonly killed: readonly number[]
  /** Ends the claim. */
  readonly release: () => Promise<void>
}

/** A file or folder that this node alone writes. */
export interface OwnFile {
  /** What a killed node left there, in sentences for the user. */
  readonly findings: readonly string[]
  /** Lets other nodes write it. */
  readonly release: () => Promise<void>
}

/** What is claimed. */
export interface Claimed {
  /** The claims are beside this path: that of a file, or of a hidden name in a folder. */
  readonly path: string
  /** Names it for the user, as "the state file chain.state". */
  readonly title: string
}

/** Suffix of a claim: process id and start of the process, and random digits that differ between nodes of a process. */
const SUFFIX = /^\.(\d+)-(\d+)-[0-9a-f]{8}\.lock$/

/** Two nodes that start at the same moment refuse each other. They try again at different moments. */
const ATTEMPTS = 4
const MAX_PAUSE_MS = 60

/**
 * Claims a file or folder, and removes the claims of killed processes.
 * @throws NodeError 'invalidOption' naming the process that holds it; errors of the system if the folder cannot be written
 */
export async function claimFile({ path, title }: Claimed): Promise<FileClaim> {
  for (let attempt = 1; ; attempt++) {
    const own = `${path}.${ownProcess.id}-${await startTicks(ownProcess.id)}-${randomDigits()}.lock`
    await (await open(own, 'wx')).close()
    const { holder, killed } = await otherClaims(path, own)
    const release = (): Promise<void> => rm(own, { force: true })
    if (holder === undefined) return { killed, release }
    await release()
    if (attempt === ATTEMPTS) throw inUse(title, holder)
    await pause()
  }
}

const randomDigits = (): string => Buffer.from(realHost.random(4)).toString('hex')

const inUse = (title: string, holder: number): NodeError =>
  new NodeError(
    'invalidOption',
    `${title} is in use by ${holder === ownProcess.id ? 'another node of this process' : `the node with process id ${holder}`}: end that node first, or give each node its own`,
  )

/** The process that holds a claim besides this one, and the killed ones, whose claims are removed. */
async function otherClaims(
  path: string,
  own: string,
): Promise<{ readonly holder: number | undefined; readonly killed: readonly number[] }> {
  const [folder, name] = [dirname(path), basename(path)]
  let holder: number | undefined
  const killed: number[] = []
  for (const each of await readdir(folder)) {
    const [, id, start] = (each.startsWith(name) && SUFFIX.exec(each.slice(name.length))) || []
    const claim = join(folder, each)
    if (id === undefined || each === basename(own)) continue
    if (await isRunning(Number(id), Number(start))) holder = Number(id)
    else {
      await rm(claim, { force: true })
      killed.push(Number(id))
    }
  }
  return { holder, killed }
}

/** Whether the process is alive, and no later one has its id. */
async function isRunning(id: number, start: number): Promise<boolean> {
  if (!isAlive(id)) return false
  const ticks = await startTicks(id)
  return ticks === 0 || start === 0 || ticks === start
}

/**
 * The start of a process in ticks since the machine's start, which tells it from a later process with its id. No clock that a user
 * can set changes it. 0 where the system does not tell (Linux does), or if there is no such process.
 */
async function startTicks(id: number): Promise<number> {
  const line = await readFile(`/proc/${id}/stat`, 'latin1').catch(() => '')
  // The name of the program, in parentheses, may contain spaces.
  return Number(line.split(') ').at(-1)?.split(' ')[START_MEMBER] ?? 0)
}

/** Index of the start among the members after the name (proc(5)). */
const START_MEMBER = 19

async function pause(): Promise<void> {
  const ms = ((realHost.random(1)[0] ?? 0) / 256) * MAX_PAUSE_MS
  // A start waits for it, so it must keep the process alive.
  const stop = keepAlive()
  await new Promise<void>((resolve) => realHost.schedule(ms, resolve))
  stop()
}
