/**
 * Builds dist/ unless it is newer than all of its sources.
 * npm runs this after it has installed the dependencies of a checkout (`dependencies`) and before it packs (`prepack`). A script
 * `prepare` would do both, but npm warns about it wherever the packed file is installed. Usually dist/ is up to date.
 */

import { execSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const SOURCES = [
  'assembly',
  'bin',
  'explorer',
  'lib',
  'scripts/build-core.js',
  'scripts/build-sandbox.js',
  'scripts/build.js',
  'scripts/build-explorer.js',
  'scripts/build-types.js',
  'scripts/deferred-methods.js',
  'scripts/licences.js',
  'scripts/rpc-types.ts',
  'scripts/schemas.ts',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
]

/** A file that the longest part of the build writes; it does not, if the other part fails. */
const LAST_BUILT = 'dist/types/lib/index.d.ts'

function newest(path) {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}

function builtAt() {
  try {
    return statSync(LAST_BUILT).mtimeMs
  } catch {
    return 0
  }
}

if (builtAt() <= Math.max(...SOURCES.map(newest))) execSync('npm run build', { stdio: 'inherit' })
