import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@jest/globals'
import { main } from '../../lib/cli/main.ts'
import { fakeProcess } from './fake-server.ts'

/** Runs the command with flags, which it refuses; returns the sentence. */
async function refusal(...flags: readonly string[]): Promise<string> {
  const { io, written } = fakeProcess(['debug-adapter', ...flags])
  expect(await main(io)).toBe(1)
  return written.stderr
}

test.each([
  [['--host', '0.0.0.0', '--port', '0'], /--host: expected an address of this machine.*got "0.0.0.0"/],
  [['--host', '127.0.0.1'], /--host: expected --port with it/],
  [['--port', '70000'], /--port: expected a port from 0 to 65535, got "70000"/],
  [['--prot', '1'], /debug-adapter has no flag --prot.*--port/],
  [['extra'], /unexpected argument extra/],
])('%p is refused', async (flags, sentence) => {
  expect(await refusal(...flags)).toMatch(sentence)
})

test('a port that is in use is refused', async () => {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  expect(await refusal('--port', String(port))).toMatch(`port ${port} of 127.0.0.1 is in use`)
  await new Promise((closed) => server.close(closed))
})

test('the command ends when the editor closes its streams', async () => {
  const { io } = fakeProcess(['debug-adapter'])
  const streams = io.streams()
  const ended = main({ ...io, streams: () => streams })
  await new Promise((turn) => setImmediate(turn))
  Reflect.apply(Reflect.get(streams.input, 'end'), streams.input, [])
  expect(await ended).toBe(0)
})
