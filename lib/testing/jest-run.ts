/** Runs one node for a run of Jest: starts it before the workers and closes it after them. */

import { join } from 'node:path'
import type { OptionsInput } from '../config/options.ts'
import { resolveOptions } from '../config/resolve-options.ts'
import { withCacheFolder } from '../fork/cache-folder.ts'
import { startWithOptions } from '../server/start.ts'
import type { RunningServer } from '../server/start.ts'
import { rememberOptions } from './run-options.ts'

/** The members of a project's configuration that this file reads. */
interface ProjectConfig {
  readonly rootDir: string
  readonly testEnvironmentOptions: {
    /** Options of the node, named as createNode takes them. */
    readonly devNode?: OptionsInput
  }
}

let running: RunningServer | undefined

/**
 * Starts the node and gives the workers its URL. Without a port in the options it takes any free port. The node prints console
 * output of contracts, except with the option `quiet`.
 * @throws NodeError 'invalidOption', 'addressInUse'
 */
export async function startNode(
  { rootDir, testEnvironmentOptions }: ProjectConfig,
  environment: Record<string, string | undefined> = process.env,
): Promise<void> {
  await closeNode()
  const values = { port: 0, ...testEnvironmentOptions.devNode }
  const options = withCacheFolder(resolveOptions({ values }), environment)
  // stderr, because Jest prints there; stdout may contain results for programs.
  running = await startWithOptions(options, options.quiet ? {} : { onConsole: console.error })
  environment['DEV_NODE_URL'] = running.url
  rememberOptions(testEnvironmentOptions.devNode, environment)
  environment['DEV_NODE_FIXTURES'] ??= join(rootDir, 'node_modules', '.cache', 'dev-node', 'fixtures')
}

/** Closes the node of the run. */
export async function closeNode(): Promise<void> {
  await running?.close()
  running = undefined
}
