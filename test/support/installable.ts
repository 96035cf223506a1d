/** Programs that tests use and npm does not install. */
import { existsSync } from 'node:fs'

/** Whether a missing program is a fault of the machine: root installs it with apt-get, and a CI has to. */
const isInstallable =
  process.env['CI'] !== undefined || (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get'))

/** Throws where a program is missing that could be there; elsewhere its tests are skipped. */
export function mustBeInstalled(path: string | undefined, name: string, variable: string): void {
  if (path !== undefined || !isInstallable) return
  throw new Error(`${name} is not installed: apt-get install ${name}, or name the program in ${variable}`)
}
