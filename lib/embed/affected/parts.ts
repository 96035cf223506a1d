/** What the runners' hooks load of this folder when a run leaves out files. Hardhat's plugins load it too. */

import { beginRun, currentRun, planRun, type AffectedRun, type AskedRun } from './affected-run.ts'
import { FileRecorder, noteContract as note } from './file-recorder.ts'
import { MochaFiles } from './mocha-files.ts'
import type { Ask } from '../ask.ts'

type Environment = Record<string, string | undefined>

/** Begins a run, if the user wants it (affected-run.ts). */
export const begin = async (asked: Omit<AskedRun, 'isPlanned'>, env: Environment): Promise<void> =>
  void beginRun({ ...asked, isPlanned: false }, env)

/** The files that this process's runner loads, if they were planned. */
let planned: readonly string[] = []

/** Begins a run, prints why files run, and returns them. If the user names files, all of them run. */
export async function filesToRun(
  asked: Omit<AskedRun, 'isPlanned'>,
  files: readonly string[],
  { isNamed, env }: { readonly isNamed: boolean; readonly env: Environment },
): Promise<readonly string[]> {
  const run = beginRun({ ...asked, isPlanned: true }, env)
  planned = run === undefined || isNamed ? files : await planAndTell(files, run)
  return planned
}

/** The files of the current run that run. Vitest and Jest fail a run without files, so at least one runs. */
export async function filesOfWorkers(files: readonly string[], env: Environment): Promise<readonly string[]> {
  const run = currentRun(env)
  if (run === undefined) return files
  const runs = await planAndTell(files, run)
  return runs.length === 0 ? files.slice(0, 1) : runs
}

async function planAndTell(files: readonly string[], run: AffectedRun): Promise<readonly string[]> {
  const { runs, sentence } = await planRun(files, run)
  console.log(`dev-node: ${sentence}`)
  return runs
}

/** For the run of this process or of its parent. */
export function mochaFiles(ask: Ask, env: Environment): MochaFiles | undefined {
  const run = currentRun(env)
  // Parallel workers on one chain cannot know who ran what.
  if (run?.chains === 'program' && env['MOCHA_WORKER_ID'] !== undefined) return undefined
  return run && new MochaFiles(run, ask, planned)
}

/** Records the test file that a Vitest or Jest worker runs. */
export async function beginFile(ask: Ask, env: Environment): Promise<FileRecorder | undefined> {
  const run = currentRun(env)
  const recorder = run && new FileRecorder(run, ask)
  await recorder?.begin()
  return recorder
}

export const noteContract = (id: string): void => note(id)
