/** Opens a URL with the program that the system has for it. */

import { spawn } from 'node:child_process'
import { platform } from 'node:os'

/** Program and arguments before the URL, by platform. Windows: `start` exists only in its shell, so its library is called. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

const DEFAULT_OPENER = ['xdg-open'] as const

/** The parts of the process that are used: the environment, whose PATH has the program, and the output for errors. */
interface OpenerIo {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stderr: { write(text: string): unknown }
}

/** Opens the URL without a shell. Does not wait; writes a sentence if the URL cannot be opened. */
export function openInBrowser(url: string, { env, stderr }: OpenerIo): void {
  const [program, ...first] = OPENERS[platform()] ?? DEFAULT_OPENER
  const fail = (reason: string): void =>
    void stderr.write(
      `dev-node: cannot open the explorer: ${reason}; open the URL above in a browser yourself\n`,
    )
  const opener = spawn(program, [...first, url], { stdio: 'ignore', detached: true, env })
  opener.on('error', ({ message }) => fail(`${program} cannot be started (${message})`))
  opener.on('exit', (code) => {
    if (code !== 0) fail(`${program} ended with ${code === null ? 'a signal' : `code ${code}`}`)
  })
  // The browser stays open when the node ends.
  opener.unref()
}
