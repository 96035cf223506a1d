import { dirname, join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { hardhat2 } from '../../../support/artifact-projects.ts'
import { withEditor } from '../../../support/editor.ts'
import type { Editor } from '../../../support/editor.ts'
import { PATH, lineOf, plain, withShop } from '../../../support/shop.ts'
import { withServer } from '../../../support/server.ts'
import type { Scene } from '../../../support/shop.ts'
import { withPorts } from '../../../support/usual-ports.ts'

const SOLD = lineOf('sold += count')
const MOVED = lineOf('balances[from] -= value')

/** A node, and an editor that is attached to it, with a breakpoint. */
const attached = (run: (scene: Scene & { readonly file: string }, editor: Editor) => Promise<void>) =>
  withShop(hardhat2(plain), async (scene) => {
    const folder = dirname(scene.artifacts)
    const file = join(folder, PATH)
    await withEditor(async (editor) => {
      await editor.begin('attach', { url: scene.url }, { lines: { [file]: [{ line: SOLD }] } })
      await editor.client.configurationDoneRequest()
      await run({ ...scene, file }, editor)
    }, folder)
  })

/** Sends a purchase; whether it was answered. */
function buying({ shop }: Scene) {
  const state = { isAnswered: false }
  const sent = (shop['buy']!(1) as Promise<unknown>).then(() => (state.isAnswered = true))
  return { state, sent }
}

describe('an attachment', () => {
  test('stops a request, steps in it and lets it go on', async () => {
    await attached(async (scene, editor) => {
      const stopped = editor.nextStop()
      const { state, sent } = buying(scene)
      const stop = await stopped
      expect(stop).toMatchObject({ reason: 'breakpoint', line: SOLD })
      const { body } = await editor.client.threadsRequest()
      expect(body.threads).toEqual([{ id: stop.threadId, name: 'eth_sendTransaction' }])
      const { threadId } = stop
      expect((await editor.step('stepBack', { threadId })).line).toBeLessThan(SOLD)
      expect(state.isAnswered).toBe(false)
      expect((await editor.step('continue', { threadId })).line).toBe(SOLD)
      await editor.client.continueRequest({ threadId })
      await sent
      expect((await editor.client.threadsRequest()).body.threads).toMatchObject([
        { name: 'waiting for a breakpoint' },
      ])
    })
  })

  test('stops at breakpoints that are set later, also those of the request that waits', async () => {
    await attached(async (scene, editor) => {
      const stopped = editor.nextStop()
      const { sent } = buying(scene)
      const { threadId } = await stopped
      await editor.client.setBreakpointsRequest({
        source: { path: scene.file },
        breakpoints: [{ line: MOVED }],
      })
      expect((await editor.step('continue', { threadId })).line).toBe(MOVED)
      await editor.client.continueRequest({ threadId })
      await sent
      const again = editor.nextStop()
      const next = buying(scene)
      expect((await again).line).toBe(MOVED)
      await editor.leave()
      await next.sent
    })
  })

  test('ends when the editor closes its connection, and its requests go on', async () => {
    await attached(async (scene, editor) => {
      const stopped = editor.nextStop()
      const { sent } = buying(scene)
      await stopped
      editor.crash()
      await sent
    })
  })

  test('waits for a node that starts later, and says so', async () => {
    await withServer({}, async ({ port }) => {
      const ports: Record<string, number> = {}
      const fetch = withPorts(ports)
      await withEditor(async ({ client, printed }) => {
        await client.initializeRequest()
        const attaching = client.customRequest('attach', {})
        await client.waitForEvent('output')
        expect(printed.join()).toMatch(
          /^waiting for a node at http:\/\/127.0.0.1:4444\/ or http:\/\/127.0.0.1:8545\/; .*DEV_NODE_WAIT_FOR_DEBUGGER=1$/,
        )
        ports['8545'] = port
        await attaching
        await client.configurationDoneRequest()
        expect(printed.at(-1)).toBe('attached to http://127.0.0.1:8545/')
      }).finally(() => fetch.mockRestore())
    })
  })
})
