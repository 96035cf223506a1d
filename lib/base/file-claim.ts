/**
 * Claims a file or folder for one node, or marks it as in use by several. A claim is an empty file beside it, with the process in its
 * name. Each node makes its own and then looks for others, so two nodes never both hold a path, and the claim of a killed process
 * needs no clock to end.
 */

import { rmSync } from 'node:fs'
import { open, readFile, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { trouble, type NodeError } from './errors.ts'
import { keepAlive, realHost } from './host.ts'
import { isAlive, ownProcessId } from './processes.ts'

/** A file or folder that this node alone writes. */
export interface OwnFile {
  /** Leftovers of killed nodes, in sentences for the user. */
  readonly findings: readonly string[]
  /** Lets other nodes write it. */
  readonly release: () => Promise<void>
}

interface Claimed {
  /** The claims are files beside this path: the claimed file, or a hidden name in the claimed folder. */
  readonly path: string
  /** Its name for the user, as "the state file chain.state". */
  readonly title: string
  /** Whether something is lost if a node that held it was killed, for the user. */
  readonly loss: string
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
export async function claimFile({ path, title, loss }: Claimed): Promise<OwnFile> {
  for (let attempt = 1; ; attempt++) {
    const claim = await tryClaim(path)
    if ('release' in claim) {
      const findings = claim.killed.map(
        (id) =>
          `the node with process id ${id}, which used ${title}, did not end in order: its lock was removed; ${loss}`,
      )
      return { findings, release: claim.release }
    }
    if (attempt === ATTEMPTS) throw inUse(title, claim.holder)
    await pause()
  }
}

const inUse = (title: string, holder: number): NodeError =>
  trouble(
    'DN-LOCK',
    `${title} is in use by ${holder === ownProcessId ? 'another node of this process' : `the node with process id ${holder}`}: end that node first, or give each node its own`,
  )

/** Claims a path once, without waiting; the id of the holding process if it is not free. @throws errors of the system */
export async function tryClaim(
  path: string,
): Promise<Omit<OwnClaim, 'holders'> | { readonly holder: number }> {
  const { holders, ...claim } = await makeClaim(path)
  const [holder] = holders
  if (holder === undefined) return claim
  await claim.release()
  return { holder }
}

/** Marks a path as in use by this process, beside others. Returns the end of the use. @throws errors of the system */
export const markUse = async (path: string): Promise<() => Promise<void>> => (await makeClaim(path)).release

/** Ids of the live processes that hold a path or use it, each once. */
export async function usersOf(path: string): Promise<readonly number[]> {
  const claims = await claimsOf(path)
  return [...new Set(claims.filter(({ isLive }) => isLive).map(({ id }) => id))]
}

/** Claims and marks of this process. */
const held = new Set<string>()

/** Removes the claims and marks of this process, because the process is about to end. */
export function releaseClaims(): void {
  for (const path of held) rmSync(path, { force: true })
}

/** A claim of this process. `holders` are ids of live processes that claim the same path, `killed` those of processes that ended without releasing it. */
interface OwnClaim extends Omit<OwnFile, 'findings'> {
  readonly holders: readonly number[]
  readonly killed: readonly number[]
}

/** Makes a claim of this process, and removes those of killed processes. */
async function makeClaim(path: string): Promise<OwnClaim> {
  const digits = Buffer.from(realHost.random(4)).toString('hex')
  const own = `${path}.${ownProcessId}-${await startTicks(ownProcessId)}-${digits}.lock`
  held.add(own)
  await (await open(own, 'wx')).close()
  const others = (await claimsOf(path)).filter((claim) => claim.path !== own)
  const killed = others.filter(({ isLive }) => !isLive)
  for (const claim of killed) await rm(claim.path, { force: true })
  return {
    holders: others.filter(({ isLive }) => isLive).map(({ id }) => id),
    killed: killed.map(({ id }) => id),
    release: async () => {
      await rm(own, { force: true })
      held.delete(own)
    },
  }
}

interface FoundClaim {
  readonly path: string
  readonly id: number
  readonly isLive: boolean
}

async function claimsOf(path: string): Promise<readonly FoundClaim[]> {
  const [folder, name] = [dirname(path), basename(path)]
  const claims: FoundClaim[] = []
  for (const each of await readdir(folder)) {
    const [, id, start] = (each.startsWith(name) && SUFFIX.exec(each.slice(name.length))) || []
    if (id === undefined) continue
    const isLive = await isRunning(Number(id), Number(start))
    claims.push({ path: join(folder, each), id: Number(id), isLive })
  }
  return claims
}

/** Whether the process is alive and started at this tick: a later process may have the same id. */
async function isRunning(id: number, start: number): Promise<boolean> {
  if (!isAlive(id)) return false
  const ticks = await startTicks(id)
  return ticks === 0 || start === 0 || ticks === start
}

/**
 * The start of a process in ticks since the start of the machine, which differs from that of a later process with the same id. No
 * clock that a user can set changes it. 0 where the system does not show it (Linux does), or if there is no such process.
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

/** Claims files for one node, all or none. @throws NodeError 'invalidOption' naming the process that uses one of them */
export async function claimFiles(claims: readonly (() => Promise<OwnFile>)[]): Promise<OwnFile> {
  const claimed: OwnFile[] = []
  const release = async (): Promise<void> => {
    for (const each of claimed) await each.release()
  }
  try {
    for (const claim of claims) claimed.push(await claim())
  } catch (error) {
    await release()
    throw error
  }
  return { findings: claimed.flatMap(({ findings }) => findings), release }
}
