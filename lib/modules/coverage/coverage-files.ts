/** Writes coverage as files for other tools. */

import { mkdir, readFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { NodeError } from '../../base/errors.ts'
import { claimFile, type OwnFile } from '../../base/file-claim.ts'
import { replaceFile } from '../../base/replace-file.ts'
import { codeOf, reasonOf, whenMissing } from '../../base/system-errors.ts'
import type { Paint } from '../../config/request-log.ts'
import type { CoverageReport } from './coverage-report.ts'
import type { IstanbulCoverage } from './results.ts'
import { mergedCoverage, readIstanbul, lcovText, linePercentages } from './istanbul.ts'

/** Name of the file for Istanbul's tools. */
const ISTANBUL_FILE = 'coverage-final.json'

/** Folder of the pages, and name of the table in it. */
const PAGES = 'html'
const TABLE = 'coverage.txt'

/** Percent of statements above which a file's coverage is green, or yellow, as in Istanbul. */
const GREEN = 80
const YELLOW = 50

/**
 * The coverage table of a folder, the changes since a base, and the path of its pages. Without `paint` the table is Markdown. Empty
 * if nothing was written.
 */
export async function coverageText(folder: string, base: IstanbulCoverage, paint?: Paint): Promise<string> {
  const table = await readFile(join(folder, PAGES, TABLE), 'utf8').catch(whenMissing(undefined))
  if (table === undefined) return ''
  const changes = changesText(base, await readCoverage(folder))
  if (paint === undefined) return `## Coverage\n\n\`\`\`text\n${table.trim()}\n${changes}\`\`\`\n`
  const painted = table.replace(/^[^|\n]+\| +([\d.]+) \|.*$/gm, (row, covered: string) => {
    const share = Number(covered)
    return share >= GREEN ? paint.green(row) : share >= YELLOW ? paint.yellow(row) : paint.red(row)
  })
  return `${painted}${changes}\nCoverage: ${join(folder, PAGES, 'index.html')}\n`
}

/** The files whose covered lines differ from a base, one per line; empty without a base or changes. */
function changesText(base: IstanbulCoverage, coverage: IstanbulCoverage): string {
  if (Object.keys(base).length === 0) return ''
  const [before, after] = [linePercentages(base), linePercentages(coverage)]
  const lines = [...new Map([...before, ...after]).keys()].flatMap((path) => {
    const [from = 'new', to = 'removed'] = [before.get(path), after.get(path)]
    return from === to ? [] : [`${pagePath(path)}: ${from} → ${to}\n`]
  })
  return lines.length === 0 ? '' : `\nCovered lines in percent, before and now:\n${lines.join('')}`
}

/** Writes `lcov.info`, `coverage-final.json` and the pages. @throws NodeError 'coverageFailed' */
export async function writeCoverage(
  folder: string,
  earlier: IstanbulCoverage,
  { istanbul, sources }: Pick<CoverageReport, 'istanbul' | 'sources'>,
): Promise<void> {
  const merged = mergedCoverage(earlier, istanbul)
  try {
    await mkdir(folder, { recursive: true })
    await replaceFile({ path: join(folder, ISTANBUL_FILE) }, JSON.stringify(merged))
    await replaceFile({ path: join(folder, 'lcov.info') }, lcovText(merged))
    await writePages(join(folder, PAGES), merged, sources)
  } catch (cause) {
    throw unwritable(folder, cause)
  }
}

const unwritable = (folder: string, cause: unknown): NodeError =>
  new NodeError('coverageFailed', `--coverage: cannot write to ${folder}: ${reasonOf(cause)}`, {
    cause,
    code: 'DN-WRITE',
  })

/**
 * Creates a coverage folder if it is missing, claims it for this node, and removes what killed nodes left. @throws NodeError
 * 'coverageFailed' if it cannot be written; 'invalidOption' if another node uses it
 */
export async function claimCoverageFolder(folder: string): Promise<OwnFile> {
  try {
    await mkdir(folder, { recursive: true })
    const title = `the coverage folder ${folder}`
    const loss = 'what it counted after the last write is lost'
    const claim = await claimFile({ path: join(folder, CLAIM), title, loss })
    const unfinished = (await readdir(folder)).filter((name) => UNFINISHED.test(name))
    for (const name of unfinished) await rm(join(folder, name), { force: true })
    const removed = unfinished.map(
      (name) => `removed ${join(folder, name)}, which a killed node did not finish`,
    )
    return { findings: [...claim.findings, ...removed], release: claim.release }
  } catch (error) {
    if (error instanceof NodeError) throw error
    throw unwritable(folder, error)
  }
}

/** Claims are hidden files whose names begin with this. */
const CLAIM = '.dev-node'

const UNFINISHED = /^(coverage-final\.json|lcov\.info)\.\d+-[0-9a-f]{8}\.draft$/

/** The coverage in a folder; empty if there is none. @throws NodeError 'coverageFailed' if it cannot be read */
export async function readCoverage(folder: string): Promise<IstanbulCoverage> {
  const path = join(folder, ISTANBUL_FILE)
  try {
    return readIstanbul(JSON.parse(await readFile(path, 'utf8')))
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return {}
    const message = `coverage: ${path} is not the coverage of an earlier run: ${reasonOf(cause)}; the file was not changed: move it away to begin anew`
    throw new NodeError('coverageFailed', message, { cause })
  }
}

/** Replaces the text of a source that an earlier run covered and the artifacts no longer have. */
const NO_SOURCE = '// The artifacts no longer contain this source.'

/**
 * Writes `index.html`, a page for each folder and each source, and what they need, into a folder.
 * Istanbul writes synchronously.
 * @param sources texts by path
 */
export async function writePages(
  folder: string,
  coverage: IstanbulCoverage,
  sources: ReadonlyMap<string, string>,
): Promise<void> {
  // Loaded in turn, because they share packages.
  const { default: coverageLibrary } = await import('istanbul-lib-coverage')
  const { default: reportLibrary } = await import('istanbul-lib-report')
  const { default: reports } = await import('istanbul-reports')
  const files = Object.values(coverage).map((file) => ({ ...file, path: pagePath(file.path) }))
  const pages = Object.fromEntries(files.map((file) => [file.path, file]))
  const texts = new Map([...sources].map(([path, text]) => [pagePath(path), text]))
  const context = reportLibrary.createContext({
    dir: folder,
    coverageMap: coverageLibrary.createCoverageMap(pages),
    sourceFinder: (path) => texts.get(path) ?? NO_SOURCE,
  })
  reports.create('html').execute(context)
  reports.create('text', { file: TABLE }).execute(context)
}

/** The path of a source's page. Artifacts can name any path, and Istanbul follows `..` and writes names unchanged. */
const pagePath = (path: string): string =>
  path
    .replace(/[<>&"'`]/g, '_')
    .split(/[/\\]/)
    .map((part) => (part === '..' ? '__' : part))
    .join('/')
