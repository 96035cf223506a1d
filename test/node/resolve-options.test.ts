import { describe, expect, test } from '@jest/globals'
import { OPTION_LIST } from '../../lib/modules/options.ts'
import type { AllOptions, OptionEntry, OptionsInput } from '../../lib/modules/options.ts'
import { resolveOptions } from '../../lib/modules/resolve-options.ts'
import type { GivenOptions } from '../../lib/modules/resolve-options.ts'

const KEY = `0x${'12'.repeat(32)}`
const PHRASE = 'test test test test test test test test test test test junk'

/** For every option: its default, a valid text and its value, and an invalid text. */
const SAMPLES: Record<
  keyof AllOptions,
  [fallback: unknown, written: string, meant: unknown, refused: unknown]
> = {
  network: [undefined, 'ethereum', 'ethereum', ' '],
  genesis: [undefined, 'genesis.json', 'genesis.json', ' '],
  hardfork: [undefined, 'paris', 'paris', 'berlin'],
  chainId: [undefined, '0x539', 1337n, '0'],
  networkId: [undefined, '7', 7n, '-1'],
  predeploys: [undefined, 'erc4337', 'erc4337', 'maybe'],
  noPredeploys: [false, 'true', true, 'maybe'],
  accounts: [undefined, '20', 20, '10001'],
  mnemonic: [undefined, ` ${PHRASE} `, PHRASE, 'test junk'],
  balance: [undefined, '1.5', 15n * 10n ** 17n, '1e3'],
  fundAccounts: [
    undefined,
    `0x${'AB'.repeat(20)}:1.5`,
    new Map([[`0x${'ab'.repeat(20)}`, 15n * 10n ** 17n]]),
    '0xab:1',
  ],
  privateKeys: [[], `${KEY.slice(2)}, ${KEY}`, [KEY, KEY], '0x12'],
  holdsKeys: [true, 'true', false, 'maybe'],
  keystore: [undefined, './keys', './keys', ' '],
  keystoreScrypt: ['light', 'standard', 'standard', 'heavy'],
  autoImpersonate: [false, 'true', true, 'maybe'],
  coinbase: [undefined, `0x${'AB'.repeat(20)}`, `0x${'ab'.repeat(20)}`, '0xab'],
  blockTime: [undefined, '0.5', 0.5, '0'],
  mining: [undefined, 'external', 'external', 'maybe'],
  noMining: [false, 'true', true, 'maybe'],
  mixedMining: [false, 'true', true, 'maybe'],
  order: ['fees', 'fifo', 'fifo', 'nonce'],
  frozenTime: [false, '1700000000', 1_700_000_000n, 'soon'],
  genesisTimestamp: [undefined, '1700000000', 1_700_000_000n, '1700000000000'],
  number: [0n, '0x64', 100n, '1000000001'],
  systemTransaction: [false, '1', true, 'maybe'],
  federation: [undefined, 'manual', 'manual', 'sometimes'],
  allowSameTimestamp: [false, '1', true, 'maybe'],
  slotsInAnEpoch: [0n, '32', 32n, '-1'],
  blockGasLimit: [undefined, '30000000', 30_000_000n, '20999'],
  defaultGas: [undefined, 'estimate', 'estimate', 'much'],
  callGasLimit: [undefined, '50000000', 50_000_000n, '30M'],
  allowUnlimitedContractSize: [false, 'on', true, 'maybe'],
  codeSizeLimit: [undefined, '0xc000', 49_152, '-1'],
  minimumGasPrice: [undefined, '60000000', 60_000_000n, '1.5'],
  baseFee: [undefined, '0', 0n, 'low'],
  forkUrl: [undefined, ' http://127.0.0.1:8546/key ', ['http://127.0.0.1:8546/key'], 'ws://127.0.0.1'],
  forkBlockNumber: [undefined, '-0x10', -16n, 'pending'],
  forkTransaction: [undefined, KEY, KEY, '0x12'],
  forkHeaders: [undefined, 'X-Key:  a, b\nx-other: c', ['X-Key: a, b', 'x-other: c'], 'x-key'],
  forkChainId: [undefined, '0x1', 1n, '0'],
  forkRetries: [5, '0', 0, '-1'],
  forkTimeout: [30_000, '500', 500, '0'],
  forkRate: [0, '10', 10, '0.5'],
  forkBatch: [100, '3', 3, '0'],
  forkCache: [undefined, './cache', './cache', ' '],
  noForkCache: [undefined, 'true', true, 'maybe'],
  forkCacheOnly: [undefined, 'true', true, 'maybe'],
  dialect: [undefined, 'hardhat', 'hardhat', 'klingon'],
  state: [undefined, 'chain.state', 'chain.state', ' '],
  loadState: [undefined, 'chain.state', 'chain.state', ' '],
  dumpState: [undefined, 'chain.state', 'chain.state', ' '],
  stateInterval: [undefined, '0.5', 0.5, '0'],
  stateFormat: ['dev-node', 'anvil', 'anvil', 'geth'],
  stateParts: [['blocks', 'transactions', 'receipts', 'snapshots'], 'keystore', ['keystore'], 'logs'],
  faithful: [false, 'true', true, 'maybe'],
  gasQuota: [undefined, 'true', true, 'maybe'],
  strictRevert: [false, 'true', true, 'maybe'],
  returnHashOnRevert: [false, 'true', true, 'maybe'],
  release: ['9.0.3', '6.4.0', '6.4.0', '6.4'],
  port: [undefined, '0', 0, '65536'],
  host: ['127.0.0.1', '0.0.0.0', '0.0.0.0', ' '],
  ipc: [undefined, 'node.ipc', 'node.ipc', ' '],
  apiKeys: [[], 'one,two', ['one', 'two'], 'one,'],
  cors: [[], '*', ['*'], ' '],
  allowedHosts: [[], 'node.test', ['node.test'], ','],
  explorer: [true, 'true', false, 'maybe'],
  batchLimit: [1000, '10', 10, '0'],
  bodyLimit: [5_242_880, '1024', 1024, 'big'],
  answerLimit: [104_857_600, '1024', 1024, '0'],
  logRangeLimit: [2000, '5', 5, '0'],
  logCountLimit: [10_000, '5', 5, '0'],
  wsBufferLimit: [67_108_864, '5', 5, '0'],
  crossCheck: [false, 'true', true, 'maybe'],
  callTimeout: [30_000, '5000', 5000, '-1'],
  filterTimeout: [300, '60', 60, '-5'],
  worldLimit: [1000, '5', 5, '0'],
  worldTimeout: [3600, '60', 60, '0'],
  keepStates: [100_000, '5', 5, '0'],
  sources: [[], 'sourcify,./others', ['sourcify', './others'], 'sourcfy'],
  etherscanKey: [undefined, 'ABC', 'ABC', 'A B'],
  solc: [[], './compilers', ['./compilers'], ' '],
  selectors: [[], './signatures', ['./signatures'], ' '],
  artifacts: [[], 'out,build/contracts', ['out', 'build/contracts'], 'out,'],
  noArtifacts: [false, 'true', true, 'maybe'],
  gasBase: [undefined, 'gas.json', 'gas.json', ' '],
  gasReport: [false, 'gas.json', 'gas.json', ' '],
  report: [true, 'failures.dnr', 'failures.dnr', ' '],
  reportMerge: [false, 'true', true, 'maybe'],
  solidityStacks: [true, 'true', false, 'maybe'],
  summary: [undefined, 'failures.md', 'failures.md', ' '],
  junit: [undefined, 'junit.xml', 'junit.xml', ' '],
  coverage: [undefined, 'coverage', 'coverage', ' '],
  coverageExclude: [[], 'contracts/mocks,*Test.sol', ['contracts/mocks', '*Test.sol'], 'mocks,'],
  coverageBase: [undefined, 'main/coverage', 'main/coverage', ' '],
  affected: [false, 'true', true, 'maybe'],
  coverageMerge: [false, 'true', true, 'maybe'],
  waitForDebugger: [false, '1', true, 'maybe'],
  explorerReadOnly: [false, 'true', true, 'maybe'],
  hold: [false, '1', true, 'maybe'],
  quiet: [false, 'true', true, 'maybe'],
  verbose: [false, 'true', true, 'maybe'],
  json: [false, 'true', true, 'maybe'],
}

/** The options without which one is refused. */
function neededBy({ name, group }: Pick<OptionEntry, 'name' | 'group'>): OptionsInput {
  if (name === 'mixedMining') return { blockTime: 5 }
  return group === 'Fork' ? { forkUrl: 'http://127.0.0.1:8545' } : {}
}

const optionOf = (options: AllOptions, name: string): unknown => new Map(Object.entries(options)).get(name)
const rows = OPTION_LIST.map((entry) => ({
  ...entry,
  sample: new Map(Object.entries(SAMPLES)).get(entry.name)!,
}))

describe.each(rows)('$name', ({ name, group, flag, env, form, sample }) => {
  const [fallback, written, meant, refused] = sample
  const beside = neededBy({ name, group })

  test('has its default', () => {
    expect(optionOf(resolveOptions({}), name)).toEqual(fallback)
  })

  test('is taken from its flag', () => {
    expect(optionOf(resolveOptions({ flags: { [flag]: written }, values: beside }), name)).toEqual(meant)
  })

  test('is taken from its environment variable', () => {
    const values = name in beside ? {} : beside
    expect(optionOf(resolveOptions({ env: { [env]: written }, values }), name)).toEqual(meant)
  })

  test('is taken from the programmatic API unchanged', () => {
    expect(optionOf(resolveOptions({ values: { ...beside, [name]: meant } }), name)).toEqual(meant)
  })

  test.each([
    ['flag', `--${flag}`, { flags: { [flag]: refused } }],
    ['variable', env, { env: { [env]: String(refused) } }],
  ])('is refused when invalid, with the %s, the value and what is expected', (_case, label, given) => {
    expect(() => resolveOptions(given)).toThrow(
      expect.objectContaining({
        kind: 'invalidOption',
        message: expect.stringMatching(`^${label}: expected .+, got "`),
      }),
    )
  })

  if (form !== 'value' && form !== 'list') {
    test('is taken from its flag alone', () => {
      const options = resolveOptions({ flags: { [flag]: true }, values: beside })
      expect(optionOf(options, name)).toBe(form !== 'off-switch')
    })
  }
})

test('samples cover every option', () => {
  expect(Object.keys(SAMPLES).sort()).toEqual(OPTION_LIST.map((entry) => entry.name).sort())
})

test.each([
  ['--block-time', 'DEV_NODE_BLOCK_TIME', 'blockTime'],
  ['--no-mining', 'DEV_NODE_NO_MINING', 'noMining'],
  ['--private-key', 'DEV_NODE_PRIVATE_KEY', 'privateKeys'],
])('names are derived: %s', (flag, env, name) => {
  expect(OPTION_LIST).toContainEqual(expect.objectContaining({ name, flag: flag.slice(2), env }))
})

describe('precedence', () => {
  test('a flag wins over the API, the API over the environment', () => {
    const env = { DEV_NODE_PORT: '3' }
    expect(resolveOptions({ flags: { port: '1' }, values: { port: 2 }, env }).port).toBe(1)
    expect(resolveOptions({ values: { port: 2 }, env }).port).toBe(2)
    expect(resolveOptions({ env }).port).toBe(3)
  })

  test('an empty variable and an undefined value are absent', () => {
    expect(resolveOptions({ env: { DEV_NODE_HOST: '' }, flags: { host: undefined } }).host).toBe('127.0.0.1')
  })

  test('a flag can turn off what a variable turned on', () => {
    expect(resolveOptions({ flags: { quiet: 'false' }, env: { DEV_NODE_QUIET: '1' } }).quiet).toBe(false)
  })
})

describe('refusals', () => {
  const cached = { 'fork-cache-only': true, 'fork-block-number': '3' }

  test.each([
    [{ mnemonic: PHRASE, 'private-key': KEY }, '--mnemonic and --private-key exclude each other'],
    [{ accounts: '3', 'private-key': KEY }, '--accounts and --private-key exclude each other'],
    [{ ...cached, number: '5' }, '--fork-block-number and --number exclude each other'],
    [{ artifacts: 'out', 'no-artifacts': true }, '--artifacts and --no-artifacts exclude each other'],
    [{ keystore: 'keys', 'no-accounts': true }, '--keystore and --no-accounts exclude each other'],
    [{ 'block-time': '3', 'no-mining': true }, '--block-time and --no-mining exclude each other'],
    [{ mining: 'external', 'no-mining': true }, '--mining and --no-mining exclude each other'],
    [{ mining: 'external', 'block-time': '3' }, '--block-time and --mining exclude each other'],
    [{ mining: 'instant', 'block-time': '3' }, '--block-time and --mining exclude each other'],
    [{ mining: 'interval' }, '--mining: interval needs the seconds, as --block-time 5'],
    [{ mining: 'mixed' }, '--mining: mixed needs the seconds, as --block-time 5'],
    [{ 'mixed-mining': true }, '--mixed-mining needs the seconds, as --block-time 5'],
    [{ 'mixed-mining': true, 'no-mining': true }, '--mixed-mining and --no-mining exclude each other'],
    [{ 'mixed-mining': true, mining: 'manual' }, '--mixed-mining and --mining exclude each other'],
    [{ 'fork-url': 'http://127.0.0.1:1', number: '5' }, '--fork-url and --number exclude each other'],
    [{ 'allow-unlimited-contract-size': true, 'code-size-limit': '5' }, 'and --code-size-limit exclude each'],
    [{ ...cached, 'fork-transaction': KEY }, '--fork-block-number and --fork-transaction exclude each other'],
    [{ 'fork-cache': 'x', 'no-fork-cache': true }, '--fork-cache and --no-fork-cache exclude each other'],
    [{ 'fork-block-number': '5' }, 'needs the URL of the chain to fork, as --fork-url http://127.0.0.1:8545'],
    [{ quiet: true, verbose: true }, '--quiet and --verbose exclude each other'],
    [{ prot: '3' }, 'unknown flag --prot; did you mean --port?'],
    [{ 'chain-ids': '3' }, 'did you mean --chain-id?'],
    [{ x: true }, 'unknown flag -x'],
    [{ 'block-gas-limit': '9007199254740992' }, 'from 21000 to 9007199254740991, got "9007199254740992"'],
    [{ 'call-gas-limit': '0xffffffffffffffff' }, 'from 21000 to 9007199254740991, got "0xffffffffffffffff"'],
    [{ sources: 'sourcify,ehterscan' }, 'got "ehterscan"; did you mean etherscan?'],
    [{ sources: 'contracts' }, 'or a folder with a slash, as ./sources, got "contracts"'],
    [{ sources: 'sourcify=ftp://x' }, '--sources: expected the URL of a server after sourcify='],
    [{ 'etherscan-key': 'a b' }, '--etherscan-key: expected a key without spaces, got "..."'],
    [{ port: ['1', '2'] }, '--port: expected a whole number from 0 to 65535, got ["1","2"]'],
  ])('%j', (flags, message) => {
    expect(() => resolveOptions({ flags })).toThrow(message)
  })

  test('a private server of Etherscan needs no key, and the variable of other tools is one', () => {
    expect(
      resolveOptions({ flags: { sources: 'etherscan=http://127.0.0.1:1' } }).etherscanKey,
    ).toBeUndefined()
    const env = { DEV_NODE_SOURCES: 'etherscan', ETHERSCAN_API_KEY: 'A' }
    expect(resolveOptions({ env }).etherscanKey).toBe('A')
    expect(resolveOptions({ env: { ...env, DEV_NODE_ETHERSCAN_KEY: 'B' } }).etherscanKey).toBe('B')
  })

  test('conflicts name the environment variable', () => {
    const given = { flags: { quiet: true }, env: { DEV_NODE_VERBOSE: 'yes' } }
    expect(() => resolveOptions(given)).toThrow('--quiet and DEV_NODE_VERBOSE exclude each other')
  })

  test('an unknown option of the API is refused by name', () => {
    const values = JSON.parse('{"blokTime":1}')
    expect(() => resolveOptions({ values })).toThrow('unknown option blokTime; did you mean blockTime?')
  })

  test.each([
    ['noAccounts', 'holdsKeys: false'],
    ['privateKey', 'privateKeys'],
    ['apiKey', 'apiKeys'],
  ])('in the spelling of its flag, %s, is refused with its name', (name, meant) => {
    const values = { [name]: true }
    expect(() => resolveOptions({ values })).toThrow(`unknown option ${name}; did you mean ${meant}?`)
  })

  test('all invalid values are named at once', () => {
    expect(() => resolveOptions({ flags: { port: 'x', host: '' } })).toThrow(
      /--port: .*; --host: |--host: .*; --port: /,
    )
  })
})

test.each([
  [true, true],
  ['false', false],
  [0, 0n],
  ['1', 1n],
])('a frozen clock reads %p as %p', (given, expected) => {
  expect(resolveOptions({ flags: { 'frozen-time': given } }).frozenTime).toBe(expected)
})

test.each([
  [true, 'instant'],
  [false, 'manual'],
])('a program that says %p means %s mining', (mining, expected) => {
  expect(resolveOptions({ values: { mining } }).mining).toBe(expected)
})

test.each([
  ['1', 10n ** 18n],
  ['0.000000000000000001', 1n],
  [10_000, 10n ** 22n],
  [0.25, 25n * 10n ** 16n],
  ['1000000000000', 10n ** 30n],
])('a balance of %p coins is %p wei', (balance, wei) => {
  expect(resolveOptions({ values: { balance } }).balance).toBe(wei)
})

test('a balance is less than 2^256 wei', () => {
  const most = (2n ** 256n - 1n).toString()
  const [whole, decimals] = [most.slice(0, -18), most.slice(-18)]
  const fundAccounts = (coins: string) =>
    resolveOptions({ values: { fundAccounts: [`0x${'ab'.repeat(20)}:${coins}`] } })
  expect([...(fundAccounts(`${whole}.${decimals}`).fundAccounts ?? [])]).toEqual([
    [`0x${'ab'.repeat(20)}`, 2n ** 256n - 1n],
  ])
  const more = (BigInt(whole) + 1n).toString()
  expect(() => fundAccounts(more)).toThrow(
    'fundAccounts: expected addresses with coins of less than 2^256 wei',
  )
  expect(() => resolveOptions({ values: { balance: more } })).toThrow('of less than 2^256 wei')
})

test('settled options settle to themselves', () => {
  const settled = resolveOptions({
    flags: { balance: '1.5', accounts: '3', 'no-mining': true, 'frozen-time': '5' },
  })
  expect(resolveOptions({ values: settled })).toEqual(settled)
})

const unknownValue: object = { pruneHistory: 5 }

test.each<GivenOptions>([
  { flags: { 'prune-history': '5' } },
  { flags: { 'max-memory': '5' } },
  { values: unknownValue },
])('an unsupported option of other nodes is refused with the reason: %j', (given) => {
  expect(() => resolveOptions(given)).toThrow(
    /^unknown (flag --prune-history|flag --max-memory|option pruneHistory): --keep-states <blocks> says /,
  )
})

describe('options of a fork', () => {
  const forkUrl = 'http://127.0.0.1:8545'

  test.each([
    ['5', 5n],
    ['0x10', 16n],
    ['-5', -5n],
    [-5, -5n],
    ['latest', 'latest'],
    ['safe', 'safe'],
    ['finalized', 'finalized'],
    ['earliest', 'earliest'],
  ])('block %p is read as %p', (forkBlockNumber, meant) => {
    expect(resolveOptions({ values: { forkUrl, forkBlockNumber } }).forkBlockNumber).toBe(meant)
  })

  test.each(['1.5', '--5', '-', 'head', '', '0x'])('block %p is refused', (block) => {
    const flags = { 'fork-url': forkUrl, 'fork-block-number': block }
    expect(() => resolveOptions({ flags })).toThrow(
      '--fork-block-number: expected a block number, a negative number from the head, or one of latest, safe, finalized, earliest, got ',
    )
  })

  test('a header may be repeated, and may contain commas and colons', () => {
    const flags = { 'fork-url': forkUrl, 'fork-header': ['accept: a/b, c/d', 'Authorization:Bearer a:b'] }
    expect(resolveOptions({ flags }).forkHeaders).toEqual(['accept: a/b, c/d', 'Authorization: Bearer a:b'])
  })

  test.each([
    ['a flag twice', ['http://one/a', 'https://two/b'], ['http://one/a', 'https://two/b']],
    [
      'commas',
      'http://one/a,https://two/b , http://three',
      ['http://one/a', 'https://two/b', 'http://three'],
    ],
    [
      'lines and spaces',
      'http://one/a\nhttps://two/b  http://three',
      ['http://one/a', 'https://two/b', 'http://three'],
    ],
    ['two keys for one server', ['http://one/a', 'http://one/b'], ['http://one/a', 'http://one/b']],
    ['a comma in a URL', 'http://one/a,b?c=1,2', ['http://one/a,b?c=1,2']],
  ])('URLs are read from %s', (_case, given, urls) => {
    expect(resolveOptions({ flags: { 'fork-url': given } }).forkUrl).toEqual(urls)
  })

  test.each([
    ['without a colon', 'Bearer secret-key'],
    ['with a space in the name', 'x key: secret-key'],
    ['without a name', ': secret-key'],
    ['with a control character', 'x-key: secret\u0007key'],
    ['with a character beyond Latin-1', 'x-key: secret-key \u20AC'],
    ['that frames the request', 'Content-Length: 5'],
  ])('a header %s is refused, and not shown', (_case, header) => {
    const flags = { 'fork-url': forkUrl, 'fork-header': ['x-fine: secret-key', header] }
    expect(() => resolveOptions({ flags })).toThrow(
      /^--fork-header: expected headers as "name: value", printable, and none of those that frame a request, got "\.\.\."$/,
    )
  })

  test.each([
    ['ftp://user:word@node.test/secret-key', '"ftp://node.test"'],
    ['user:word@node.test/secret-key', '"..."'],
    ['node.test/secret-key', '"..."'],
    ['http://', '"http://..."'],
    ['file:///secret-key', '"file://"'],
    ['', '""'],
    [['http://a:word@one/secret-key', 'secret-key'], '["http://one","..."]'],
    [new URL('http://a:word@one/secret-key'), '"..."'],
    [[], '[]'],
    ['http://one/secret-key, ftp://two/secret-key', '"http://one, ftp://two"'],
    ['http://one/secret-key,', '"http://one, ..."'],
    [['http://one/secret-key', 'http://ONE/secret-key'], '["http://one","http://one"]'],
    ['http://one http://one/', '"http://one, http://one"'],
  ])('the URL %s is refused as %s', (url, shown) => {
    expect(() => resolveOptions({ flags: { 'fork-url': url } })).toThrow(
      `--fork-url: expected a URL with http:// or https://, or several different ones, got ${shown}`,
    )
  })

  test.each([
    ['false', false],
    [false, false],
    ['./answers', './answers'],
  ])('the cache %p is read as %p', (forkCache, meant) => {
    expect(resolveOptions({ values: { forkUrl, forkCache } as OptionsInput }).forkCache).toBe(meant)
  })

  test('settle to themselves', () => {
    const flags = { 'fork-url': forkUrl, 'fork-header': 'a: b', 'no-fork-cache': true, 'fork-rate': '3' }
    const settled = resolveOptions({ flags })
    expect(resolveOptions({ values: settled })).toEqual(settled)
  })
})
