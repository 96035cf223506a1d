/** Finds the folder of this package, from sources and from a bundle. */

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import { InvariantError } from '../base/invariant.ts'
import { PARSE_ONCE } from './values.ts'

const manifestSchema = z.object({ name: z.string(), version: z.string() })

export const findPackage = () => FOUND

/** Read once at the start, because the file may be removed or replaced later. */
const FOUND = nearestPackage()

function nearestPackage() {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (folder !== dirname(folder)) {
    const file = join(folder, 'package.json')
    const manifest = existsSync(file)
      ? manifestSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')), PARSE_ONCE)
      : undefined
    if (manifest?.success && manifest.data.name === 'dev-node')
      return { folder, version: manifest.data.version }
    folder = dirname(folder)
  }
  throw new InvariantError('no package.json of dev-node above this module')
}
