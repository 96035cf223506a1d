/** A shop that sells for tokens, on a chain whose node knows the artifacts of a tool. */

import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Contract, ContractFactory, JsonRpcProvider } from 'ethers'
import type { OptionsInput } from '../../lib/modules/options.ts'
import type { NodeHooks } from '../../lib/config/request-log.ts'
import type { RpcMethods } from '../../lib/embed/rpc-types.ts'
import { compileProject, writeInto, writeProject } from './artifact-projects.ts'
import type { SolcRun } from './artifact-projects.ts'
import { withServer } from './server.ts'

/** An explanation as a client reads it. */
export type Explained = Exclude<RpcMethods['dev_explainTransaction']['result'], null>

export const PATH = 'contracts/Shop.sol'
export const content = readFileSync(join(import.meta.dirname, '../../fixtures/explained/Shop.sol'), 'utf8')

/** The project with a prefix before the path of the source. */
export const compiledAs = (prefix: string): SolcRun => compileProject({ [prefix + PATH]: content })
export const plain = compiledAs('')

/** The line of the source with a text. */
export const lineOf = (text: string): number =>
  1 + content.split('\n').findIndex((line) => line.includes(text))

/** A shop and its token on a chain, and explanations of what is sent. */
export interface Scene {
  readonly url: string
  /** The folder of the artifacts. */
  readonly artifacts: string
  readonly shop: Contract
  readonly token: Contract
  readonly buyer: string
  readonly explain: (sent: Promise<{ readonly hash: string }>) => Promise<Explained>
  readonly explainCall: (request: object) => Promise<Explained>
}

/** Deploys both, and knows the contracts from these files. */
export async function withShop(
  files: Parameters<typeof writeProject>[0],
  run: (scene: Scene) => Promise<void>,
  options: OptionsInput = {},
  hooks: NodeHooks = {},
) {
  const folder = await writeProject(files)
  // Foundry's artifacts do not contain the sources.
  await writeInto(folder, PATH, content)
  const top = files.some(([path]) => path.startsWith('build/'))
    ? 'build/contracts'
    : files[0]![0].split('/')[0]!
  const artifacts = join(folder, top)
  try {
    await withServer(
      { network: 'ethereum', dialect: 'node33', artifacts: [artifacts], ...options },
      async ({ url }) => {
        const provider = new JsonRpcProvider(url, undefined, {
          cacheTimeout: -1,
          staticNetwork: true,
          batchMaxCount: 1,
        })
        try {
          const signer = await provider.getSigner(0)
          const deploy = async (name: string, ...given: readonly unknown[]): Promise<Contract> => {
            const { abi, evm } = plain.output.contracts[PATH]![name]!
            const factory = new ContractFactory(abi as never, evm.bytecode.object, signer)
            const contract = await factory.deploy(...given)
            return new Contract(await contract.getAddress(), abi as never, signer)
          }
          const token = await deploy('Token', 1000)
          const shop = await deploy('Shop', await token.getAddress())
          await token['approve']!(await shop.getAddress(), 5000)
          await run({
            url,
            artifacts,
            shop,
            token,
            buyer: await signer.getAddress(),
            explain: async (sent) => {
              const { hash } = await sent
              return provider.send('dev_explainTransaction', [hash]) as Promise<Explained>
            },
            explainCall: (request) =>
              provider.send('dev_explainCall', [request, 'latest']) as Promise<Explained>,
          })
        } finally {
          provider.destroy()
        }
      },
      hooks,
    )
  } finally {
    // The node may read an artifact for as long as it runs.
    await rm(folder, { recursive: true })
  }
}

const gasLimit = 500_000

/** Sends a transaction that fails; the hash of it. */
export const failed = async (contract: Contract, name: string, ...given: readonly unknown[]) => {
  const sent = await (contract[name]!(...given, { gasLimit }) as Promise<{ readonly hash: string }>).catch(
    () => undefined,
  )
  if (sent !== undefined) return sent
  const block = await contract.runner!.provider!.getBlock('latest')
  return { hash: block!.transactions[0]! }
}
