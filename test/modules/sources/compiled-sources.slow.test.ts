/** Sources of a forked chain that the installed solc compiles, as a user sees them: in ethers and in the command. */

import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { JsonRpcProvider } from 'ethers'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { main } from '../../../lib/cli/main.ts'
import { fakeProcess } from '../../cli/fake-server.ts'
import { PATH, lineOf, plain } from '../../support/shop.ts'
import { compilerOf, etherscanAnswer } from './source-providers.ts'
import type { EtherscanForm } from './source-providers.ts'
import { WHOLE, forked, stackOf, withFork, withScene } from './sourced-fork.ts'
import type { Answers } from './sourced-fork.ts'

const byEtherscan =
  (form: EtherscanForm): Answers =>
  (shop, token) => ({
    [shop]: etherscanAnswer(plain, PATH, 'Shop', form),
    [token]: etherscanAnswer(plain, PATH, 'Token', form),
  })

/** The error object of a call as ethers has it. */
async function failureOf(provider: JsonRpcProvider, request: object): Promise<unknown> {
  try {
    return await provider.send('eth_call', [request])
  } catch (error) {
    const { info, error: own } = error as { info?: { error: unknown }; error?: unknown }
    return info?.error ?? own
  }
}

/** A folder with the installed solc as a program. */
let compilers: string
beforeAll(async () => {
  compilers = await mkdtemp(join(tmpdir(), 'solc-'))
  const program = join(compilers, `solc-linux-amd64-v${compilerOf(plain, PATH, 'Shop')}`)
  const script = `const { readFileSync } = require('node:fs')
const { compile } = require(${JSON.stringify(resolve('node_modules/solc'))})
process.stdout.write(compile(readFileSync(0, 'utf8')))`
  await writeFile(program, `#!${process.execPath}\n${script}\n`)
  await chmod(program, 0o755)
})
afterAll(() => rm(compilers, { recursive: true }))

test.each(['one text', 'files', 'standard JSON'] as const)(
  'from Etherscan as %s, and then offline from the cache',
  async (form) => {
    const forkCache = await mkdtemp(join(tmpdir(), 'cache-'))
    await withScene(byEtherscan(form), async (scene) => {
      const options = { forkCache, solc: [compilers], dialect: 'ethereum' } as const
      const sources = [`etherscan=${scene.url}`]
      await withFork(forked(scene, { ...options, sources }), async (url, faults) => {
        // The explanation waits for the compiler, the error of a request only for some seconds.
        const { io, written } = fakeProcess(['explain', '--last', '--url', url])
        const provider = new JsonRpcProvider(url, undefined, { staticNetwork: true })
        await expect(provider.call({ ...scene.request, gasLimit: scene.request.gas })).rejects.toThrow()
        expect(await main({ ...io, isTTY: false })).toBe(0)
        // One text has no path.
        const file = form === 'one text' ? 'Token.sol' : PATH
        expect(written.stdout).toContain(`at Token._move (${file}:${lineOf('revert TooPoor')}:`)
        const failure = await failureOf(provider, scene.request)
        expect(stackOf({ error: failure })).toEqual(WHOLE)
        expect(faults).toEqual([])
        provider.destroy()
      })
      // A folder without a compiler.
      const gone = { url: 'http://127.0.0.1:9', forkUrl: scene.forkUrl }
      await withFork(forked(gone, { ...options, solc: [forkCache] }), async (url) => {
        const provider = new JsonRpcProvider(url, undefined, { staticNetwork: true })
        const failure = await failureOf(provider, scene.request)
        expect(stackOf({ error: failure })).toEqual(WHOLE)
        provider.destroy()
      })
    })
    await rm(forkCache, { recursive: true })
  },
)
