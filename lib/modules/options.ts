/** All options: those of the core and of the modules, and the list that flags, environment, help and documents derive from. */

import * as z from 'zod'
import { descriptionOf, type OptionDescription } from '../config/option-description.ts'
import { invariant } from '../base/invariant.ts'
import { coreOptions } from '../config/options.ts'
import type { AnyModule } from '../kernel/running-modules.ts'
import { MODULES } from './list.ts'

type ModuleOptions = Extract<(typeof MODULES)[number], { readonly options: object }>['options']

type Joined<Each> = (Each extends unknown ? (each: Each) => void : never) extends (all: infer All) => void
  ? All
  : never

const modules: readonly AnyModule[] = MODULES
const moduleOptions: object = Object.fromEntries(
  modules.flatMap(({ options = {} }) => Object.entries(options)),
)

/** True by construction: the compiler does not follow the loop over the list. */
const isJoined = (shape: object): shape is Joined<ModuleOptions> => shape === moduleOptions
invariant(isJoined(moduleOptions), 'the options of modules')

/** Schema of all options; the key is the option's name in the programmatic API. */
export const optionsSchema = z.strictObject({ ...coreOptions, ...moduleOptions }).readonly()

/** All options, resolved: defaults filled in, values parsed. */
export type AllOptions = z.output<typeof optionsSchema>

/** Options as a program gives them: all optional, numbers in any notation. */
export type OptionsInput = z.input<typeof optionsSchema>

/** The options of modules that name files, with their values without one. */
export const FILE_OPTIONS = modules.flatMap((module) =>
  Object.keys(module.files ?? {}).map((name) => ({ name, none: module.options?.[name]?.parse(undefined) })),
)

export interface OptionEntry {
  /** Name in the programmatic API. */
  readonly name: string
  /** Name on the command line, without the dashes. */
  readonly flag: string
  readonly env: string
  /** Variable of other tools for the same. */
  readonly otherEnv: string | undefined
  readonly group: OptionDescription['group']
  readonly summary: string
  readonly form: NonNullable<OptionDescription['form']>
  /** The default as text; absent for switches, for empty lists, and for options without a default. */
  readonly fallback: string | undefined
}

const toKebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const toEnv = (flag: string): string => `DEV_NODE_${flag.replaceAll('-', '_').toUpperCase()}`

const showDefault = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

/** All options in the order of their declaration. */
export const OPTION_LIST: readonly OptionEntry[] = Object.entries(optionsSchema.unwrap().shape).map(
  ([name, schema]) => {
    const {
      group,
      summary,
      form = 'value',
      flag = toKebab(name),
      defaultDescription: otherwise,
      otherEnv,
    } = descriptionOf(schema)
    const fallback = otherwise ?? showDefault(schema.safeParse(undefined).data)
    return { name, flag, env: toEnv(flag), otherEnv, group, summary, form, fallback }
  },
)
