/** The options of the core. Modules add theirs (modules/options.ts). */

import type * as z from 'zod'
import { chainOptions } from './chain-options.ts'
import { forkOptions } from './fork-options.ts'
import { serviceOptions } from './service-options.ts'

/** Schemas by the name of the option in the programmatic API. */
export const coreOptions = { ...chainOptions, ...forkOptions, ...serviceOptions }

/** The options of the core, resolved: defaults filled in, values parsed. */
export type Options = Readonly<z.output<z.ZodObject<typeof coreOptions>>>
