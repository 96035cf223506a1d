/** An attachment to a node: the requests whose answers wait at a breakpoint, until they are resumed. */

import * as z from 'zod'
import { realHost } from '../../../base/host.ts'
import { reasonOf } from '../../../base/system-errors.ts'
import { DEFAULT_URLS, ask, firstRunning, isRunning } from '../../../client/node-client.ts'
import type { AttachSettings, Breakpoint } from '../params.ts'
import { heldStop, type HeldStop } from '../results.ts'

/** Milliseconds that one question for the next stop waits. The node detaches a debugger that asks no more. */
const WAIT_MS = 10_000

/** Milliseconds between looks for a node that is about to start, and their number: a minute. */
const LOOK_MS = 100
const MAX_LOOKS = 600

/** Callbacks of an attachment. */
interface AttachmentEvents {
  readonly onStop: (stop: NonNullable<HeldStop>) => void
  /** The node ended, or let another debugger attach. */
  readonly onEnd: (reason: string) => void
}

/** An attachment to a node. */
export class Attachment {
  readonly #url: string
  readonly #id: number
  #isDetached = false

  private constructor(url: string, id: number) {
    this.#url = url
    this.#id = id
  }

  /** Waits until a node answers at a URL, or at a usual one, for a minute at most: that of a suite starts with the suite. */
  static async whenRunning(url: string | undefined, notify: (text: string) => void): Promise<void> {
    const urls = url === undefined ? DEFAULT_URLS : [url]
    for (let looks = 0; looks < MAX_LOOKS && (await firstRunning(urls)) === undefined; looks++) {
      if (looks === 0)
        notify(
          `waiting for a node at ${urls.join(' or ')}; that of a short suite waits only with DEV_NODE_WAIT_FOR_DEBUGGER=1`,
        )
      await new Promise<void>((resolve) => realHost.schedule(LOOK_MS, resolve))
    }
  }

  /** Attaches to a node, and reports its stops from now on. @throws NodeError 'invalidOption' if the node cannot be asked */
  static async begin(
    url: string,
    settings: Pick<AttachSettings, 'breakpoints'> & {
      readonly pauseOn: AttachSettings['pauseOn'] | undefined
    },
    events: AttachmentEvents,
  ): Promise<Attachment> {
    const id = await ask(url, ['dev_debugAttach', settings], z.int())
    const attachment = new Attachment(url, id)
    void attachment.#poll(events)
    return attachment
  }

  /** Replaces the breakpoints. */
  async set(breakpoints: readonly Breakpoint[]): Promise<void> {
    await ask(this.#url, ['dev_debugSet', this.#id, breakpoints], z.unknown())
  }

  /** Lets the request of a stop go on. */
  async resume(stop: number): Promise<void> {
    await ask(this.#url, ['dev_debugResume', this.#id, stop], z.unknown())
  }

  /** Lets all requests go on. A node that has ended has none. */
  async detach(): Promise<void> {
    this.#isDetached = true
    await ask(this.#url, ['dev_debugDetach', this.#id], z.unknown()).catch(() => undefined)
  }

  async #poll({ onStop, onEnd }: AttachmentEvents): Promise<void> {
    try {
      while (!this.#isDetached) {
        const stop = await ask(this.#url, ['dev_debugNext', this.#id, WAIT_MS], heldStop)
        if (stop !== null) onStop(stop)
      }
    } catch (error) {
      const hasEnded = !(await isRunning(this.#url))
      if (!this.#isDetached) onEnd(hasEnded ? `the node at ${this.#url} has ended` : reasonOf(error))
    }
  }
}
