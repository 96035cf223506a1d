/** Results of earlier runs, so that a table can be measured in parts: those of the same build of this node. */

import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CACHE } from '../folders.ts'
import { devNodeCommand } from '../nodes/dev-node.ts'
import type { FirstResult } from './report.ts'

const FILE = join(CACHE, 'first.json')

/** Adds results to those that are kept, in whose place they come. Returns all, by the age of their Node. */
export function keepResults(added: readonly FirstResult[]): readonly FirstResult[] {
  const build = buildHash()
  const kept = earlierResults(build).filter((result) => !added.some((each) => keyOf(each) === keyOf(result)))
  const results = [...kept, ...added].sort(
    (a, b) => Number.parseInt(a.nodeVersion, 10) - Number.parseInt(b.nodeVersion, 10),
  )
  mkdirSync(CACHE, { recursive: true })
  writeFileSync(FILE, JSON.stringify({ build, results }))
  return results
}

function earlierResults(build: string): readonly FirstResult[] {
  try {
    const kept = JSON.parse(readFileSync(FILE, 'utf8'))
    return kept.build === build ? kept.results : []
  } catch {
    return []
  }
}

const keyOf = ({ name, nodeVersion, isBusy }: FirstResult): string => `${name} ${nodeVersion} ${isBusy}`

/** Hash of the built code. */
function buildHash(): string {
  const folder = dirname(devNodeCommand())
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const hash = createHash('sha256')
  for (const file of files.filter((name) => /\.c?js$/.test(name)).sort())
    hash.update(file).update(readFileSync(join(folder, file)))
  return hash.digest('hex')
}
