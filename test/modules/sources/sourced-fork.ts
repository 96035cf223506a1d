/** A fork of a chain with a shop, whose sources a stub of a provider has. */

import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OptionsInput } from '../../../lib/modules/options.ts'
import type { NodeHooks } from '../../../lib/config/request-log.ts'
import { hardhat2 } from '../../support/artifact-projects.ts'
import { answerOf, withServer } from '../../support/server.ts'
import { PATH, lineOf, plain, withShop } from '../../support/shop.ts'
import { compilerOf, sourcifyAnswer, withSourceStub } from './source-providers.ts'
import type { SourceStub, StubAnswer } from './source-providers.ts'

const VERSION = compilerOf(plain, PATH, 'Shop')

/** A remote with a shop and a token, a request that fails, and a stub that has the sources of both. */
export interface Scene extends SourceStub {
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

/** Answers of the stub, for the addresses of shop and token. */
export type Answers = (shop: string, token: string) => Readonly<Record<string, StubAnswer>>

/** Both contracts, in the form of Sourcify. */
export const bySourcify: Answers = (shop, token) => ({
  [shop]: sourcifyAnswer(plain, PATH, 'Shop'),
  [token]: sourcifyAnswer(plain, PATH, 'Token'),
})

/** Runs a test with the remote and the stub. */
export async function withScene(answers: Answers, run: (scene: Scene) => Promise<void>): Promise<void> {
  await withShop(hardhat2(plain), async ({ url: forkUrl, shop, token, buyer }) => {
    const [to, of] = [(await shop.getAddress()).toLowerCase(), (await token.getAddress()).toLowerCase()]
    const data = shop.interface.encodeFunctionData('buy', [30])
    const request = { from: buyer, to, data, gas: '0x7a120' }
    await withSourceStub(answers(to, of), (stub) => run({ ...stub, forkUrl, shop: to, token: of, request }))
  })
}

/** A folder with a program in the place of solc, which prints something, and its version if that is asked for. */
export async function withCompiler(
  output: unknown,
  run: (solc: string) => Promise<void>,
  name = `solc-linux-amd64-v${VERSION}`,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'solc-'))
  await writeFile(join(folder, 'output'), typeof output === 'string' ? output : JSON.stringify(output))
  const program = join(folder, name)
  const version = `if (process.argv[2] === '--version') return console.log('Version: ${VERSION}.Linux.g++')`
  const script = `${version}; process.stdin.resume().on('end', () => process.stdout.write(require('node:fs').readFileSync('${folder}/output')))`
  await writeFile(program, `#!${process.execPath}\n${script}\n`)
  await chmod(program, 0o755)
  try {
    await run(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Without a compiler, unless the options name one. */
export const forked = (scene: Pick<Scene, 'forkUrl' | 'url'>, options: OptionsInput = {}): OptionsInput => ({
  forkUrl: scene.forkUrl,
  noForkCache: options.forkCache === undefined,
  noArtifacts: true,
  sources: [`sourcify=${scene.url}`],
  solc: ['package.json'],
  ...options,
})

/** The entries of the stack in an error: contract, function, line. */
export const stackOf = ({ error }: any): readonly string[] =>
  error.solidityStack.map((one: any) => [one.contract, one.function, one.line].filter(Boolean).join(' '))

/** The whole stack. */
export const WHOLE = [
  `Token _move ${lineOf('revert TooPoor')}`,
  `Token transferFrom ${lineOf('_move(from, to, value);')}`,
  `Shop buy ${lineOf('token.transferFrom(msg.sender')}`,
]

/** Runs a test with a fork, and the faults that it has reported. */
export async function withFork(
  options: OptionsInput,
  run: (url: string, faults: readonly string[]) => Promise<void>,
) {
  const faults: string[] = []
  const hooks: NodeHooks = { onFault: (fault) => faults.push(fault instanceof Error ? fault.message : '') }
  await withServer(options, ({ url }) => run(url, faults), hooks)
}

/** The explanation of the request that fails. */
export const explained = async (url: string, { request }: Scene): Promise<any> =>
  (await answerOf(url, 'dev_explainCall', [request, 'latest'])).result
