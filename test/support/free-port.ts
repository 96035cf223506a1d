/** Finds ports for programs that cannot choose their own, and for nodes that come back at theirs. */
import { createServer } from 'node:net'

/** Ports below those that systems choose: a program that listens on port 0 meanwhile gets none of them. */
const [FIRST, COUNT] = [20_000, 12_000]

/** A port that is free now. */
export async function freePort(): Promise<string> {
  for (;;) {
    const port = FIRST + Math.floor(COUNT * Math.random())
    if (await isFree(port)) return String(port)
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const isListening = await new Promise<boolean>((done) => {
    server.once('error', () => done(false))
    server.listen(port, '127.0.0.1', () => done(true))
  })
  if (isListening) await new Promise((done) => server.close(done))
  return isListening
}
