/** Runs measurements in a process of their own, whose code is not instrumented and which can collect garbage. */

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { build } from 'esbuild'

/** What a module of this project prints. It may call `globalThis.gc` and import by paths from the root of the project. */
export async function outputOf(contents: string, ...args: readonly string[]): Promise<string> {
  const cwd = join(import.meta.dirname, '..', '..')
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: cwd, loader: 'ts' },
    write: false,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  })
  const flags = ['--expose-gc', '--input-type=module', '-']
  const child = spawn(process.execPath, [...flags, ...args], { cwd, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(outputFiles[0]!.contents)
  return text(child.stdout)
}
