/** Values read from compilers' files. Values of an unexpected form are left out. */

import * as z from 'zod'
import { jsonValue } from '../../base/json-text.ts'

const sources = z.array(z.object({ id: z.number() }))

/** The ids in a list of sources; empty if the value is not such a list. */
export const readIds = (value: unknown): ReadonlySet<number> =>
  new Set(sources.safeParse(value).data?.map(({ id }) => id))

const references = z.record(z.string(), z.array(z.object({ start: z.number() })))

/** The first position of each id; empty if the value does not have them. */
export const readPositions = (value: unknown): ReadonlyMap<number, number> =>
  new Map(
    Object.entries(references.safeParse(value).data ?? {}).flatMap(([id, [first]]) =>
      first === undefined ? [] : [[Number(id), first.start]],
    ),
  )

const settings = z.object({
  optimizer: z.object({ enabled: z.boolean().optional() }).optional(),
  viaIR: z.boolean().optional(),
})

const metadata = z.object({
  compiler: z.object({ version: z.string() }).optional(),
  language: z.string().optional(),
  settings: settings.extend({ compilationTarget: z.record(z.string(), z.string()).optional() }).optional(),
  sources: z.record(z.string(), z.object({ keccak256: z.string().optional() })).optional(),
})

/** The metadata of a contract (Solidity documentation, "Contract Metadata"). */
export type ContractMetadata = z.infer<typeof metadata>

/** A contract's metadata, from JSON text or parsed JSON; empty if it is absent. */
export const readMetadata = (value: unknown): ContractMetadata =>
  metadata.safeParse(typeof value === 'string' ? jsonValue(value) : value).data ?? {}

/** Settings that affect how code and source maps relate. */
export interface CompilerSettings {
  /** False if the files lack the settings. The others are then false too. */
  readonly isKnown: boolean
  readonly isOptimized: boolean
  readonly viaIr: boolean
}

/** The settings of a compiler that matter for its source maps. */
export function readSettings(value: unknown): CompilerSettings {
  const parsed = settings.safeParse(value).data
  const { optimizer, viaIR } = parsed ?? {}
  return { isKnown: parsed !== undefined, isOptimized: optimizer?.enabled ?? false, viaIr: viaIR ?? false }
}

const ast = z.object({
  src: z.string(),
  exportedSymbols: z.record(z.string(), z.array(z.number())).default({}),
})

/** Facts from a source's AST: `<start>:<length>:<id>`, and the ids of nodes by name. */
export type SourceAst = z.infer<typeof ast>

/** Facts from a source's AST; undefined if the value is not an AST. */
export const readAst = (value: unknown): SourceAst | undefined => ast.safeParse(value).data

/** Texts by name; empty if the value is not an object of texts. */
export const readTexts = (value: unknown): Readonly<Record<string, string>> =>
  z.record(z.string(), z.string()).safeParse(value).data ?? {}
