/** Reads recordings of the reference node: the steps of a session, most of them with the recorded answer. */

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** The folder of the committed recordings. */
export const FIXTURES = join(import.meta.dirname, '../../../../fixtures/reference-node')

/** What a session needs besides the defaults of network 33. */
export interface Setup {
  /** Blocks are mined by `evm_mine` only. */
  readonly mining?: 'manual'
  /** What the miner wants the minimum gas price to become. */
  readonly minimumGasPriceTarget?: number
  /** The gas quota of senders was on, as a stock reference node has it. */
  readonly quota?: true
}

/** One step of a session. Without an answer it is a step that the session needed and did not record. */
export interface Step {
  readonly method?: string
  readonly params?: unknown
  /** The body of a request that is no plain call of a method. An array alternates a text and how often it is repeated. */
  readonly raw?: string | readonly (string | number)[]
  readonly headers?: Readonly<Record<string, string>>
  readonly verb?: string
  /** Status of the recorded response, 200 if absent. */
  readonly http?: number
  /** The recorded response. */
  readonly answer?: unknown
  /** The beginning of a recorded response that was too long to keep. */
  readonly start?: string
  /** The recorded answer has only some of the members. */
  readonly partial?: true
  /** How often the step is done, 1 if absent. */
  readonly times?: number
  /** Height of the reference node's head after the step, where the session depended on it. */
  readonly head?: number
  /** Mines blocks up to this height: the session brought the reference node there because dev-node was ahead. */
  readonly mineTo?: number
  /** Wall clock from this step on, in milliseconds since the epoch. */
  readonly at?: number
}

/** A session with its steps in order. */
export interface Recording {
  readonly session: string
  readonly setup: Setup
  readonly steps: readonly Step[]
}

interface Line extends Step {
  readonly setup?: Setup
  readonly result?: unknown
  readonly error?: unknown
  /** Of the form in which the reference node was recorded: `{ request, http, answer }`. */
  readonly request?: {
    readonly method?: string
    readonly params?: unknown
    readonly raw?: string
    readonly headers?: Readonly<Record<string, string>>
  }
}

/** All recordings of a folder: `<session>.jsonl`, also compressed. */
export function readRecordings(folder: string): readonly Recording[] {
  return readdirSync(folder)
    .filter((file) => /\.jsonl(\.gz)?$/.test(file))
    .sort()
    .map((file) => readRecording(join(folder, file)))
}

/** One recording. */
export function readRecording(file: string): Recording {
  const bytes = readFileSync(file)
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  const lines = text.split('\n').filter(Boolean).map(readLine)
  const setup = lines.find((line) => line.setup !== undefined)?.setup ?? {}
  const session = (/([^/\\]+)\.jsonl(\.gz)?$/.exec(file) ?? [])[1] ?? file
  return { session, setup, steps: lines.filter((line) => line.setup === undefined).flatMap(stepsOf) }
}

/** What dev-node 0.2.0 answered is the last member of a raw line, and need not be valid JSON. */
const readLine = (line: string): Line => {
  const end = line.lastIndexOf(',"differs":[')
  return JSON.parse(end < 0 ? line : `${line.slice(0, end)}}`) as Line
}

/** Raw bodies are recorded up to this length. */
const RAW_LIMIT = 400

function stepsOf({ request, result, error, ...step }: Line): readonly Step[] {
  if (request !== undefined) {
    const { raw, method, params, headers } = request
    const { start } = (step.answer ?? {}) as { readonly start?: string }
    const answer = start === undefined ? { answer: step.answer } : { start }
    const recorded = { http: step.http ?? 200, ...answer }
    if (raw === undefined) return [{ ...(method !== undefined && { method }), params, ...recorded }]
    const sent = { raw, ...(headers && { headers }), ...(method !== undefined && { verb: method }) }
    return raw.length < RAW_LIMIT ? [{ ...sent, ...recorded }] : []
  }
  if (result !== undefined) return [{ ...step, answer: { jsonrpc: '2.0', id: 1, result } }]
  if (error !== undefined) return [{ ...step, answer: { jsonrpc: '2.0', id: 1, error } }]
  return Object.keys(step).length === 0 ? [] : [step]
}
