/** Checks of the architecture: the imports of each folder of lib, and other rules. */

import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, normalize, sep } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { allMethods } from '../scripts/all-methods.ts'

const lib = join(import.meta.dirname, '..', 'lib')

/** An import statement of a file. */
interface Import {
  readonly file: string
  readonly folder: string
  readonly target: string
  readonly isTypeOnly: boolean
}

/** Rooms within a room that are layers of their own. */
const INNER =
  /^(\.\.\/assembly|chain\/(?:filters|instance|mempool|miner|simulation)|insight\/[\w-]+|embed\/(?:affected|testing|hardhat)|rpc\/methods)\//

/** Layer of a file under lib: its room, or a room within it. A file directly in lib is one too. */
const folderOf = (file: string): string => INNER.exec(file)?.[1] ?? file.split('/')[0]!

/** Made by `npm run build` and not committed. */
const GENERATED = ['embed/rpc-types.ts', 'config/option-names.ts']

const files = readdirSync(lib, { recursive: true, encoding: 'utf8' })
  .map((file) => file.split(sep).join('/'))
  .filter((file) => file.endsWith('.ts') && !GENERATED.includes(file))

const sources = new Map(files.map((file) => [file, readFileSync(join(lib, file), 'utf8')]))

const IMPORT =
  /^(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|\b(?:import|require)\('([^']+)'\)/gm

const imports: readonly Import[] = [...sources].flatMap(([file, source]) =>
  [...source.matchAll(IMPORT)].map(([, type, declared, called]) => {
    const target = (declared ?? called)!
    const path = target.startsWith('.') ? normalize(join(dirname(file), target)) : target
    return { file, folder: folderOf(file), target: path, isTypeOnly: type !== undefined }
  }),
)

const isOwn = ({ target }: Import) => target.endsWith('.ts')
const own = imports.filter(isOwn)
/** Packages, and not data of this one, which is imported for its type. */
const foreign = imports.filter((one) => !isOwn(one) && !one.target.endsWith('.json'))

/** The floors of the house, and the rooms on each. A room imports rooms of its floor, without circles, and of those below it. */
const FLOORS: readonly (readonly [floor: string, rooms: readonly string[]])[] = [
  [
    'core',
    [
      '../assembly',
      'base',
      'crypto',
      'abi',
      'config',
      'schema',
      'state',
      'evm',
      'networks',
      'chain/instance',
      'chain',
      'chain/mempool',
      'chain/miner',
      'chain/simulation',
      'chain/filters',
      'accounts',
      'client',
    ],
  ],
  ['features of every node', ['fork', 'insight/artifacts', 'insight/replay', 'insight/explain']],
  ['kernel', ['kernel', 'node', 'rpc', 'rpc/methods']],
  ['modules', ['modules']],
  ['faces', ['server', 'embed', 'embed/affected', 'embed/testing', 'embed/hardhat', 'index.ts', 'cli']],
]

const floorOf = (room: string): number => FLOORS.findIndex(([, rooms]) => rooms.includes(room))

const isDownward = ({ folder, target }: Import) => floorOf(folder) >= floorOf(folderOf(target))

const shown = (found: readonly Import[]) => found.map(({ file, target }) => `${file} imports ${target}`)

describe('the house', () => {
  test('has every room', () => {
    expect(files.map(folderOf).filter((room) => floorOf(room) === -1)).toEqual([])
  })

  test('imports downwards only', () => {
    expect(own.length).toBeGreaterThan(300)
    expect(shown(own.filter((one) => !isDownward(one)))).toEqual([])
  })

  test('no files import each other in a circle, not even for types', () => {
    const targets = new Map(
      files.map((file) => [file, own.filter((one) => one.file === file).map((one) => one.target)]),
    )
    const reachableFrom = (start: string): ReadonlySet<string> => {
      const seen = new Set<string>()
      const open = [...targets.get(start)!]
      for (let file = open.pop(); file !== undefined; file = open.pop()) {
        if (seen.has(file)) continue
        seen.add(file)
        open.push(...(targets.get(file) ?? []))
      }
      return seen
    }
    expect(files.filter((file) => reachableFrom(file).has(file))).toEqual([])
  })

  test('has no circles between rooms', () => {
    const edges = new Map<string, Set<string>>()
    for (const { folder, target } of own) {
      if (folder === folderOf(target)) continue
      edges.set(folder, (edges.get(folder) ?? new Set()).add(folderOf(target)))
    }
    expect(circleIn(edges)).toBeUndefined()
  })
})

/** A path of imports that ends where it began. */
function circleIn(edges: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] | undefined {
  const done = new Set<string>()
  const walk = (place: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(place)) return [...way.slice(way.indexOf(place)), place]
    if (done.has(place)) return undefined
    for (const next of edges.get(place) ?? []) {
      const circle = walk(next, [...way, place])
      if (circle !== undefined) return circle
    }
    done.add(place)
    return undefined
  }
  for (const place of edges.keys()) {
    const circle = walk(place, [])
    if (circle !== undefined) return circle
  }
  return undefined
}

/** The folders that may import each package. */
const PACKAGES: readonly (readonly [pattern: RegExp, folders: readonly string[]])[] = [
  [/^@ethereumjs\//, ['modules']],
  [/^secp256k1$/, ['crypto']],
  [/^@noble\/(curves|hashes)\//, ['crypto']],
  [/^ethereum-cryptography\//, ['crypto', 'accounts']],
  [/^@scure\/(base|bip32|bip39(\/wordlists\/english.js)?)$/, ['crypto']],
  [/^express$/, ['server']],
  // The client of a fork's remote: Node 20 has no WebSocket of its own.
  [/^ws$/, ['server']],
  [/^leven$/, ['config']],
  [/^(yargs|yargs-parser)(\/|$)/, ['cli']],
  [/^@vscode\/debug(adapter|protocol)$/, ['modules']],
  [/^chalk$/, ['cli']],
  [/^chokidar$/, ['cli']],
  [/^node:tty$/, ['cli']],
  [/^@jest\/test-sequencer$/, ['embed/testing']],
  [/^@modelcontextprotocol\/server(\/|$)/, ['cli']],
  [/^@babel\/(parser|types)$/, ['cli']],
  [/^ox\//, ['abi']],
  // Types of the settings that it hands to its provider.
  [/^hardhat\//, ['embed/hardhat']],
  [
    /^zod$/,
    [
      'abi',
      'insight/artifacts',
      'kernel',
      'modules',
      'schema',
      'config',
      'fork',
      'accounts',
      'rpc',
      'rpc/methods',
      'embed',
      'embed/testing',
      'node',
      'cli',
      'client',
      'embed/affected',
    ],
  ],
  [/^node:events$/, ['embed', 'server', 'embed/testing', 'embed/hardhat']],
  [/^jest-environment-node$/, ['embed/testing']],
  [/^istanbul-/, ['modules']],
  [/^(quickjs-emscripten-core|@jitl\/quickjs-)/, ['modules']],
  [/^node:timers\/promises$/, ['embed/testing']],
  [/^node:http$/, ['server', 'fork', 'cli']],
  [/^node:https$/, ['fork']],
  [/^node:stream(\/promises)?$/, ['base', 'server', 'node', 'fork']],
  [/^node:zlib$/, ['base', 'chain', 'fork', 'server', 'node', 'modules']],
  [/^node:stream\/consumers$/, ['base', 'node']],
  [
    /^node:fs$/,
    ['insight/artifacts', 'config', 'modules', 'crypto', 'base', 'node', 'server', 'cli', 'embed/affected'],
  ],
  [
    /^node:fs\/promises$/,
    [
      'cli',
      'insight/artifacts',
      'modules',
      'base',
      'fork',
      'accounts',
      'embed/testing',
      'embed/hardhat',
      'node',
    ],
  ],
  [
    /^node:crypto$/,
    [
      'base',
      'crypto',
      'accounts',
      'embed/hardhat',
      'embed/testing',
      'node',
      'modules',
      'embed/affected',
      'insight/artifacts',
    ],
  ],
  [/^node:net$/, ['schema', 'server', 'modules', 'fork']],
  [/^node:module$/, ['crypto', 'embed/hardhat', 'embed/testing', 'embed/affected']],
  [/^node:os$/, ['base', 'cli', 'fork', 'modules', 'embed/testing']],
  [/^node:child_process$/, ['cli', 'modules', 'embed/testing']],
  [
    /^node:path$/,
    [
      'insight/artifacts',
      'config',
      'modules',
      'base',
      'fork',
      'accounts',
      'node',
      'embed/testing',
      'embed/hardhat',
      'cli',
      'embed/affected',
    ],
  ],
  [/^node:test$/, ['embed/testing']],
  [/^node:url$/, ['config', 'embed/hardhat', 'embed/testing', 'cli']],
  [/^node:util$/, ['modules', 'fork', 'accounts', 'server']],
  [/^node:v8$/, ['base']],
]

describe('packages', () => {
  test('are imported only by their folders', () => {
    expect(foreign.length).toBeGreaterThan(20)
    const isTheirs = ({ folder, target }: Import) =>
      PACKAGES.some(([pattern, folders]) => pattern.test(target) && folders.includes(folder))
    expect(shown(foreign.filter((one) => !isTheirs(one)))).toEqual([])
  })

  test('are imported by six files of base: claims and writing of files, the heap, the host, the process and the text stream', () => {
    const inBase = foreign.filter(({ folder }) => folder === 'base')
    expect([...new Set(inBase.map(({ file }) => file))].sort()).toEqual([
      'base/file-claim.ts',
      'base/heap-growth.ts',
      'base/host.ts',
      'base/process-usage.ts',
      'base/replace-file.ts',
      'base/text-stream.ts',
    ])
  })
})

describe('files', () => {
  test.each(files)('%s has at most 400 lines, and begins with a comment', (file) => {
    const source = sources.get(file)!
    expect(source.trimEnd().split('\n').length).toBeLessThanOrEqual(400)
    const [first, second] = source.split('\n')
    // A directive to the linter has to come first.
    expect(first!.startsWith('/* oxlint-') ? second : first).toMatch(/^\/\*\*( \S|$)/)
  })

  test('have no default export, except where Jest and Hardhat need one', () => {
    const found = [...sources].filter(([, source]) => /^export default/m.test(source)).map(([file]) => file)
    const needed = /^embed\/(testing\/jest-|hardhat\/hardhat3\.ts$)/
    expect(found.filter((file) => !needed.test(file))).toEqual([])
  })

  test('of lib have one barrel, and one list of the files of methods', () => {
    const isBarrel = ([, source]: readonly [string, string]) =>
      /^export\s+(type\s+)?(\{|\*)[^;]*?from/m.test(source)
    expect([...sources].filter(isBarrel).map(([file]) => file)).toEqual([
      'index.ts',
      'rpc/methods/exports.ts',
    ])
  })
})

describe('tests', () => {
  const tests = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => file.endsWith('.test.ts'))

  test('are in the folder of the tested file, or in bench, clients, explorer, fuzz, recipes or vectors', () => {
    const folders = new Set(['.', ...files.map(dirname)])
    const strays = tests.filter(
      (file) =>
        !/^(bench|clients|editors|explorer|fuzz|recipes|vectors)\//.test(file) && !folders.has(dirname(file)),
    )
    expect(strays).toEqual([])
  })

  test('of methods are in one file for each file of methods', () => {
    const methodFiles = files.filter(
      (file) =>
        file.startsWith('rpc/methods/') &&
        /\b(?:(?:read|write)Method|command|control)\(\{/.test(sources.get(file)!),
    )
    expect(methodFiles.length).toBeGreaterThan(20)
    const expected = methodFiles.map((file) => file.replace(/\.ts$/, '.test.ts'))
    expect(tests.filter((file) => file.startsWith('rpc/methods/')).toSorted()).toEqual(expected.toSorted())
  })
})

test('the name of a method is in its declaration and nowhere else', () => {
  // The helpers for tests and the plugins of Hardhat are clients like any other; a fork is a client of its remote, `dev-node explain`,
  // the debug adapter and the tools for agents of a running node.
  const isElsewhere = ([file]: readonly [string, string]) =>
    !/^(rpc\/methods|modules\/[\w-]+|modules\/[\w-]+\/(?:methods|adapter)|embed\/affected|embed\/testing|embed\/hardhat|fork|cli\/mcp)\/|^cli\/explain-command|^embed\/ask/.test(
      file,
    )
  const elsewhere = [...sources].filter(isElsewhere)
  const withoutComments = (source: string) => source.replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '')
  const names = new Set(allMethods.names)
  const found = elsewhere.flatMap(([file, source]) =>
    [...withoutComments(source).matchAll(/(?<=(['"`]))\w+(?=\1)/g)]
      .filter(([name]) => names.has(name))
      .map(([name]) => `${file} names ${name}`),
  )
  expect(found).toEqual([])
})

test('only the machine, the tracers, the profiles, the explanations, the debugger and cross-checks name instructions', () => {
  // Names of instructions as values, and the hook of instructions.
  const instruction =
    /(['"`])(?:[ST](LOAD|STORE)|EXTCODE(SIZE|COPY|HASH)|BALANCE|(STATIC|DELEGATE)CALL|SELFDESTRUCT|LOG[0-4])\1/
  const hook = /\bonOpcode\b/
  const knowing = [...sources].filter(([, source]) => instruction.test(source) || hook.test(source))
  // The table of EIPs names the instructions that each of them brought.
  const folders = knowing
    .map(([file]) => file)
    .filter((file) => !file.startsWith('config/eip'))
    .map(folderOf)
  expect([...new Set(folders)].toSorted()).toEqual(['evm', 'insight/explain', 'insight/replay', 'modules'])
})

describe('a module', () => {
  /** Files that name modules: the list, and what is about one by its subject. */
  const MAY_NAME: readonly string[] = [
    'modules/list.ts',
    'index.ts',
    'cli/gas-diff-command.ts',
    'cli/debug-adapter-command.ts',
    'cli/explain-command.ts',
    'cli/asked-report.ts',
    'cli/show-command.ts',
    'cli/mcp/tool.ts',
    'cli/mcp/debug-tools.ts',
    // A file of failures brings the debugger along.
    'modules/report/opened-report.ts',
  ]

  const moduleOf = (path: string): string | undefined => /^modules\/([\w-]+)\//.exec(path)?.[1]

  test('is imported by the list of modules, and by no other file outside of its folder', () => {
    const named = own.filter(
      ({ file, target }) => moduleOf(target) !== undefined && moduleOf(target) !== moduleOf(file),
    )
    expect(new Set(named.map(({ target }) => moduleOf(target))).size).toBeGreaterThan(2)
    expect(shown(named.filter(({ file }) => !MAY_NAME.includes(file)))).toEqual([])
  })

  test('has its words for itself: no other room knows the kind of a network', () => {
    const words = /'merged-mining'|\b(?:mergedMining|isMergedMining|asMergedMining)\b|kind\.name [!=]==/
    const knowing = [...sources].filter(
      ([file, source]) => moduleOf(file) !== 'network-33' && words.test(source),
    )
    expect(knowing.map(([file]) => file)).toEqual([])
  })

  test('of network 33 has the words of its subject for itself', () => {
    const words = /merged.?mining|auxiliary chain|\bbridge|federat|gasQuota/i
    const knowing = [...sources].filter(
      ([file, source]) => moduleOf(file) !== 'network-33' && words.test(source),
    )
    // Members of results have one schema for all networks, in which presets rename some.
    expect(knowing.map(([file]) => file)).toEqual(['config/names.ts', 'schema/results.ts'])
  })
})

describe('ARCHITECTURE.md', () => {
  const text = readFileSync(join(lib, '..', 'ARCHITECTURE.md'), 'utf8')

  test('names every folder of lib', () => {
    const rooms = FLOORS.flatMap(([, names]) => names)
    const folders = rooms.filter((room) => !['../assembly', 'rpc/methods', 'index.ts'].includes(room))
    expect(folders.filter((folder) => !text.includes(`| \`lib/${folder}\``))).toEqual([])
  })

  test('lists every mutable value with its revert rule', () => {
    const registered = [...sources.values()].flatMap((source) =>
      Array.from(
        source.matchAll(/\binstance\.(?:cell|registerCapturable)(?:<.+>)?\('(\w+)'/g),
        ([, name]) => name!,
      ),
    )
    expect(registered.length).toBeGreaterThan(10)
    const rows = text.split('\n').filter((line) => line.startsWith('| `'))
    expect(registered.filter((name) => !rows.some((row) => row.includes(`\`${name}\``)))).toEqual([])
  })
})

test('every file that CONTRIBUTING.md and ARCHITECTURE.md name exists', () => {
  const root = join(lib, '..')
  const rooms = ['', 'lib', 'lib/rpc', 'lib/evm']
  for (const document of ['CONTRIBUTING.md', 'ARCHITECTURE.md']) {
    const text = readFileSync(join(root, document), 'utf8')
    const named = Array.from(
      text.matchAll(/`((?:\w[\w.-]*\/)+[\w-]+\.(?:ts|tsx|js|json|md))`/g),
      ([, path]) => path!,
    )
    expect(named.length).toBeGreaterThan(10)
    const isMade = (path: string) =>
      path.startsWith('dist/') || /core-code|ceremony-code|rpc-types|option-names/.test(path)
    const missing = named.filter(
      (path) => !isMade(path) && !rooms.some((room) => existsSync(join(root, room, path))),
    )
    expect(missing).toEqual([])
  }
})
