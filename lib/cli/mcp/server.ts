/** Serves agents by the Model Context Protocol: tools, and failures with their sources as resources. */

import { McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { refuseRequest } from '../../base/errors.ts'
import type { ListedSource } from '../../schema/report-results.ts'
import { newestFailures } from '../explain-command.ts'
import { chainTools } from './chain-tools.ts'
import { debugTools, openFailure } from './debug-tools.ts'
import { explainedFailure, failureTools } from './failure-tools.ts'
import type { Agent } from './tool.ts'

/** What the agent reads first. */
const INSTRUCTIONS = `Finds out why tests of contracts fail. After a failed run call failures, then explain; where the reason is not enough, debug_open and debug_move, backwards too. They need no running node: the last run of the folder is kept in a file. The other tools work on a running node (npx dev-node start).`

const PLAIN_TEXT = { mimeType: 'text/plain' }

export interface ServedAgent {
  readonly version: string
  /** Whether the tools that change the chain are left out. */
  readonly isReadOnly: boolean
}

/** Serves an agent over the standard streams until it closes them. */
export function serveAgent(agent: Agent, { version, isReadOnly }: ServedAgent): Promise<void> {
  return new Promise((resolve) => {
    const build = (): McpServer => {
      const server = new McpServer({ name: 'dev-node', version }, { instructions: INSTRUCTIONS })
      for (const { isChange, register } of [...failureTools, ...debugTools, ...chainTools])
        if (!isChange || !isReadOnly) register(server, agent)
      registerFailures(server, agent)
      registerSources(server, agent)
      server.server.onclose = resolve
      return server
    }
    serveStdio(build)
  })
}

function registerFailures(server: McpServer, agent: Agent): void {
  const list = async () => {
    const failures = await newestFailures(await agent.withFailure(undefined), 100)
    return {
      resources: failures.map(({ id, reason, test }) => ({
        uri: `dev-node://failure/${id}`,
        name: test?.title ?? `failure ${id}`,
        description: reason,
      })),
    }
  }
  server.registerResource(
    'failure',
    new ResourceTemplate('dev-node://failure/{id}', { list }),
    { description: 'The whole explanation of a failure.', ...PLAIN_TEXT },
    async ({ href }, { id }) => ({
      contents: [{ uri: href, text: (await explainedFailure(Number(id), agent, true)).join('\n') }],
    }),
  )
}

function registerSources(server: McpServer, agent: Agent): void {
  const sources = async (): Promise<readonly ListedSource[]> => {
    const { execution } = agent.debugged ?? (await openFailure(undefined, agent))
    return [...(await execution.sources()).values()]
  }
  const list = async () => ({
    resources: (await sources()).map(({ path }) => ({ uri: `dev-node://source/${path}`, name: path })),
  })
  server.registerResource(
    'source',
    new ResourceTemplate('dev-node://source/{+path}', { list }),
    { description: 'A source of the execution in the debugger, or of the newest failure.', ...PLAIN_TEXT },
    async ({ href }, { path }) => {
      const found = (await sources()).find((source) => source.path === path)
      const text = found?.content ?? refuseRequest(`the text of ${String(path)} is not known`)
      return { contents: [{ uri: href, text }] }
    },
  )
}
