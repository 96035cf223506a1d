/** What the hooks of runners load of this folder, when a run leaves out files. The plugins of Hardhat load it from the command. */

import { beginRun, currentRun, planRun, type AffectedRun, type AskedRun } from './affected-run.ts'
import { FileRecorder, noteContract as note } from './file-recorder.ts'
import { MochaFiles } from './mocha-files.ts'
import type { Ask } from '../ask.ts'

type Environment = Record<string, string | undefined>

/** Begins a run, if it is asked for (affected-run.ts). */
export const begin = async (asked: Omit<AskedRun, 'isPlanned'>, env: Environment): Promise<void> =>
  void beginRun({ ...asked, isPlanned: false }, env)

/** The files that the runner of this process loads, if they are planned. */
let planned: readonly string[] = []

/** Begins a run and returns those of its files that run: all, if the user names them. Prints why. */
export async function filesToRun(
  asked: Omit<AskedRun, 'isPlanned'>,
  files: readonly string[],
  { isNamed, env }: { readonly isNamed: boolean; readonly env: Environment },
): Promise<readonly string[]> {
  const run = beginRun({ ...asked, isPlanned: true }, env)
  planned = run === undefined || isNamed ? files : await planAndTell(files, run)
  return planned
}

/** Those of the files that run, of the run that began. Vitest and Jest call a run without files a failure, so that one runs. */
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

/** Of the run of this process, or of the one that started it. */
export function mochaFiles(ask: Ask, env: Environment): MochaFiles | undefined {
  const run = currentRun(env)
  // Parallel workers on one chain cannot tell who ran what.
  if (run?.chains === 'program' && env['MOCHA_WORKER_ID'] !== undefined) return undefined
  return run && new MochaFiles(run, ask, planned)
}

/** Records the file whose tests a worker of Vitest or Jest runs, of the run that began it. */
export async function beginFile(ask: Ask, env: Environment): Promise<FileRecorder | undefined> {
  const run = currentRun(env)
  const recorder = run && new FileRecorder(run, ask)
  await recorder?.begin()
  return recorder
}

export const noteContract = (id: string): void => note(id)
