/** Starts the node of a command. A signal ends the start. */

import { releaseAll } from '../base/file-claim.ts'
import type { Options } from '../config/options.ts'
import type { NodeHooks } from '../config/request-log.ts'
import type { RunningServer } from '../server/start.ts'
import type { Io } from './io.ts'

/** Thrown when a signal ended the start. */
export class InterruptedStart extends Error {}

/** Starts a node. @throws InterruptedStart at a signal: nothing was written, and the process is to end at once */
export async function startNode(io: Io, options: Options, hooks: NodeHooks): Promise<RunningServer> {
  let release = (): void => undefined
  const interrupted = new Promise<never>((_, reject) => {
    release = io.signals(() => {
      releaseAll()
      reject(new InterruptedStart('the start was interrupted'))
    })
  })
  try {
    return await Promise.race([io.start(options, hooks), interrupted])
  } finally {
    release()
  }
}
