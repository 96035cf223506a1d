/** Runs `dev-node mcp`: serves a coding agent over the standard streams, until it closes them. */

import { nodeAt, usualUrl } from '../client/node-client.ts'
import { findPackage } from '../config/package.ts'
import { COMMAND_FLAGS, readUrl, refuseExtra, refuseUnknown, type CommandLine } from './command-flags.ts'
import { askedNode, isReportFile } from './explain-command.ts'
import type { CommandResult, Io } from './io.ts'
import { serveAgent } from './mcp/server.ts'

/** Runs the command. @throws NodeError 'invalidOption' */
export async function runMcpCommand(
  { words: [word, extra], flags }: CommandLine,
  { env }: Pick<Io, 'env'>,
): Promise<CommandResult> {
  const file = isReportFile(word) ? word : undefined
  refuseExtra(file === undefined ? word : extra)
  refuseUnknown(flags, 'mcp', COMMAND_FLAGS.mcp)
  const url = readUrl(flags, env)
  const agent = {
    withFailure: (id: number | undefined) => askedNode(file, url, { id }),
    chain: async () =>
      nodeAt(url ?? (await usualUrl('start one with npx dev-node start, or name it with --url'))),
  }
  await serveAgent(agent, { version: findPackage().version, isReadOnly: flags['read-only'] === true })
  return { text: '', code: 0 }
}
