/** Runs the transactions of a source on a fresh node. */

import { Interface } from 'ethers'
import type { InterfaceAbi } from 'ethers'
import type { OptionsInput } from '../../../../lib/modules/options.ts'
import type { Node } from '../../../../lib/node/node.ts'
import { call, freshNode } from '../../../support/node.ts'
import type { TracedCall } from './expected.ts'
import type { Action, CorpusSource } from './source.ts'

type LinkReferences = Readonly<
  Record<string, Readonly<Record<string, readonly { readonly start: number; readonly length: number }[]>>>
>

/** The compiler's output for a contract. */
interface CompiledContract {
  readonly abi: InterfaceAbi
  readonly evm: { readonly bytecode: { readonly object: string; readonly linkReferences: LinkReferences } }
}

/** The contracts of a source by name. */
export type CompiledContracts = Readonly<Record<string, CompiledContract>>

/** A node with the transactions that ran on it. */
export interface Run {
  readonly node: Node
  readonly hashes: readonly string[]
}

const GAS = '0xf00000'

/** Runs the transactions of sources one after another. */
export async function runSources(
  sources: readonly CorpusSource[],
  contracts: Readonly<Record<string, CompiledContracts>>,
  options: OptionsInput = {},
): Promise<Run> {
  const node = await freshNode({
    network: 'ethereum',
    allowUnlimitedContractSize: true,
    returnHashOnRevert: true,
    ...options,
  })
  const [from] = await call(node, 'eth_accounts')
  const hashes: string[] = []
  const send = async (transaction: object): Promise<any> => {
    const hash = await call(node, 'eth_sendTransaction', [{ from, gas: GAS, ...transaction }])
    hashes.push(hash)
    return call(node, 'eth_getTransactionReceipt', [hash])
  }
  for (const { path, actions } of sources) await runActions(actions, contracts[path]!, send)
  return { node, hashes }
}

/** The call of a transaction with all within. */
export const traced = ({ node }: Run, hash: string): Promise<TracedCall> =>
  call(node, 'debug_traceTransaction', [hash, { tracer: 'callTracer' }])

type Send = (transaction: object) => Promise<{ readonly contractAddress: string | null }>

async function runActions(
  actions: readonly Action[],
  contracts: CompiledContracts,
  send: Send,
): Promise<void> {
  const libraries = new Map<string, string>()
  let target = { abi: new Interface([]), to: '' }
  for (const { kind, name, given, data, value: wei } of actions) {
    const value = `0x${wei.toString(16)}`
    if (kind === 'call') {
      await send({ to: target.to, value, data: data || target.abi.encodeFunctionData(name, given) })
      continue
    }
    const abi = new Interface(contracts[name]!.abi)
    const code = await linkedCode(name, { contracts, libraries, send })
    const { contractAddress } = await send({ value, data: code + abi.encodeDeploy(given).slice(2) })
    target = { abi, to: contractAddress! }
  }
}

/** Code with addresses of the libraries, which are deployed at their first use. */
async function linkedCode(
  name: string,
  scene: { contracts: CompiledContracts; libraries: Map<string, string>; send: Send },
): Promise<string> {
  const { object, linkReferences } = scene.contracts[name]!.evm.bytecode
  let code = object
  for (const [library, places] of Object.values(linkReferences).flatMap((one) => Object.entries(one))) {
    if (!scene.libraries.has(library)) {
      const { contractAddress } = await scene.send({ data: await linkedCode(library, scene) })
      scene.libraries.set(library, contractAddress!.slice(2))
    }
    for (const { start, length } of places)
      code = code.slice(0, 2 * start) + scene.libraries.get(library)! + code.slice(2 * (start + length))
  }
  return `0x${code}`
}
