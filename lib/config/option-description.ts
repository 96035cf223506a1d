/** Describes options for help and documents: group, summary and form. The options themselves are in options.ts. */

import * as z from 'zod'
import { present } from '../base/invariant.ts'

/** Headings under which options are listed, in this order. */
export const GROUPS = [
  'Network',
  'Fork',
  'Accounts',
  'Mining and time',
  'Gas',
  'State',
  'Client',
  'Server',
  'Limits',
  'Output',
] as const

/** External name and description of an option. */
export interface OptionDescription {
  readonly group: (typeof GROUPS)[number]
  /** One sentence. */
  readonly summary: string
  /** Name of the flag, if it differs from that of the option. */
  readonly flag?: string
  /** Form of the flag: with a value, alone, alone to turn the option off, repeated, or with an optional value. */
  readonly form?: 'value' | 'switch' | 'off-switch' | 'list' | 'maybe-value'
  /** Description of the default, if it is not a fixed value. */
  readonly defaultDescription?: string
}

const facts = z.registry<OptionDescription>()

/** Registers the facts of a schema and returns the schema. */
export function declare<Schema extends z.ZodType>(schema: Schema, described: OptionDescription): Schema {
  facts.add(schema, described)
  return schema
}

/** The facts an option was declared with. */
export function descriptionOf(schema: z.ZodType): OptionDescription {
  return present(facts.get(schema), 'description of an option')
}
