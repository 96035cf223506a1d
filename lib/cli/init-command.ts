/** Runs `dev-node init`: shows what a project needs to use this node, and writes it if the user agrees. */

import { readFile, readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { NodeError, refuseOption, trouble } from '../base/errors.ts'
import { ownNodeVersion } from '../base/process-usage.ts'
import { replaceFile } from '../base/replace-file.ts'
import { reasonOf, whenMissing } from '../base/system-errors.ts'
import { findPackage } from '../config/package.ts'
import {
  COMMAND_FLAGS,
  INIT_NETWORKS,
  readText,
  refuseExtra,
  refuseUnknown,
  type CommandLine,
  type Flags,
  type InitNetwork,
} from './command-flags.ts'
import { addScript, addToConfig, linesOf, type ConfigAddition } from './config-edit.ts'
import { copyExample } from './example-project.ts'
import type { CommandResult, Io } from './io.ts'

/** The project, and how to ask its author. */
interface InitPlace extends Pick<Io, 'ask'> {
  readonly folder?: string
  readonly nodeVersion?: string
}

/** Exit code if the project is not set up. */
const NOT_DONE = 1

/** Runs the command. @throws NodeError 'invalidOption' naming the word or the flag, also if a file cannot be read or written */
export async function runInitCommand(
  { words: [word, extra], flags }: CommandLine,
  place: InitPlace,
): Promise<CommandResult> {
  const { example, ...others } = flags
  const isExample = example !== undefined
  refuseExtra(isExample ? extra : word)
  refuseUnknown(others, isExample ? 'init --example' : 'init', isExample ? [] : COMMAND_FLAGS.init)
  const named = readText(flags, 'network')
  const network = named === undefined ? undefined : readNetwork(named)
  try {
    if (isExample) return { text: copyExample(example, word), code: 0 }
    return await run(network, flags, place)
  } catch (cause) {
    if (cause instanceof NodeError) throw cause
    throw trouble('DN-INIT', `init: ${reasonOf(cause)}`, cause)
  }
}

async function run(
  network: InitNetwork | undefined,
  flags: Flags,
  { folder = '.', nodeVersion = ownNodeVersion(), ask }: InitPlace,
): Promise<CommandResult> {
  const isConfirmed = flags['yes'] === true
  const project = { nodeVersion, ...(await readProject(folder)) }
  let setup = await setupOf(project, network ?? INIT_NETWORKS[0])
  if (setup.changes.length > 0 && network === undefined && !isConfirmed && ask !== undefined)
    setup = await setupOf(project, readNetwork((await ask(NETWORK_QUESTION)).trim() || INIT_NETWORKS[0]))
  const changes = [...setup.changes, ...(await agentsChange(project, flags['agents'] === true))]
  const isInstalled = project.packages['dev-node'] !== undefined
  const install = isInstalled
    ? []
    : [`npm install --save-dev ./dev-node-${findPackage().version}.tgz${PACKED}`]
  const byHand = changes.flatMap(({ after, file }) =>
    after === undefined ? [`add the lines above to ${file}`] : [],
  )
  const next = ['Next:', ...install.concat(byHand, setup.next).map((step) => `  ${step}`), ''].join('\n')
  const shown = [`This project uses ${setup.tool}.`, ...changes.map(textOf), ''].join('\n\n')
  const files = changes.flatMap(({ after, ...file }) => (after === undefined ? [] : [{ ...file, after }]))
  const code = files.length < changes.length ? NOT_DONE : 0
  if (files.length === 0)
    return { text: `${shown}${code === 0 ? 'Nothing has to be changed.\n\n' : ''}${next}`, code }
  if (!isConfirmed && ask === undefined)
    return { text: `${shown}Nothing was changed: there is no terminal to ask. Add --yes.\n`, code: NOT_DONE }
  if (!isConfirmed && !/^y(es)?$/i.test((await ask?.(`${shown}Write this? (y/N) `)) ?? ''))
    return { text: 'Nothing was changed.\n', code: NOT_DONE }
  for (const file of files) await write(folder, file)
  const done = `Written: ${files.map(({ file }) => file).join(', ')}\n\n${next}`
  return { text: isConfirmed ? `${shown}${done}` : done, code }
}

const PACKED = '  # the file that `npm pack` makes in the repository of dev-node'

const NETWORK_QUESTION = `The rules of ${INIT_NETWORKS.join(' or ')}? (${INIT_NETWORKS[0]}) `

/** @throws NodeError 'invalidOption' */
function readNetwork(word: string): InitNetwork {
  const known = INIT_NETWORKS.find((name) => name === word)
  return known ?? refuseOption('DN-VALUE', `--network: expected ${INIT_NETWORKS.join(' or ')}, got "${word}"`)
}

const texts = z.record(z.string(), z.string()).catch({})
const manifestSchema = z.object({ scripts: texts, dependencies: texts, devDependencies: texts })

async function readProject(folder: string): Promise<Omit<Project, 'nodeVersion'>> {
  const read = async (file: string): Promise<string> =>
    (await readFile(join(folder, file), 'utf8').catch(whenMissing(''))).replaceAll('\r\n', '\n')
  const { scripts, ...lists } = readManifest((await read('package.json')) || '{}')
  const packages = { ...lists.dependencies, ...lists.devDependencies }
  const forgeScripts = await readdir(join(folder, 'script')).catch(whenMissing([]))
  return { files: await readdir(folder), scripts, packages, forgeScripts, read }
}

function readManifest(text: string): z.infer<typeof manifestSchema> {
  try {
    return manifestSchema.parse(JSON.parse(text))
  } catch (cause) {
    throw trouble('DN-INIT', `init: package.json: ${reasonOf(cause)}`, cause)
  }
}

/** A change as text: the removed and added lines, or the lines that the user adds by hand. */
function textOf({ file, before, after, lines }: FileChange): string {
  const [old, now] = [before.split('\n'), after?.split('\n') ?? []]
  const removed = old.filter((line) => !now.includes(line)).map((line) => `- ${line}`)
  const added = now.filter((line) => !old.includes(line)).map((line) => `+ ${line}`)
  const [title, shown] =
    after === undefined ? [`Add to ${file} by hand:`, lines] : [`${file}:`, removed.concat(added)]
  return [title, ...shown.map((line) => `  ${line}`)].join('\n')
}

async function write(folder: string, { file, before, after }: FileChange & { after: string }): Promise<void> {
  const target = join(folder, file)
  const now = await readFile(target, 'utf8').catch(whenMissing(undefined))
  if ((now ?? '').replaceAll('\r\n', '\n') !== before)
    refuseOption('DN-INIT', `init: ${file} was changed in the meantime, and is left as it is`)
  const path = now === undefined ? target : await realpath(target)
  const mode = now === undefined ? undefined : (await stat(path)).mode & 0o777
  const text = now?.includes('\r\n') === true ? after.replaceAll('\n', '\r\n') : after
  await replaceFile({ path, mode }, text)
}

/** A project: its files, and the members of package.json that the command reads. */
interface Project {
  readonly nodeVersion: string
  readonly files: readonly string[]
  readonly scripts: Readonly<Record<string, string>>
  readonly packages: Readonly<Record<string, string>>
  /** Names of the files in script/, where forge has its scripts. */
  readonly forgeScripts: readonly string[]
  readonly read: (file: string) => Promise<string>
}

interface FileChange {
  readonly file: string
  /** Empty if there is no file. */
  readonly before: string
  /** Undefined if the text before is not understood. */
  readonly after: string | undefined
  readonly lines: readonly string[]
}

/** The tool that a project uses, what changes, and the commands to type next. */
interface Setup {
  readonly tool: string
  readonly changes: readonly FileChange[]
  readonly next: readonly string[]
}

/** The oldest version of Node that runs Hardhat 3. */
const HARDHAT_3_NODE = 22

const PLUGIN = `'dev-node/hardhat'`

const nodeOf = (network: InitNetwork) => ({ devNode: { network: `'${network}'` } })

/** For each tool with a config: the file to create, its other names, the command that runs the tests, and what is added. */
const TOOLS = {
  // Its plugins use the rules of Ethereum unless the config names others.
  'Hardhat 2': {
    config: 'hardhat.config.js',
    names: /^hardhat\.config\./,
    test: 'hardhat test',
    addition: (network: InitNetwork, isModule: boolean): ConfigAddition => ({
      importLine: isModule ? `import ${PLUGIN}` : `require(${PLUGIN})`,
      members: network === 'ethereum' ? {} : nodeOf(network),
    }),
  },
  'Hardhat 3': {
    config: 'hardhat.config.ts',
    names: /^hardhat\.config\./,
    test: 'hardhat test',
    addition: (network: InitNetwork): ConfigAddition => {
      const rules = network === 'ethereum' ? {} : { network: `'${network}'` }
      const networks = { default: { type: `'dev-node'`, ...rules } }
      return {
        importLine: `import devNode from ${PLUGIN}`,
        members: { plugins: '[devNode]', networks },
      }
    },
  },
  Vitest: {
    config: 'vitest.config.mjs',
    names: /^vite(st)?\.config\./,
    test: 'vitest run',
    addition: (network: InitNetwork): ConfigAddition => {
      const [globalSetup, setupFiles] = [`['dev-node/vitest']`, `['dev-node/vitest/chain']`]
      return { members: { test: { globalSetup, setupFiles, environmentOptions: nodeOf(network) } } }
    },
  },
  Jest: {
    config: 'jest.config.mjs',
    names: /^jest\.config\./,
    test: 'jest',
    addition: (network: InitNetwork): ConfigAddition => {
      const [globalSetup, globalTeardown] = [`'dev-node/jest/setup'`, `'dev-node/jest/teardown'`]
      const environment = { testEnvironment: `'dev-node/jest'`, testEnvironmentOptions: nodeOf(network) }
      return { members: { globalSetup, globalTeardown, ...environment } }
    },
  },
  Mocha: {
    config: '.mocharc.cjs',
    names: /^\.mocharc\./,
    test: 'mocha',
    // Variables configure its node, which uses network 33 by default.
    addition: (network: InitNetwork): ConfigAddition => ({
      ...(network === 'network-33' ? {} : { importLine: `process.env.DEV_NODE_NETWORK ??= '${network}'` }),
      members: { require: `['dev-node/mocha']` },
    }),
  },
}

/** How to set up a project. The first tool found counts: Hardhat, Vitest, Jest, Mocha, Foundry. */
async function setupOf(project: Project, network: InitNetwork): Promise<Setup> {
  const { files, packages } = project
  const isUsed = (name: string): boolean =>
    packages[name] !== undefined ||
    files.some((file) => file.startsWith(`${name}.config.`) || file.startsWith(`.${name}rc.`))
  if (isUsed('hardhat')) {
    const installed = await project.read('node_modules/hardhat/package.json')
    const [major] = /\d+/.exec(/"version": "(\d+)/.exec(installed)?.[1] ?? packages['hardhat'] ?? '') ?? []
    const isOld = major !== undefined && Number(major) < 3
    return setupOfTool(project, isOld ? 'Hardhat 2' : 'Hardhat 3', network)
  }
  if (isUsed('vitest')) return setupOfTool(project, 'Vitest', network)
  if (isUsed('jest')) return setupOfTool(project, 'Jest', network)
  if (isUsed('mocha')) return setupOfTool(project, 'Mocha', network)
  const start = `dev-node start --network ${network}`
  const script = await scriptChange(project, 'chain', start)
  const next = [`npx ${start}`]
  const none = 'no tool that init knows; install Hardhat, Vitest, Jest or Mocha first, and run it again'
  if (!files.includes('foundry.toml')) return { tool: none, changes: script, next }
  const changes = [...foundryChange(await project.read('foundry.toml'), network), ...script]
  return {
    tool: 'Foundry',
    changes,
    next: [...next, `${forgeCommand(project, network)}  # in another terminal`],
  }
}

/** The first account of each network; the node signs for it. */
const SENDERS = {
  ethereum: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  'network-33': '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826',
} as const

/** A command that works unchanged: without a sender forge refuses to broadcast. */
function forgeCommand({ forgeScripts }: Project, network: InitNetwork): string {
  const script = forgeScripts.find((name) => name.endsWith('.s.sol'))
  if (script === undefined) return 'forge test --fork-url devnode'
  const legacy = network === 'network-33' ? ' --legacy --skip-simulation' : ''
  return `forge script script/${script} --rpc-url devnode --broadcast --unlocked --sender ${SENDERS[network]}${legacy}`
}

async function setupOfTool(project: Project, tool: keyof typeof TOOLS, network: InitNetwork): Promise<Setup> {
  const { config, names, test, addition } = TOOLS[tool]
  // Vitest's config has precedence over Vite's.
  const configFile = project.files
    .filter((name) => names.test(name))
    .toSorted()
    .at(-1)
  const key = tool.toLowerCase()
  // Jest rejects a second config.
  const isInManifest =
    configFile === undefined && new RegExp(`"${key}": \\{`).test(await project.read('package.json'))
  const file = isInManifest ? 'package.json' : (configFile ?? config)
  const before = await project.read(file)
  const { importLine, members } = addition(network, file.endsWith('ts') || /^import /m.test(before))
  const isCode = /[jt]s$/.test(file)
  const added = {
    members: isInManifest ? { [key]: members } : members,
    ...(isCode && importLine !== undefined ? { importLine } : {}),
  }
  // Hardhat's own command creates its config.
  const empty = `${file.endsWith('cjs') ? 'module.exports =' : 'export default'} {\n}\n`
  const base = before || (key.startsWith('hardhat') ? undefined : empty)
  const change = { file, before, after: base && addToConfig(base, added), lines: linesOf(added) }
  // A data file cannot choose Mocha's network.
  const variable = isCode || importLine === undefined ? '' : `DEV_NODE_NETWORK=${network} `
  const script = isInManifest ? [] : await scriptChange(project, 'test', variable + test)
  const isTooOld = tool === 'Hardhat 3' && Number.parseInt(project.nodeVersion) < HARDHAT_3_NODE
  const update = `update Node: this is ${project.nodeVersion}, and Hardhat 3 needs ${HARDHAT_3_NODE} or later`
  const next = [...(isTooOld ? [update] : []), `${variable}npx ${test}`]
  return { tool, changes: before.includes('dev-node/') ? script : [change, ...script], next }
}

/** Adds a script to package.json unless it has one with this name or for this node. npm's placeholder for tests is replaced. */
async function scriptChange(
  { files, scripts, read }: Project,
  name: string,
  command: string,
): Promise<readonly FileChange[]> {
  const isNew = scripts[name]?.includes('no test specified') ?? true
  const isUsed = Object.values(scripts).some((script) => script.includes('dev-node'))
  if (!files.includes('package.json') || !isNew || isUsed) return []
  const before = await read('package.json')
  const lines = [`"${name}": "${command}"`]
  return [{ file: 'package.json', before, after: addScript(before, name, command), lines }]
}

function foundryChange(before: string, network: InitNetwork): readonly FileChange[] {
  const lines = ['[rpc_endpoints]', 'devnode = "http://127.0.0.1:4444/?dialect=ethereum"']
  if (before.includes('devnode')) return []
  const settings = [
    ...(network === 'ethereum' || before.includes('evm_version') ? [] : ['evm_version = "cancun"']),
    // Without the AST, explanations have no lines.
    ...(/^ast\b/m.test(before) ? [] : ['ast = true']),
  ]
  const isSet = settings.length === 0
  const profile = isSet ? [] : ['[profile.default]', ...settings]
  const versioned = before.replace(/^\[profile\.default\]$/m, profile.join('\n') || '$&')
  const isUnderstood = !before.includes('rpc_endpoints') && (isSet || versioned !== before)
  const after = isUnderstood ? `${versioned.trimEnd()}\n\n${lines.join('\n')}\n` : undefined
  return [{ file: 'foundry.toml', before, after, lines: [...profile, ...lines] }]
}

/** Files that coding agents read. The first one in the project is used. */
const AGENT_FILES = ['AGENTS.md', 'CLAUDE.md']

const AGENT_TITLE = '## Contract tests on dev-node'

const AGENT_PARAGRAPH = `${AGENT_TITLE}

- A failed test prints why it failed and the command \`npx dev-node explain <id>\`, which shows its calls and the variables that changed.
- \`npx dev-node explain --last --json\` explains the newest failure of the last run. No node has to run.
- \`npx dev-node mcp\` is an MCP server with tools: a debugger, calls, and storage by variable.
- The documents are listed in \`node_modules/dev-node/llms.txt\`.
`

/** Adds the paragraph for coding agents once: to the project's file, or to a new one if `isWanted`. */
async function agentsChange({ files, read }: Project, isWanted: boolean): Promise<readonly FileChange[]> {
  const [file] = AGENT_FILES.filter((name) => files.includes(name)).concat(isWanted ? AGENT_FILES : [])
  if (file === undefined) return []
  const before = await read(file)
  if (before.includes(AGENT_TITLE)) return []
  const after = before === '' ? AGENT_PARAGRAPH : `${before.trimEnd()}\n\n${AGENT_PARAGRAPH}`
  return [{ file, before, after, lines: [] }]
}
