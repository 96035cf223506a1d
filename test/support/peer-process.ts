/** Sends requests to another node in its own process. */
import { once } from 'node:events'
import type { ChildProcessByStdio } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { request } from './packed-command.ts'

/** Sends a request to the node. */
export type Ask = (method: string, params?: unknown[]) => Promise<any>

/** Waits for the line with the URL of the node, sends the requests, and ends the node with SIGINT. */
export async function askWhileRunning(
  child: ChildProcessByStdio<null, Readable, null>,
  urlIn: (line: string) => string | undefined,
  run: (ask: Ask, url: string) => Promise<void>,
): Promise<void> {
  const exited = once(child, 'exit')
  try {
    const url = await urlOf(createInterface(child.stdout), urlIn)
    await run((method, params = []) => request(url, method, params), url)
  } finally {
    child.kill('SIGINT')
    await exited
  }
}

async function urlOf(
  lines: AsyncIterable<string>,
  urlIn: (line: string) => string | undefined,
): Promise<string> {
  for await (const line of lines) {
    const url = urlIn(line)
    if (url !== undefined) return url
  }
  throw new Error('the node ended before it listened')
}
