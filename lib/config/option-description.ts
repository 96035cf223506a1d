/** Describes options for help and documents: group, summary and form. The options themselves are in options.ts. */

import * as z from 'zod'
import { present } from '../base/invariant.ts'
import { onOff } from './option-values.ts'

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

type OptionGroup = (typeof GROUPS)[number]

interface OptionFacts {
  readonly summary: string
  /** Name of the flag, if it differs from that of the option. */
  readonly flag?: string
  /** Form of the flag: with a value, alone, alone to turn the option off, repeated, or with an optional value. */
  readonly form?: 'value' | 'switch' | 'off-switch' | 'list' | 'maybe-value'
  /** Description of the default, if it is not a fixed value. */
  readonly defaultDescription?: string
  /** Another tool's environment variable for the same value, read if the option's own variable is not set. */
  readonly otherEnv?: string
}

export interface OptionDescription extends OptionFacts {
  readonly group: OptionGroup
}

const factsOf = new WeakMap<z.ZodType, OptionFacts>()
const groupOf = new WeakMap<z.ZodType, OptionGroup>()

export function declare<Schema extends z.ZodType>(
  schema: Schema,
  summary: string,
  more: Omit<OptionFacts, 'summary'> = {},
): Schema {
  const option = schema.clone()
  factsOf.set(option, { summary, ...more })
  return option
}

export const ofNetwork = <Schema extends z.ZodType>(schema: Schema, summary: string) =>
  declare(z.optional(schema), summary, { defaultDescription: 'set by the network' })

export const toggle = (summary: string) => declare(onOff.default(false), summary, { form: 'switch' })

/** Lists options in a group. Returns the options. */
export function inGroup<Options extends Readonly<Record<string, z.ZodType>>>(
  group: OptionGroup,
  options: Options,
): Options {
  for (const option of Object.values(options)) groupOf.set(option, group)
  return options
}

export function descriptionOf(option: z.ZodType): OptionDescription {
  const group = present(groupOf.get(option), 'group of an option')
  return { group, ...present(factsOf.get(option), 'facts of an option') }
}
