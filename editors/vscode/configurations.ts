/** Completes the configurations of launch.json, and starts debugging without one. */

import { debug, window, workspace } from 'vscode'
import type { DebugConfiguration, DebugConfigurationProvider, WorkspaceFolder } from 'vscode'

/** The type of configurations in launch.json. */
export const DEBUG_TYPE = 'dev-node'

/** Members of a launch of which one says what is debugged. */
const TARGETS = ['transaction', 'failure', 'call']

/** Fills what launch.json leaves out. Without a launch.json, F5 debugs the last failure. */
export const configurations: DebugConfigurationProvider = {
  resolveDebugConfiguration(folder, { type, request, name, ...given }): DebugConfiguration {
    const root = (folder ?? currentFolder())?.uri.fsPath
    const url = urlSetting()
    const isTargetless = request !== 'attach' && !TARGETS.some((target) => given[target] !== undefined)
    return {
      // All three are empty without a launch.json.
      type: type || DEBUG_TYPE,
      request: request || 'launch',
      name: name || 'Debug last failure',
      ...(isTargetless ? { failure: 'last' } : {}),
      ...(url === '' ? {} : { url }),
      ...(root === undefined ? {} : { projectRoot: root }),
      ...given,
    }
  },
}

/** Starts debugging in the current folder. What else is missing is filled as in launch.json. */
export async function startDebugging(
  request: 'launch' | 'attach',
  name: string,
  given: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await debug.startDebugging(currentFolder(), { type: DEBUG_TYPE, request, name, ...given })
}

/** The folder of the file that is edited, or the first one. */
function currentFolder(): WorkspaceFolder | undefined {
  const file = window.activeTextEditor?.document.uri
  return (file && workspace.getWorkspaceFolder(file)) ?? workspace.workspaceFolders?.[0]
}

/** The setting of the node's URL; empty if it is not set. */
export const urlSetting = (): string => workspace.getConfiguration('dev-node').get<string>('url', '')
