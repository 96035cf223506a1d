/** A socket whose answers are lines. It reads between the requests too, because notifications come at any time. */

import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'

/** A connection to a local socket. */
export class LineSocket {
  readonly #socket: Socket
  #listener: ((line: string | undefined) => void) | undefined

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('error', () => undefined)
    socket.on('close', () => this.#listener?.(undefined))
    createInterface({ input: socket }).on('line', (line) => this.#listener?.(line))
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed
  }

  write(text: string): void {
    this.#socket.write(text)
  }

  /** The next line that fits; undefined if the socket closes or the time is over. */
  next(fits: (line: string) => boolean, timeoutMs: number): Promise<string | undefined> {
    return new Promise((resolve) => {
      const end = (line: string | undefined): void => {
        clearTimeout(timer)
        this.#listener = undefined
        resolve(line)
      }
      const timer = setTimeout(() => end(undefined), timeoutMs)
      this.#listener = (line) => {
        if (line === undefined || fits(line)) end(line)
      }
    })
  }

  close(): void {
    this.#socket.destroy()
  }
}
