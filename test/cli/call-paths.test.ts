/** `dev-node explain --flame`. */

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { main } from '../../lib/cli/main.ts'
import { hardhat2 } from '../support/artifact-projects.ts'
import { plain, withShop } from '../support/shop.ts'
import { fakeProcess } from './fake-server.ts'

describe('dev-node explain --flame', () => {
  const run = async (...argv: readonly string[]) => {
    const { io, written } = fakeProcess(['explain', ...argv])
    return { code: await main(io), ...written }
  }

  test('writes the gas by call path, and prints the explanation', async () => {
    await withShop(hardhat2(plain), async ({ url, shop }) => {
      const { hash } = (await shop['buy']!(2)) as { hash: string }
      const folder = await mkdtemp(join(tmpdir(), 'flame-'))
      const file = join(folder, 'out.folded')
      const { code, stdout, stderr } = await run(hash, '--url', url, '--flame', file)
      expect([code, stderr]).toEqual([0, ''])
      expect(stdout).toMatch(/^success, \d+ gas\n/)
      expect(await readFile(file, 'utf8')).toMatch(/^Shop\.buy;Token\.transferFrom;Token\._move \d+$/m)
      const wrong = await run(hash, '--url', url, '--flame', join(folder, 'no', 'out.folded'))
      expect(wrong.code).toBe(1)
      expect(wrong.stderr).toMatch(/--flame: cannot write .*: ENOENT/)
      await rm(folder, { recursive: true })
    })
  })

  test('needs a file', async () => {
    const { code, stderr } = await run(`0x${'ab'.repeat(32)}`, '--flame')
    expect([code, stderr]).toEqual([
      1,
      'dev-node: --flame: expected a value behind it (see: npx dev-node help DN-MISSING)\n',
    ])
  })
})
