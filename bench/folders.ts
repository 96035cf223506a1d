/** Folders of the benchmarks. The command runs in the checkout, which npm sees to. */

import { join } from 'node:path'

/** Folder of the checkout. */
export const ROOT = process.cwd()

/** Git-ignored folder for compiled contracts, installed nodes and the results of the last run. */
export const CACHE = join(ROOT, '.cache', 'bench')
