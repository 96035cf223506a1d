/** Writes the licences of bundled packages: name, version, source and text of each. */

import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** @param inputs the files of bundles, as esbuild's metafiles name them */
export async function writeLicences(file, inputs) {
  const folders = new Set(
    inputs
      .map((input) => input.replace(/^[\w-]+:/, ''))
      .filter(isOfPackage)
      .map(packageFolder),
  )
  const packages = await Promise.all([...folders].sort().map(describe))
  const texts = new Map(
    packages.map(({ license, text }) => [license, text]).filter(([, text]) => text !== undefined),
  )
  // A package that only names its licence has the text of another one with that licence.
  await writeFile(
    file,
    packages.map((one) => section({ ...one, text: one.text ?? texts.get(one.license) })).join('\n'),
  )
}

const isOfPackage = (file) => file.startsWith('node_modules/')

/** Folder of the innermost package of a file. */
function packageFolder(file) {
  const start = file.lastIndexOf('node_modules/') + 'node_modules/'.length
  const [scope, name] = file.slice(start).split('/')
  return file.slice(0, start) + (scope.startsWith('@') ? join(scope, name) : scope)
}

async function describe(folder) {
  const { name, version, license, repository } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  )
  const source = typeof repository === 'string' ? repository : repository?.url
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e([-.]|$)/i.test(entry))
  return { name, version, license, source, text: file && (await readFile(join(folder, file), 'utf8')) }
}

function section({ name, version, license, source, text }) {
  // The Unlicense asks for no copy.
  if (text === undefined && license !== 'Unlicense') throw new Error(`${name} has no text of its licence`)
  return `${'='.repeat(80)}\n${name} ${version} - ${license}\nSource: ${source ?? 'the package registry'}\n\n${text?.trim() ?? 'No text of the licence in the package.'}\n`
}
