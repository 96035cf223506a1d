/** An editor for tests: a client of the debug adapter, which runs in the process of the test or is the built command. */

import { Socket } from 'node:net'
import { DebugClient } from '@vscode/debugadapter-testsupport'
import type { DebugProtocol } from '@vscode/debugprotocol'
import { askedReport } from '../../lib/cli/asked-report.ts'
import { listenForEditors } from '../../lib/modules/debug/adapter/adapter.ts'

/** What an editor sets before a session runs. */
export interface EditorSetup {
  /** Breakpoints by path. */
  readonly lines?: Readonly<Record<string, readonly DebugProtocol.SourceBreakpoint[]>>
  readonly functions?: readonly DebugProtocol.FunctionBreakpoint[]
  readonly filters?: readonly string[]
  readonly filterOptions?: readonly DebugProtocol.ExceptionFilterOptions[]
}

/** Where a thread stopped. */
export interface Stop extends Pick<DebugProtocol.StoppedEvent['body'], 'reason' | 'text' | 'description'> {
  readonly threadId: number
  readonly line: number
  readonly frames: readonly DebugProtocol.StackFrame[]
}

/** A client of the debug adapter. */
export class Editor {
  readonly client: DebugClient
  /** Texts of logpoints. */
  readonly printed: string[] = []
  #hasLeft = false

  constructor(client: DebugClient) {
    this.client = client
    // Of an adapter in a process of its own: its five seconds are short on a busy machine.
    client.defaultTimeout = 120_000
    client.on('output', ({ body }: DebugProtocol.OutputEvent) => this.printed.push(body.output.trimEnd()))
  }

  /** Leaves the adapter, once. */
  async leave(): Promise<void> {
    if (this.#hasLeft) return
    this.#hasLeft = true
    await this.client.stop()
  }

  /** Closes the connection without a word. */
  crash(): void {
    this.#hasLeft = true
    const socket: unknown = Reflect.get(this.client, '_socket')
    if (socket instanceof Socket) socket.destroy()
  }

  /** Launches or attaches. */
  async begin(request: 'launch' | 'attach', settings: object, setup: EditorSetup = {}): Promise<void> {
    const { client } = this
    await client.initializeRequest()
    const initialized = client.waitForEvent('initialized')
    await client.customRequest(request, settings)
    await initialized
    for (const [path, breakpoints] of Object.entries(setup.lines ?? {}))
      await client.setBreakpointsRequest({ source: { path }, breakpoints: [...breakpoints] })
    await client.setFunctionBreakpointsRequest({ breakpoints: [...(setup.functions ?? [])] })
    await client.setExceptionBreakpointsRequest({
      filters: [...(setup.filters ?? ['uncaught'])],
      filterOptions: [...(setup.filterOptions ?? [])],
    })
  }

  /** Launches, and returns the first stop. */
  async launch(settings: object, setup: EditorSetup = {}): Promise<Stop> {
    await this.begin('launch', settings, setup)
    return this.after(() => this.client.configurationDoneRequest())
  }

  /** The stop after a request. */
  async after(request: () => Promise<unknown>): Promise<Stop> {
    const stopped = this.nextStop()
    await request()
    return stopped
  }

  /** The next stop. */
  async nextStop(): Promise<Stop> {
    const { body }: DebugProtocol.Event = await this.client.waitForEvent('stopped')
    const { reason, text, description, threadId } = body
    const trace = await this.client.stackTraceRequest({ threadId })
    const frames = trace.body.stackFrames
    return { reason, text, description, threadId, line: frames[0]?.line ?? 0, frames }
  }

  /** Requests of motions of the only thread, each with its stop. */
  step(command: string, args: object = {}): Promise<Stop> {
    return this.after(() => this.client.customRequest(command, { threadId: 1, ...args }))
  }

  /** Variables of a scope by name. */
  async scope(name: string, { frames: [frame] }: Stop): Promise<ReadonlyMap<string, DebugProtocol.Variable>> {
    const { body } = await this.client.scopesRequest({ frameId: frame!.id })
    const { variablesReference } = body.scopes.find((scope) => scope.name === name)!
    return this.parts(variablesReference)
  }

  /** Parts of a variable by name. */
  async parts(variablesReference: number): Promise<ReadonlyMap<string, DebugProtocol.Variable>> {
    const { body } = await this.client.variablesRequest({ variablesReference })
    return new Map(body.variables.map((variable) => [variable.name, variable]))
  }

  /** The value of an expression. */
  async evaluate(expression: string, { frames: [frame] }: Stop): Promise<string> {
    const { body } = await this.client.evaluateRequest({ expression, frameId: frame!.id })
    return body.result
  }
}

/** An editor with an adapter in this process. */
export async function withEditor(run: (editor: Editor) => Promise<void>, folder = '/'): Promise<void> {
  const server = await listenForEditors(
    { host: '127.0.0.1', port: 0 },
    { env: {}, openReport: (path: string) => askedReport(path, true), folder },
  )
  const client = new DebugClient('', '', 'dev-node')
  const editor = new Editor(client)
  try {
    await client.start(server.port)
    await run(editor)
  } finally {
    await editor.leave()
    await server.close()
  }
}
