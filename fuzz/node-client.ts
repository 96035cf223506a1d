/** The process of the node as its parent sees it, and requests to it over HTTP, WebSocket and the local socket. */

import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { WebSocket } from 'ws'
import type { OptionsInput } from '../lib/modules/options.ts'
import type { FromNode, Law, Level, Ready, ToNode } from './messages.ts'
import { ANSWER_LIMIT } from './settings.ts'

/** A law that was broken, and how. */
export class BrokenLaw extends Error {
  readonly law: Law

  constructor(law: Law, detail: string) {
    super(detail)
    this.name = 'BrokenLaw'
    this.law = law
  }
}

/** Milliseconds by which the end of a process may come after the end of its connections. */
const LATE_MS = 300

/** An answer that breaks off above this length was too long: the node learns that while it writes. */
const CUT_ABOVE = 0.9 * ANSWER_LIMIT

/** Stands for such an answer. */
const TOO_LONG =
  '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"the answer exceeds the limit"}}'

/** The node that is fuzzed. */
export class NodeClient {
  readonly ready: Ready
  /** What the process told of broken laws, and not yet taken. */
  readonly #broken: BrokenLaw[] = []
  readonly #child: ChildProcess
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 16 })
  #exit: string | undefined

  private constructor(child: ChildProcess, ready: Ready) {
    this.#child = child
    this.ready = ready
    child.on('message', (message: FromNode) => {
      if (message.kind === 'broken') this.#broken.push(new BrokenLaw(message.law, message.detail))
    })
    child.on('exit', (code, signal) => (this.#exit = `the process ended with ${code ?? signal ?? ''}`))
  }

  /** Starts a node. `program` is the bundled node-process.ts. */
  static async start(program: string, options: OptionsInput, defect?: string): Promise<NodeClient> {
    const args = [JSON.stringify(options), ...(defect === undefined ? [] : [defect])]
    const execArgv = ['--expose-gc', '--max-old-space-size=1500']
    const child = fork(program, args, { execArgv, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
    let output = ''
    child.stderr!.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4000)))
    const ended = once(child, 'exit').then(() => {
      throw new BrokenLaw('no crash', `the node did not start: ${output}`)
    })
    const ready = once(child, 'message').then(([message]) => message as Ready)
    ended.catch(() => undefined)
    return new NodeClient(child, await Promise.race([ready, ended]))
  }

  /** Throws the first broken law that the process told of, or its end. @throws BrokenLaw */
  check(): void {
    const first = this.#broken.shift()
    if (first !== undefined) throw first
    if (this.#exit !== undefined) throw new BrokenLaw('no crash', this.#exit)
  }

  /** Throws what the process told, or its end, which may come a little after the end of a connection. @throws BrokenLaw */
  async checkLater(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, LATE_MS))
    this.check()
  }

  /** Sends a request over HTTP. Undefined if the connection broke, or the time ran out; TOO_LONG if the answer was. */
  post(path: string, body: string | Buffer, timeoutMs: number): Promise<string | undefined> {
    return new Promise((resolve) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
      const settings = {
        host: '127.0.0.1',
        port: this.ready.port,
        method: 'POST',
        path,
        headers,
        agent: this.#agent,
      }
      const sent = request({ ...settings, timeout: timeoutMs }, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (text += chunk))
        response.on('end', () => resolve(response.complete ? text : undefined))
        response.on('error', () => resolve(text.length > CUT_ABOVE ? TOO_LONG : undefined))
      })
      sent.on('timeout', () => sent.destroy())
      sent.on('error', () => resolve(undefined))
      sent.end(body)
    })
  }

  /** Result of a method over HTTP; undefined for an error. */
  async call(method: string, ...params: readonly unknown[]): Promise<unknown> {
    const text = await this.post('/', JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), 60_000)
    return text === undefined ? undefined : (JSON.parse(text) as { readonly result?: unknown }).result
  }

  /** A bare connection. */
  open(): Socket {
    return connect(this.ready.port, '127.0.0.1')
  }

  /** A WebSocket. */
  openWebSocket(path: string): WebSocket {
    return new WebSocket(`ws://127.0.0.1:${this.ready.port}${path}`)
  }

  /** The memory after a collection of garbage. @throws BrokenLaw when the process does not answer */
  async level(): Promise<Level> {
    this.check()
    const answer = new Promise<Level>((resolve) => {
      const listener = (message: FromNode): void => {
        if (message.kind !== 'level') return
        this.#child.off('message', listener)
        resolve(message)
      }
      this.#child.on('message', listener)
    })
    this.#child.send('level' satisfies ToNode)
    const ended = once(this.#child, 'exit').then(() => undefined)
    const level = await Promise.race([answer, ended])
    this.check()
    return level!
  }

  /** Ends the process. */
  async stop(): Promise<void> {
    this.#agent.destroy()
    if (this.#exit !== undefined) return
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await ended
  }
}
