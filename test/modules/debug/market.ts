/** A market on a node in process that knows its sources, for tests of the debugger. */

import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Interface } from 'ethers'
import type { OptionsInput } from '../../../lib/modules/options.ts'
import type { DebuggerPart } from '../../../lib/modules/debug/methods.ts'
import type { DebugSession } from '../../../lib/modules/debug/debug-session.ts'
import type { Node } from '../../../lib/node/node.ts'
import type { Breakpoint } from '../../../lib/modules/debug/params.ts'
import type { DebugFrame, DebugSessionResult, DebugStop } from '../../../lib/modules/debug/results.ts'
import { compileProject, hardhat2, writeProject } from '../../support/artifact-projects.ts'
import { call, freshNode } from '../../support/node.ts'

export const PATH = 'contracts/Market.sol'
const content = readFileSync(join(import.meta.dirname, '../../../fixtures/debugged/Market.sol'), 'utf8')
const run = compileProject({ [PATH]: content })

type ContractName = 'Market' | 'Proxy' | 'Purse'

/** The market, compiled with settings. */
export const compiledMarket = (settings: object): typeof run => compileProject({ [PATH]: content }, settings)

/** The call data of a function of the market. */
export const dataOf = (name: string, ...given: readonly unknown[]): string =>
  new Interface(run.output.contracts[PATH]!['Market']!.abi as never).encodeFunctionData(name, given)

/** The first line of the source with a text, after the first line with another one. */
export function lineOf(text: string, after = 'pragma'): number {
  const lines = content.split('\n')
  const from = lines.findIndex((line) => line.includes(after))
  return 1 + lines.findIndex((line, index) => index > from && line.includes(text))
}

/** A breakpoint on the line with a text. */
export const lineAt = (text: string, after?: string): Extract<Breakpoint, { kind: 'line' }> => ({
  id: 1,
  kind: 'line',
  path: PATH,
  line: lineOf(text, after),
})

type Motion = 'into' | 'over' | 'out' | 'instruction' | 'run'

/** Asks a node for a result. */
export type AskNode = (method: string, params?: readonly unknown[]) => Promise<any>

/** The session of a recording, within its node. */
export const sessionOf = async (node: Node, { summary }: Opened): Promise<DebugSession> => {
  const { loadDebugger } = node as Node & DebuggerPart
  return (await loadDebugger()).session(summary.session)
}

/** An open recording, as a client of the methods sees it. */
export class Opened {
  readonly #ask: AskNode
  readonly summary: DebugSessionResult

  constructor(ask: AskNode, summary: DebugSessionResult) {
    this.#ask = ask
    this.summary = summary
  }

  ask(method: string, ...params: readonly unknown[]): Promise<any> {
    return this.#ask(method, [this.summary.session, ...params])
  }

  async frames(step: number): Promise<readonly DebugFrame[]> {
    return (await this.ask('dev_debugStack', step)).frames
  }

  /** Names of the running functions with their lines, innermost first. */
  async shown(step: number): Promise<readonly string[]> {
    return (await this.frames(step)).map(({ name, place }) => `${name}:${place?.line ?? '?'}`)
  }

  /** Line of the innermost function. */
  async lineAt(step: number): Promise<number | undefined> {
    return (await this.frames(step))[0]?.place?.line
  }

  move(step: number, kind: Motion, more: object = {}): Promise<DebugStop> {
    return this.ask('dev_debugMove', step, { kind, ...more })
  }

  back(step: number, kind: Motion, breakpoints: readonly object[] = []): Promise<DebugStop> {
    return this.move(step, kind, { direction: 'backwards', breakpoints })
  }

  /** The first step at which a breakpoint stops, after a step. */
  async stepAt(breakpoint: object, from = 0): Promise<number> {
    return (await this.move(from, 'run', { breakpoints: [breakpoint] })).step
  }

  /** Values of a scope, or in a variable, by name; of what is not known, why. */
  async values(step: number, path: readonly string[], frame?: number): Promise<Record<string, string>> {
    const within = frame ?? (await this.frames(step)).length - 1
    const found: { name: string; value: string; unknown?: string }[] = await this.ask(
      'dev_debugVariables',
      step,
      within,
      path,
    )
    return Object.fromEntries(found.map(({ name, value, unknown }) => [name, unknown ?? value]))
  }

  /** The value of an expression in the innermost function. */
  async evaluate(step: number, expression: string): Promise<string> {
    const frame = (await this.frames(step)).length - 1
    const { value, unknown } = await this.ask('dev_debugEvaluate', step, frame, expression)
    return unknown ?? value
  }
}

/** A market on a chain. */
export interface MarketScene {
  readonly user: string
  readonly market: string
  /** Hash of the transaction that created it. */
  readonly created: string
  readonly deploy: (name: ContractName, given?: readonly unknown[]) => Promise<string>
  /** Calls a function of the market by a transaction; returns its hash, also if it fails. */
  readonly send: (name: string, given?: readonly unknown[], more?: object) => Promise<string>
  readonly open: (target: object) => Promise<Opened>
  /** Calls a function, and opens the recording of the transaction. */
  readonly record: (name: string, given?: readonly unknown[], more?: object) => Promise<Opened>
}

/** Writes the artifacts; returns their folder. */
export const marketArtifacts = (compiled = run): Promise<string> => writeProject(hardhat2(compiled))

/** The compilation without the settings of the compiler. */
export function withoutSettings(): typeof run {
  const copy = structuredClone(run)
  Reflect.deleteProperty(copy.input, 'settings')
  for (const contract of Object.values(copy.output.contracts[PATH]!))
    Object.assign(contract, { metadata: '' })
  return copy
}

/** A node with a market, and its end. */
export async function startMarket(
  options: OptionsInput = {},
  compiled = run,
): Promise<MarketScene & { readonly node: Node; readonly end: () => Promise<void> }> {
  const folder = await marketArtifacts(compiled)
  const node = await freshNode({
    network: 'ethereum',
    artifacts: [join(folder, 'artifacts')],
    returnHashOnRevert: true,
    ...options,
  })
  const end = async (): Promise<void> => {
    await node.close()
    await rm(folder, { recursive: true })
  }
  const ask: AskNode = (method, params) => call(node, method, params)
  return { ...(await marketOn(ask, compiled)), node, end }
}

/** Deploys a market on a node that knows its artifacts. */
export async function marketOn(ask: AskNode, compiled = run): Promise<MarketScene> {
  const [user] = await ask('eth_accounts')
  const transact = (transaction: object): Promise<string> =>
    ask('eth_sendTransaction', [{ from: user, gas: '0x4c4b40', ...transaction }])
  const create = (name: ContractName, given: readonly unknown[] = []): Promise<string> => {
    const { abi, evm } = compiled.output.contracts[PATH]![name]!
    const encoded = new Interface(abi as never).encodeDeploy(given)
    return transact({ data: `0x${evm.bytecode.object}${encoded.slice(2)}` })
  }
  const addressOf = async (hash: string): Promise<string> =>
    (await ask('eth_getTransactionReceipt', [hash])).contractAddress
  const created = await create('Market')
  const market = await addressOf(created)
  const send = (name: string, given: readonly unknown[] = [], more: object = {}): Promise<string> =>
    transact({ to: market, data: dataOf(name, ...given), ...more })
  const open = async (target: object): Promise<Opened> =>
    new Opened(ask, await ask('dev_debugOpen', [target]))
  return {
    user,
    market,
    created,
    deploy: async (name, given) => addressOf(await create(name, given)),
    send,
    open,
    record: async (name, given, more) => open({ transaction: await send(name, given, more) }),
  }
}
