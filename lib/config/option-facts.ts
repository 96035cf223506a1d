/** What is known of an option beside its schema. The options themselves are in options.ts. */

import * as z from 'zod'
import { present } from '../base/invariant.ts'

/** Headings under which options are listed, in this order. */
export const GROUPS = [
  'Network',
  'Accounts',
  'Mining and time',
  'Gas',
  'State',
  'Client',
  'Server',
  'Limits',
  'Output',
] as const

/** What an option is called outside and how it is explained. */
export interface OptionFacts {
  readonly group: (typeof GROUPS)[number]
  /** One sentence. */
  readonly summary: string
  /** Name of the flag where it is not the option's own name. */
  readonly flag?: string
  /** How the flag is written: with a value, alone, alone to turn something off, several times, or with or without a value. */
  readonly form?: 'value' | 'switch' | 'off-switch' | 'list' | 'maybe-value'
  /** The default in words, where it is not a fixed value. */
  readonly otherwise?: string
}

const facts = z.registry<OptionFacts>()

/** The schema, which from now on has the facts. */
export function declare<Schema extends z.ZodType>(schema: Schema, described: OptionFacts): Schema {
  facts.add(schema, described)
  return schema
}

/** The facts an option was declared with. */
export function factsOf(schema: z.ZodType): OptionFacts {
  return present(facts.get(schema), 'description of an option')
}
