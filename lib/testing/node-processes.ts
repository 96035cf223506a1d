/** Starts the nodes of a test run in processes of their own (node-process.ts). */

import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import { NodeError } from '../base/errors.ts'
import type { OptionsInput } from '../config/options.ts'

/** A node in a process of its own. */
export interface NodeProcess {
  readonly url: string
  /** Closes the node, which then writes its files, and ends the process. @throws NodeError 'invalidOption' */
  readonly close: () => Promise<void>
}

/** Called with what contracts print, and with the unexpected end of a process. */
type Print = (text: string) => void

/** Orders to the process: start the node, close it. */
export const order = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('start'), options: z.custom<OptionsInput>() }),
  z.object({ kind: z.literal('close') }),
])

/** A message to the process. */
type NodeOrder = z.output<typeof order>

const report = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('started'), url: z.string() }),
  z.object({ kind: z.literal('closed') }),
  z.object({ kind: z.literal('console'), text: z.string() }),
  z.object({ kind: z.literal('failed'), message: z.string() }),
])

/** A message of the process. */
export type NodeReport = z.output<typeof report>

/** Starts a node in a process. @throws NodeError 'invalidOption' if it does not start */
export async function startNodeProcess(options: OptionsInput, print: Print): Promise<NodeProcess> {
  // Options may be bigints, which JSON has not. The arguments of this process, such as those of a debugger, are not for the node.
  const child = fork(fileURLToPath(new URL('./node-process.js', import.meta.url)), {
    serialization: 'advanced',
    execArgv: [],
  })
  child.on('message', (message) => {
    const read = report.parse(message)
    if (read.kind === 'console') print(read.text)
  })
  const { url = '' } = await ask(child, { kind: 'start', options })
  const warn = (code: number | null, signal: string | null): void =>
    print(`dev-node: the node at ${url} ended with ${signal ?? String(code)}, and its chains with it`)
  child.once('exit', warn)
  const close = async (): Promise<void> => {
    child.off('exit', warn)
    // Of a process that has ended nothing can be written.
    if (!child.connected) return
    const ended = once(child, 'exit')
    await ask(child, { kind: 'close' }).catch((error: unknown) => {
      child.kill('SIGKILL')
      throw error
    })
    await ended
  }
  return { url, close }
}

/** Sends an order and waits for the answer. @throws NodeError 'invalidOption' if the node fails or its process ends */
function ask(child: ChildProcess, order: NodeOrder): Promise<{ readonly url?: string }> {
  return new Promise((resolve, reject) => {
    const fail = (message: string): void => reject(new NodeError('invalidOption', message))
    const onEnd = (code: number | null, signal: string | null): void =>
      fail(`the process of a node ended with ${signal ?? String(code)}`)
    child.once('exit', onEnd)
    const onMessage = (message: unknown): void => {
      const read = report.parse(message)
      if (read.kind === 'console') return
      child.off('message', onMessage)
      child.off('exit', onEnd)
      if (read.kind === 'failed') fail(read.message)
      else resolve(read.kind === 'started' ? { url: read.url } : {})
    }
    child.on('message', onMessage)
    child.send(order)
  })
}
