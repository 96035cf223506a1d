/** The nodes of a run of Jest, Vitest or Mocha: started before its workers and closed after them. */

import { join } from 'node:path'
import { checkOptions, rememberOptions } from './run-options.ts'
import { startNodes, type RunNodes, type RunSettings } from './run-nodes.ts'

/** The members of a project's configuration that this file reads, named as in Jest. */
interface ProjectConfig {
  readonly rootDir: string
  readonly testEnvironmentOptions: RunSettings
}

let running: RunNodes | undefined

/** Number of projects that use the nodes, because Vitest calls its setup for each. */
let projects = 0

/**
 * Starts the nodes for the first project and gives the workers their URLs. Without a port in the options they take any free port.
 * @throws NodeError 'invalidOption', 'addressInUse'; Error if another project started them with other options
 */
export async function startNode(
  { rootDir, testEnvironmentOptions }: ProjectConfig,
  environment: Record<string, string | undefined> = process.env,
): Promise<void> {
  if (running === undefined) {
    running = await startNodes(testEnvironmentOptions, environment)
    rememberOptions(testEnvironmentOptions.devNode, environment)
    await beginAffected(rootDir, testEnvironmentOptions, environment)
    environment['DEV_NODE_FIXTURES'] ??= join(rootDir, 'node_modules', '.cache', 'dev-node', 'fixtures')
  }
  checkOptions(testEnvironmentOptions.devNode, environment)
  projects++
}

/** Begins a run that leaves out files which no change affects, if the user wants it. */
async function beginAffected(
  root: string,
  { devNode: { affected, artifacts } = {} }: RunSettings,
  environment: Record<string, string | undefined>,
): Promise<void> {
  if (affected === undefined && environment['DEV_NODE_AFFECTED'] === undefined) return
  const { begin } = await import('../affected/parts.ts')
  await begin({ root, affected, artifacts, chains: 'worlds' }, environment)
}

/** Closes the nodes of the run after its last project. */
export async function closeNode(): Promise<void> {
  if (--projects > 0) return
  projects = 0
  const closed = running
  running = undefined
  await closed?.close()
}
