/** Checks of the architecture: the imports of each folder of lib, and other rules. */

import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, normalize, sep } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { allMethods } from '../lib/rpc/methods/all.ts'

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
  /^(\.\.\/assembly|chain\/(?:filters|instance|mempool|miner|simulation)|insight\/[\w-]+|embed\/(?:testing|hardhat)|rpc\/(?:methods|faithful))\//

/** Layer of a file under lib: its room, or a room within it. A file directly in lib is one too. */
const folderOf = (file: string): string => INNER.exec(file)?.[1] ?? file.split('/')[0]!

/** Made by `npm run build` and not committed. */
const GENERATED = 'embed/rpc-types.ts'

const files = readdirSync(lib, { recursive: true, encoding: 'utf8' })
  .map((file) => file.split(sep).join('/'))
  .filter((file) => file.endsWith('.ts') && file !== GENERATED)

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
const foreign = imports.filter((one) => !isOwn(one))

/** The layers that each layer may import besides itself, in their order: imports come first. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  base: [],
  crypto: ['base'],
  abi: ['base', 'crypto'],
  config: ['base'],
  schema: ['base'],
  state: ['base', 'crypto'],
  // The machine reads the layout of its core's memory.
  evm: ['../assembly', 'base', 'crypto', 'config', 'state'],
  networks: ['base', 'crypto', 'abi', 'config', 'state', 'evm'],
  'chain/instance': ['base'],
  chain: ['base', 'crypto', 'config', 'state', 'evm', 'networks', 'chain/instance'],
  'chain/mempool': ['base', 'state', 'evm', 'chain/instance', 'chain'],
  'chain/miner': ['base', 'config', 'state', 'evm', 'networks', 'chain/instance', 'chain', 'chain/mempool'],
  'chain/simulation': ['base', 'config', 'state', 'evm', 'networks', 'chain', 'chain/mempool', 'chain/miner'],
  'chain/filters': ['base', 'chain/instance', 'chain', 'chain/mempool'],
  accounts: ['base', 'crypto', 'config', 'chain/instance'],
  fork: ['base', 'crypto', 'config', 'schema', 'state', 'evm', 'networks', 'chain/instance', 'chain'],
  'insight/artifacts': ['base', 'crypto', 'abi', 'chain/instance'],
  'insight/sources': ['base', 'config', 'insight/artifacts'],
  'insight/trace': ['base', 'crypto', 'config', 'state', 'evm', 'chain'],
  'insight/cross-check': ['base', 'crypto', 'config', 'schema', 'state', 'evm', 'networks', 'chain'],
  'insight/explain': [
    'base',
    'crypto',
    'abi',
    'config',
    'schema',
    'state',
    'evm',
    'chain',
    'insight/artifacts',
    'insight/trace',
  ],
  'insight/debug': [
    'base',
    'crypto',
    'abi',
    'schema',
    'state',
    'evm',
    'chain',
    'insight/artifacts',
    'insight/trace',
    'insight/explain',
  ],
  'insight/gas-profile': [
    'base',
    'abi',
    'schema',
    'state',
    'evm',
    'chain',
    'insight/artifacts',
    'insight/trace',
    'insight/explain',
  ],
  // What a module is, how methods are declared, and the modules of a running node.
  kernel: [
    'base',
    'config',
    'schema',
    'state',
    'evm',
    'chain',
    'chain/filters',
    'chain/simulation',
    'insight/artifacts',
    'insight/explain',
  ],
  modules: [
    'base',
    'crypto',
    'abi',
    'config',
    'schema',
    'state',
    'evm',
    'chain',
    'insight/artifacts',
    'kernel',
  ],
  node: [
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
    'fork',
    'insight/artifacts',
    'insight/sources',
    'insight/trace',
    'insight/cross-check',
    'insight/explain',
    'insight/debug',
    'insight/gas-profile',
    'kernel',
    'modules',
  ],
  rpc: ['base', 'abi', 'config', 'schema', 'kernel'],
  'rpc/methods': ['base', 'abi', 'config', 'schema', 'kernel', 'modules', 'rpc'],
  'rpc/faithful': ['base', 'config', 'schema', 'insight/trace', 'kernel', 'rpc', 'rpc/methods'],
  server: ['base', 'config', 'kernel', 'node', 'rpc', 'rpc/methods', 'rpc/faithful'],
  embed: ['base', 'config', 'schema', 'kernel', 'node', 'rpc', 'rpc/methods', 'rpc/faithful'],
  'embed/testing': ['base', 'config', 'fork', 'kernel', 'modules', 'node', 'server'],
  'index.ts': ['base', 'config', 'node', 'rpc', 'rpc/methods', 'server', 'embed', 'embed/testing'],
  client: ['base'],
  'debug-adapter': ['base', 'schema', 'client'],
  cli: ['base', 'config', 'schema', 'fork', 'node', 'modules', 'server', 'client', 'debug-adapter'],
  'embed/hardhat': ['base', 'crypto', 'config', 'fork', 'node', 'server', 'embed', 'cli'],
}

/** Imports beyond the table, each with its reason. A type costs nothing at run time and couples less than a value. */
const EXCEPTIONS: readonly (readonly [
  file: string,
  target: string,
  kind: 'type' | 'value',
  reason: string,
])[] = [
  ['rpc/', 'node/', 'type', 'a method is given the node'],
  ['server/start.ts', 'fork/cached-forks.ts', 'type', 'the banner names the fork'],
  ['rpc/methods/', 'node/fork-requests.ts', 'type', 'parsed requests to fork a chain'],
  ['rpc/render/', 'chain/', 'value', 'rendered values'],
  ['rpc/render/', 'networks/', 'value', 'rendered values'],
  ['rpc/render/', 'evm/', 'type', 'rendered values'],
  ['rpc/render/transaction.ts', 'evm/transaction.ts', 'value', 'members by type'],
  ['rpc/render/', 'chain/filters/', 'type', 'rendered values'],
  ['rpc/', 'insight/explain/', 'type', 'explained failures'],
  ['rpc/methods/debugger.ts', 'insight/debug/debug-session.ts', 'type', 'open sessions'],
  ['rpc/render/', 'chain/miner/block-resolver.ts', 'type', 'rendered values'],
  ['chain/filters/subscriptions.ts', 'evm/transaction.ts', 'type', 'transactions that enter the pool'],
  ['chain/filters/console-log.ts', 'evm/outcome.ts', 'type', 'console output and failures of blocks'],
  ['server/connections.ts', 'chain/filters/subscriptions.ts', 'type', 'the subscriber of a connection'],
  ['embed/provider.ts', 'chain/filters/subscriptions.ts', 'type', 'the subscriber of a provider'],
  ['rpc/dispatch.ts', 'chain/filters/subscriptions.ts', 'type', 'the subscriber of a connection'],
  ['rpc/dispatch.ts', 'chain/miner/block-resolver.ts', 'value', 'a pending block that a request waited for'],
  ['rpc/methods/eth-subscriptions.ts', 'chain/filters/subscriptions.ts', 'type', 'kinds of events'],
  ['rpc/', 'evm/outcome.ts', 'type', 'outcomes in errors and in the log'],
  ['rpc/execution-log.ts', 'chain/', 'type', 'receipts in the log, and blocks for a debugger'],
  ['rpc/failed-executions.ts', 'chain/', 'type', 'mined transactions that failed'],
  ['schema/', 'abi/fragments.ts', 'type', 'decoded values'],
  ['cli/', 'abi/fragments.ts', 'type', 'decoded values'],
  ['schema/', 'chain/', 'type', 'parsed values'],
  ['schema/', 'accounts/typed-data.ts', 'type', 'parsed values'],
  ['schema/', 'chain/miner/block-resolver.ts', 'type', 'parsed values'],
  ['schema/', 'chain/simulation/', 'type', 'parsed values'],
  ['schema/trace.ts', 'insight/trace/tracer.ts', 'value', 'parsed values, and the names of tracers'],
  ['rpc/methods/', 'chain/', 'value', 'pure domain functions'],
  ['rpc/faithful/', 'chain/', 'value', 'pure domain functions'],
  ['rpc/methods/reports.ts', 'insight/cross-check/cross-check.ts', 'value', 'the number of kept reports'],
  ['rpc/methods/', 'networks/', 'value', 'pure domain functions'],
  ['rpc/methods/', 'evm/transaction.ts', 'value', 'whether a transaction is impersonated'],
  ['rpc/methods/', 'networks/', 'value', 'pure domain functions'],
  ['rpc/methods/', 'evm/sidecar.ts', 'value', 'pure domain functions'],
  ['rpc/methods/', 'chain/simulation/fill.ts', 'value', 'pure domain functions'],
  ['rpc/methods/account-edits.ts', 'chain/simulation/token-slots.ts', 'value', 'pure domain functions'],
  ['rpc/methods/', 'chain/mempool/pending.ts', 'value', 'pure domain functions'],
  ['rpc/methods/', 'chain/miner/', 'value', 'pure domain functions'],
  ['rpc/methods/worlds.ts', 'node/', 'value', 'pure domain functions'],
  ['rpc/methods/', 'chain/simulation/', 'type', 'rendered values'],
  ['rpc/methods/', 'insight/trace/call-tree.ts', 'type', 'rendered values'],
  ['rpc/methods/', 'state/account.ts', 'value', 'the default of an absent account'],
  ['rpc/methods/', 'accounts/', 'value', 'pure domain functions'],
  ['rpc/methods/eth-chain.ts', 'crypto/keccak.ts', 'value', 'web3_sha3 is this function'],
  ['rpc/methods/identity.ts', 'crypto/keccak.ts', 'value', 'the instance id is a hash'],
  ['rpc/methods/eth-simulate.ts', 'crypto/keccak.ts', 'value', 'the hash of a bundle is one of hashes'],
  ['embed/testing/test-chain.ts', 'embed/provider-api.ts', 'type', 'types of requests and results'],
  ['index.ts', 'networks/network-33/precompiles/interfaces.ts', 'value', 'interfaces for clients'],
  [
    'server/start.ts',
    'crypto/secp256k1.ts',
    'value',
    'the curve is loaded after the start, and the banner names it',
  ],
]

const isException = ({ file, target, isTypeOnly }: Import) =>
  EXCEPTIONS.some(
    ([from, to, kind]) => file.startsWith(from) && target.startsWith(to) && (kind === 'value' || isTypeOnly),
  )

const isInTable = ({ folder, target }: Import) =>
  folder === folderOf(target) || LAYERS[folder]!.includes(folderOf(target))

const shown = (found: readonly Import[]) => found.map(({ file, target }) => `${file} imports ${target}`)

describe('layers', () => {
  test('have every folder', () => {
    expect(files.map(folderOf).filter((folder) => LAYERS[folder] === undefined)).toEqual([])
  })

  test('no layer imports a layer above it', () => {
    const order = Object.keys(LAYERS)
    const upward = Object.entries(LAYERS).flatMap(([folder, allowed]) =>
      allowed
        .filter((other) => order.indexOf(other) >= order.indexOf(folder))
        .map((other) => `${folder} imports ${other}`),
    )
    expect(upward).toEqual([])
  })

  test('no file imports from folders that its layer may not import', () => {
    expect(own.length).toBeGreaterThan(300)
    expect(shown(own.filter((one) => !isInTable(one) && !isException(one)))).toEqual([])
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

  test('no exception outlives its reason', () => {
    const used = own.filter((one) => !isInTable(one))
    const unused = EXCEPTIONS.filter(
      ([from, to]) => !used.some(({ file, target }) => file.startsWith(from) && target.startsWith(to)),
    )
    expect(unused).toEqual([])
  })

  test('folders do not import each other in circles', () => {
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

test('a circle is found', () => {
  const edges = new Map([
    ['a', new Set(['b'])],
    ['b', new Set(['c'])],
    ['c', new Set(['b'])],
  ])
  expect(circleIn(edges)).toEqual(['b', 'c', 'b'])
})

/** The folders that may import each package. */
const PACKAGES: readonly (readonly [pattern: RegExp, folders: readonly string[]])[] = [
  [/^@ethereumjs\//, ['insight/cross-check']],
  [/^secp256k1$/, ['crypto']],
  [/^@noble\/(curves|hashes)\//, ['crypto']],
  [/^ethereum-cryptography\//, ['crypto', 'accounts']],
  [/^@scure\/(base|bip32|bip39(\/wordlists\/english.js)?)$/, ['crypto']],
  [/^express$/, ['server']],
  // The client of a fork's remote: Node 20 has no WebSocket of its own.
  [/^ws$/, ['server']],
  [/^leven$/, ['config']],
  [/^(yargs|yargs-parser)(\/|$)/, ['cli']],
  [/^@vscode\/debug(adapter|protocol)$/, ['debug-adapter']],
  [/^chalk$/, ['cli']],
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
      'insight/sources',
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
      'debug-adapter',
    ],
  ],
  [/^node:events$/, ['embed', 'server', 'embed/testing', 'embed/hardhat']],
  [/^jest-environment-node$/, ['embed/testing']],
  [/^istanbul-/, ['modules']],
  [/^(quickjs-emscripten-core|@jitl\/quickjs-)/, ['insight/trace']],
  [/^node:timers\/promises$/, ['embed/testing']],
  [/^node:http$/, ['server', 'fork', 'insight/sources']],
  [/^node:https$/, ['fork', 'insight/sources']],
  [/^node:stream(\/promises)?$/, ['base', 'server', 'node', 'fork']],
  [/^node:zlib$/, ['base', 'chain', 'fork', 'server', 'node']],
  [/^node:stream\/consumers$/, ['base', 'node']],
  [
    /^node:fs$/,
    ['insight/artifacts', 'config', 'modules', 'crypto', 'base', 'node', 'server', 'debug-adapter'],
  ],
  [
    /^node:fs\/promises$/,
    [
      'cli',
      'insight/artifacts',
      'modules',
      'insight/sources',
      'base',
      'fork',
      'accounts',
      'embed/testing',
      'embed/hardhat',
      'node',
    ],
  ],
  [/^node:crypto$/, ['base', 'crypto', 'accounts', 'embed/testing', 'node']],
  [/^node:net$/, ['schema', 'server', 'debug-adapter', 'fork']],
  [/^node:module$/, ['crypto', 'embed/hardhat']],
  [/^node:os$/, ['base', 'cli', 'fork', 'insight/sources', 'embed/testing']],
  [/^node:child_process$/, ['cli', 'insight/sources', 'embed/testing']],
  [
    /^node:path$/,
    [
      'insight/artifacts',
      'insight/sources',
      'config',
      'modules',
      'base',
      'fork',
      'accounts',
      'node',
      'embed/testing',
      'embed/hardhat',
      'cli',
      'debug-adapter',
    ],
  ],
  [/^node:test$/, ['embed/hardhat']],
  [/^node:url$/, ['config', 'embed/hardhat', 'embed/testing']],
  [/^node:util$/, ['modules', 'insight/sources', 'fork', 'accounts', 'server']],
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
  test.each(files)('%s has at most 250 lines, and begins with a comment', (file) => {
    const source = sources.get(file)!
    expect(source.trimEnd().split('\n').length).toBeLessThanOrEqual(250)
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
    expect(methodFiles.length).toBeGreaterThan(30)
    const expected = methodFiles.map((file) => file.replace(/\.ts$/, '.test.ts'))
    expect(tests.filter((file) => file.startsWith('rpc/methods/')).toSorted()).toEqual(expected.toSorted())
  })
})

test('the name of a method is in its declaration and nowhere else', () => {
  // The helpers for tests and the plugins of Hardhat are clients like any other; a fork is a client of its remote, `dev-node explain`
  // and the debug adapter of a running node.
  const isElsewhere = ([file]: readonly [string, string]) =>
    !/^(rpc\/methods|modules\/[\w-]+|modules\/[\w-]+\/methods|embed\/testing|embed\/hardhat|fork|debug-adapter)\/|^cli\/explain-command/.test(
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
  expect([...new Set(folders)].toSorted()).toEqual([
    'evm',
    'insight/cross-check',
    'insight/debug',
    'insight/explain',
    'insight/gas-profile',
    'insight/trace',
  ])
})

test('no two types of lib share a name', () => {
  const places = new Map<string, string[]>()
  for (const [file, source] of sources) {
    for (const [, name] of source.matchAll(/^(?:export )?(?:abstract )?(?:interface|class|type) (\w+)/gm))
      places.set(name!, [...(places.get(name!) ?? []), file])
  }
  expect(places.size).toBeGreaterThan(500)
  expect([...places].filter(([, found]) => found.length > 1)).toEqual([])
})

/** Reads of the kind of a network: by its values, by a comparison, or by members that headers of one kind have. */
const KIND_READ =
  /'merged-mining'|\b(?:mergedMining|isMergedMining|asMergedMining)\b|\bkind(?:'\])? [!=]== 'ethereum'|\bnetwork\.kind\b/

describe('the kind of a network', () => {
  test('is read in the room of networks only, and named in the schema of networks', () => {
    const reading = [...sources].filter(([, source]) => KIND_READ.test(source)).map(([file]) => file)
    const isOfNetworks = (file: string) => file.startsWith('networks/')
    expect(reading.filter((file) => !isOfNetworks(file))).toEqual(['config/network-schema.ts'])
    expect(reading.some(isOfNetworks)).toBe(true)
  })

  test('is no reason to import a consensus past its interface', () => {
    const isInside = (file: string) => /^networks\/(ethereum|network-33)\/consensus\//.test(file)
    const past = own.filter(
      ({ folder, target, isTypeOnly }) => isInside(target) && folder !== 'networks' && !isTypeOnly,
    )
    // Params and results of methods for miners.
    expect(shown(past)).toEqual([
      'rpc/methods/mining-work.ts imports networks/ethereum/consensus/ethash.ts',
      'rpc/methods/mining-work.ts imports networks/network-33/consensus/aux-block.ts',
    ])
  })
})

describe('ARCHITECTURE.md', () => {
  const text = readFileSync(join(lib, '..', 'ARCHITECTURE.md'), 'utf8')

  test('names every folder of lib', () => {
    const folders = Object.keys(LAYERS).filter((folder) => !['rpc/methods', 'index.ts'].includes(folder))
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
