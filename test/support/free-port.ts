/** Finds ports for programs that cannot choose their own. */
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

/** A port that is free now. */
export async function freePort(): Promise<string> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return String(port)
}
