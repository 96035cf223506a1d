/** Foundry's tools as npm has them, each run as if on a machine of its own: no settings, no home, no variables but ours. */
import { describe } from '@jest/globals'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

/** The tools the tests use. */
export type Tool = 'anvil' | 'cast' | 'forge'

/** The networks by their names in foundry.toml, what sending takes there, and the key of the first account. */
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

/** The suffix of the packages with binaries. Windows has some, but cannot run the script that stands for solc. */
const binaries: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-amd64',
  'linux-arm64': 'linux-arm64',
  'darwin-x64': 'darwin-amd64',
  'darwin-arm64': 'darwin-arm64',
}

const require = createRequire(import.meta.url)

/** The packages that know which binary a platform takes. */
const packages: Readonly<Record<Tool, () => string>> = {
  anvil: () => require.resolve('@foundry-rs/anvil/package.json'),
  cast: () => require.resolve('@foundry-rs/cast/package.json'),
  forge: () => require.resolve('@foundry-rs/forge/package.json'),
}

/** Where every binary has to be there, so that no run passes because it skipped these tests. */
const ALWAYS = 'linux-x64'

/** `describe` where the binaries run; elsewhere a skipped block that says why. */
export function describeFoundry(name: string, tests: () => void): void {
  const platform = `${process.platform}-${process.arch}`
  const missing = (['anvil', 'cast', 'forge'] as const).filter((tool) => binaryOf(tool) === undefined)
  if (missing.length === 0) return describe(name, tests)
  const reason = `@foundry-rs has no binary of ${missing.join(' and ')} installed for ${platform}`
  if (platform === ALWAYS) throw new Error(`${reason}: install the optional dependencies`)
  describe.skip(`${name} (${reason})`, tests)
}

/** The tools in a temporary folder, which is their home and where they start. */
export interface Foundry {
  readonly folder: string
  /** What a tool prints, trimmed. Throws with everything it said where it fails. */
  readonly print: (tool: Tool, ...args: readonly string[]) => Promise<string>
  /** What a tool that fails says. Throws with what it printed where it succeeds. */
  readonly complain: (tool: Tool, ...args: readonly string[]) => Promise<string>
  /** Path of the binary and what to start it with, for a tool that runs on. */
  readonly start: (tool: Tool) => readonly [string, { readonly cwd: string; readonly env: Variables }]
  readonly remove: () => Promise<void>
}

type Variables = Readonly<Record<string, string>>

/** Makes the folder. Tools get the variables besides a home and a path. */
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

/** A home and caches in the folder, and a path on which the compiler's script finds this Node. */
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

/** Looked for where the tool's own package would look, wherever npm put it. */
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
