import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { AnyModule } from '../../lib/kernel/running-modules.ts'
import type { Module, NodeCore } from '../../lib/kernel/module.ts'
import { readMethod, type Method } from '../../lib/kernel/method.ts'
import * as z from 'zod'
import { call } from '../support/node.ts'
import { MODULES } from '../../lib/modules/list.ts'
import { createNode, type NodeModule } from '../../lib/node/node.ts'
import type { OptionsInput } from '../../lib/modules/options.ts'
import { resolveOptions } from '../../lib/modules/resolve-options.ts'

/** A node with the options, and the modules of the list. */
const started = (values: OptionsInput = {}, modules: readonly AnyModule[] = MODULES) =>
  createNode(resolveOptions({ values: { noArtifacts: true, ...values } }), { modules })

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dev-node-claims-'))
})
afterEach(() => rm(folder, { recursive: true }))

describe.each([
  ['keystore', 'keys', 'the keystore folder'],
  ['coverage', 'coverage', 'the coverage folder'],
  ['gasReport', 'gas.json', 'the gas report'],
] as const)('the path of %s', (option, name, title) => {
  const claim = () => started({ [option]: join(folder, name) })

  test('belongs to one node until it ends', async () => {
    const { close } = await claim()
    await expect(claim()).rejects.toMatchObject({
      kind: 'invalidOption',
      message: expect.stringMatching(
        `^${title} ${join(folder, name)} is in use by another node of this process: `,
      ),
    })
    await close(true)
    await (await claim()).close(true)
    const names = await readdir(folder, { recursive: true })
    expect(names.filter((each) => each.endsWith('.lock'))).toEqual([])
  })
})

test('a claim that fails ends the earlier ones', async () => {
  const values = { keystore: join(folder, 'keys'), gasReport: join(folder, 'missing', 'gas.json') }
  await expect(started(values)).rejects.toThrow('--gas-report: cannot write')
  expect(await readdir(join(folder, 'keys'))).toEqual([])
})

test('what killed nodes left is removed and named', async () => {
  const gone = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await once(gone, 'exit')
  const [keys, coverage] = [join(folder, 'keys'), join(folder, 'coverage')]
  const left = [
    join(keys, '.UTC--key.tmp'),
    join(coverage, `lcov.info.${gone.pid}-00ff00ff.draft`),
    join(coverage, `coverage-final.json.${gone.pid}-00ff00ff.draft`),
  ]
  for (const each of [keys, coverage]) {
    await mkdir(each)
    await writeFile(join(each, `.dev-node.${gone.pid}-1-00ff00ff.lock`), '')
  }
  for (const path of left) await writeFile(path, 'half')
  const { findings, close } = await started({ keystore: keys, coverage })
  for (const each of [keys, coverage, ...left]) expect(findings.join('\n')).toContain(each)
  expect(findings.filter((sentence) => sentence.includes(`process id ${gone.pid},`))).toHaveLength(2)
  await close(true)
  expect([await readdir(keys), await readdir(coverage)]).toEqual([[], []])
})

describe('modules', () => {
  const ETHEREUM = { network: 'ethereum' }
  const ended: string[] = []
  afterEach(() => void ended.splice(0))

  /** A module that notes how it ends, and counts the chains that it saw. */
  const noting = (name: string, fails = false) =>
    ({
      name,
      start: () => {
        if (fails) throw new Error(`${name} cannot start`)
        return { [name]: { chains: 0 } }
      },
      openChain: (scope) => {
        scope[name]!.chains++
        return {}
      },
      close: (_, isAbandoned) => {
        ended.push(`${name} ${isAbandoned ? 'abandoned' : 'closed'}`)
        if (name === 'faulty') throw new Error('faulty cannot close')
      },
      closingText: async (scope) => `${name}: ${scope[name]!.chains} chains`,
    }) satisfies Module<NodeCore, Readonly<Record<string, { chains: number }>>>

  test('see each chain, and end in the opposite order', async () => {
    const node = await started(ETHEREUM, [noting('one'), noting('two')])
    node.worlds.acquire('a').release()
    await node.close()
    expect(ended).toEqual(['two closed', 'one closed'])
    // They report as they ended.
    expect(await node.modules.closingText()).toBe('two: 2 chains\none: 2 chains')
  })

  test('all end if the start of one fails, or its end', async () => {
    await expect(started(ETHEREUM, [noting('one'), noting('two', true)])).rejects.toThrow('two cannot start')
    expect(ended).toEqual(['one abandoned'])
    const node = await started(ETHEREUM, [noting('first'), noting('faulty')])
    await expect(node.close()).rejects.toThrow('faulty cannot close')
    expect(ended).toEqual(['one abandoned', 'faulty closed', 'first closed'])
  })

  test('do not compile with a method that uses what neither they nor the node have', () => {
    const run = (_: object, { clicks }: { readonly clicks: number }): number => clicks
    const method = readMethod({ name: 'toy_clicks', summary: 'The clicks.', result: z.int(), run })
    const counting = { name: 'counting', start: () => ({ clicks: 42 }), methods: [method] }
    const idle = { name: 'idle', start: () => ({}), methods: [method] }
    expect(counting satisfies NodeModule<NodeCore, { clicks: number }>).toBe(counting)
    // @ts-expect-error Property 'clicks' is missing in type 'Node'.
    expect(idle satisfies NodeModule<NodeCore>).toBe(idle)
  })

  test('give methods what they added', async () => {
    interface Own {
      readonly answer: number
    }
    const run = (_: object, { answer }: Own): number => answer
    const method = readMethod({ name: 'toy_answer', summary: 'The answer.', result: z.int(), run })
    const toy = { name: 'toy', start: () => ({ answer: 42 }), methods: [method] } satisfies Module<
      NodeCore,
      Own
    >
    const node = await started(ETHEREUM, [toy])
    // What a module declares is all that its method needs.
    const alone: Method<Own> = method
    expect(alone).toBe(method)
    expect(await call(node, 'toy_answer')).toBe(42)
    await expect(call(node, 'dev_startCoverage')).rejects.toMatchObject({ kind: 'methodNotFound' })
    await node.close()
  })

  test.each(MODULES.map((module) => [module.name, module] as const))(
    'the node works without %s: accounts, a send, logs, a snapshot and a revert',
    async (_, left) => {
      const values = 'network' in left ? { network: 'ethereum' } : {}
      const node = await started(
        values,
        MODULES.filter((module) => module !== left),
      )
      const [from, to] = await call(node, 'eth_accounts')
      const snapshot = await call(node, 'evm_snapshot')
      const hash = await call(node, 'eth_sendTransaction', [{ from, to, value: '0x5' }])
      expect(await call(node, 'eth_getTransactionReceipt', [hash])).toMatchObject({ blockNumber: '0x1' })
      expect(await call(node, 'eth_call', [{ from, to }])).toBe('0x')
      expect(await call(node, 'eth_getLogs', [{ fromBlock: '0x0' }])).toEqual([])
      expect(await call(node, 'evm_revert', [snapshot])).toBe(true)
      expect(await call(node, 'eth_blockNumber')).toBe('0x0')
      await node.close()
    },
  )
})
