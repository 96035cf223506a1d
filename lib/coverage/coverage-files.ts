/** Writes coverage as files for other tools. */

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { NodeError } from '../base/errors.ts'
import { codeOf, reasonOf } from '../base/system-errors.ts'
import type { IstanbulCoverage } from './istanbul.ts'
import { readIstanbul } from './istanbul-schema.ts'
import { lcovText } from './lcov.ts'
import { mergedCoverage } from './merged-coverage.ts'

/** Name of the file that tools of Istanbul read. */
const ISTANBUL_FILE = 'coverage-final.json'

/** Writes `lcov.info` and `coverage-final.json`. @throws NodeError 'invalidOption' if that fails */
export async function writeCoverage(
  coverage: IstanbulCoverage,
  { folder, merges }: { readonly folder: string; readonly merges: boolean },
): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    const earlier = merges ? await readCoverage(join(folder, ISTANBUL_FILE)) : {}
    const merged = mergedCoverage(earlier, coverage)
    await writeFile(join(folder, ISTANBUL_FILE), JSON.stringify(merged))
    await writeFile(join(folder, 'lcov.info'), lcovText(merged))
  } catch (cause) {
    const message = `--coverage: cannot write to ${folder}: ${reasonOf(cause)}`
    throw new NodeError('invalidOption', message, { cause })
  }
}

/** The coverage in a file; empty if there is no such file. */
async function readCoverage(path: string): Promise<IstanbulCoverage> {
  try {
    return readIstanbul(JSON.parse(await readFile(path, 'utf8')))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {}
    throw error
  }
}
