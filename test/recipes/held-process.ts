/** A process that the option `hold` keeps after its tests, or that serves a chain. */

import type { ChildProcessWithoutNullStreams } from 'node:child_process'

/** Waits until the process is held, which a text says, or ends. Returns its output so far, and its end with the exit code. */
export async function untilHeld(held: ChildProcessWithoutNullStreams, text = 'until Ctrl-C') {
  let output = ''
  const ended = new Promise<number | null>((resolve) => held.once('close', resolve))
  const printed = new Promise<void>((resolve) => {
    for (const stream of [held.stdout, held.stderr])
      stream.setEncoding('utf8').on('data', (piece: string) => {
        output += piece
        if (output.includes(text)) resolve()
      })
  })
  await Promise.race([printed, ended])
  return { output, ended }
}
