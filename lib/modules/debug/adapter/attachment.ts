/** Attaches to a node, whose responses wait at breakpoints, and asks it for its stops. */

import * as z from 'zod'
import { realHost } from '../../../base/host.ts'
import { reasonOf } from '../../../base/system-errors.ts'
import { DEFAULT_URLS, firstRunning, isRunning, type AskedNode } from '../../../client/node-client.ts'
import type { AttachSettings, Breakpoint } from '../params.ts'
import { heldStop, type HeldStop } from '../results.ts'

/** Milliseconds that one question for the next stop waits. The node detaches a debugger that stops asking. */
const WAIT_MS = 10_000

/** Milliseconds between attempts to find a node that is about to start, and their number: a minute. */
const LOOK_MS = 100
const MAX_LOOKS = 600

interface AttachmentEvents {
  readonly onStop: (stop: NonNullable<HeldStop>) => void
  /** The node ended, or another debugger attached. */
  readonly onEnd: (reason: string) => void
}

export class Attachment {
  readonly #node: AskedNode
  readonly #id: number
  #isDetached = false

  private constructor(node: AskedNode, id: number) {
    this.#node = node
    this.#id = id
  }

  /** Waits until a node answers at this URL or a usual one, for up to a minute, because a suite's node starts with the suite. */
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
    node: AskedNode,
    settings: Pick<AttachSettings, 'breakpoints'> & {
      readonly pauseOn: AttachSettings['pauseOn'] | undefined
    },
    events: AttachmentEvents,
  ): Promise<Attachment> {
    const id = await node.ask(['dev_debugAttach', settings], z.int())
    const attachment = new Attachment(node, id)
    void attachment.#poll(events)
    return attachment
  }

  async set(breakpoints: readonly Breakpoint[]): Promise<void> {
    await this.#node.ask(['dev_debugSet', this.#id, breakpoints], z.unknown())
  }

  /** Lets the request of a stop continue. */
  async resume(stop: number): Promise<void> {
    await this.#node.ask(['dev_debugResume', this.#id, stop], z.unknown())
  }

  /** Lets all requests continue. A node that has ended has none. */
  async detach(): Promise<void> {
    this.#isDetached = true
    await this.#node.ask(['dev_debugDetach', this.#id], z.unknown()).catch(() => undefined)
  }

  async #poll({ onStop, onEnd }: AttachmentEvents): Promise<void> {
    try {
      while (!this.#isDetached) {
        const stop = await this.#node.ask(['dev_debugNext', this.#id, WAIT_MS], heldStop)
        if (stop !== null) onStop(stop)
      }
    } catch (error) {
      const { url, name } = this.#node
      const hasEnded = url !== undefined && !(await isRunning(url))
      if (!this.#isDetached) onEnd(hasEnded ? `${name} has ended` : reasonOf(error))
    }
  }
}
