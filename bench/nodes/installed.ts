/** Installs the nodes that are no dependency of this project, for `npm run bench -- --install`. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A package in a git-ignored folder. */
export interface InstalledPackage {
  readonly folder: string
  readonly manifest: object
  /** Line for a shell. */
  readonly command: string
}

/** Installs packages from npm, some hundred megabytes. */
export function install(packages: readonly InstalledPackage[]): void {
  for (const { folder, manifest, command } of packages) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
    execFileSync('bash', ['-c', command], { cwd: folder, stdio: 'inherit' })
  }
}
