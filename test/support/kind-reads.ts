/** Finds the places of lib that read the kind of a network. */

import { join, relative, sep } from 'node:path'
import ts from 'typescript'

const root = join(import.meta.dirname, '..', '..')
const lib = join(root, 'lib')

/** A file that exists for the compiler only. */
export interface VirtualFile {
  readonly name: string
  readonly text: string
}

/** A compiled program of all files of lib, and of one file that only it has. */
function programOf({ name, text }: VirtualFile): ts.Program {
  const { fileNames, options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file)).config,
    ts.sys,
    root,
  )
  const virtual = join(lib, name)
  const disk = ts.createCompilerHost(options)
  const host = ts.createCompilerHost(options)
  host.fileExists = (file) => file === virtual || disk.fileExists(file)
  host.readFile = (file) => (file === virtual ? text : disk.readFile(file))
  return ts.createProgram(
    [virtual, ...fileNames.filter((file) => file.startsWith(join(lib, '/')))],
    options,
    host,
  )
}

/** Members that only headers of one kind of network have, and the functions that narrow headers to them. */
const OWN_TO_HEADERS = new Set(['mergedMining', 'isMergedMining', 'asMergedMining'])

/** Whether values of the type are kinds of networks. */
const isKind = (type: ts.Type): boolean =>
  (type.isUnion() ? type.types : [type]).some((one) => one.isStringLiteral() && one.value === 'merged-mining')

/** Whether a node reads the kind: by its name, by a comparison, or by members that headers of one kind have. */
function asks(node: ts.Node, checker: ts.TypeChecker): boolean {
  if (!ts.isIdentifier(node) && !ts.isStringLiteral(node)) return false
  if (OWN_TO_HEADERS.has(node.text) || (ts.isStringLiteral(node) && node.text === 'merged-mining'))
    return true
  if (node.text !== 'kind') return false
  const { parent } = node
  const isRead = ts.isElementAccessExpression(parent) || ts.isBindingElement(parent)
  return isKind(checker.getTypeAtLocation(isRead ? parent : node))
}

/** The places as `file:line`, each once. Files of lib are named below lib. */
export function kindReads(virtual: VirtualFile): readonly string[] {
  const program = programOf(virtual)
  const checker = program.getTypeChecker()
  const found = new Set<string>()
  for (const source of program.getSourceFiles()) {
    const file = relative(lib, source.fileName).split(sep).join('/')
    if (file.startsWith('..') || source.isDeclarationFile) continue
    const visit = (node: ts.Node) => {
      if (asks(node, checker))
        found.add(`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`)
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  return [...found]
}
