/** The program of Node that runs what is measured: this one, unless `--node` names another. */

import { execFileSync } from 'node:child_process'

let program = process.execPath

/** Measures on another program of Node. */
export function useProgram(path: string): void {
  program = path
}

/** Path of the program. */
export const nodeProgram = (): string => program

/** Version of the program, such as `24.21.0`. */
export const nodeVersion = (): string =>
  execFileSync(program, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim()
