/** A tool for agents: its schema, and how its answer is made. Answers are short; agents can ask for the rest. */

import type { McpServer } from '@modelcontextprotocol/server'
import type * as z from 'zod'
import type { AskedNode } from '../../client/node-client.ts'
import type { DebuggedExecution } from '../../modules/debug/adapter/debugged-execution.ts'

export interface Agent {
  /**
   * Asks whoever keeps the failure: a running node, or the file of the last run. Without an id, it is the newest. @throws NodeError
   * 'invalidOption'
   */
  readonly withFailure: (id: number | undefined) => Promise<AskedNode>
  /** The running node. @throws NodeError 'invalidOption' if none answers */
  readonly chain: () => Promise<AskedNode>
  debugged?: { readonly node: AskedNode; readonly execution: DebuggedExecution; readonly step: number }
}

export interface Tool {
  readonly name: string
  readonly isChange: boolean
  readonly register: (server: McpServer, agent: Agent) => void
}

interface ToolParts<Input> {
  readonly description: string
  readonly input: z.ZodType<Input>
  readonly isChange?: boolean
  /** Lines for the agent. An error becomes the result of the call, with its message. */
  readonly run: (input: Input, agent: Agent) => Promise<readonly string[]>
}

export const tool = <Input>(
  name: string,
  { description, input, isChange = false, run }: ToolParts<Input>,
): Tool => ({
  name,
  isChange,
  register: (server, agent) => {
    const annotations = { readOnlyHint: !isChange, openWorldHint: false }
    server.registerTool(name, { description, inputSchema: input, annotations }, async (given) => ({
      content: [{ type: 'text', text: (await run(given, agent)).join('\n') }],
    }))
  },
})

/** The first lines, and how many are left out. `advice` tells how to get the rest. */
export const firstLines = (lines: readonly string[], count: number, advice: string): readonly string[] =>
  lines.length <= count
    ? lines
    : [...lines.slice(0, count), `(${lines.length - count} more lines: ${advice})`]
