/** A load on the cores that a measured process does not run on, as beside an editor or a build. */

import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** Keeps all cores but one busy. Returns how to stop it. */
export function keepBusy(): () => void {
  const children = Array.from({ length: Math.max(1, availableParallelism() - 1) }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  )
  const stop = (): void => children.forEach((child) => child.kill('SIGKILL'))
  process.once('exit', stop)
  return stop
}
