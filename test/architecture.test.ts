/** Checks of the architecture: the imports of each folder of lib, and other rules. */

import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, normalize, sep } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { allMethods } from '../lib/rpc/methods/all.ts'
import { kindReads } from './support/kind-reads.ts'

const lib = join(import.meta.dirname, '..', 'lib')

/** An import statement of a file. */
interface Import {
  readonly file: string
  readonly folder: string
  readonly target: string
  readonly isTypeOnly: boolean
}

/** Folder of a file under lib; a file directly in lib counts as a folder. The methods are a layer of their own. */
function folderOf(file: string): string {
  if (file.startsWith('rpc/methods/')) return 'rpc/methods'
  return file.split('/')[0]!
}

/** Made by `npm run build` and not committed. */
const GENERATED = 'embedded/rpc-types.ts'

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

/** The folders that each folder may import besides itself, in the order of the layers: imports come first. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  base: [],
  files: ['base'],
  crypto: ['base'],
  instance: ['base'],
  config: ['base'],
  state: ['base', 'crypto'],
  abi: ['base', 'crypto'],
  artifacts: ['base', 'crypto', 'instance', 'abi'],
  evm: ['base', 'crypto', 'config', 'state', 'abi'],
  consensus: ['base', 'crypto', 'config', 'state', 'evm'],
  chain: ['base', 'crypto', 'instance', 'config', 'state', 'evm', 'consensus'],
  schema: ['base'],
  fork: ['base', 'files', 'schema', 'crypto', 'instance', 'config', 'state', 'evm', 'consensus', 'chain'],
  mempool: ['base', 'crypto', 'instance', 'config', 'state', 'evm', 'consensus', 'chain'],
  keystore: ['base', 'files', 'crypto', 'instance', 'config', 'evm'],
  miner: ['base', 'crypto', 'instance', 'config', 'state', 'evm', 'consensus', 'chain', 'mempool'],
  filters: ['base', 'instance', 'chain', 'mempool'],
  trace: ['base', 'config', 'state', 'evm', 'chain'],
  'cross-check': ['base', 'crypto', 'config', 'state', 'evm', 'consensus', 'chain'],
  explain: ['base', 'crypto', 'abi', 'artifacts', 'state', 'evm', 'chain', 'trace'],
  'gas-profile': ['base', 'abi', 'artifacts', 'state', 'evm', 'chain', 'explain', 'trace'],
  'gas-report': ['base', 'files', 'crypto', 'abi', 'artifacts', 'state', 'evm', 'chain'],
  coverage: ['base', 'files', 'artifacts', 'evm'],
  persistence: [
    'base',
    'files',
    'instance',
    'config',
    'state',
    'evm',
    'consensus',
    'chain',
    'mempool',
    'keystore',
    'miner',
  ],
  simulation: ['base', 'config', 'state', 'evm', 'consensus', 'chain', 'mempool', 'miner'],
  worlds: ['base', 'instance'],
  'shared-services.ts': [
    'base',
    'crypto',
    'config',
    'abi',
    'artifacts',
    'evm',
    'coverage',
    'cross-check',
    'consensus',
    'chain',
    'fork',
    'keystore',
    'miner',
    'gas-report',
  ],
  'claimed-files.ts': ['files', 'config', 'coverage', 'keystore', 'gas-report'],
  'new-chain.ts': [
    'instance',
    'artifacts',
    'chain',
    'fork',
    'mempool',
    'keystore',
    'miner',
    'shared-services.ts',
  ],
  'contract-wiring.ts': [
    'base',
    'instance',
    'chain',
    'artifacts',
    'trace',
    'explain',
    'coverage',
    'gas-profile',
    'gas-report',
    'simulation',
    'shared-services.ts',
  ],
  'services.ts': [
    'base',
    'crypto',
    'instance',
    'config',
    'state',
    'evm',
    'consensus',
    'chain',
    'mempool',
    'keystore',
    'miner',
    'cross-check',
    'abi',
    'filters',
    'trace',
    'simulation',
    'fork',
    'contract-wiring.ts',
    'new-chain.ts',
    'shared-services.ts',
  ],
  'fork-requests.ts': ['base', 'config', 'consensus', 'chain', 'fork', 'services.ts', 'shared-services.ts'],
  'node.ts': [
    'base',
    'files',
    'instance',
    'config',
    'chain',
    'persistence',
    'worlds',
    'claimed-files.ts',
    'services.ts',
    'shared-services.ts',
    'fork-requests.ts',
  ],
  rpc: ['base', 'schema', 'config', 'abi'],
  'rpc/methods': ['base', 'schema', 'config', 'abi', 'rpc'],
  server: ['base', 'config', 'worlds', 'rpc', 'rpc/methods', 'node.ts'],
  embedded: ['base', 'config', 'schema', 'rpc', 'rpc/methods', 'node.ts'],
  testing: ['base', 'files', 'config', 'fork', 'server'],
  'index.ts': ['base', 'config', 'embedded', 'server', 'testing', 'node.ts', 'rpc', 'rpc/methods'],
  cli: ['base', 'schema', 'config', 'gas-report', 'fork', 'server'],
}

/** Imports beyond the table, each with its reason. A type costs nothing at run time and couples less than a value. */
const EXCEPTIONS: readonly (readonly [
  file: string,
  target: string,
  kind: 'type' | 'value',
  reason: string,
])[] = [
  ['rpc/', 'node.ts', 'type', 'a method is given the node'],
  ['server/start.ts', 'gas-report/gas-recorder.ts', 'type', 'the command prints the report'],
  ['server/start.ts', 'fork/fork.ts', 'type', 'the banner names the fork'],
  ['rpc/methods/', 'fork-requests.ts', 'type', 'parsed requests to fork a chain'],
  ['rpc/render/', 'chain/', 'value', 'rendered values'],
  ['rpc/render/', 'consensus/', 'value', 'rendered values'],
  ['rpc/render/', 'evm/', 'type', 'rendered values'],
  ['rpc/render/transaction.ts', 'evm/transaction.ts', 'value', 'members by type'],
  ['rpc/render/', 'filters/', 'type', 'rendered values'],
  ['rpc/', 'explain/', 'type', 'explained failures'],
  ['rpc/render/', 'miner/block-resolver.ts', 'type', 'rendered values'],
  ['filters/chain-event.ts', 'evm/transaction.ts', 'type', 'transactions that enter the pool'],
  ['filters/console-log.ts', 'evm/outcome.ts', 'type', 'console output and failures of blocks'],
  ['server/socket-connection.ts', 'filters/subscriptions.ts', 'type', 'the subscriber of a connection'],
  ['embedded/provider.ts', 'filters/subscriptions.ts', 'type', 'the subscriber of a provider'],
  ['rpc/method.ts', 'filters/subscriptions.ts', 'type', 'the subscriber of a connection'],
  ['rpc/dispatch.ts', 'filters/subscriptions.ts', 'type', 'the subscriber of a connection'],
  ['rpc/methods/eth-subscriptions.ts', 'filters/chain-event.ts', 'type', 'kinds of events'],
  ['rpc/', 'evm/outcome.ts', 'type', 'outcomes in errors and in the log'],
  ['rpc/execution-log.ts', 'chain/block.ts', 'type', 'receipts in the log'],
  ['rpc/execution-log.ts', 'filters/console-log.ts', 'type', 'blocks in the log'],
  ['rpc/failed-executions.ts', 'chain/', 'type', 'mined transactions that failed'],
  ['rpc/method.ts', 'chain/block.ts', 'type', 'receipts in the log'],
  ['schema/', 'chain/', 'type', 'parsed values'],
  ['schema/', 'keystore/typed-data.ts', 'type', 'parsed values'],
  ['schema/', 'miner/block-resolver.ts', 'type', 'parsed values'],
  ['schema/', 'simulation/', 'type', 'parsed values'],
  ['schema/trace.ts', 'trace/tracer.ts', 'value', 'parsed values, and the names of tracers'],
  ['rpc/methods/', 'chain/', 'value', 'pure domain functions'],
  ['rpc/methods/contracts.ts', 'artifacts/schemas.ts', 'value', 'pure domain functions'],
  ['rpc/methods/reports.ts', 'cross-check/results.ts', 'value', 'the number of kept reports'],
  ['rpc/methods/', 'consensus/', 'value', 'pure domain functions'],
  ['rpc/methods/', 'evm/transaction.ts', 'value', 'whether a transaction is impersonated'],
  ['rpc/methods/', 'evm/precompiles/', 'value', 'pure domain functions'],
  ['rpc/methods/', 'evm/sidecar.ts', 'value', 'pure domain functions'],
  ['rpc/methods/debug-state.ts', 'mempool/quota.ts', 'value', 'pure domain functions'],
  ['rpc/methods/', 'simulation/fill.ts', 'value', 'pure domain functions'],
  ['rpc/methods/account-edits.ts', 'simulation/token-slots.ts', 'value', 'pure domain functions'],
  ['rpc/methods/', 'mempool/pending.ts', 'value', 'pure domain functions'],
  ['rpc/methods/', 'miner/', 'value', 'pure domain functions'],
  ['rpc/methods/worlds.ts', 'worlds/', 'value', 'pure domain functions'],
  ['rpc/methods/', 'simulation/', 'type', 'rendered values'],
  ['rpc/methods/', 'trace/call-tree.ts', 'type', 'rendered values'],
  ['rpc/methods/', 'state/account.ts', 'value', 'the default of an absent account'],
  ['rpc/methods/', 'keystore/', 'value', 'pure domain functions'],
  ['rpc/methods/eth-chain.ts', 'crypto/keccak.ts', 'value', 'web3_sha3 is this function'],
  ['rpc/methods/identity.ts', 'crypto/keccak.ts', 'value', 'the instance id is a hash'],
  ['testing/test-chain.ts', 'embedded/provider-api.ts', 'type', 'types of requests and results'],
  ['index.ts', 'evm/precompiles/network-33/interfaces.ts', 'value', 'interfaces for clients'],
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
  [/^@ethereumjs\//, ['cross-check']],
  [/^secp256k1$/, ['crypto']],
  [/^@noble\/curves\//, ['crypto']],
  [/^ethereum-cryptography\//, ['crypto', 'keystore']],
  [/^@scure\/base$/, ['crypto']],
  [/^express$/, ['server']],
  // The client of a fork's remote: Node 20 has no WebSocket of its own.
  [/^ws$/, ['server', 'fork']],
  [/^(yargs|yargs-parser|chalk)(\/|$)/, ['cli']],
  [/^ox\//, ['abi']],
  [
    /^zod$/,
    [
      'abi',
      'artifacts',
      'coverage',
      'schema',
      'config',
      'fork',
      'keystore',
      'rpc',
      'rpc/methods',
      'embedded',
      'testing',
      'persistence',
    ],
  ],
  [/^node:events$/, ['embedded', 'server', 'testing']],
  [/^jest-environment-node$/, ['testing']],
  [/^istanbul-/, ['coverage']],
  [/^node:timers\/promises$/, ['testing']],
  [/^node:http$/, ['server', 'fork']],
  [/^node:https$/, ['fork']],
  [/^node:stream(\/promises)?$/, ['base', 'files', 'server', 'persistence']],
  [/^node:zlib$/, ['base', 'crypto', 'fork', 'server', 'persistence']],
  [/^node:stream\/consumers$/, ['base', 'persistence']],
  [/^node:fs$/, ['artifacts', 'config', 'coverage', 'crypto', 'files', 'persistence', 'server']],
  [
    /^node:fs\/promises$/,
    ['cli', 'artifacts', 'coverage', 'files', 'gas-report', 'fork', 'keystore', 'testing', 'persistence'],
  ],
  [/^node:crypto$/, ['base', 'crypto', 'keystore', 'testing', 'persistence']],
  [/^node:net$/, ['schema', 'server']],
  [/^node:module$/, ['crypto']],
  [/^node:os$/, ['base', 'cli', 'fork', 'testing']],
  [/^node:child_process$/, ['cli', 'testing']],
  [/^node:path$/, ['artifacts', 'config', 'coverage', 'files', 'fork', 'keystore', 'persistence', 'testing']],
  [/^node:url$/, ['config', 'testing']],
  [/^node:util$/, ['coverage', 'fork', 'keystore', 'server']],
  [/^node:v8$/, ['base']],
]

describe('packages', () => {
  test('are imported only by their folders', () => {
    expect(foreign.length).toBeGreaterThan(20)
    const isTheirs = ({ folder, target }: Import) =>
      PACKAGES.some(([pattern, folders]) => pattern.test(target) && folders.includes(folder))
    expect(shown(foreign.filter((one) => !isTheirs(one)))).toEqual([])
  })

  test('are imported by three files of base: the host, the process and the text stream', () => {
    const inBase = foreign.filter(({ folder }) => folder === 'base')
    expect([...new Set(inBase.map(({ file }) => file))].sort()).toEqual([
      'base/host.ts',
      'base/process-usage.ts',
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
    expect(first!.startsWith('/* eslint-') ? second : first).toMatch(/^\/\*\*( \S|$)/)
  })

  test('have no default export, except where Jest needs one', () => {
    const found = [...sources].filter(([, source]) => /^export default/m.test(source))
    expect(found.map(([file]) => file).filter((file) => !file.startsWith('testing/jest-'))).toEqual([])
  })

  test('of lib have one barrel', () => {
    const isBarrel = ([, source]: readonly [string, string]) =>
      /^export\s+(type\s+)?(\{|\*)[^;]*?from/m.test(source)
    expect([...sources].filter(isBarrel).map(([file]) => file)).toEqual(['index.ts'])
  })
})

describe('tests', () => {
  const tests = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => file.endsWith('.test.ts'))

  test('are in the folder of the tested file, or in bench, clients, explorer, fuzz, recipes or vectors', () => {
    const folders = new Set(['.', ...files.map(dirname)])
    const strays = tests.filter(
      (file) => !/^(bench|clients|explorer|fuzz|recipes|vectors)\//.test(file) && !folders.has(dirname(file)),
    )
    expect(strays).toEqual([])
  })

  test('of methods are in one file for each file of methods', () => {
    const methodFiles = files.filter(
      (file) =>
        file.startsWith('rpc/methods/') && /\b(?:method|command|control)\(\{/.test(sources.get(file)!),
    )
    expect(methodFiles.length).toBeGreaterThan(30)
    const expected = methodFiles.map((file) => file.replace(/\.ts$/, '.test.ts'))
    expect(tests.filter((file) => file.startsWith('rpc/methods/')).toSorted()).toEqual(expected.toSorted())
  })
})

test('the name of a method is in its declaration and nowhere else', () => {
  // The helpers for tests are a client like any other, and a fork is a client of its remote, `dev-node explain` one of a running node.
  const isElsewhere = ([file]: readonly [string, string]) =>
    !/^(rpc\/methods|testing|fork)\/|^cli\/explain-command/.test(file)
  const elsewhere = [...sources].filter(isElsewhere)
  const withoutComments = (source: string) => source.replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '')
  const found = elsewhere.flatMap(([file, source]) =>
    allMethods.names
      .filter((name) => new RegExp(`(['"\`])${name}\\1`).test(withoutComments(source)))
      .map((name) => `${file} names ${name}`),
  )
  expect(found).toEqual([])
})

test('only the machine, the tracers, the profiles, the explanations and cross-checks name instructions', () => {
  // Names of instructions as values, and the hook of instructions.
  const instruction =
    /(['"`])(?:[ST](LOAD|STORE)|EXTCODE(SIZE|COPY|HASH)|BALANCE|(STATIC|DELEGATE)CALL|SELFDESTRUCT|LOG[0-4])\1/
  const hook = /\bonOpcode\b/
  const knowing = [...sources].filter(([, source]) => instruction.test(source) || hook.test(source))
  // The table of EIPs names the instructions that each of them brought.
  const folders = knowing
    .map(([file]) => file)
    .filter((file) => file !== 'config/eips.ts')
    .map(folderOf)
  expect([...new Set(folders)].toSorted()).toEqual(['cross-check', 'evm', 'explain', 'gas-profile', 'trace'])
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

describe('the kind of a network', () => {
  /** Code that reads the kind in every way that TypeScript has. */
  const asking = {
    name: 'asking.ts',
    text: [
      "import type { Network } from './config/network.ts'",
      "import type { Header } from './consensus/header-fields.ts'",
      "export const byMember = (network: Network) => network.kind === 'ethereum'",
      'export const byPart = ({ kind }: Pick<Network, "kind">) => kind',
      'export const byOtherName = ({ kind: form }: Network) => form',
      "export const byIndex = (network: Network) => network['kind']",
      "export const byText = (form: string) => form === 'merged-mining'",
      'export const byShape = (header: Header) => header.mergedMining !== undefined',
      "export const byName = (header: Header) => 'mergedMining' in header",
      "export const other = (mode: { kind: 'ethereum' | 'instant' }) => mode.kind === 'ethereum'",
    ].join('\n'),
  }
  const lineOf = (place: string) => Number(place.split(':')[1])

  test('is read in the consensus only, and named in the schema of networks', () => {
    const reads = kindReads(asking)
    const isAsking = (place: string) => place.startsWith('asking.ts:')
    expect(reads.filter(isAsking).map(lineOf)).toEqual([3, 4, 5, 6, 7, 8, 9])
    const named = ['config/network-schema.ts:', 'config/network-traits.ts:']
    const isAllowed = (place: string) =>
      place.startsWith('consensus/') || named.some((file) => place.startsWith(file))
    expect(reads.filter((place) => !isAllowed(place) && !isAsking(place))).toEqual([])
  }, 120_000)

  test('is no reason to import a consensus past its interface', () => {
    const isInside = (file: string) => /^consensus\/(ethereum|merged-mining)\//.test(file)
    const past = own.filter(
      ({ folder, target, isTypeOnly }) => isInside(target) && folder !== 'consensus' && !isTypeOnly,
    )
    // Params and results of methods for miners.
    expect(shown(past)).toEqual([
      'rpc/methods/mining-work.ts imports consensus/ethereum/ethash.ts',
      'rpc/methods/mining-work.ts imports consensus/merged-mining/aux-block.ts',
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
