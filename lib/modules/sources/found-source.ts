/** A provider's knowledge about a contract in one form, and the faults of providers. */

import * as z from 'zod'

const sourceText = z.object({ content: z.string() })

/** Whether a path stays inside the project when a report or an editor writes it below a folder. */
const isTame = (path: string): boolean => !/(^|[/\\])\.\.([/\\]|$)|[\u0000-\u001F]/.test(path)

/** Texts of sources by path. Without its text, a path would refer to a file of this machine. */
export const sourceTexts = z
  .record(z.string(), sourceText)
  .refine((sources) => Object.keys(sources).every(isTame), 'a path leaves the project')

/** Standard JSON input of a compiler (Solidity documentation, "Input Description"). */
export const compilerInput = z.object({
  language: z.string().default('Solidity'),
  sources: sourceTexts,
  settings: z.record(z.string(), z.unknown()).default({}),
})

export type CompilerInput = z.output<typeof compilerInput>

/** A compiler's standard JSON output. The readers of artifacts check its contracts. */
export const compilerOutput = z.object({
  sources: z.record(z.string(), z.looseObject({ id: z.number() })),
  contracts: z.record(z.string(), z.record(z.string(), z.looseObject({}))),
})

export type CompilerOutput = z.output<typeof compilerOutput>

export interface FoundSource {
  readonly name: string
  /** Version with its commit, such as `0.8.26+commit.8a97fa7a`. */
  readonly compiler: string
  readonly input: CompilerInput
  readonly abi: unknown
}

/** A compiler run with a contract's sources, in the form of a build info. */
export const storedBuild = z
  .object({
    _format: z.literal('dev-node-sources-1'),
    solcLongVersion: z.string(),
    name: z.string(),
    input: compilerInput,
    output: compilerOutput,
    /** How to get lines, if the compiler was missing. */
    hint: z.string().optional(),
  })
  // Another source's text would be searched on disk.
  .refine(({ input, output }) =>
    Object.keys(output.sources).every((path) => Object.hasOwn(input.sources, path)),
  )

export type StoredBuild = z.output<typeof storedBuild>

/** The server or folder failed, or answered something unexpected. */
export class SourceFault extends Error {
  /** The provider wants no questions for this many milliseconds. */
  readonly pauseMs: number | undefined

  constructor(message: string, pauseMs?: number) {
    super(message)
    this.pauseMs = pauseMs
  }
}

/** Reads a part of an answer. @throws SourceFault naming the unexpected place */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, json: unknown): z.output<Schema> {
  const read = schema.safeParse(json)
  if (read.success) return read.data
  const { path = [], message = '' } = read.error.issues[0] ?? {}
  throw new SourceFault(`its answer has another form: ${path.map(String).join('.').slice(0, 60)} ${message}`)
}
