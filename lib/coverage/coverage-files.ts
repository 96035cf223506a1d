/** Writes coverage as files for other tools. */

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { NodeError } from '../base/errors.ts'
import { codeOf, reasonOf } from '../base/system-errors.ts'
import { writePages } from './coverage-pages.ts'
import type { CoverageReport } from './coverage-report.ts'
import type { IstanbulCoverage } from './istanbul.ts'
import { readIstanbul } from './istanbul-schema.ts'
import { lcovText } from './lcov.ts'
import { mergedCoverage } from './merged-coverage.ts'

/** Name of the file that tools of Istanbul read. */
const ISTANBUL_FILE = 'coverage-final.json'

/** Folder of the pages. */
const PAGES = 'html'

/** Writes `lcov.info`, `coverage-final.json` and the pages. @throws NodeError 'coverageFailed' if that fails */
export async function writeCoverage(
  folder: string,
  earlier: IstanbulCoverage,
  { istanbul, sources }: Pick<CoverageReport, 'istanbul' | 'sources'>,
): Promise<void> {
  const merged = mergedCoverage(earlier, istanbul)
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, ISTANBUL_FILE), JSON.stringify(merged))
    await writeFile(join(folder, 'lcov.info'), lcovText(merged))
    await writePages(join(folder, PAGES), merged, sources)
  } catch (cause) {
    throw new NodeError('coverageFailed', `--coverage: cannot write to ${folder}: ${reasonOf(cause)}`, {
      cause,
    })
  }
}

/** The coverage in a folder; empty if there is none. @throws NodeError 'coverageFailed' if it cannot be read */
export async function readCoverage(folder: string): Promise<IstanbulCoverage> {
  const path = join(folder, ISTANBUL_FILE)
  try {
    return readIstanbul(JSON.parse(await readFile(path, 'utf8')))
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return {}
    const message = `--coverage-merge: ${path} is not the coverage of an earlier run: ${reasonOf(cause)}`
    throw new NodeError('coverageFailed', message, { cause })
  }
}
