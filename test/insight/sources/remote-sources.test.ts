/** Sources of contracts of a forked chain, from stubs of the providers. */

import { chmod, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import type { OptionsInput } from '../../../lib/config/options.ts'
import type { NodeHooks } from '../../../lib/config/request-log.ts'
import { hardhat2 } from '../../support/artifact-projects.ts'
import { answerOf, withServer } from '../../support/server.ts'
import { PATH, lineOf, plain, withShop } from '../../support/shop.ts'
import {
  compilerOf,
  etherscanAnswer,
  sourcifyAnswer,
  withSourceStub,
} from '../../support/source-providers.ts'
import type { EtherscanForm, SourceStub, StubAnswer } from '../../support/source-providers.ts'

const VERSION = compilerOf(plain, PATH, 'Shop')

/** A remote with a shop and a token, a request that fails, and a stub that has the sources of both. */
interface Scene extends SourceStub {
  readonly forkUrl: string
  readonly shop: string
  readonly token: string
  readonly request: {
    readonly from: string
    readonly to: string
    readonly data: string
    readonly gas: string
  }
}

type Answers = (shop: string, token: string) => Readonly<Record<string, StubAnswer>>

const bySourcify: Answers = (shop, token) => ({
  [shop]: sourcifyAnswer(plain, PATH, 'Shop'),
  [token]: sourcifyAnswer(plain, PATH, 'Token'),
})

async function withScene(answers: Answers, run: (scene: Scene) => Promise<void>): Promise<void> {
  await withShop(hardhat2(plain), async ({ url: forkUrl, shop, token, buyer }) => {
    const [to, of] = [(await shop.getAddress()).toLowerCase(), (await token.getAddress()).toLowerCase()]
    const data = shop.interface.encodeFunctionData('buy', [30])
    const request = { from: buyer, to, data, gas: '0x7a120' }
    await withSourceStub(answers(to, of), (stub) => run({ ...stub, forkUrl, shop: to, token: of, request }))
  })
}

/** A folder with a program in the place of solc, which prints something. */
async function withCompiler(output: unknown, run: (solc: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'solc-'))
  await writeFile(join(folder, 'output'), typeof output === 'string' ? output : JSON.stringify(output))
  const program = join(folder, `solc-linux-amd64-v${VERSION}`)
  const script = `process.stdin.resume().on('end', () => process.stdout.write(require('node:fs').readFileSync('${folder}/output')))`
  await writeFile(program, `#!${process.execPath}\n${script}\n`)
  await chmod(program, 0o755)
  await run(folder).finally(() => rm(folder, { recursive: true }))
}

/** Without a compiler, unless the options name one. */
const forked = (scene: Pick<Scene, 'forkUrl' | 'url'>, options: OptionsInput = {}): OptionsInput => ({
  forkUrl: scene.forkUrl,
  noForkCache: options.forkCache === undefined,
  noArtifacts: true,
  sources: [`sourcify=${scene.url}`],
  solc: ['./no-compilers'],
  ...options,
})

const stackOf = ({ error }: any): readonly string[] =>
  error.solidityStack.map((one: any) => [one.contract, one.function, one.line].filter(Boolean).join(' '))

const WHOLE = [
  `Token _move ${lineOf('revert TooPoor')}`,
  `Token transferFrom ${lineOf('_move(from, to, value);')}`,
  `Shop buy ${lineOf('token.transferFrom(msg.sender')}`,
]

/** Runs a test with a fork, and the faults that it has reported. */
async function withFork(
  options: OptionsInput,
  run: (url: string, faults: readonly string[]) => Promise<void>,
) {
  const faults: string[] = []
  const hooks: NodeHooks = { onFault: (fault) => faults.push(fault instanceof Error ? fault.message : '') }
  await withServer(options, ({ url }) => run(url, faults), hooks)
}

const explained = async (url: string, { request }: Scene): Promise<any> =>
  (await answerOf(url, 'dev_explainCall', [request, 'latest'])).result

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
          .map((address) => `/v2/contract/31337/${address}?fields=compilation,stdJsonInput,stdJsonOutput`)
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
        for (const _start of [1, 2])
          await withFork(forked(scene, { forkCache }), async (url, faults) => {
            for (const _time of [1, 2]) expect((await explained(url, scene)).call.contract).toBeUndefined()
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
      },
    )
    await rm(forkCache, { recursive: true })
  })

  test('are read from saved answers and from artifacts in a folder', async () => {
    await withScene(bySourcify, async (scene) => {
      const folder = await mkdtemp(join(tmpdir(), 'others-'))
      const ofShop = JSON.stringify(sourcifyAnswer(plain, PATH, 'Shop'))
      await mkdir(join(folder, '31337'))
      await writeFile(join(folder, '31337', `${scene.shop}.json`), ofShop)
      const ofToken = { contractName: 'Token', sourceName: PATH, ...artifactOf('Token') }
      await writeFile(join(folder, 'Token.json'), JSON.stringify(ofToken))
      await withFork(forked(scene, { sources: [folder] }), async (url, faults) => {
        const { call } = await explained(url, scene)
        expect([call.contract, call.steps.at(-1).call.contract]).toEqual(['Shop', 'Token'])
        expect(faults).toEqual([])
      })
      expect(scene.asked).toEqual([])
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
    ['a lost connection', (response) => response.destroy(), /socket hang up/],
    ['too many bytes', (response) => response.end('x'.repeat(17 * 1024 * 1024)), /more than 16777216 bytes/],
    ['wrong types', { ...ofShop, stdJsonInput: { sources: [] } }, /another form: stdJsonInput.sources/],
    ['a path out of the project', { ...ofShop, stdJsonInput: { sources: leaving } }, /leaves the project/],
    ['the sources of another code', sourcifyAnswer(plain, PATH, 'Token'), /those of another code/],
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

describe('a compiler that fails leaves the names, and is named', () => {
  const another = structuredClone(plain.output) as any
  another.contracts[PATH].Shop.evm.deployedBytecode.object = '6001'
  test.each([
    ['no JSON', 'Killed', /another form/],
    ['an error', { errors: [{ severity: 'error', message: 'no such pragma' }] }, /no such pragma/],
    ['another code', another, undefined],
  ])('%s', async (_case, output, expected) => {
    await withScene(
      (shop) => ({ [shop]: ofShop }),
      async (scene) => {
        await withCompiler(output, async (solc) => {
          await withFork(forked(scene, { solc: [solc] }), async (url, faults) => {
            expect((await explained(url, scene)).call.function).toBe('buy(uint256)')
            expect(faults).toEqual(expected === undefined ? [] : [expect.stringMatching(expected)])
          })
        })
      },
    )
  })
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
