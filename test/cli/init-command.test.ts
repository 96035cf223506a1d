import { chmod, cp, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { runInitCommand } from '../../lib/cli/init-command.ts'
import { main } from '../../lib/cli/main.ts'
import { findPackage } from '../../lib/config/package.ts'
import { fakeProcess } from './fake-server.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dev-node-init-'))
})

afterEach(() => rm(folder, { recursive: true }))

/** The folder's files by name. */
async function content(): Promise<Record<string, string>> {
  const names = (await readdir(folder)).sort()
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return Object.fromEntries(names.map((name, index) => [name, texts[index]!]))
}

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
}

/** The text of a package.json as npm writes it. */
const manifest = (others: object, test?: string): string =>
  `${JSON.stringify({ name: 'project', scripts: { test }, ...others }, undefined, 2)}\n`

const NPM_TEST = 'echo "Error: no test specified" && exit 1'

/** The command line with a network and --yes. */
const lineOf = (network: string | undefined, yes: boolean) => ({ words: [], flags: { network, yes } })

/** Runs the command with the answers of a user, or with --yes. */
async function init(answers?: readonly string[], network?: 'ethereum' | 'network-33') {
  const questions: string[] = []
  const ask = async (text: string): Promise<string> => {
    questions.push(text)
    return answers?.[questions.length - 1] ?? ''
  }
  const isConfirmed = answers === undefined
  const { text, code } = await runInitCommand(lineOf(network, isConfirmed), { folder, ask })
  return { code, text, questions }
}

const CONFIG_2 = `require("@nomicfoundation/hardhat-toolbox");

/** @type import('hardhat/config').HardhatUserConfig */
module.exports = {
  solidity: "0.8.28",
};
`

describe('a project with Hardhat 2', () => {
  beforeEach(() =>
    write({
      'package.json': manifest({ devDependencies: { hardhat: '^2.29.1' } }, NPM_TEST),
      'hardhat.config.js': CONFIG_2,
    }),
  )

  test('is asked, shown the change, changed, and told what to type', async () => {
    const { code, text, questions } = await init(['', 'y'])
    expect(code).toBe(0)
    expect(questions).toEqual([
      'The rules of ethereum or network-33? (ethereum) ',
      `This project uses Hardhat 2.

hardhat.config.js:
  + require("dev-node/hardhat");

package.json:
  -     "test": "echo \\"Error: no test specified\\" && exit 1"
  +     "test": "hardhat test"

Write this? (y/N) `,
    ])
    expect(text).toBe(`Written: hardhat.config.js, package.json

Next:
  npm install --save-dev ./dev-node-${findPackage().version}.tgz  # the file that \`npm pack\` makes in the repository of dev-node
  npx hardhat test
`)
    expect(await content()).toEqual({
      'hardhat.config.js': CONFIG_2.replace('toolbox");\n', 'toolbox");\nrequire("dev-node/hardhat");\n'),
      'package.json': manifest({ devDependencies: { hardhat: '^2.29.1' } }, 'hardhat test'),
    })
  })

  test.each([[['', 'n']], [['', '']]])('is left as it is after %j', async (answers) => {
    const before = await content()
    expect(await init(answers)).toMatchObject({ code: 1, text: 'Nothing was changed.\n' })
    expect(await content()).toEqual(before)
  })

  test('is changed once', async () => {
    await init()
    const after = await content()
    const { code, text, questions } = await init(['', 'y'])
    expect({ code, questions }).toEqual({ code: 0, questions: [] })
    expect(text).toMatch(/^This project uses Hardhat 2\.\n\nNothing has to be changed\.\n\nNext:\n/)
    expect(await content()).toEqual(after)
  })

  test('gets the network that is asked for', async () => {
    const { questions } = await init(['y'], 'network-33')
    expect(questions).toHaveLength(1)
    const { 'hardhat.config.js': config } = await content()
    expect(config).toContain(`module.exports = {\n  devNode: { network: "network-33" },\n  solidity`)
    await write({ 'hardhat.config.js': CONFIG_2 })
    await expect(init(['network-34'])).rejects.toThrow(
      '--network: expected ethereum or network-33, got "network-34"',
    )
  })

  test('without a terminal, nothing is changed without --yes', async () => {
    const before = await content()
    const result = await runInitCommand(lineOf(undefined, false), { folder })
    expect(result.code).toBe(1)
    expect(result.text).toMatch(
      /hardhat test"\n\nNothing was changed: there is no terminal to ask\. Add --yes\.\n$/,
    )
    expect(await content()).toEqual(before)
  })

  test('lines of Windows stay so, and the permissions too', async () => {
    await write({ 'hardhat.config.js': CONFIG_2.replaceAll('\n', '\r\n') })
    await chmod(join(folder, 'hardhat.config.js'), 0o600)
    await init()
    const { 'hardhat.config.js': config } = await content()
    expect(config).toMatch(/^require\(.*;\r\nrequire\("dev-node\/hardhat"\);\r\n\r\n/)
    expect(config).not.toMatch(/[^\r]\n/)
    expect((await stat(join(folder, 'hardhat.config.js'))).mode & 0o777).toBe(0o600)
  })

  test('a file that changes before the yes is left as it is', async () => {
    const ask = async (): Promise<string> => {
      await write({ 'hardhat.config.js': '// changed' })
      return 'y'
    }
    const running = runInitCommand(lineOf('ethereum', false), { folder, ask })
    await expect(running).rejects.toThrow('hardhat.config.js was changed in the meantime')
    expect((await content())['hardhat.config.js']).toBe('// changed')
  })

  test('gets the lines to add where its config is not understood', async () => {
    await write({ 'hardhat.config.js': 'module.exports = require("./shared")()\n' })
    const { code, text } = await init(undefined, 'network-33')
    expect(code).toBe(1)
    expect(text).toContain('\n  add the lines above to hardhat.config.js\n')
    expect(text).toContain(`Add to hardhat.config.js by hand:
  require('dev-node/hardhat')
  devNode: { network: 'network-33' },
`)
    expect((await content())['hardhat.config.js']).toBe('module.exports = require("./shared")()\n')
  })
})

test.each([
  ['20.20.2', '  update Node: this is 20.20.2, and Hardhat 3 needs 22 or later\n  npx hardhat test\n'],
  ['22.13.0', '  add the lines above to hardhat.config.ts\n  npx hardhat test\n'],
])('a project with Hardhat 3 on Node %s', async (nodeVersion, end) => {
  await write({ 'package.json': manifest({ dependencies: { hardhat: '3.18.0' } }, 'mine') })
  const command = lineOf('ethereum', true)
  expect((await runInitCommand(command, { folder, nodeVersion })).text.endsWith(end)).toBe(true)
})

describe('other projects', () => {
  test('a config in package.json is edited there', async () => {
    const project = { devDependencies: { jest: '^30' }, jest: { preset: 'ts-jest' } }
    await write({ 'package.json': manifest(project, NPM_TEST) })
    expect(await init()).toMatchObject({ code: 0 })
    const { jest, scripts } = JSON.parse((await content())['package.json']!)
    expect(jest).toEqual({
      globalSetup: 'dev-node/jest/setup',
      globalTeardown: 'dev-node/jest/teardown',
      testEnvironment: 'dev-node/jest',
      testEnvironmentOptions: { devNode: { network: 'ethereum' } },
      preset: 'ts-jest',
    })
    expect(scripts).toEqual({ test: NPM_TEST })
  })

  test.each([
    [
      'ethereum',
      {},
      {
        '.mocharc.cjs': `process.env.DEV_NODE_NETWORK ??= 'ethereum'\nmodule.exports = {\n  require: ['dev-node/mocha'],\n}\n`,
      },
      'npx mocha',
    ],
    [
      'network-33',
      {},
      { '.mocharc.cjs': `module.exports = {\n  require: ['dev-node/mocha'],\n}\n` },
      'npx mocha',
    ],
    [
      'ethereum',
      { '.mocharc.json': '{\n  "require": "ts-node/register"\n}\n' },
      { '.mocharc.json': '{\n  "require": ["dev-node/mocha", "ts-node/register"]\n}\n' },
      'DEV_NODE_NETWORK=ethereum npx mocha',
    ],
    [
      'network-33',
      { '.mocharc.mjs': 'export default { spec: "a" };\n' },
      { '.mocharc.mjs': 'export default { require: ["dev-node/mocha"], spec: "a" };\n' },
      'npx mocha',
    ],
  ] as const)('Mocha on %s with %j', async (network, before, after, next) => {
    await write({ 'package.json': manifest({ devDependencies: { mocha: '^11' } }, 'mine'), ...before })
    const { code, text } = await init(undefined, network)
    expect([code, text.startsWith('This project uses Mocha.\n'), text.endsWith(`\n  ${next}\n`)]).toEqual([
      0,
      true,
      true,
    ])
    expect(await content()).toMatchObject(after)
    expect((await init()).text).toContain('Nothing has to be changed.')
  })

  test.each([['foundry.toml', '[profile.ci]\n', 'evm_version = "cancun"']])(
    'a %s that is not understood is left to the user',
    async (file, text, line) => {
      await write({ [file]: text })
      const result = await init(undefined, 'network-33')
      expect(result.text).toContain(`Add to ${file} by hand:`)
      expect(result).toMatchObject({ code: 1, text: expect.stringContaining(line) })
      expect(await content()).toEqual({ [file]: text })
    },
  )

  test('a package.json that cannot be read is named', async () => {
    await write({ 'package.json': '{' })
    await expect(init()).rejects.toThrow(/^init: package\.json: /)
  })

  test.each(['javascript', 'typescript', 'typescript-viem', 'javascript-esm'])(
    'the sample project %s of Hardhat 2 is understood',
    async (name) => {
      await cp(join('node_modules', 'hardhat', 'sample-projects', name), folder, { recursive: true })
      await rm(join(folder, 'contracts'), { recursive: true })
      await write({ 'package.json': manifest({ devDependencies: { hardhat: '~2.28.0' } }) })
      await init()
      const files = await readdir(folder)
      const config = files.find((file) => file.startsWith('hardhat.config'))!
      const line = name.startsWith('type') ? 'import "dev-node/hardhat";' : 'require("dev-node/hardhat");'
      expect(await readFile(join(folder, config), 'utf8')).toContain(`\n${line}\n`)
    },
  )
})

describe('the paragraph for coding agents', () => {
  const project = { 'package.json': manifest({ devDependencies: { jest: '^30' } }, 'jest') }
  const agents = { words: [], flags: { network: 'ethereum', yes: true, agents: true } }

  beforeEach(() => write(project))

  test('is added to AGENTS.md once, after its text', async () => {
    await write({ 'AGENTS.md': '# Ours\r\n\r\nUse tabs.\r\n', 'CLAUDE.md': '@AGENTS.md\n' })
    const { text } = await init()
    expect(text).toContain('\nAGENTS.md:\n  + ## Contract tests on dev-node\n  + - A failed test prints')
    const written = await content()
    expect(written['AGENTS.md']).toMatch(
      /^# Ours\r\n\r\nUse tabs\.\r\n\r\n## Contract tests on dev-node\r\n\r\n- /,
    )
    expect(written['AGENTS.md']!.split('\n').length).toBeLessThan(13)
    expect(written['CLAUDE.md']).toBe('@AGENTS.md\n')
    expect((await init()).text).toContain('Nothing has to be changed.')
    expect(await content()).toEqual(written)
  })

  test('is added to CLAUDE.md where that is alone, also if nothing else changes, without asking for a network', async () => {
    await init()
    await write({ 'CLAUDE.md': 'Use tabs.' })
    const { questions, text } = await init(['y'])
    expect([questions.length, text.split('\n')[0]]).toEqual([1, 'Written: CLAUDE.md'])
    expect((await content())['CLAUDE.md']).toMatch(/^Use tabs\.\n\n## Contract tests on dev-node\n/)
  })

  test('makes a new AGENTS.md with --agents only', async () => {
    await init()
    expect(await readdir(folder)).not.toContain('AGENTS.md')
    await runInitCommand(agents, { folder })
    const written = await content()
    expect(written['AGENTS.md']).toMatch(/^## Contract tests on dev-node\n\n- [^]*llms\.txt`\.\n$/)
    await runInitCommand(agents, { folder })
    expect(await content()).toEqual(written)
  })
})

describe('an example', () => {
  const copy = (name: unknown, ...words: readonly string[]) =>
    runInitCommand({ words, flags: { example: name } }, {})

  test('is copied into a new folder with the package of this command, and its reader is told what to type', async () => {
    const target = join(folder, 'bridge')
    const { text, code } = await copy('two-chains', target)
    expect(code).toBe(0)
    // This command is not in a node_modules.
    expect(text).toBe(
      `Copied. README.md says what it shows.\n\nNext:\n  cd ${target}\n  npm install --install-links\n  npm test\n`,
    )
    const { devDependencies } = JSON.parse(await readFile(join(target, 'package.json'), 'utf8'))
    expect(devDependencies['dev-node']).toBe(`file:${findPackage().folder}`)
    expect(await readdir(target)).toEqual(expect.arrayContaining(await readdir('examples/two-chains')))
  })

  test('is copied into an empty folder, and into no other', async () => {
    await copy('mocha-ethers', folder)
    const before = await readdir(folder)
    await expect(copy('jest-ethers', folder)).rejects.toThrow(
      `--example: ${folder} is not empty; name a new folder`,
    )
    expect(await readdir(folder)).toEqual(before)
  })

  test.each([['vitest-vien', /; did you mean vitest-viem\?$/], ['vitest'], [true]])(
    '%j is no example',
    async (
      name,
      hint = /^--example: (unknown example vitest|name an example); there are foundry-cast, .*, vitest-viem$/,
    ) => {
      await expect(copy(name, folder)).rejects.toThrow(hint)
      expect(await readdir(folder)).toEqual([])
    },
  )
})

describe('the command line', () => {
  test.each([
    [['init', '--example', 'two-chains', '--network', 'ethereum'], 'init --example has no flag --network'],
    [['init', '--example', 'two-chains', 'one', 'two'], 'unexpected argument two'],
    [['init', '--example'], '--example: name an example; there are'],
    [['init', 'hardhat'], 'unexpected argument hardhat'],
    [['init', '--network', 'mainnet'], '--network: expected ethereum or network-33, got "mainnet"'],
    [['init', '--network'], '--network: expected a value behind it'],
    [['init', '--port', '1'], 'init has no flag --port'],
  ])('%j is refused', async (argv, problem) => {
    const fake = fakeProcess(argv)
    expect(await main(fake.io)).toBe(1)
    expect(fake.written.stderr).toContain(problem)
  })

  test('its help has its flags', async () => {
    const fake = fakeProcess(['init', '--help'])
    expect(await main(fake.io)).toBe(0)
    expect(fake.written.stdout).toMatch(
      /dev-node init \[options\][^]*--network[^]*--yes[^]*--agents[^]*--example/,
    )
  })
})
