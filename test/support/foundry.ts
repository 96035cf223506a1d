/** Runs Foundry's tools from npm, isolated from the machine's settings, home and environment variables. */
import { describe } from '@jest/globals'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

/** Foundry's tools that tests use. */
export type Tool = 'anvil' | 'cast' | 'forge'

/** The networks by name in foundry.toml, with options for sending and the key of the first account. */
export const networks = [
  {
    network: 'ethereum',
    type: '0x2',
    legacy: [],
    key: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  },
  {
    network: 'network-33',
    type: '0x0',
    legacy: ['--legacy'],
    key: '0xc85ef7d79691fe79573b1a7064c19c1a9819ebdbd1faaab1a8ec92344438aaf4',
  },
] as const

/** Suffix of the packages with binaries. Not Windows, which cannot run the script that replaces solc. */
const binaries: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-amd64',
  'linux-arm64': 'linux-arm64',
  'darwin-x64': 'darwin-amd64',
  'darwin-arm64': 'darwin-arm64',
}

const require = createRequire(import.meta.url)

/** The packages that select the binary of a platform. */
const packages: Readonly<Record<Tool, () => string>> = {
  anvil: () => require.resolve('@foundry-rs/anvil/package.json'),
  cast: () => require.resolve('@foundry-rs/cast/package.json'),
  forge: () => require.resolve('@foundry-rs/forge/package.json'),
}

/** Platform that must have every binary, so that CI never skips these tests. */
const ALWAYS = 'linux-x64'

/** `describe` if the binaries are installed; otherwise a skipped block that names the reason. */
export function describeFoundry(name: string, tests: () => void): void {
  const platform = `${process.platform}-${process.arch}`
  const missing = (['anvil', 'cast', 'forge'] as const).filter((tool) => binaryOf(tool) === undefined)
  if (missing.length === 0) return describe(name, tests)
  const reason = `@foundry-rs has no binary of ${missing.join(' and ')} installed for ${platform}`
  if (platform === ALWAYS) throw new Error(`${reason}: install the optional dependencies`)
  describe.skip(`${name} (${reason})`, tests)
}

/** The tools with a temporary folder as home and working directory. */
export interface Foundry {
  readonly folder: string
  /** Returns the trimmed output of a tool. Throws with all output if it fails. */
  readonly print: (tool: Tool, ...args: readonly string[]) => Promise<string>
  /** Returns the error output of a tool that must fail. Throws if it succeeds. */
  readonly complain: (tool: Tool, ...args: readonly string[]) => Promise<string>
  /** Path and spawn options of the binary, for a tool that keeps running. */
  readonly start: (tool: Tool) => readonly [string, { readonly cwd: string; readonly env: Variables }]
  readonly remove: () => Promise<void>
}

type Variables = Readonly<Record<string, string>>

/** Makes the folder. Tools get these variables in addition to a home and a path. */
export async function openFoundry(variables: Variables = {}): Promise<Foundry> {
  const folder = await mkdtemp(join(tmpdir(), 'dev-node-foundry-'))
  const options = { cwd: folder, env: { ...environment(folder), ...variables } }
  const run = (tool: Tool, args: readonly string[]) =>
    new Promise<{ failed: boolean; output: string; errors: string }>((resolve) => {
      const settings = { ...options, maxBuffer: 64 * 1024 * 1024 }
      execFile(pathOf(tool), args, settings, (error, output, errors) =>
        resolve({ failed: error !== null, output: output.trim(), errors: errors.trim() }),
      )
    })
  return {
    folder,
    print: async (tool, ...args) => {
      const { failed, output, errors } = await run(tool, args)
      if (failed) throw new Error(`${[tool, ...args].join(' ')} failed\n${output}\n${errors}`)
      return output
    },
    complain: async (tool, ...args) => {
      const { failed, output, errors } = await run(tool, args)
      if (!failed) throw new Error(`${[tool, ...args].join(' ')} did not fail\n${output}`)
      return errors
    },
    start: (tool) => [pathOf(tool), options],
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Variables: home and caches in the folder, and a path on which the compiler's script finds this Node. */
function environment(folder: string): Variables {
  return {
    PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, '.config'),
    XDG_CACHE_HOME: join(folder, '.cache'),
    XDG_DATA_HOME: join(folder, '.local'),
    FOUNDRY_OFFLINE: 'true',
    NO_COLOR: '1',
  }
}

function pathOf(tool: Tool): string {
  const path = binaryOf(tool)
  if (path === undefined) throw new Error(`${tool} is not installed: use describeFoundry`)
  return path
}

/** The binary of a tool, resolved from the tool's own package. */
function binaryOf(tool: Tool): string | undefined {
  const suffix = binaries[`${process.platform}-${process.arch}`]
  if (suffix === undefined) return undefined
  try {
    const manifest = createRequire(packages[tool]()).resolve(`@foundry-rs/${tool}-${suffix}/package.json`)
    const path = join(dirname(manifest), 'bin', tool)
    return existsSync(path) ? path : undefined
  } catch {
    return undefined
  }
}
