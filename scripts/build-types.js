/**
 * Writes the declarations of the public API into dist/types: those files that the entry points of package.json reach. Types that
 * are inferred from schemas are written out, so that users need no zod.
 */

import { readFileSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import ts from 'typescript'

/** Exported types that are inferred from schemas, by the files that declare them. */
const INFERRED = {
  'lib/config/names.ts': ['NetworkNames'],
  'lib/config/network-values.ts': ['NetworkValues'],
  'lib/config/options.ts': ['Options'],
  'lib/modules/options.ts': ['AllOptions', 'OptionsInput'],
  'lib/base/troubles.ts': ['TroubleCode'],
}

/** Declarations that are written by hand, because they extend the types of Hardhat. */
const BY_HAND = ['lib/embed/hardhat/hardhat2.d.cts', 'lib/embed/hardhat/hardhat3.d.mts']

const OUTPUT = 'dist/types'

await rm(OUTPUT, { recursive: true, force: true })
const program = openProgram()
const entryPoints = Object.values(JSON.parse(await readFile('package.json', 'utf8')).exports)
  .flatMap(({ types, ...conditions }) => [types, ...Object.values(conditions).map((one) => one.types)])
  .filter((types) => types !== undefined)
for (const [path, text] of reached(entryPoints.map((types) => relative(OUTPUT, types)))) {
  const file = join(OUTPUT, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}

function openProgram() {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail }
  const { options, fileNames } = ts.getParsedCommandLineOfConfigFile('tsconfig.build.json', {}, host)
  return ts.createProgram(fileNames, options)
}

/** Texts of the declaration files that the entry points import, directly or not, and of the entry points, by their paths. */
function reached(entryPoints) {
  const found = new Map(entryPoints.map((path) => [path, '']))
  for (const path of found.keys()) {
    const text = declarationsOf(path)
    found.set(path, text)
    for (const { fileName } of ts.preProcessFile(text).importedFiles) {
      const imported = join(dirname(path), fileName.replace(/\.(ts|js)$/, '.d.ts'))
      if (fileName.startsWith('.') && !found.has(imported)) found.set(imported, '')
    }
  }
  return found
}

/** Text of a declaration file. Only what it needs is checked: `npm run check` is for the rest. */
function declarationsOf(path) {
  if (BY_HAND.includes(path)) return readFileSync(path, 'utf8')
  const file = path.replace(/\.d\.ts$/, '.ts')
  if (file in INFERRED) return writtenOut(file, INFERRED[file])
  let written = ''
  const source = program.getSourceFile(resolve(file))
  const { diagnostics } = program.emit(source, (_path, text) => (written = text), undefined, true)
  if (diagnostics.length > 0) fail(diagnostics[0])
  return written
}

/** Declarations of types without the names of types in other files. */
function writtenOut(file, names) {
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(resolve(file))
  const { NoTruncation, InTypeAlias } = ts.TypeFormatFlags
  const declarations = source.statements
    .filter((statement) => ts.isTypeAliasDeclaration(statement) && names.includes(statement.name.text))
    .map((statement) => {
      const { text } = statement.name
      // As seen from the source, so that aliases of other files are written out unless they are exported.
      const type = checker.typeToString(
        checker.getTypeAtLocation(statement),
        source,
        NoTruncation | InTypeAlias,
      )
      const comment = source.text.slice(statement.getFullStart(), statement.getStart()).trim()
      return `${comment}\nexport type ${text} = ${type};\n`
    })
  if (declarations.length !== names.length) throw new Error(`${file} does not declare ${names.join(', ')}`)
  return declarations.join('\n')
}

function fail({ messageText }) {
  throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'))
}
