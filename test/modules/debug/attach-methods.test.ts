import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { hardhat2, writeProject } from '../../support/artifact-projects.ts'
import { realHost } from '../../../lib/base/host.ts'
import { SENT } from '../../../lib/rpc/methods/params.ts'
import { call, freshNode, refusal } from '../../support/node.ts'
import { withServer } from '../../support/server.ts'
import { PATH, lineOf, plain, withShop } from '../../support/shop.ts'
import type { Scene } from '../../support/shop.ts'

const BREAKPOINT = { id: 1, kind: 'line', path: PATH, line: lineOf('sold += count') }

/** Calls methods of a node by HTTP, as a debugger does; `path` is that of a world. */
function clientOf({ url }: Pick<Scene, 'url'>) {
  return async (method: string, params: readonly unknown[], path = ''): Promise<any> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(url + path, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    })
    const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } }
    if (error !== undefined) throw new Error(error.message)
    return result
  }
}

/** Starts a purchase, and waits for its stop. */
async function heldPurchase(scene: Scene) {
  const ask = clientOf(scene)
  const id = await ask('dev_debugAttach', [{ breakpoints: [BREAKPOINT] }])
  let isAnswered = false
  const sent = (scene.shop['buy']!(2) as Promise<unknown>).then(() => (isAnswered = true))
  const stop = await ask('dev_debugNext', [id, 20_000])
  return { ask, id, sent, stop, isAnswered: () => isAnswered }
}

describe('an attached debugger', () => {
  test('stops a transaction at a line, while others read, write and use worlds', async () => {
    await withShop(hardhat2(plain), async (scene) => {
      const { ask, id, sent, stop, isAnswered } = await heldPurchase(scene)
      expect(stop).toMatchObject({ method: 'eth_sendTransaction', world: null, at: { reason: 'breakpoint' } })
      const { frames } = await ask('dev_debugStack', [stop.session.session, stop.at.step])
      expect(frames[0]).toMatchObject({ name: 'Shop.buy', place: { line: BREAKPOINT.line } })
      const height = await ask('eth_blockNumber', [])
      await ask('evm_mine', [])
      expect(Number(await ask('eth_blockNumber', []))).toBe(Number(height) + 1)
      expect(await ask('eth_chainId', [], '/w/other')).toBe(await ask('eth_chainId', []))
      expect(isAnswered()).toBe(false)
      expect(await ask('dev_debugResume', [id, stop.stop])).toBe(true)
      await sent
    })
  })

  test('stops in a world, whose recording every chain of the node answers', async () => {
    await withShop(hardhat2(plain), async (scene) => {
      const ask = clientOf(scene)
      const id = await ask('dev_debugAttach', [{ breakpoints: [BREAKPOINT] }])
      const { data, to } = await scene.shop['buy']!.populateTransaction(1)
      const transaction = { from: scene.buyer, to, data, gas: '0x7a120' }
      const sent = ask('eth_sendTransaction', [transaction], '/w/one')
      const stop = await ask('dev_debugNext', [id, 20_000])
      expect(stop).toMatchObject({ world: 'one' })
      expect((await ask('dev_debugStack', [stop.session.session, stop.at.step])).frames).not.toEqual([])
      expect(await ask('dev_debugDetach', [id])).toBe(true)
      await sent
    })
  })

  test('stops a call that fails, before its error', async () => {
    await withShop(hardhat2(plain), async (scene) => {
      const ask = clientOf(scene)
      const breakpoints = [{ id: 5, kind: 'revert', which: 'uncaught' }]
      const id = await ask('dev_debugAttach', [{ breakpoints }])
      const { data, to } = await scene.shop['buy']!.populateTransaction(20)
      const called = ask('eth_call', [{ from: scene.buyer, to, data }, 'latest'])
      const stop = await ask('dev_debugNext', [id, 20_000])
      expect(stop).toMatchObject({ method: 'eth_call', at: { reason: 'exception', breakpoints: [5] } })
      await ask('dev_debugResume', [id, stop.stop])
      await expect(called).rejects.toThrow(/revert/)
    })
  })

  test('lets its requests go when another one takes its place', async () => {
    await withShop(hardhat2(plain), async (scene) => {
      const { ask, id, sent } = await heldPurchase(scene)
      expect(await ask('dev_debugAttach', [{ breakpoints: [] }])).toBe(Number(id) + 1)
      await sent
      await expect(ask('dev_debugNext', [id, 0])).rejects.toThrow(`debugger ${id} is not attached`)
    })
  })

  test('lets its requests go when the node closes', async () => {
    let answer: Promise<unknown> = Promise.resolve()
    await withShop(hardhat2(plain), async (scene) => {
      const ask = clientOf(scene)
      const id = await ask('dev_debugAttach', [{ breakpoints: [BREAKPOINT] }])
      const { data, to } = await scene.shop['buy']!.populateTransaction(1)
      answer = ask('eth_sendTransaction', [{ from: scene.buyer, to, data, gas: '0x7a120' }])
      await ask('dev_debugNext', [id, 20_000])
    })
    expect(await answer).toMatch(/^0x/)
  })
})

test('ids of debuggers and sessions differ between nodes, so that one of a node that ended finds nothing in the next', async () => {
  const idsOf = async () => {
    const node = await freshNode({}, realHost)
    const hash = await call(node, 'eth_sendTransaction', SENT.step.params)
    const { session } = await call(node, 'dev_debugOpen', [{ transaction: hash }])
    return { node, id: await call(node, 'dev_debugAttach', [{ breakpoints: [] }]), session }
  }
  const [old, restarted] = [await idsOf(), await idsOf()]
  for (const [method, ...params] of [
    ['dev_debugStack', old.session, 0],
    ['dev_debugNext', old.id, 0],
  ] as const)
    expect(await refusal(restarted.node, method, [...params])).toMatchObject({ kind: 'unknownSession' })
  expect(await call(restarted.node, 'dev_debugDetach', [old.id])).toBe(false)
  expect(await call(restarted.node, 'dev_debugDetach', [restarted.id])).toBe(true)
})

/** A node that waits, and the deployment of a token on it. */
async function waiting(
  run: (ask: ReturnType<typeof clientOf>, sent: Promise<unknown>, isAnswered: () => boolean) => Promise<void>,
): Promise<void> {
  const folder = await writeProject(hardhat2(plain))
  const options = { network: 'ethereum', artifacts: [join(folder, 'artifacts')], waitForDebugger: true }
  await withServer(options, async ({ url, accounts: [account] }) => {
    const ask = clientOf({ url })
    let isAnswered = false
    const data = `0x${plain.output.contracts[PATH]!['Token']!.evm.bytecode.object}${'7'.padStart(64, '0')}`
    const transaction = { from: account!.address, data, gas: '0x200000' }
    const sent = ask('eth_sendTransaction', [transaction]).finally(() => (isAnswered = true))
    while ((await ask('eth_blockNumber', [])) === '0x0');
    await run(ask, sent, () => isAnswered)
  })
  await rm(folder, { recursive: true })
}

describe('a node that waits for a debugger', () => {
  test('answers what executes after one has attached, and stops in it', async () => {
    await waiting(async (ask, sent, isAnswered) => {
      expect(await ask('evm_mine', [])).toBe('0x0')
      expect(isAnswered()).toBe(false)
      const line = lineOf('balances[msg.sender] = supply')
      const id = await ask('dev_debugAttach', [{ breakpoints: [{ ...BREAKPOINT, line }] }])
      const stop = await ask('dev_debugNext', [id, 20_000])
      expect(stop).toMatchObject({ method: 'eth_sendTransaction', at: { reason: 'breakpoint' } })
      expect(isAnswered()).toBe(false)
      await ask('dev_debugResume', [id, stop.stop])
      await sent
    })
  })

  test('answers when it closes', async () => {
    let answer: Promise<unknown> = Promise.resolve()
    await waiting(async (_, sent) => void (answer = sent))
    expect(await answer).toMatch(/^0x/)
  })
})

test('a debugger that is not attached is refused, and cannot be detached', async () => {
  const node = await freshNode()
  expect(await refusal(node, 'dev_debugNext', [1, 0])).toMatchObject({ kind: 'unknownSession' })
  expect(await call(node, 'dev_debugDetach', [1])).toBe(false)
})
