/** Runs the nodes of a run of Jest: starts them before the workers and closes them after them. */

import { join } from 'node:path'
import { rememberOptions } from './run-options.ts'
import { startNodes } from './run-nodes.ts'
import type { RunNodes, RunSettings } from './run-nodes.ts'

/** The members of a project's configuration that this file reads. */
interface ProjectConfig {
  readonly rootDir: string
  readonly testEnvironmentOptions: RunSettings
}

let running: RunNodes | undefined

/**
 * Starts the nodes and gives the workers their URLs. Without a port in the options they take any free port.
 * @throws NodeError 'invalidOption', 'addressInUse'
 */
export async function startNode(
  { rootDir, testEnvironmentOptions }: ProjectConfig,
  environment: Record<string, string | undefined> = process.env,
): Promise<void> {
  await closeNode()
  running = await startNodes(testEnvironmentOptions, environment)
  rememberOptions(testEnvironmentOptions.devNode, environment)
  environment['DEV_NODE_FIXTURES'] ??= join(rootDir, 'node_modules', '.cache', 'dev-node', 'fixtures')
}

/** Closes the nodes of the run. */
export async function closeNode(): Promise<void> {
  await running?.close()
  running = undefined
}
