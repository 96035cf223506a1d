/** Writes JSON Schemas of what commands print with --json into dist/schemas, which the package exports. */

import { mkdirSync, writeFileSync } from 'node:fs'
import * as z from 'zod'
import { gasDiffObject } from '../lib/modules/gas-report/results.ts'
import { endedEvent, explanationObject, failureObject } from '../lib/schema/explanation-results.ts'
import { list } from '../lib/schema/results.ts'

/** Each output by the name of its file. */
const OUTPUTS: readonly (readonly [name: string, description: string, output: z.ZodType])[] = [
  ['explanation', 'dev-node explain <hash | id> --json', explanationObject],
  ['failures', 'dev-node explain --last <n> --json', list(failureObject)],
  ['exec', 'The line with the event "ended" of dev-node exec --json -- <command>', endedEvent],
  ['gas-diff', 'dev-node gas-diff <before> <after> --json', gasDiffObject],
]

/** The schemas by the names of their files. Validators that know only draft 7 read them too. */
export const SCHEMAS: ReadonlyMap<string, object> = new Map(
  OUTPUTS.map(([name, description, output]) => [
    name,
    { ...z.toJSONSchema(output, { target: 'draft-7' }), description },
  ]),
)

if (process.argv.includes('--write')) {
  mkdirSync('dist/schemas', { recursive: true })
  for (const [name, schema] of SCHEMAS)
    writeFileSync(`dist/schemas/${name}.json`, `${JSON.stringify(schema, undefined, 2)}\n`)
}
