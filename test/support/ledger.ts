/** A contract behind the proxies and clones of OpenZeppelin, on a chain whose node knows the artifacts. */

import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Contract, ContractFactory, JsonRpcProvider } from 'ethers'
import type { InterfaceAbi } from 'ethers'
import { compileProject, standardJson, writeProject } from './artifact-projects.ts'
import type { SolcContract } from './artifact-projects.ts'
import { withServer } from './server.ts'
import type { Explained } from './shop.ts'

const root = join(import.meta.dirname, '../..')

/** The sources that a source imports, by the path that the compiler gives them, with that source itself. */
function withImports(path: string, file: string): Readonly<Record<string, string>> {
  const sources: Record<string, string> = {}
  const add = (name: string, from: string): void => {
    if (sources[name] !== undefined) return
    const content = (sources[name] = readFileSync(from, 'utf8'))
    for (const [, imported = ''] of content.matchAll(/^import .*?"(.*?)";$/gm)) {
      const isRelative = imported.startsWith('.')
      const target = isRelative ? join(dirname(name), imported) : imported
      add(target, join(root, 'node_modules', target))
    }
  }
  add(path, file)
  return sources
}

const sources = withImports('contracts/Ledger.sol', join(root, 'fixtures/explained/Ledger.sol'))
const run = compileProject(sources, { optimizer: { enabled: true } })

/** The compiled contract with a name. */
function compiled(name: string): SolcContract {
  const found = Object.values(run.output.contracts).find((contracts) => contracts[name] !== undefined)
  return found![name]!
}

/** Explanations of calls through proxies. */
export interface LedgerScene {
  readonly url: string
  readonly user: string
  /** Deploys a contract and returns its address. */
  readonly deploy: (name: string, ...given: readonly unknown[]) => Promise<string>
  /** A contract of an ABI at an address. */
  readonly at: (address: string, name?: string) => Contract
  readonly explain: (sent: Promise<{ readonly hash: string }>) => Promise<Explained>
  readonly explainCall: (request: object) => Promise<Explained>
  readonly send: JsonRpcProvider['send']
}

/** Runs a test on a chain. */
export async function withLedger(test: (scene: LedgerScene) => Promise<void>): Promise<void> {
  const folder = await writeProject(standardJson(run))
  try {
    await withServer({ network: 'ethereum', artifacts: [folder] }, async ({ url }) => {
      const provider = new JsonRpcProvider(url, undefined, {
        cacheTimeout: -1,
        staticNetwork: true,
        batchMaxCount: 1,
      })
      try {
        const signer = await provider.getSigner(0)
        await test({
          url,
          user: await signer.getAddress(),
          deploy: async (name, ...given) => {
            const { abi, evm } = compiled(name)
            const factory = new ContractFactory(abi as InterfaceAbi, evm.bytecode.object, signer)
            const contract = await factory.deploy(...given)
            return contract.getAddress()
          },
          at: (address, name = 'Ledger') => new Contract(address, compiled(name).abi as InterfaceAbi, signer),
          explain: async (sent) => {
            const { hash } = await sent
            return provider.send('dev_explainTransaction', [hash]) as Promise<Explained>
          },
          explainCall: (request) =>
            provider.send('dev_explainCall', [request, 'latest']) as Promise<Explained>,
          send: (method, params) => provider.send(method, params),
        })
      } finally {
        provider.destroy()
      }
    })
  } finally {
    // The node may read an artifact for as long as it runs.
    await rm(folder, { recursive: true })
  }
}
