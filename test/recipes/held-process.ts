/** A process of Hardhat that the option `hold` keeps after its tests. */

import type { ChildProcessWithoutNullStreams } from 'node:child_process'

/** Waits until the process is held, or ends. Returns its output so far, and its end with the exit code. */
export async function untilHeld(hardhat: ChildProcessWithoutNullStreams) {
  let output = ''
  const ended = new Promise<number | null>((resolve) => hardhat.once('close', resolve))
  const held = new Promise<void>((resolve) => {
    hardhat.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.includes('until Ctrl-C')) resolve()
    })
  })
  await Promise.race([held, ended])
  return { output, ended }
}
