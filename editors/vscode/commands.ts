/** The commands of the palette and of code lenses. */

import { env, window } from 'vscode'
import { startDebugging } from './configurations.ts'

const HASH = /^0x[0-9a-f]{64}$/i

/** Debugs a transaction from its first statement on: that of the selected hash, or one that is asked for. */
export async function debugTransaction(): Promise<void> {
  const transaction = selectedHash() ?? (await askTransaction())
  if (transaction === undefined) return
  await startDebugging('launch', `Transaction ${transaction.slice(0, 10)}`, {
    transaction,
    stopOnEntry: true,
  })
}

/** Debugs a failure by its id, or the last one; at the URL that told its id. */
export async function debugFailure(id?: number, url?: string): Promise<void> {
  const name = id === undefined ? 'Last failure' : `Failure ${id}`
  await startDebugging('launch', name, { failure: id ?? 'last', ...(url === undefined ? {} : { url }) })
}

/** Stops a running test suite at breakpoints in Solidity. */
export const attach = (): Promise<void> => startDebugging('attach', 'Test run')

/** Asks for the hash of a transaction, and proposes that of the clipboard; undefined if the user leaves. */
export async function askTransaction(): Promise<string | undefined> {
  const copied = (await env.clipboard.readText()).trim()
  const hash = await window.showInputBox({
    prompt: 'Hash of the transaction',
    value: HASH.test(copied) ? copied : '',
    validateInput: (text) => (HASH.test(text.trim()) ? undefined : '0x and 64 digits'),
  })
  return hash?.trim()
}

/** The hash that is selected in the editor, or that has the cursor. */
function selectedHash(): string | undefined {
  const { document, selection } = window.activeTextEditor ?? {}
  const range = selection && document?.getWordRangeAtPosition(selection.active, /\b0x[0-9a-f]{64}\b/i)
  return range && document?.getText(range)
}
