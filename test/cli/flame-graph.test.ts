/** Flame graphs of call paths, and `dev-node explain --flame`. */

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { flameGraph } from '../../lib/cli/explain-command.ts'
import { main } from '../../lib/cli/main.ts'
import { hardhat2 } from '../support/artifact-projects.ts'
import { plain, withShop } from '../support/shop.ts'
import { fakeProcess } from './fake-server.ts'

/** The boxes of a graph by their title. */
const boxesOf = (svg: string) =>
  new Map(
    [
      ...svg.matchAll(/<g><title>(.*?)<\/title><rect x="(.*?)" y="(.*?)" width="(.*?)" .*? fill="(.*?)"/g),
    ].map(([, title = '', x, y, width, fill]) => [
      title,
      { x: Number(x), y: Number(y), width: Number(width), fill },
    ]),
  )

describe('a flame graph', () => {
  const boxes = boxesOf(flameGraph('A.f 300\nA.f;A.g 100\nA.f;B.h 200\nintrinsic gas 600\n', 'gas'))

  test('has boxes as wide as their share of the gas, with what they call', () => {
    const widths = [...boxes].map(([title, { width }]) => [title, width])
    expect(widths).toEqual([
      ['all: 1200 gas, 100.00%', 1200],
      ['A.f: 600 gas, 50.00%', 600],
      ['A.g: 100 gas, 8.33%', 100],
      ['B.h: 200 gas, 16.67%', 200],
      ['intrinsic gas: 600 gas, 50.00%', 600],
    ])
  })

  test('has callees above their caller, beside each other', () => {
    const [all, f, g, h] = [...boxes.values()]
    expect([all!.y - f!.y, f!.y - g!.y, g!.y - h!.y]).toEqual([18, 18, 0])
    expect([f!.x - all!.x, g!.x - f!.x, h!.x - g!.x]).toEqual([0, 0, 100])
  })

  test('has one colour for a contract', () => {
    const [, f, g, h, intrinsic] = [...boxes.values()].map(({ fill }) => fill)
    expect(g).toBe(f)
    expect(h).not.toBe(f)
    expect(intrinsic).toBe('#ccc')
  })

  test('keeps names from being markup', () => {
    const svg = flameGraph('</title><script>alert("&")</script>\u0000\ud800.f 10', '<b>\u001b')
    expect(svg).not.toMatch(/<script|<b>|[\u0000-\u0009\u000b-\u001f]|\ud800/)
    expect(svg).toContain('&lt;/title&gt;&lt;script&gt;alert(&quot;&amp;&quot;)&lt;/script&gt;__.f: 10 gas')
  })

  test('shortens names that have no room', () => {
    const svg = flameGraph(`Contract.${'long'.repeat(100)} 1\nA.f 1\nB.narrow 0\n`, '')
    expect(svg).toMatch(/>Contract\.(long)*l?o?n?\.\.<\/text>/)
  })
})

describe('dev-node explain --flame', () => {
  const run = async (...argv: readonly string[]) => {
    const { io, written } = fakeProcess(['explain', ...argv])
    return { code: await main(io), ...written }
  }

  test('draws the transaction, and prints the explanation', async () => {
    await withShop(hardhat2(plain), async ({ url, shop }) => {
      const { hash } = (await shop['buy']!(2)) as { hash: string }
      const folder = await mkdtemp(join(tmpdir(), 'flame-'))
      const file = join(folder, 'out.svg')
      const { code, stdout, stderr } = await run(hash, '--url', url, '--flame', file)
      expect([code, stderr]).toEqual([0, ''])
      expect(stdout).toMatch(/^success, \d+ gas\n/)
      const titles = [...boxesOf(await readFile(file, 'utf8')).keys()].map((title) =>
        title.replace(/:.*/, ''),
      )
      expect(titles).toEqual(expect.arrayContaining(['all', 'Shop.buy', 'Token.transferFrom', 'Token._move']))
      const wrong = await run(hash, '--url', url, '--flame', join(folder, 'no', 'out.svg'))
      expect(wrong.code).toBe(1)
      expect(wrong.stderr).toMatch(/--flame: cannot write .*: ENOENT/)
      await rm(folder, { recursive: true })
    })
  })

  test('needs a file', async () => {
    const { code, stderr } = await run(`0x${'ab'.repeat(32)}`, '--flame')
    expect([code, stderr]).toEqual([1, 'dev-node: --flame: expected a value behind it\n'])
  })
})
