import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { NodeError } from '../../lib/base/errors.ts'
import { Mcl, compileMcl } from '../../lib/crypto/pairing-curve.ts'

test('a package that is missing is named', () => {
  expect(() => compileMcl(() => '/missing/mcl_c.js')).toThrow(
    /^the package mcl-wasm, which this precompile calculates with, does not load: .*ENOENT: no such file/,
  )
  expect(() => compileMcl(() => '/missing/mcl_c.js')).toThrow(NodeError)
})

test('a package with other content is named, too', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mcl-'))
  const path = join(folder, 'mcl_c.js')
  writeFileSync(path, 'module.exports = undefined')
  expect(() => compileMcl(() => path)).toThrow(/does not load: .*WebAssembly in mcl-wasm/)
  await rm(folder, { recursive: true })
})

test('memory of a scope is freed', () => {
  const mcl = new Mcl('bn254')
  const first = mcl.scope(() => mcl.take(1000))
  expect(mcl.scope(() => mcl.take(1000))).toBe(first)
  expect(() =>
    mcl.scope(() => {
      mcl.take(1000)
      throw new Error('fault')
    }),
  ).toThrow('fault')
  expect(mcl.scope(() => mcl.scope(() => mcl.take(1000)))).toBe(first)
})
