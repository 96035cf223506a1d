/** Writes coverage as pages with the sources, made by Istanbul's report `html`. */

import type { CoverageMapData, FileCoverageData } from 'istanbul-lib-coverage'
import type { IstanbulCoverage, IstanbulFile } from './istanbul.ts'

/** What stands for a source that an earlier run covered and the artifacts no longer have. */
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
  // One after the other: they share packages.
  const { default: coverageLibrary } = await import('istanbul-lib-coverage')
  const { default: reportLibrary } = await import('istanbul-lib-report')
  const { default: reports } = await import('istanbul-reports')
  const pages: CoverageMapData = Object.fromEntries(
    Object.values(coverage).map((file) => [pagePath(file.path), pageOf(file)]),
  )
  const texts = new Map([...sources].map(([path, text]) => [pagePath(path), text]))
  const context = reportLibrary.createContext({
    dir: folder,
    coverageMap: coverageLibrary.createCoverageMap(pages),
    sourceFinder: (path) => texts.get(path) ?? NO_SOURCE,
  })
  reports.create('html').execute(context)
}

/** The coverage of a file with arrays that belong to Istanbul. */
function pageOf(file: IstanbulFile): FileCoverageData {
  const branches = Object.entries(file.branchMap)
  return {
    ...file,
    path: pagePath(file.path),
    branchMap: Object.fromEntries(
      branches.map(([key, branch]) => [key, { ...branch, locations: [...branch.locations] }]),
    ),
    b: Object.fromEntries(Object.entries(file.b).map(([key, ways]) => [key, [...ways]])),
  }
}

/**
 * The path of a source in the folder of the pages. An artifact can name any path, and Istanbul follows `..` and writes names into
 * the pages as they are.
 */
const pagePath = (path: string): string =>
  path
    .replace(/[<>&"'`]/g, '_')
    .split(/[/\\]/)
    .map((part) => (part === '..' ? '__' : part))
    .join('/')
