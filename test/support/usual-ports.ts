/** Stands for the ports at which a node is looked for. */

import { jest } from '@jest/globals'

/**
 * Sends the requests for the ports at which a node is looked for to the ports that stand for them: those themselves may be in use.
 * Requests for other ports fail.
 */
export function withPorts(ports: Readonly<Record<string, number>>) {
  const { fetch } = globalThis
  return jest.spyOn(globalThis, 'fetch').mockImplementation((given, init) => {
    const url = new URL(given instanceof Request ? given.url : given)
    // Port 1 has no server.
    url.port = String(ports[url.port] ?? 1)
    return fetch(url, init)
  })
}
