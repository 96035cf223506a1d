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

/** A process that runs a module of this project; a shell may prepare it with a script that ends with `exec "$@"`. */
export async function startModule(
  contents: string,
  args: readonly string[],
  script = 'exec "$@"',
): Promise<ChildProcessByStdio<Writable, Readable, null>> {
  const cwd = join(import.meta.dirname, '..', '..')
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: cwd, loader: 'ts' },
    write: false,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  })
  const command = [process.execPath, '--expose-gc', '--input-type=module', '-', ...args]
  const child = spawn('sh', ['-c', script, 'sh', ...command], { cwd, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(outputFiles[0]!.contents)
  return child
}
