/**
 * Serves editors (Debug Adapter Protocol) over a pair of streams or TCP: moves through recorded executions, or stops requests of an
 * attached node.
 */

import { createServer, type Socket } from 'node:net'
import { resolve } from 'node:path'
import {
  DebugSession,
  Event,
  InitializedEvent,
  OutputEvent,
  Response,
  TerminatedEvent,
  ThreadEvent,
} from '@vscode/debugadapter'
import type { DebugProtocol } from '@vscode/debugprotocol'
import { NodeError, trouble } from '../../../base/errors.ts'
import { nextTurn } from '../../../base/host.ts'
import { codeOf, reasonOf } from '../../../base/system-errors.ts'
import { AnsweredError, nodeAt, usualUrl, type AskedNode } from '../../../client/node-client.ts'
import type { Motion } from '../params.ts'
import type { HeldStop } from '../results.ts'
import { Attachment } from './attachment.ts'
import { BreakpointSet, breakpointRequests } from './breakpoint-set.ts'
import { DebuggedExecution, placeBreakpoints, DebuggedThread, Threads } from './debugged-execution.ts'
import { Inspector } from './inspector.ts'
import {
  readSettings,
  targetOf,
  urlOf,
  CAPABILITIES,
  withPathFormat,
  type SessionSettings,
  type Counting,
  type EditorRequestHandler,
  type EditorRequests,
} from './requests.ts'
import { SourceFiles } from './source-files.ts'

interface EditorStreams {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
}

export const serveEditor = ({ input, output }: EditorStreams, process: AdapterProcess): Promise<void> =>
  new Promise((resolve) => new DebugAdapter(process, resolve).start(input, output))

interface EditorPort {
  readonly host: string
  readonly port: number
}

/** Serves all editors that connect. @throws NodeError 'addressInUse', 'invalidOption' */
export async function listenForEditors(
  { host, port }: EditorPort,
  process: AdapterProcess,
): Promise<EditorPort & { readonly close: () => Promise<void> }> {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => socket.destroy())
    // Pages in a browser can send HTTP requests to any port, and the protocol's reader would take their bodies for messages.
    socket.once('data', (beginning) => {
      if (!beginning.toString('latin1').startsWith('Content-')) return void socket.destroy()
      socket.pause()
      socket.unshift(beginning)
      void serveEditor({ input: socket, output: socket }, process).then(() => socket.end())
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(refusal(cause, { host, port })))
    server.listen(port, host, resolve)
  })
  const address = server.address()
  const close = (): Promise<void> => {
    for (const socket of open) socket.destroy()
    return new Promise((resolve) => server.close(() => resolve()))
  }
  return { host, port: typeof address === 'object' && address !== null ? address.port : port, close }
}

function refusal(cause: Error, { host, port }: EditorPort): NodeError {
  if (codeOf(cause) === 'EADDRINUSE')
    return new NodeError(
      'addressInUse',
      `port ${port} of ${host} is in use: choose another, or 0 for any that is free`,
      { cause },
    )
  return trouble('DN-LISTEN', `cannot listen on ${host}:${port}: ${reasonOf(cause)}`, cause)
}

/** Environment variables and working folder of the adapter's process. */
interface AdapterProcess {
  /** Opens a file of failures. @throws NodeError */
  readonly openReport: (path: string) => Promise<AskedNode>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly folder: string
}

/** The thread of a launch. Threads of an attachment have higher ids. */
const LAUNCHED = 1

/** The thread that editors see while no request waits, because they expect at least one. */
const WAITING = { id: LAUNCHED, name: 'waiting for a breakpoint' }

class DebugAdapter extends DebugSession {
  readonly #process: AdapterProcess
  readonly #ended: () => void
  readonly #breakpoints = new BreakpointSet()
  readonly #threads = new Threads()
  #attachment: Attachment | undefined
  #begin: () => Promise<void> = async () => undefined
  /** Requests about what is debugged. */
  #opened: EditorRequests = {}

  /** `ended` is called when the editor disconnects. */
  constructor(process: AdapterProcess, ended: () => void) {
    super()
    this.#process = process
    this.#ended = ended
    this.setDebuggerLinesStartAt1(true)
    this.setDebuggerColumnsStartAt1(true)
  }

  readonly #requests: EditorRequests = {
    launch: (settings: object) => this.#launch(readSettings(settings)),
    attach: (settings: object) => this.#attach(readSettings(settings)),
    configurationDone: () => this.#begin(),
    threads: () => {
      const threads = this.#threads.all.map(({ id, name }) => ({ id, name }))
      return { threads: threads.length === 0 ? [WAITING] : threads }
    },
    // Nothing runs for long.
    pause: () => undefined,
    next: (args: DebugProtocol.NextArguments) => this.#step(args, 'over'),
    stepIn: (args: DebugProtocol.StepInArguments) =>
      args.targetId === undefined ? this.#step(args, 'into') : this.#jump(args.targetId, 'step'),
    stepOut: (args: DebugProtocol.StepOutArguments) => this.#step(args, 'out'),
    stepBack: (args: DebugProtocol.StepBackArguments) => this.#step(args, 'over', 'backwards'),
    reverseContinue: (args: DebugProtocol.ReverseContinueArguments) => this.#step(args, 'run', 'backwards'),
    continue: ({ threadId }: DebugProtocol.ContinueArguments) => this.#continue(threadId),
    goto: (args: DebugProtocol.GotoArguments) => this.#jump(args.targetId, 'goto'),
    restartFrame: ({ frameId }: DebugProtocol.RestartFrameArguments) => this.#restart(frameId),
    terminate: async () => {
      await this.#attachment?.detach()
      void nextTurn().then(() => this.sendEvent(new TerminatedEvent()))
    },
    disconnect: () => void nextTurn().then(() => this.shutdown()),
  }

  protected override initializeRequest(response: DebugProtocol.InitializeResponse): void {
    response.body = CAPABILITIES
    this.sendResponse(response)
  }

  protected override dispatchRequest(request: DebugProtocol.Request): void {
    const { command } = request
    const handler = this.#requests[command] ?? this.#opened[command]
    if (handler === undefined) super.dispatchRequest(withPathFormat(request))
    else void this.#answer(request, handler)
  }

  /** Sends a response's body, or an error as one sentence. */
  async #answer(request: DebugProtocol.Request, handler: EditorRequestHandler): Promise<void> {
    const response: DebugProtocol.Response = new Response(request)
    try {
      response.body = await handler(request.arguments)
      this.sendResponse(response)
    } catch (error) {
      const showUser = request.command !== 'evaluate'
      // There is little room below an expression, and the user knows the node since it was opened.
      const isShort = !showUser && error instanceof AnsweredError
      const variables = { _reason: isShort ? error.error.message : reasonOf(error) }
      this.sendErrorResponse(response, { id: 1, format: '{_reason}', variables, showUser })
    }
  }

  /** Chooses the node, and the folders of the sources. @throws NodeError 'invalidOption' without a node */
  async #open(settings: SessionSettings): Promise<AskedNode> {
    const { env, folder, openReport } = this.#process
    const { report } = settings
    const node =
      report === undefined
        ? nodeAt(urlOf(settings, env) ?? (await usualUrl('name it with `url`')))
        : await openReport(resolve(folder, report))
    const files = new SourceFiles([resolve(folder, settings.projectRoot ?? '.'), folder])
    const counting: Counting = {
      line: (line) => this.convertDebuggerLineToClient(line),
      column: (column) => this.convertDebuggerColumnToClient(column),
      lineOf: (line) => this.convertClientLineToDebugger(line),
    }
    this.#opened = {
      ...new Inspector(this.#threads, files, counting).requests,
      ...breakpointRequests({
        node,
        breakpoints: this.#breakpoints,
        counting,
        pathOf: (source) => files.pathOf(source),
        changed: async (all) => this.#attachment?.set(all),
      }),
    }
    return node
  }

  async #launch(settings: SessionSettings): Promise<void> {
    const execution = await DebuggedExecution.open(await this.#open(settings), targetOf(settings))
    const thread = new DebuggedThread(LAUNCHED, execution.facts.hash ?? 'call', execution)
    this.#threads.add(thread)
    this.#begin = async () => {
      if (settings.stopOnEntry === true) thread.jump(execution.facts.first, 'start')
      else await thread.move('run', this.#breakpoints.all)
      this.#reportLater(thread)
    }
    this.sendEvent(new InitializedEvent())
  }

  async #attach(settings: SessionSettings): Promise<void> {
    await Attachment.whenRunning(urlOf(settings, this.#process.env), (text) => this.#notify(text))
    const node = await this.#open(settings)
    // Fails early if the node does not answer.
    await placeBreakpoints(node, [])
    this.#begin = async () => {
      this.#attachment = await Attachment.begin(
        node,
        { breakpoints: this.#breakpoints.all, pauseOn: settings.pauseOn },
        {
          onStop: (stop) => this.#onHeld(node, stop),
          onEnd: (reason) => {
            this.#notify(reason)
            this.sendEvent(new TerminatedEvent())
          },
        },
      )
      this.sendEvent(new OutputEvent(`attached to ${node.url ?? node.name}\n`))
    }
    this.sendEvent(new InitializedEvent())
  }

  /** A request of the debugged suite has met a breakpoint or passed logpoints. */
  #onHeld(node: AskedNode, { stop, session, method, world, at }: NonNullable<HeldStop>): void {
    const name = world === null ? method : `${method} in ${world}`
    const thread = new DebuggedThread(LAUNCHED + stop, name, new DebuggedExecution(node, session), at)
    if (thread.isAtEnd) return this.#printLogs(thread)
    this.#threads.add(thread)
    this.sendEvent(new ThreadEvent('started', thread.id))
    this.#reportLater(thread)
  }

  /** Tells the editor where a thread is or that it has ended, but only after the response to the request that moved it. */
  #reportLater(thread: DebuggedThread): void {
    void nextTurn().then(() => {
      this.#printLogs(thread)
      if (this.#threads.has(thread)) this.sendEvent(new Event('stopped', thread.stopped))
      else if (this.#attachment === undefined) this.sendEvent(new TerminatedEvent())
      else this.sendEvent(new ThreadEvent('exited', thread.id))
    })
  }

  #notify(text: string): void {
    this.sendEvent(new OutputEvent(`${text}\n`, 'important'))
  }

  #printLogs({ logs }: DebuggedThread): void {
    for (const { breakpoint, text } of logs) {
      const at = this.#breakpoints.placeOf(breakpoint)
      const place = at && { source: at.source, line: this.convertDebuggerLineToClient(at.line) }
      this.sendEvent(new Event('output', { output: `${text}\n`, category: 'stdout', ...place }))
    }
  }

  async #move(thread: DebuggedThread, move: () => void | Promise<void>): Promise<void> {
    await move()
    this.#threads.endReferences(thread)
    this.#reportLater(thread)
  }

  #step(
    { threadId, granularity }: DebugProtocol.NextArguments,
    kind: Motion['kind'],
    direction?: Motion['direction'],
  ): Promise<void> {
    const thread = this.#threads.get(threadId)
    const unit = granularity === 'instruction' ? 'instruction' : kind
    return this.#move(thread, () => thread.move(unit, this.#breakpoints.all, direction))
  }

  /** A launch waits at its end, so that the user can step back. An attachment's request continues. */
  async #continue(threadId: number): Promise<{ readonly allThreadsContinued: boolean }> {
    const thread = this.#threads.get(threadId)
    await this.#move(thread, async () => {
      const wasAtEnd = thread.isAtEnd
      if (!wasAtEnd) await thread.move('run', this.#breakpoints.all)
      if (!thread.isAtEnd || (!wasAtEnd && this.#attachment === undefined)) return
      this.#threads.remove(thread)
      await this.#attachment?.resume(threadId - LAUNCHED)
    })
    return { allThreadsContinued: false }
  }

  #jump(reference: number, reason: 'goto' | 'step'): Promise<void> {
    const { thread, step } = this.#threads.referent(reference)
    return this.#move(thread, () => thread.jump(step, reason))
  }

  /** Goes back to where the function was entered. */
  #restart(frameId: number): Promise<void> {
    const { thread, frame } = this.#threads.referent(frameId)
    return this.#move(thread, async () => {
      const { frames } = await thread.execution.stack(thread.step)
      const entered = frames.find((placed) => placed.frame === frame)?.entered
      if (entered !== undefined) thread.jump(entered, 'goto')
    })
  }

  override shutdown(): void {
    void (this.#attachment?.detach() ?? Promise.resolve()).then(this.#ended)
  }
}
