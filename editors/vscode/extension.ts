/** The extension of VS Code: registers the debugger, its commands and the code lenses. */

import { commands, debug, languages, window, workspace } from 'vscode'
import type { ExtensionContext } from 'vscode'
import { DEBUG_TYPE, configurations } from './configurations.ts'
import { adapters } from './adapter.ts'
import { askTransaction, attach, debugFailure, debugTransaction } from './commands.ts'
import { SolidityLenses } from './lenses.ts'

/** VS Code calls this when a Solidity file is opened, a command is called, or debugging begins. */
export function activate({ subscriptions }: ExtensionContext): void {
  const lenses = new SolidityLenses()
  const renew = () => lenses.renew()
  subscriptions.push(
    debug.registerDebugConfigurationProvider(DEBUG_TYPE, configurations),
    debug.registerDebugAdapterDescriptorFactory(DEBUG_TYPE, adapters),
    commands.registerCommand('dev-node.askTransaction', askTransaction),
    commands.registerCommand('dev-node.debugTransaction', debugTransaction),
    commands.registerCommand('dev-node.debugFailure', debugFailure),
    commands.registerCommand('dev-node.attach', attach),
    languages.registerCodeLensProvider({ language: 'solidity' }, lenses),
    window.onDidChangeWindowState(({ focused }) => focused && renew()),
    // A suite that ran in the terminal of the editor.
    window.onDidEndTerminalShellExecution(renew),
    workspace.onDidSaveTextDocument(renew),
    workspace.onDidChangeConfiguration(renew),
    debug.onDidTerminateDebugSession(renew),
    lenses,
  )
}
