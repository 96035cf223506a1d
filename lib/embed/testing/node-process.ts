/** The process of one of a test run's several nodes. run-nodes.ts starts it and exchanges messages with it. */

import * as z from 'zod'
import { troubleOf } from '../../base/errors.ts'
import { reasonOf } from '../../base/system-errors.ts'
import type { OptionsInput } from '../../modules/options.ts'
import { resolveOptions } from '../../modules/resolve-options.ts'
import { withCacheFolder } from '../../fork/cache-folder.ts'
import { startWithOptions, type RunningServer } from '../../server/start.ts'
import type { NodeOrder, NodeReport } from './run-nodes.ts'

const order = z.custom<NodeOrder>()

const report = (message: NodeReport): void => void process.send?.(message)

let running: RunningServer | undefined

async function start(options: OptionsInput): Promise<void> {
  const resolved = withCacheFolder(resolveOptions({ values: options, env: process.env }), process.env)
  const onConsole = (text: string): void => report({ kind: 'console', text })
  running = await startWithOptions(resolved, {
    endsWithRun: !resolved.hold,
    ...(resolved.quiet ? {} : { onConsole }),
  })
  report({ kind: 'started', url: running.url })
}

async function close(): Promise<void> {
  await running?.close()
  report({ kind: 'closed', reports: (await running?.closingText()) ?? '' })
  process.disconnect()
}

process.on('message', (message) => {
  const read = order.parse(message)
  const done = read.kind === 'start' ? start(read.options) : close()
  done.catch((error: unknown) => report({ kind: 'failed', message: reasonOf(error), code: troubleOf(error) }))
})
// The node ends with the run, even if the run is killed.
process.on('disconnect', () => process.exit())
// A terminal sends these signals to all its processes. The run ends its nodes itself.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
