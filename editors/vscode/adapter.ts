/** Starts the debug adapter of the package in the workspace. */

import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DebugAdapterExecutable, workspace } from 'vscode'
import type { DebugAdapterDescriptorFactory } from 'vscode'

/** The script of the command in an installed package: the files of node_modules/.bin cannot be started on Windows. */
const SCRIPT = 'node_modules/dev-node/dist/dev-node.cjs'

/** Finds the adapter of a session. */
export const adapters: DebugAdapterDescriptorFactory = {
  createDebugAdapterDescriptor({ workspaceFolder, configuration }) {
    const root: unknown = configuration['projectRoot'] ?? workspaceFolder?.uri.fsPath
    const folder = typeof root === 'string' ? root : undefined
    const command = configuredCommand(workspaceFolder?.uri.fsPath ?? folder) ?? installedScript(folder)
    const options = folder === undefined ? {} : { cwd: folder }
    return /\.[cm]?js$/.test(command)
      ? new DebugAdapterExecutable('node', [command, 'debug-adapter'], options)
      : new DebugAdapterExecutable(command, ['debug-adapter'], options)
  },
}

/** The setting of the command. A relative path begins at the folder, a name without a slash is looked for by the system. */
function configuredCommand(folder: string | undefined): string | undefined {
  const path = workspace.getConfiguration('dev-node').get<string>('path', '')
  if (path === '') return undefined
  return /[/\\]/.test(path) && folder !== undefined ? resolve(folder, path) : path
}

/** The script in a folder or in one around it. */
function installedScript(folder: string | undefined): string {
  for (let at = folder; at !== undefined; at = parentOf(at)) {
    const script = join(at, SCRIPT)
    if (existsSync(script)) return script
  }
  throw new Error(
    `dev-node is not installed in ${folder ?? 'an open folder'}: npm install --save-dev dev-node, or name the command in the setting dev-node.path`,
  )
}

const parentOf = (folder: string): string | undefined => {
  const parent = dirname(folder)
  return parent === folder ? undefined : parent
}
