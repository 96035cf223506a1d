/** The tools that `dev-node init` knows: how it recognises them in a project, and what their configs get. */

import type { InitNetwork } from './command-flags.ts'
import { addScript, addToConfig, linesOf, type ConfigAddition } from './config-edit.ts'

/** A project: its files, and the members of package.json that the command reads. */
export interface Project {
  readonly nodeVersion: string
  readonly files: readonly string[]
  readonly scripts: Readonly<Record<string, string>>
  /** Versions of its packages by name, as package.json has them. */
  readonly packages: Readonly<Record<string, string>>
  /** Names of the files in script/, where forge has its scripts. */
  readonly forgeScripts: readonly string[]
  /** Reads a file. A missing one is empty. */
  readonly read: (file: string) => Promise<string>
}

export interface FileChange {
  readonly file: string
  /** Empty if there is no file. */
  readonly before: string
  /** Undefined if the text before is not understood. */
  readonly after: string | undefined
  /** The lines that a user would add by hand. */
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

/**
 * The tools that a module configures: the file for a project without one, the names of others, the command that runs the tests, and
 * what the config gets.
 */
const TOOLS = {
  // Its plugins have the rules of Ethereum, unless the config names other ones.
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
    // Options of its node are variables. By default it is of network 33.
    addition: (network: InitNetwork): ConfigAddition => ({
      ...(network === 'network-33' ? {} : { importLine: `process.env.DEV_NODE_NETWORK ??= '${network}'` }),
      members: { require: `['dev-node/mocha']` },
    }),
  },
}

/** The set-up of a project. Of several tools the first one counts: Hardhat, Vitest, Jest, Mocha, Foundry. */
export async function setupOf(project: Project, network: InitNetwork): Promise<Setup> {
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
  if (!files.includes('foundry.toml')) return { tool: 'no tool that init knows', changes: script, next }
  const changes = [...foundryChange(await project.read('foundry.toml'), network), ...script]
  return {
    tool: 'Foundry',
    changes,
    next: [...next, `${forgeCommand(project, network)}  # in another terminal`],
  }
}

/** The first account of each network, which its node signs for. */
const SENDERS = {
  ethereum: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  'network-33': '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826',
} as const

/** A command that works as it is: without a sender forge refuses to broadcast. */
function forgeCommand({ forgeScripts }: Project, network: InitNetwork): string {
  const script = forgeScripts.find((name) => name.endsWith('.s.sol'))
  if (script === undefined) return 'forge test --fork-url devnode'
  const legacy = network === 'network-33' ? ' --legacy --skip-simulation' : ''
  return `forge script script/${script} --rpc-url devnode --broadcast --unlocked --sender ${SENDERS[network]}${legacy}`
}

async function setupOfTool(project: Project, tool: keyof typeof TOOLS, network: InitNetwork): Promise<Setup> {
  const { config, names, test, addition } = TOOLS[tool]
  // That of Vitest precedes that of Vite.
  const found = project.files
    .filter((name) => names.test(name))
    .toSorted()
    .at(-1)
  const key = tool.toLowerCase()
  // Jest takes no second config.
  const isInManifest =
    found === undefined && new RegExp(`"${key}": \\{`).test(await project.read('package.json'))
  const file = isInManifest ? 'package.json' : (found ?? config)
  const before = await project.read(file)
  const { importLine, members } = addition(network, file.endsWith('ts') || /^import /m.test(before))
  const isCode = /[jt]s$/.test(file)
  const added = {
    members: isInManifest ? { [key]: members } : members,
    ...(isCode && importLine !== undefined ? { importLine } : {}),
  }
  // Hardhat's own command makes its config.
  const empty = `${file.endsWith('cjs') ? 'module.exports =' : 'export default'} {\n}\n`
  const base = before || (key.startsWith('hardhat') ? undefined : empty)
  const change = { file, before, after: base && addToConfig(base, added), lines: linesOf(added) }
  // A file of data cannot choose the network of Mocha.
  const variable = isCode || importLine === undefined ? '' : `DEV_NODE_NETWORK=${network} `
  const script = isInManifest ? [] : await scriptChange(project, 'test', variable + test)
  const isTooOld = tool === 'Hardhat 3' && Number.parseInt(project.nodeVersion) < HARDHAT_3_NODE
  const update = `update Node: this is ${project.nodeVersion}, and Hardhat 3 needs ${HARDHAT_3_NODE} or later`
  const next = [...(isTooOld ? [update] : []), `${variable}npx ${test}`]
  return { tool, changes: before.includes('dev-node/') ? script : [change, ...script], next }
}

/** Adds a script to package.json, unless there is one with this name or for this node; npm's own for tests is replaced. */
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
