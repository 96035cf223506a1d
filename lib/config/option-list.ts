/** Lists the options, for flags, environment, help and documents. */

import { descriptionOf } from './option-description.ts'
import type { OptionDescription } from './option-description.ts'
import { optionsSchema } from './options.ts'

/** One option with all its names. */
export interface OptionEntry {
  /** Name in the programmatic API. */
  readonly name: string
  /** Name on the command line, without the dashes. */
  readonly flag: string
  /** Name of the environment variable. */
  readonly env: string
  readonly group: OptionDescription['group']
  /** One sentence. */
  readonly summary: string
  readonly form: NonNullable<OptionDescription['form']>
  /** The default as text; absent for switches, for empty lists, and for options without a default. */
  readonly fallback: string | undefined
}

const toKebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const toEnv = (flag: string): string => `DEV_NODE_${flag.replaceAll('-', '_').toUpperCase()}`

/** The default as text. */
function showDefault(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** All options in the order of their declaration. */
export const OPTION_LIST: readonly OptionEntry[] = Object.entries(optionsSchema.unwrap().shape).map(
  ([name, schema]) => {
    const {
      group,
      summary,
      form = 'value',
      flag = toKebab(name),
      defaultDescription: otherwise,
    } = descriptionOf(schema)
    const fallback = otherwise ?? showDefault(schema.safeParse(undefined).data)
    return { name, flag, env: toEnv(flag), group, summary, form, fallback }
  },
)
