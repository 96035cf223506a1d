/** Shows threads to an editor: functions, variables, values, failures, sources, instructions. */

import type { DebugProtocol } from '@vscode/debugprotocol'
import { refuseRequest } from '../../../base/errors.ts'
import type { DEBUG_SCOPES, DebugFrame, DebugPlace, DebugVariable } from '../results.ts'
import { dataIdOf } from './breakpoint-set.ts'
import type { DebuggedExecution, DebuggedThread, Referent, Threads } from './debugged-execution.ts'
import type { Counting, EditorRequests } from './requests.ts'
import type { SourceFiles } from './source-files.ts'

export class Inspector {
  readonly #threads: Threads
  readonly #files: SourceFiles
  readonly #counting: Counting
  readonly #disassembler: Disassembler

  constructor(threads: Threads, files: SourceFiles, counting: Counting) {
    this.#threads = threads
    this.#files = files
    this.#counting = counting
    this.#disassembler = new Disassembler((execution, place) => this.#placed(execution, place))
  }

  readonly requests: EditorRequests = {
    stackTrace: (args: DebugProtocol.StackTraceArguments) => this.#stackTrace(args),
    scopes: ({ frameId }: DebugProtocol.ScopesArguments) => ({ scopes: this.#scopes(frameId) }),
    variables: async ({ variablesReference }: DebugProtocol.VariablesArguments) => ({
      variables: await this.#variables(variablesReference),
    }),
    evaluate: (args: DebugProtocol.EvaluateArguments) => this.#evaluate(args),
    exceptionInfo: ({ threadId }: DebugProtocol.ExceptionInfoArguments) => this.#failure(threadId),
    dataBreakpointInfo: (args: DebugProtocol.DataBreakpointInfoArguments) => this.#storedVariable(args),
    stepInTargets: ({ frameId }: DebugProtocol.StepInTargetsArguments) => this.#stepInTargets(frameId),
    gotoTargets: (args: DebugProtocol.GotoTargetsArguments) => this.#visits(args),
    disassemble: async (args: DebugProtocol.DisassembleArguments) => ({
      instructions: await this.#disassembler.instructions(args),
    }),
    loadedSources: () => this.#sources(),
    source: ({ source, sourceReference }: DebugProtocol.SourceArguments) => ({
      content:
        this.#files.text(source?.sourceReference ?? sourceReference) ??
        refuseRequest('the text of this source is not known'),
    }),
  }

  async #stackTrace({ threadId, startFrame = 0, levels = 0 }: DebugProtocol.StackTraceArguments) {
    const thread = this.#threads.get(threadId)
    const { frames } = await thread.execution.stack(thread.step)
    const shown = frames.slice(startFrame, levels === 0 ? undefined : startFrame + levels)
    const stackFrames = await Promise.all(shown.map((frame) => this.#frame(thread, frame)))
    return { stackFrames, totalFrames: frames.length }
  }

  async #frame(thread: DebuggedThread, frame: DebugFrame): Promise<DebugProtocol.StackFrame> {
    const { execution, step } = thread
    const referent = { thread, step, frame: frame.frame, path: [] }
    const placed = frame.place && (await this.#placed(execution, frame.place))
    return {
      id: this.#threads.refer(referent),
      name: frame.name,
      ...(placed ?? { line: 0, column: 0, presentationHint: 'subtle' }),
      instructionPointerReference: this.#disassembler.referenceTo(referent, frame),
      canRestart: true,
    }
  }

  /**
   * The beginning of a place with its source, in the editor's counting. With the end, VS Code would select the statement, and
   * typing would replace it.
   */
  async #placed(execution: DebuggedExecution, place: DebugPlace): Promise<PlacedText> {
    const { id, path, line, column } = place
    const listed = (await execution.sources()).get(id) ?? { id, path }
    const counting = this.#counting
    return { source: this.#files.find(listed), line: counting.line(line), column: counting.column(column) }
  }

  #scopes(frameId: number): DebugProtocol.Scope[] {
    const referent = this.#threads.referent(frameId)
    return SCOPES.map(({ scope, ...shown }) => ({
      ...shown,
      variablesReference: this.#threads.refer({ ...referent, path: [scope] }),
    }))
  }

  async #variables(reference: number): Promise<DebugProtocol.Variable[]> {
    const referent = this.#threads.referent(reference)
    const { thread, path } = referent
    const variables = await thread.execution.variables(referent, path)
    return variables.map((variable) => {
      const own = { ...referent, path: [...path, variable.name] }
      const evaluateName = expressionOf(own.path)
      return {
        name: variable.name,
        value: shownValue(variable),
        ...this.#typeAndParts(variable, own),
        ...(evaluateName !== undefined && { evaluateName }),
      }
    })
  }

  #typeAndParts({ type, parts }: DebugVariable, referent: Referent) {
    const variablesReference = parts === 0 ? 0 : this.#threads.refer(referent)
    return { variablesReference, ...(type !== undefined && { type }) }
  }

  async #evaluate({ expression, frameId = 0 }: DebugProtocol.EvaluateArguments) {
    const referent = this.#threads.referent(frameId)
    const value = await referent.thread.execution.evaluate(referent, expression)
    const path = ['expression', expression]
    return { result: shownValue(value), ...this.#typeAndParts(value, { ...referent, path }) }
  }

  /** Where a variable or an expression's value is in storage. */
  async #storedVariable({
    variablesReference,
    name,
    frameId = 0,
  }: DebugProtocol.DataBreakpointInfoArguments) {
    const referent = this.#threads.referent(variablesReference ?? frameId)
    const { execution } = referent.thread
    const variable =
      variablesReference === undefined
        ? await execution.evaluate(referent, name)
        : (await execution.variables(referent, referent.path)).find((variable) => variable.name === name)
    const dataId = dataIdOf(variable?.stored)
    if (dataId === null) return { dataId, description: `${name} has no slot of its own in the storage` }
    return { dataId, description: `changes of ${name}`, accessTypes: ['write'], canPersist: true }
  }

  /** The failure at a thread's step, with its explanation. */
  async #failure(threadId: number) {
    const thread = this.#threads.get(threadId)
    const { exception, frames } = await thread.execution.stack(thread.step)
    if (exception === undefined) return refuseRequest('no failure happens here')
    const { reason, isCaught } = exception
    const explained = isCaught ? undefined : await thread.execution.explanation()
    const message = explained?.reason?.message ?? reason
    const lines = frames.map(async ({ name, place }) => {
      if (place === undefined) return `at ${name}`
      // The editor links only full paths.
      const { source } = await this.#placed(thread.execution, place)
      return `at ${name} (${source?.path ?? place.path}:${place.line})`
    })
    return {
      exceptionId: isCaught ? 'Failure, which is caught' : 'Failure of the transaction',
      description: message,
      breakMode: isCaught ? 'always' : 'unhandled',
      details: { message, stackTrace: (await Promise.all(lines)).join('\n') },
    }
  }

  async #stepInTargets(frameId: number) {
    const { thread } = this.#threads.referent(frameId)
    const entered = await thread.execution.targets(thread.step)
    const targets = entered.map(({ step, name }) => ({
      id: this.#threads.refer({ thread, step, frame: 0, path: [] }),
      label: name,
    }))
    return { targets }
  }

  /** Where a line runs next, and where it ran last. */
  async #visits({ source, line }: DebugProtocol.GotoTargetsArguments) {
    const targets: DebugProtocol.GotoTarget[] = []
    const at = { path: this.#files.pathOf(source), line: this.#counting.lineOf(line) }
    const { thread } = this.#threads
    for (const direction of ['forwards', 'backwards'] as const) {
      const label = direction === 'forwards' ? 'next visit' : 'last visit'
      const breakpoints = [{ id: 0, kind: 'line' as const, ...at }]
      const stop = await thread.execution.move(thread.step, { kind: 'run', direction, breakpoints })
      const id = this.#threads.refer({ thread, step: stop.step, frame: 0, path: [] })
      if (stop.reason === 'breakpoint') targets.push({ id, label, line })
    }
    return { targets }
  }

  async #sources() {
    const lists = await Promise.all(this.#threads.all.map(({ execution }) => execution.sources()))
    return { sources: lists.flatMap((list) => [...list.values()].map((source) => this.#files.find(source))) }
  }
}

/** A scope. It is expensive if it has many variables. */
type ShownScope = Omit<DebugProtocol.Scope, 'variablesReference'> & {
  readonly scope: (typeof DEBUG_SCOPES)[number]
}

const SCOPES: readonly ShownScope[] = [
  { scope: 'locals', name: 'Locals', presentationHint: 'locals', expensive: false },
  { scope: 'state', name: 'State', expensive: false },
  { scope: 'message', name: 'Message', expensive: false },
  { scope: 'storage', name: 'Storage', expensive: true },
  { scope: 'memory', name: 'Memory', expensive: true },
  { scope: 'stack', name: 'Stack', expensive: true },
]

/** The value of a variable, or why it is unknown. */
const shownValue = ({ value, unknown }: DebugVariable): string =>
  unknown === undefined ? value : `not known: ${unknown}`

const NAMED_SCOPES = new Set(['locals', 'state', 'message', 'expression'])

/** The expression of a variable by scope and names; undefined for machine words and returned values. */
function expressionOf([scope = '', first = '', ...parts]: readonly string[]): string | undefined {
  if (!NAMED_SCOPES.has(scope) || (scope === 'locals' && first.includes(' '))) return undefined
  return parts.reduce((whole, part) => {
    if (/^[A-Za-z_$]/.test(part)) return `${whole}.${part}`
    return part.startsWith('[') ? whole + part : `${whole}[${part}]`
  }, first)
}

/** Addresses per code, more than a code has bytes. */
const RANGE = 2 ** 32

type PlacedText = Pick<DebugProtocol.StackFrame, 'source' | 'line' | 'column'>

class Disassembler {
  readonly #placed: (execution: DebuggedExecution, place: DebugPlace) => Promise<PlacedText>
  /** First address of each code. */
  readonly #ranges = new Map<string, number>()
  readonly #at = new Map<string, { readonly referent: Referent; readonly pc: number }>()

  constructor(placed: (execution: DebuggedExecution, place: DebugPlace) => Promise<PlacedText>) {
    this.#placed = placed
  }

  /** The address of a function's current instruction. */
  referenceTo(referent: Referent, { address, contract = '', kind, pc }: DebugFrame): string {
    const part = kind === 'constructor' ? 'creation' : 'code'
    const code = [referent.thread.execution.facts.session, address, contract, part].join(' ')
    const first = this.#ranges.get(code) ?? RANGE * (this.#ranges.size + 1)
    this.#ranges.set(code, first)
    const reference = hexOf(first + pc)
    this.#at.set(reference, { referent, pc })
    return reference
  }

  /** Instructions around an address, as many as requested. Those outside the code are invalid. */
  async instructions({
    memoryReference,
    instructionOffset: from = 0,
    instructionCount: count,
  }: DebugProtocol.DisassembleArguments): Promise<DebugProtocol.DisassembledInstruction[]> {
    const { referent, pc } = this.#at.get(memoryReference) ?? refuseRequest('no code is at this address')
    const { execution } = referent.thread
    const first = Number(memoryReference) - pc
    const code = await execution.code(referent, from, count)
    const own = code.findIndex((instruction) => instruction.pc === pc)
    const missing = own >= 0 ? -from - own : from < 0 ? count - code.length : 0
    const shown = code.map(async ({ pc: at, op, data, place }) => {
      const placed = place && (await this.#placed(execution, place))
      return {
        address: hexOf(first + at),
        instruction: data === undefined ? op : `${op} ${data}`,
        ...(placed && { location: placed.source, line: placed.line, column: placed.column }),
      }
    })
    const instructions = [...invalid(missing, first - missing), ...(await Promise.all(shown))]
    const end = first + (code.at(-1)?.pc ?? 0) + 1
    return [...instructions, ...invalid(count - instructions.length, end)]
  }
}

const hexOf = (address: number): string => `0x${address.toString(16)}`

const invalid = (count: number, from: number): DebugProtocol.DisassembledInstruction[] =>
  Array.from({ length: Math.max(0, count) }, (_, index) => ({
    address: hexOf(from + index),
    instruction: '',
    presentationHint: 'invalid',
  }))
