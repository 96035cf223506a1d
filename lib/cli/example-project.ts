/** Copies a complete project of examples/ into an empty folder: `dev-node init --example`. */

import { cpSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as z from 'zod'
import { refuseOption } from '../base/errors.ts'
import { jsonValue } from '../base/json-text.ts'
import { findPackage } from '../config/package.ts'
import { hint } from './command-flags.ts'

const { folder: PACKAGE } = findPackage()

const VERSIONS = z.record(z.string(), z.string()).optional()
const MANIFEST = z.object({ dependencies: VERSIONS, devDependencies: VERSIONS })

/** Copies a project, and returns what to type next. @throws NodeError 'invalidOption' for an unknown name or a folder with files */
export function copyExample(name: unknown, folder = '.'): string {
  const names = readdirSync(join(PACKAGE, 'examples')).filter((file) => !file.includes('.'))
  const example = names.find((known) => known === name)
  const problem = typeof name === 'string' ? `unknown example ${name}` : 'name an example'
  if (example === undefined)
    return refuseOption('DN-FLAG', `--example: ${problem}${hint(String(name), names)}`)
  if (existsSync(folder) && readdirSync(folder).length > 0)
    refuseOption('DN-INIT', `--example: ${resolve(folder)} is not empty; name a new folder`)
  cpSync(join(PACKAGE, 'examples', example), folder, { recursive: true })
  const manifest = join(folder, 'package.json')
  const own = ownDependency()
  writeFileSync(manifest, readFileSync(manifest, 'utf8').split('"file:../.."').join(JSON.stringify(own)))
  // npm would link a local folder, and a linked folder does not find the packages of the project.
  const install = own === `file:${PACKAGE}` ? 'npm install --install-links' : 'npm install'
  const enter = folder === '.' ? '' : `  cd ${folder}\n`
  return `Copied. README.md says what it shows.\n\nNext:\n${enter}  ${install}\n  npm test\n`
}

/** How the project's package.json refers to this package, or else the folder of this package. */
function ownDependency(): string {
  const file = join(PACKAGE, '..', '..', 'package.json')
  const found = MANIFEST.safeParse(existsSync(file) ? jsonValue(readFileSync(file, 'utf8')) : {}).data
  const version = { ...found?.dependencies, ...found?.devDependencies }['dev-node'] ?? `file:${PACKAGE}`
  return version.replace(/(?<=^file:).*/, (path) => resolve(file, '..', path))
}
