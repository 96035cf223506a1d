/** Reads coverage that an earlier run wrote. */

import * as z from 'zod'
import type { IstanbulCoverage } from './istanbul.ts'

const position = z.object({ line: z.int(), column: z.int() })

const range = z.object({ start: position, end: position })

const file = z.object({
  path: z.string(),
  statementMap: z.record(z.string(), range),
  fnMap: z.record(z.string(), z.object({ name: z.string(), decl: range, loc: range, line: z.int() })),
  branchMap: z.record(
    z.string(),
    z.object({ type: z.string(), line: z.int(), loc: range, locations: z.array(range) }),
  ),
  s: z.record(z.string(), z.number()),
  f: z.record(z.string(), z.number()),
  b: z.record(z.string(), z.array(z.number())),
})

const coverage = z.record(z.string(), file)

/** Reads the coverage of this program. Throws if the value is something else. */
export const readIstanbul = (value: unknown): IstanbulCoverage => coverage.parse(value)
