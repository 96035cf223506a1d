/** A recorded execution that the node keeps. It is opened again when the node has closed it. */

import type { RpcMethods } from '../../lib/embed/rpc-types.ts'
import { ask } from './json-rpc.ts'

/** What is debugged: a transaction by its hash, or a failure by its id in dev_failures. */
export type DebugTarget = { readonly transaction: string } | { readonly failure: number }

type Methods = RpcMethods
export type Summary = NonNullable<Methods['dev_debugOpen']['result']>
export type Stack = Methods['dev_debugStack']['result']
export type Frame = Stack['frames'][number]
export type Variable = Methods['dev_debugVariables']['result'][number]
export type Motion = Methods['dev_debugMove']['params'][2]
export type Stop = Methods['dev_debugMove']['result']
type Sources = Methods['dev_debugSources']['result']

/** Methods whose first param is the session. */
type SessionMethod = Exclude<keyof Methods & `dev_debug${string}`, 'dev_debugOpen' | 'dev_debugBreakpoints'>
type RestOf<Params> = Params extends readonly [string, ...infer Rest] ? Rest : never

/** Where an execution is, and the variables of one of its functions. */
export interface Shown {
  readonly at: number
  readonly stack: Stack
  /** The function whose variables these are; undefined if no code ran. */
  readonly frame: Frame | undefined
  readonly locals: readonly Variable[]
  readonly state: readonly Variable[]
  readonly message: readonly Variable[]
}

/** The session of one target. */
export class DebugSession {
  readonly #target: DebugTarget
  #opened: Promise<Summary> | undefined
  #sources: Promise<Sources> | undefined

  constructor(target: DebugTarget) {
    this.#target = target
  }

  /** Number of steps, first and last one, and the outcome. @throws Error if the node does not know the execution */
  open(): Promise<Summary> {
    this.#opened ??= this.#open()
    return this.#opened
  }

  /** Asks about the session. @throws RpcError */
  async ask<M extends SessionMethod>(
    method: M,
    ...params: RestOf<Methods[M]['params']>
  ): Promise<Methods[M]['result']> {
    const send = ({ session }: Summary) =>
      ask(method, ...([session, ...params] as unknown as Methods[M]['params']))
    const opened = await this.open()
    try {
      return await send(opened)
    } catch (error) {
      // The node keeps a few sessions. One that is still open keeps its id.
      this.#opened = this.#open()
      const again = await this.#opened
      if (again.session === opened.session) throw error
      return send(again)
    }
  }

  /** The stack and the variables at a step. The innermost function is shown if there is none with the number. */
  async shownAt(at: number, number: number | undefined): Promise<Shown> {
    const stack = await this.ask('dev_debugStack', at)
    const frame = stack.frames.find((one) => one.frame === number) ?? stack.frames[0]
    const variables = async (scope: string): Promise<readonly Variable[]> =>
      frame === undefined ? [] : this.ask('dev_debugVariables', at, frame.frame, [scope])
    const [locals, state, message] = await Promise.all(['locals', 'state', 'message'].map(variables))
    return { at, stack, frame, locals: locals ?? [], state: state ?? [], message: message ?? [] }
  }

  /** The sources of all code that ran. */
  sources(): Promise<Sources> {
    this.#sources ??= this.ask('dev_debugSources')
    return this.#sources
  }

  async #open(): Promise<Summary> {
    const opened = await ask('dev_debugOpen', this.#target)
    if (opened === null) throw new Error('The node does not keep this execution.')
    return opened
  }
}
