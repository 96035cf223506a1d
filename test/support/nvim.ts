/** A real Neovim, where it is installed, with a plugin nvim-dap: that of the variable NVIM_DAP, or the stand-in in nvim/. */

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { mustBeInstalled } from './installable.ts'

/** Path of the program; undefined where none is installed. */
export const nvimPath = process.env['NEOVIM'] ?? ['/usr/bin/nvim', '/usr/local/bin/nvim'].find(existsSync)

mustBeInstalled(nvimPath, 'neovim', 'NEOVIM')

const FOLDER = join(import.meta.dirname, 'nvim')

/** What a user debugs. */
export interface NvimUse {
  readonly file: string
  /** Line of a breakpoint. */
  readonly breakpoint: number
  /** Name of the configuration. */
  readonly configuration: string
  /** What the user does, the line at which the debugger has to stop then, and what is evaluated there. */
  readonly steps: readonly (readonly [action: string, line: number, expression: string])[]
}

/** A stop of the debugger. */
export interface NvimStop {
  readonly line: number
  readonly name: string
  readonly file: string
  readonly value: string
}

/** Debugs in the project of a folder with an `init.lua`, and returns the stops. */
export async function debugInNvim(
  folder: string,
  init: string,
  use: NvimUse,
  env: NodeJS.ProcessEnv,
): Promise<readonly NvimStop[]> {
  const globals = Object.entries(use).map(
    ([name, value]) => `vim.g.${name} = vim.json.decode([==[${JSON.stringify(value)}]==])\n`,
  )
  await writeFile(join(folder, 'init.lua'), init)
  await writeFile(join(folder, 'use.lua'), globals.join(''))
  const plugin = process.env['NVIM_DAP'] ?? FOLDER
  const scripts = ['init.lua', 'use.lua', join(FOLDER, 'suite.lua')]
  const args = [
    '--headless',
    '--clean',
    '--cmd',
    `set rtp^=${plugin}`,
    ...scripts.flatMap(luafile),
    '-c',
    'cquit',
  ]
  const { stdout } = await promisify(execFile)(nvimPath!, args, {
    cwd: folder,
    env: { ...process.env, ...env },
  })
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as NvimStop)
}

const luafile = (script: string): readonly string[] => ['-c', `luafile ${script}`]
