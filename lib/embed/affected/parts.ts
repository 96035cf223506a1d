/** What the hooks of runners load of this folder, when a run leaves out files. The plugins of Hardhat load it from the command. */

import { beginRun, currentRun, planRun, type AskedRun } from './affected-run.ts'
import { noteRead } from './file-recorder.ts'
import { MochaFiles } from './mocha-files.ts'
import type { Ask } from '../testing/failed-tests.ts'

type Environment = Record<string, string | undefined>

/** Begins a run whose workers have worlds of one node, if it is asked for (affected-run.ts). */
export const beginRunOfWorkers = (asked: Omit<AskedRun, 'isPlanned' | 'hasWorlds'>, env: Environment): void =>
  void beginRun({ ...asked, isPlanned: false, hasWorlds: true }, env)

/** The files that the runner of this process loads, if they are planned. */
let planned: readonly string[] = []

/** Begins a run and returns those of its files that run: all, if the user names them. Prints why. */
export async function filesToRun(
  asked: Omit<AskedRun, 'isPlanned'>,
  files: readonly string[],
  { isNamed, env }: { readonly isNamed: boolean; readonly env: Environment },
): Promise<readonly string[]> {
  const run = beginRun({ ...asked, isPlanned: true }, env)
  planned = files
  if (run === undefined || isNamed) return files
  const { runs, sentence } = await planRun(files, run)
  console.log(`dev-node: ${sentence}`)
  return (planned = runs)
}

/** Of the run of this process, or of the one that started it. */
export function mochaFiles(ask: Ask, env: Environment): MochaFiles | undefined {
  const run = currentRun(env)
  return run && new MochaFiles(run, ask, planned)
}

/** The file whose tests run reads a contract, such as contracts/Token.sol:Token. */
export const noteContract = (id: string): void => noteRead(id)
