import { describe, expect, test } from '@jest/globals'
import { OPTION_LIST } from '../../lib/config/option-list.ts'
import type { Options } from '../../lib/config/options.ts'
import { resolveOptions } from '../../lib/config/resolve-options.ts'
import type { GivenOptions } from '../../lib/config/resolve-options.ts'

const KEY = `0x${'12'.repeat(32)}`
const PHRASE = 'test test test test test test test test test test test junk'

/** For every option: its default, a valid text and its value, and an invalid text. */
const SAMPLES: Record<keyof Options, [fallback: unknown, written: string, meant: unknown, refused: unknown]> =
  {
    network: [undefined, 'ethereum', 'ethereum', ' '],
    genesis: [undefined, 'genesis.json', 'genesis.json', ' '],
    hardfork: [undefined, 'paris', 'paris', 'berlin'],
    chainId: [undefined, '0x539', 1337n, '0'],
    networkId: [undefined, '7', 7n, '-1'],
    predeploys: [undefined, 'true', true, 'maybe'],
    noPredeploys: [false, 'true', true, 'maybe'],
    accounts: [undefined, '20', 20, '10001'],
    mnemonic: [undefined, ` ${PHRASE} `, PHRASE, 'test junk'],
    balance: [undefined, '1.5', 15n * 10n ** 17n, '1e3'],
    privateKeys: [[], `${KEY.slice(2)}, ${KEY}`, [KEY, KEY], '0x12'],
    holdsKeys: [true, 'true', false, 'maybe'],
    keystore: [undefined, './keys', './keys', ' '],
    keystoreScrypt: ['light', 'standard', 'standard', 'heavy'],
    autoImpersonate: [false, 'true', true, 'maybe'],
    coinbase: [undefined, `0x${'AB'.repeat(20)}`, `0x${'ab'.repeat(20)}`, '0xab'],
    blockTime: [undefined, '0.5', 0.5, '0'],
    mining: [undefined, 'external', 'external', 'maybe'],
    noMining: [false, 'true', true, 'maybe'],
    order: ['fees', 'fifo', 'fifo', 'nonce'],
    frozenTime: [false, '1700000000', 1_700_000_000n, 'soon'],
    genesisTimestamp: [undefined, '1700000000', 1_700_000_000n, '1700000000000'],
    systemTransaction: [false, '1', true, 'maybe'],
    allowSameTimestamp: [false, '1', true, 'maybe'],
    blockGasLimit: [undefined, '30000000', 30_000_000n, '20999'],
    defaultGas: [undefined, 'estimate', 'estimate', 'much'],
    callGasLimit: [undefined, '50000000', 50_000_000n, '30M'],
    allowUnlimitedContractSize: [false, 'on', true, 'maybe'],
    minimumGasPrice: [undefined, '60000000', 60_000_000n, '1.5'],
    baseFee: [undefined, '0', 0n, 'low'],
    dialect: ['node33', 'hardhat', 'hardhat', 'klingon'],
    state: [undefined, 'chain.state', 'chain.state', ' '],
    loadState: [undefined, 'chain.state', 'chain.state', ' '],
    dumpState: [undefined, 'chain.state', 'chain.state', ' '],
    stateInterval: [undefined, '0.5', 0.5, '0'],
    stateFormat: ['dev-node', 'anvil', 'anvil', 'geth'],
    stateParts: [['blocks', 'transactions', 'receipts', 'snapshots'], 'keystore', ['keystore'], 'logs'],
    strictRevert: [false, 'true', true, 'maybe'],
    returnHashOnRevert: [false, 'true', true, 'maybe'],
    release: ['9.1.0', '6.4.0', '6.4.0', '6.4'],
    port: [undefined, '0', 0, '65536'],
    host: ['127.0.0.1', '0.0.0.0', '0.0.0.0', ' '],
    ipc: [undefined, 'node.ipc', 'node.ipc', ' '],
    apiKeys: [[], 'one,two', ['one', 'two'], 'one,'],
    cors: [[], '*', ['*'], ' '],
    allowedHosts: [[], 'node.test', ['node.test'], ','],
    batchLimit: [1000, '10', 10, '0'],
    bodyLimit: [5_242_880, '1024', 1024, 'big'],
    answerLimit: [104_857_600, '1024', 1024, '0'],
    logRangeLimit: [2000, '5', 5, '0'],
    logCountLimit: [10_000, '5', 5, '0'],
    wsBufferLimit: [67_108_864, '5', 5, '0'],
    callTimeout: [30_000, '5000', 5000, '-1'],
    filterTimeout: [300, '60', 60, '-5'],
    worldLimit: [1000, '5', 5, '0'],
    worldTimeout: [3600, '60', 60, '0'],
    artifacts: [[], 'out,build/contracts', ['out', 'build/contracts'], 'out,'],
    quiet: [false, 'true', true, 'maybe'],
    verbose: [false, 'true', true, 'maybe'],
    json: [false, 'true', true, 'maybe'],
  }

const optionOf = (options: Options, name: string): unknown => new Map(Object.entries(options)).get(name)
const rows = OPTION_LIST.map((entry) => ({
  ...entry,
  sample: new Map(Object.entries(SAMPLES)).get(entry.name)!,
}))

describe.each(rows)('$name', ({ name, flag, env, form, sample: [fallback, written, meant, refused] }) => {
  test('has its default', () => {
    expect(optionOf(resolveOptions({}), name)).toEqual(fallback)
  })

  test('is taken from its flag', () => {
    expect(optionOf(resolveOptions({ flags: { [flag]: written } }), name)).toEqual(meant)
  })

  test('is taken from its environment variable', () => {
    expect(optionOf(resolveOptions({ env: { [env]: written } }), name)).toEqual(meant)
  })

  test('is taken from the programmatic API unchanged', () => {
    expect(optionOf(resolveOptions({ values: { [name]: meant } }), name)).toEqual(meant)
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
      expect(optionOf(resolveOptions({ flags: { [flag]: true } }), name)).toBe(form !== 'off-switch')
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
  test.each([
    [{ mnemonic: PHRASE, 'private-key': KEY }, '--mnemonic and --private-key exclude each other'],
    [{ accounts: '3', 'private-key': KEY }, '--accounts and --private-key exclude each other'],
    [{ keystore: 'keys', 'no-accounts': true }, '--keystore and --no-accounts exclude each other'],
    [{ 'block-time': '3', 'no-mining': true }, '--block-time and --no-mining exclude each other'],
    [{ mining: 'external', 'no-mining': true }, '--mining and --no-mining exclude each other'],
    [{ mining: 'external', 'block-time': '3' }, '--block-time and --mining exclude each other'],
    [{ mining: 'instant', 'block-time': '3' }, '--block-time and --mining exclude each other'],
    [{ mining: 'interval' }, '--mining: interval needs the seconds, as --block-time 5'],
    [{ quiet: true, verbose: true }, '--quiet and --verbose exclude each other'],
    [{ prot: '3' }, 'unknown flag --prot; did you mean --port?'],
    [{ 'chain-ids': '3' }, 'did you mean --chain-id?'],
    [{ x: true }, 'unknown flag -x'],
    [
      { 'block-gas-limit': '9007199254740992' },
      '--block-gas-limit: expected an amount of gas from 21000 to 9007199254740991, got "9007199254740992"',
    ],
    [
      { 'call-gas-limit': '0xffffffffffffffff' },
      '--call-gas-limit: expected an amount of gas from 21000 to 9007199254740991, got "0xffffffffffffffff"',
    ],
    [{ port: ['1', '2'] }, '--port: expected a whole number from 0 to 65535, got ["1","2"]'],
  ])('%j', (flags, message) => {
    expect(() => resolveOptions({ flags })).toThrow(message)
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

test('settled options settle to themselves', () => {
  const settled = resolveOptions({
    flags: { balance: '1.5', accounts: '3', 'no-mining': true, 'frozen-time': '5' },
  })
  expect(resolveOptions({ values: settled })).toEqual(settled)
})

const unknownValue: object = { pruneHistory: 5 }

test.each<GivenOptions>([{ flags: { 'prune-history': '5' } }, { values: unknownValue }])(
  'an unsupported option of other nodes is refused with the reason: %j',
  (given) => {
    expect(() => resolveOptions(given)).toThrow(
      /^unknown (flag --prune-history|option pruneHistory): states of past blocks share unchanged data, /,
    )
  },
)
