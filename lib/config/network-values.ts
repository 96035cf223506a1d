/** The values of a network, as a type. Its declaration is written out, without zod (scripts/build-types.js). */

import type * as z from 'zod'
import type { NetworkTraits } from './network-kind.ts'
import type { networkSchema } from './network-schema.ts'

type OwnValues = Omit<z.output<typeof networkSchema>, 'kind' | 'networkId'> &
  NetworkTraits & { readonly networkId: bigint }

/** The values of a network; schema and traits document the members. One object, so that its declaration can be written out. */
export type NetworkValues = { readonly [Name in keyof OwnValues]: OwnValues[Name] }
