/**
 * Writes the declarations of the public API into dist/types: those files that the entry points of package.json reach. Types that
 * are inferred from schemas are written out, so that users need no zod.
 */

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import ts from 'typescript'

/** Exported types that are inferred from schemas, by the files that declare them. */
const INFERRED = {
  'lib/config/names.ts': ['NetworkNames'],
  'lib/config/network.ts': ['Network', 'AccountSource'],
  'lib/config/options.ts': ['Options', 'OptionsInput'],
  'lib/schema/gas-results.ts': ['GasReport'],
}

/** Declarations that are written by hand, because they extend the types of Hardhat. */
const BY_HAND = ['lib/embed/hardhat/hardhat2.d.cts', 'lib/embed/hardhat/hardhat3.d.mts']

const OUTPUT = 'dist/types'

await rm(OUTPUT, { recursive: true, force: true })
const program = openProgram()
const emitted = emit(program)
for (const [file, names] of Object.entries(INFERRED))
  emitted.set(declarationOf(file), writtenOut(file, names))
for (const file of BY_HAND) emitted.set(join(OUTPUT, file), await readFile(file, 'utf8'))
const entryPoints = Object.values(JSON.parse(await readFile('package.json', 'utf8')).exports)
  .flatMap(({ types, ...conditions }) => [types, ...Object.values(conditions).map((one) => one.types)])
  .filter((types) => types !== undefined)
for (const file of reached(entryPoints.map((types) => relative('.', types)))) {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, emitted.get(file))
}

function openProgram() {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail }
  const { options, fileNames } = ts.getParsedCommandLineOfConfigFile('tsconfig.build.json', {}, host)
  return ts.createProgram(fileNames, options)
}

/** The declarations of all modules, by their paths in dist/types. */
function emit(program) {
  const files = new Map()
  const { diagnostics } = program.emit(undefined, (path, text) => files.set(relative('.', path), text))
  const [problem] = [...ts.getPreEmitDiagnostics(program), ...diagnostics]
  if (problem !== undefined) fail(problem)
  return files
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

function declarationOf(file) {
  return join(OUTPUT, file.replace(/\.ts$/, '.d.ts'))
}

/** The declaration files that the entry points import, directly or not, and the entry points. */
function reached(entryPoints) {
  const found = new Set(entryPoints)
  for (const file of found) {
    for (const { fileName } of ts.preProcessFile(emitted.get(file)).importedFiles)
      if (fileName.startsWith('.')) found.add(join(dirname(file), fileName.replace(/\.(ts|js)$/, '.d.ts')))
  }
  return found
}

function fail({ messageText }) {
  throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'))
}
