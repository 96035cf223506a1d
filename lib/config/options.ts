/** The schema of all options. Flags, environment variables, help, documents and the type of the API derive from it. */

import * as z from 'zod'
import { chainOptions } from './chain-options.ts'
import { forkOptions } from './fork-options.ts'
import { serviceOptions } from './service-options.ts'

/** Schema of all options; the key is the option's name in the programmatic API. */
export const optionsSchema = z.strictObject({ ...chainOptions, ...forkOptions, ...serviceOptions }).readonly()

/** All options, resolved: defaults filled in, values parsed. */
export type Options = z.output<typeof optionsSchema>

/** Options as a program gives them: all optional, numbers in any notation. */
export type OptionsInput = z.input<typeof optionsSchema>
