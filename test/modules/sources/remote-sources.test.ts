/** Sources of contracts of a forked chain, from stubs of the providers. */

import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { freshNode } from '../../support/node.ts'
import { answerOf } from '../../support/server.ts'
import { PATH, lineOf, plain } from '../../support/shop.ts'
import { etherscanAnswer, sourcifyAnswer } from './source-providers.ts'
import type { EtherscanForm, StubAnswer } from './source-providers.ts'
import {
  WHOLE,
  bySourcify,
  explained,
  forked,
  stackOf,
  withCompiler,
  withFork,
  withScene,
} from './sourced-fork.ts'
import type { Answers } from './sourced-fork.ts'

describe('sources of a forked chain', () => {
  test('name functions, errors and lines in the error of a request, and in explanations', async () => {
    await withScene(bySourcify, async (scene) => {
      await withCompiler(plain.output, async (solc) => {
        await withFork(forked(scene, { solc: [solc], dialect: 'ethereum' }), async (url, faults) => {
          const answer = await answerOf(url, 'eth_call', [scene.request])
          expect(stackOf(answer)).toEqual(WHOLE)
          expect(answer.error.message).toContain('TooPoor(')
          const { call } = await explained(url, scene)
          expect(call.arguments).toEqual([{ name: 'count', type: 'uint256', value: '30' }])
          expect(faults).toEqual([])
        })
      })
      expect(scene.asked.toSorted()).toEqual(
        [scene.shop, scene.token]
          .map((address) => `/v2/contract/31337/${address}?fields=abi,compilation,stdJsonInput`)
          .toSorted(),
      )
    })
  })

  test('give the debugger its lines', async () => {
    await withScene(bySourcify, async (scene) => {
      await withCompiler(plain.output, async (solc) => {
        await withFork(forked(scene, { solc: [solc] }), async (url) => {
          const target = { call: scene.request, block: 'latest' }
          const { result: opened } = await answerOf(url, 'dev_debugOpen', [target])
          const line = lineOf('revert TooPoor')
          const breakpoints = [{ id: 1, kind: 'line', path: PATH, line }]
          const motion = { kind: 'run', direction: 'forwards', breakpoints }
          const { result: stop } = await answerOf(url, 'dev_debugMove', [opened.session, 0, motion])
          const { result: stopped } = await answerOf(url, 'dev_debugStack', [opened.session, stop.step])
          expect(stopped.frames[0]).toMatchObject({ name: 'Token._move', place: { line } })
        })
      })
    })
  })

  test('are not asked for without the option', async () => {
    await withScene(bySourcify, async (scene) => {
      await withFork(forked(scene, { sources: [] }), async (url) => {
        expect((await explained(url, scene)).call.contract).toBeUndefined()
      })
      expect(scene.asked).toEqual([])
    })
  })

  test('are not asked for contracts that are created here', async () => {
    await withScene(bySourcify, async (scene) => {
      await withFork(forked(scene), async (url) => {
        const data = plain.output.contracts[PATH]!['Token']!.evm.bytecode.object
        const sent = { from: scene.request.from, data: `0x${data}${'00'.repeat(31)}05`, gas: '0x1e8480' }
        const { result: hash } = await answerOf(url, 'eth_sendTransaction', [sent])
        const { result: receipt } = await answerOf(url, 'eth_getTransactionReceipt', [hash])
        const call = { ...scene.request, to: receipt.contractAddress }
        await answerOf(url, 'dev_explainCall', [call, 'latest'])
      })
      expect(scene.asked).toEqual([])
    })
  })

  test('name functions and errors also without their compiler, and the stack says which', async () => {
    await withScene(bySourcify, async (scene) => {
      await withFork(forked(scene), async (url, faults) => {
        const { call, stack } = await explained(url, scene)
        expect([call.contract, call.function]).toEqual(['Shop', 'buy(uint256)'])
        expect(call.steps.at(-1).call.reason.message).toMatch(/TooPoor\(/)
        expect(stack[0].hint).toBe('name a folder that has solc 0.8.37 with --solc')
        expect(faults).toEqual([])
      })
    })
  })

  test('have lines by a program that is called solc, of the version that it prints', async () => {
    await withScene(bySourcify, async (scene) => {
      const run = async (folder: string): Promise<void> =>
        withFork(forked(scene, { solc: [join(folder, 'solc')] }), async (url) => {
          expect(stackOf(await answerOf(url, 'eth_call', [scene.request]))).toEqual(WHOLE)
        })
      await withCompiler(plain.output, run, 'solc')
    })
  })

  test('come from the cache at the second start, with lines as soon as the compiler is there', async () => {
    const forkCache = await mkdtemp(join(tmpdir(), 'cache-'))
    await withScene(bySourcify, async (scene) => {
      await withFork(forked(scene, { forkCache }), async (url) => void (await explained(url, scene)))
      expect(scene.asked).toHaveLength(2)
      const gone = { url: 'http://127.0.0.1:9', forkUrl: scene.forkUrl }
      await withCompiler(plain.output, async (solc) => {
        await withFork(forked(gone, { forkCache, solc: [solc] }), async (url, faults) => {
          expect(stackOf(await answerOf(url, 'eth_call', [scene.request]))).toEqual(WHOLE)
          expect(faults).toEqual([])
        })
      })
      await withFork(forked(gone, { forkCache }), async (url) => {
        expect(stackOf(await answerOf(url, 'eth_call', [scene.request]))).toEqual(WHOLE)
      })
      expect(scene.asked).toHaveLength(2)
    })
    await rm(forkCache, { recursive: true })
  })

  test('that no provider has are asked for once, also by a second node', async () => {
    const forkCache = await mkdtemp(join(tmpdir(), 'cache-'))
    await withScene(
      () => ({}),
      async (scene) => {
        for (const start of [1, 2])
          await withFork(forked(scene, { forkCache }), async (url, faults) => {
            for (let time = start; time <= 2; time++)
              expect((await explained(url, scene)).call.contract).toBeUndefined()
            expect(faults).toEqual([])
          })
        expect(scene.asked).toHaveLength(2)
        // Another list of providers is asked.
        const sources = [`etherscan=${scene.url}`]
        await withFork(
          forked(scene, { forkCache, sources }),
          async (url) => void (await explained(url, scene)),
        )
        expect(scene.asked).toHaveLength(4)
        // So is another server of the same kind.
        await withScene(
          () => ({}),
          async (other) => {
            const sources = [`sourcify=${other.url}`]
            await withFork(
              forked(scene, { forkCache, sources }),
              async (url) => void (await explained(url, scene)),
            )
            expect(other.asked).toHaveLength(2)
          },
        )
      },
    )
    await rm(forkCache, { recursive: true })
  })

  test('are read from artifacts in a folder, whose broken files are named', async () => {
    await withScene(bySourcify, async (scene) => {
      const folder = await mkdtemp(join(tmpdir(), 'others-'))
      const ofToken = { contractName: 'Token', sourceName: PATH, ...artifactOf('Token') }
      await writeFile(join(folder, 'Token.json'), JSON.stringify(ofToken))
      await writeFile(join(folder, 'Broken.json'), '{"match":')
      await withFork(forked(scene, { sources: [folder, `sourcify=${scene.url}`] }), async (url, faults) => {
        const { call } = await explained(url, scene)
        expect([call.contract, call.steps.at(-1).call.contract]).toEqual(['Shop', 'Token'])
        expect(faults).toEqual([expect.stringMatching(/^--sources: cannot read .*json: .*JSON/)])
      })
      expect(scene.asked).toEqual([expect.stringContaining(scene.shop)])
      const options = forked(scene, { sources: [join(folder, 'none')] })
      await expect(withFork(options, async () => undefined)).rejects.toThrow(
        /^--sources: cannot list the folder /,
      )
      await rm(folder, { recursive: true })
    })
  })
})

const artifactOf = (name: string) => {
  const { abi, evm } = plain.output.contracts[PATH]![name]!
  return { abi, bytecode: `0x${evm.bytecode.object}`, deployedBytecode: `0x${evm.deployedBytecode.object}` }
}

describe('answers of Etherscan', () => {
  const byEtherscan =
    (form: EtherscanForm): Answers =>
    (shop, token) => ({
      [shop]: etherscanAnswer(plain, PATH, 'Shop', form),
      [token]: etherscanAnswer(plain, PATH, 'Token', form),
    })

  test.each(['one text', 'files', 'standard JSON'] as const)('with %s', async (form) => {
    await withScene(byEtherscan(form), async (scene) => {
      const options = { sources: [`etherscan=${scene.url}`], etherscanKey: 'SECRET' }
      await withFork(forked(scene, options), async (url, faults) => {
        const { call } = await explained(url, scene)
        expect([call.contract, call.function]).toEqual(['Shop', 'buy(uint256)'])
        const { result: sources } = await answerOf(url, 'dev_contractSources', [scene.shop])
        expect(sources[0].content).toBe(plain.input.sources[PATH]!.content)
        expect(faults).toEqual([])
      })
      const query = 'chainid=31337&module=contract&action=getsourcecode'
      expect(scene.asked).toContain(`/?${query}&address=${scene.shop}&apikey=SECRET`)
    })
  })

  test.each([
    [
      'a wrong key',
      { status: '0', message: 'NOTOK', result: 'Invalid API Key SECRET' },
      /refused: Invalid API Key \.\.\.$/,
    ],
    ['too many questions', { status: '0', message: 'NOTOK', result: 'Max rate limit reached' }, /rate limit/],
    ['another form', { status: '1', message: 'OK', result: [{ SourceCode: 7 }] }, /another form: SourceCode/],
  ])('about %s are a short warning without the key', async (_case, refusal, expected) => {
    await withScene(
      (shop) => ({ [shop]: refusal }),
      async (scene) => {
        const options = { sources: [`etherscan=${scene.url}`], etherscanKey: 'SECRET' }
        await withFork(forked(scene, options), async (url, faults) => {
          expect((await explained(url, scene)).call.contract).toBeUndefined()
          expect(faults).toEqual([expect.stringMatching(expected)])
          expect(faults.join()).not.toContain('SECRET')
        })
      },
    )
  })
})

const ofShop = sourcifyAnswer(plain, PATH, 'Shop')
const leaving = { '../../etc/passwd': { content: '' } }

describe('an answer that is refused, with a warning, and does no harm', () => {
  test.each<[string, StubAnswer, RegExp]>([
    ['HTML', (response) => response.end('<html>'), /not JSON/],
    ['a redirection', (response) => response.writeHead(302, { location: 'http://x/' }).end(), /HTTP 302/],
    ['too many requests', (response) => response.writeHead(429, { 'retry-after': '1' }).end(), /HTTP 429/],
    ['a lost connection', (response) => response.destroy(), /closed the connection/],
    ['wrong types', { ...ofShop, stdJsonInput: { sources: [] } }, /another form: stdJsonInput.sources/],
    ['a path out of the project', { ...ofShop, stdJsonInput: { sources: leaving } }, /leaves the project/],
  ])('%s', async (_case, answer, expected) => {
    await withScene(
      (shop) => ({ [shop]: answer }),
      async (scene) => {
        await withFork(forked(scene), async (url, faults) => {
          expect((await explained(url, scene)).call.contract).toBeUndefined()
          expect(faults).toEqual([expect.stringMatching(expected)])
          expect(faults[0]!.length).toBeLessThan(200)
        })
      },
    )
  })
})

test('a compiler that is not there is refused at the start', async () => {
  const starting = freshNode({ sources: ['sourcify'], solc: ['./missing/solc'] })
  await expect(starting).rejects.toThrow('--solc: cannot read ./missing/solc: ENOENT')
})

describe('a compiler that fails leaves the names, and is named', () => {
  test.each([
    ['no JSON', 'Killed', /another form/],
    ['an error', { errors: [{ severity: 'error', message: 'no such pragma' }] }, /no such pragma/],
  ])('%s', async (_case, output, expected) => {
    await withScene(
      (shop) => ({ [shop]: ofShop }),
      async (scene) => {
        await withCompiler(output, async (solc) => {
          await withFork(forked(scene, { solc: [solc] }), async (url, faults) => {
            expect((await explained(url, scene)).call.function).toBe('buy(uint256)')
            expect(faults).toEqual([expect.stringMatching(expected)])
          })
        })
      },
    )
  })
})

test('sources of which the compiler makes another code are refused, and the next place is asked', async () => {
  const another = structuredClone(plain.output) as any
  another.contracts[PATH].Shop.evm.deployedBytecode.object = '6001'
  await withScene(
    (shop) => ({ [shop]: ofShop }),
    async (scene) => {
      await withCompiler(another, async (solc) => {
        const sources = [`sourcify=${scene.url}`, `sourcify=${scene.url}/second`]
        await withFork(forked(scene, { sources, solc: [solc] }), async (url, faults) => {
          expect((await explained(url, scene)).call.contract).toBeUndefined()
          expect(faults).toEqual([expect.stringMatching(/solc .* makes another code of them$/)])
          expect(scene.asked.filter((path) => path.includes(scene.shop))).toHaveLength(2)
        })
      })
    },
  )
})

describe('the cache', () => {
  test.each(['', '{"_format"', '{"_format":"dev-node-sources-1"}'])(
    'with the file %j is repaired',
    async (content) => {
      const forkCache = await mkdtemp(join(tmpdir(), 'cache-'))
      await withScene(bySourcify, async (scene) => {
        await withFork(forked(scene, { forkCache }), async (url) => void (await explained(url, scene)))
        const folder = join(forkCache, 'sources', '31337')
        for (const file of await readdir(folder)) await writeFile(join(folder, file), content)
        await withFork(forked(scene, { forkCache }), async (url) => {
          expect((await explained(url, scene)).call.contract).toBe('Shop')
        })
        expect(await readFile(join(folder, (await readdir(folder))[0]!), 'utf8')).toContain('Shop')
      })
      await rm(forkCache, { recursive: true })
    },
  )
})
