/** Runs modules in processes of their own: measurements, whose code is not instrumented, and processes to kill. */

import { spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { build } from 'esbuild'

/** What a module of this project prints. It may call `globalThis.gc` and import by paths from the root of the project. */
export async function outputOf(contents: string, ...args: readonly string[]): Promise<string> {
  return text((await startModule(contents, args)).stdout)
}

/** The bundles of modules, which a test file starts several times. */
const bundles = new Map<string, Promise<Uint8Array>>()

async function bundleOf(contents: string, resolveDir: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir, loader: 'ts' },
    write: false,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  })
  return outputFiles[0]!.contents
}

/** A process that runs a module of this project; a shell may prepare it with a script that ends with `exec "$@"`. */
export async function startModule(
  contents: string,
  args: readonly string[],
  script = 'exec "$@"',
): Promise<ChildProcessByStdio<Writable, Readable, null>> {
  const cwd = join(import.meta.dirname, '..', '..')
  const made = bundles.get(contents) ?? bundleOf(contents, cwd)
  bundles.set(contents, made)
  const bundle = await made
  const command = [process.execPath, '--expose-gc', '--input-type=module', '-', ...args]
  const child = spawn('sh', ['-c', script, 'sh', ...command], { cwd, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(bundle)
  return child
}
