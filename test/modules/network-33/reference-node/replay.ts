/** Replays a recording of the reference node on a fresh node, over HTTP, and collects what this node answers differently. */

import { MODULES } from '../../../../lib/modules/list.ts'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toHex } from '../../../../lib/base/hex.ts'
import type { OptionsInput } from '../../../../lib/modules/options.ts'
import { resolveOptions } from '../../../../lib/modules/resolve-options.ts'
import { keccak256 } from '../../../../lib/crypto/keccak.ts'
import { createNode } from '../../../../lib/node/node.ts'
import type { Node } from '../../../../lib/node/node.ts'
import { connectHooks } from '../../../../lib/rpc/execution-log.ts'
import { serveNode } from '../../../../lib/server/start.ts'
import { ManualHost } from '../../../support/node.ts'
import { ask } from '../../../support/server.ts'
import type { Reply } from '../../../support/server.ts'
import { submissionFor } from './aux-work.ts'
import { compareAnswers, outcomeOf } from './comparison.ts'
import type { Found } from './comparison.ts'
import { HashPairs } from './hash-pairs.ts'
import { parsePrefix } from './json-prefix.ts'
import { Positions } from './positions.ts'
import type { Recording, Setup, Step } from './recording.ts'

/** A place at which this node answers otherwise than the reference node. */
export interface Difference extends Found {
  readonly session: string
  /** Index of the step. */
  readonly step: number
  readonly method: string
  readonly request: Step
}

/** Answers of the whole session that differ, in order. */
export async function replay(
  { session, setup, steps }: Recording,
  options: OptionsInput = {},
): Promise<readonly Difference[]> {
  const folder = mkdtempSync(join(tmpdir(), 'replay-'))
  const host = new ManualHost()
  const faults: Error[] = []
  const values = { systemTransaction: true, port: 0, ...optionsFor(setup, folder), ...options }
  const node = await createNode(resolveOptions({ values }), {
    modules: MODULES,
    host,
    onFault: (error) => faults.push(error),
  })
  const server = await serveNode(
    node,
    connectHooks(node, { onFault: (error) => faults.push(error as Error) }),
  )
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const player = new Player({ steps, host, node, asking: (what) => ask(server, { agent, ...what }) })
  try {
    const differences: Difference[] = []
    for (const [step, request] of steps.entries())
      for (const found of await player.play(request, step))
        differences.push({ session, step, method: request.method ?? 'raw', request, ...found })
    return differences
  } finally {
    agent.destroy()
    await server.close()
    rmSync(folder, { recursive: true })
  }
}

function optionsFor({ mining, minimumGasPriceTarget, quota }: Setup, folder: string): OptionsInput {
  const network = join(folder, 'network.json')
  if (minimumGasPriceTarget !== undefined)
    writeFileSync(network, JSON.stringify({ extends: 'network-33', minimumGasPriceTarget }))
  const gasQuota = quota === true ? {} : { gasQuota: false }
  return { ...gasQuota, ...(mining && { mining }), ...(minimumGasPriceTarget !== undefined && { network }) }
}

type Asking = (what: Parameters<typeof ask>[1]) => Promise<Reply>

/** Requests in a batch that the reference node answers. */
const BATCH_LIMIT = 50

const HASH = /^0x[0-9a-f]{64}$/

interface Parts {
  readonly steps: readonly Step[]
  readonly host: ManualHost
  readonly node: Node
  readonly asking: Asking
}

class Player {
  readonly #pairs = new HashPairs()
  readonly #positions: Positions
  /** Hashes of raw transactions. They have them on every node. */
  readonly #sent = new Set<string>()
  readonly #ask: Asking
  readonly #host: ManualHost
  readonly #instance: Node['instance']

  constructor({ steps, host, node, asking }: Parts) {
    this.#instance = node.instance
    this.#positions = new Positions(steps)
    this.#ask = asking
    this.#host = host
  }

  /** Does one step, and returns what differs. */
  async play(step: Step, at: number): Promise<readonly Found[]> {
    if (step.at !== undefined) this.#host.setBack(this.#host.now() - step.at)
    if (step.mineTo !== undefined) await this.#mineTo(step.mineTo)
    if (step.method === undefined && step.raw === undefined) return []
    const body = await this.#bodyOf(step, at)
    const { verb: method = 'POST', headers = {} } = step
    const asked = { method, headers, ...(body !== '' || method === 'POST' ? { body } : {}) }
    const before = this.#instance.capture()
    this.#instance.captures.add(before)
    let reply = await this.#ask(asked)
    // What only this node takes would change every answer after it.
    if (wasRefused(step) && outcomeOf(jsonOf(reply.text)) === 'result')
      await this.#instance.lock.run('write', () => this.#instance.restore(before))
    this.#instance.captures.delete(before)
    for (let left = step.times ?? 1; left > 1; left--) reply = await this.#ask(asked)
    return [...this.#compare(step, reply), ...(await this.#compareHead(step))]
  }

  async #bodyOf({ method = '', params = [], raw }: Step, at: number): Promise<string> {
    if (typeof raw === 'string') return raw
    if (raw !== undefined)
      return raw
        .map((part, index) => (typeof part === 'number' ? '' : part.repeat(numberAfter(raw, index))))
        .join('')
    if (method === 'eth_sendRawTransaction') this.#sent.add(rawHash(params))
    for (const hash of hashesIn(params)) await this.#resolve(hash, at)
    const translated = this.#pairs.translate(params)
    const sent = method.startsWith('mnr_submit')
      ? submissionFor(method, params as readonly string[], translated as readonly string[])
      : translated
    return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: sent })
  }

  #compare(step: Step, { status, text }: Reply): readonly Found[] {
    const { method = 'raw', http = 200, start } = step
    if (step.answer === undefined && start === undefined) return []
    const { value: recorded, open } =
      start === undefined ? { value: step.answer, open: new Set([]) } : parsePrefix(start)
    const found = compareAnswers({
      method,
      recorded,
      own: jsonOf(text),
      open: step.partial === true ? everyObject(recorded) : open,
      pairs: this.#pairs,
    })
    return status === http ? found : [{ path: 'http', recorded: http, own: status }, ...found]
  }

  async #compareHead({ head }: Step): Promise<readonly Found[]> {
    if (head === undefined) return []
    const own = await this.#height()
    await this.#mineTo(head)
    return own === head ? [] : [{ path: 'head', recorded: head, own }]
  }

  async #mineTo(height: number): Promise<void> {
    for (let missing = height - (await this.#height()); missing > 0; missing -= BATCH_LIMIT) {
      const mine = { jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] }
      const batch = Array.from({ length: Math.min(missing, BATCH_LIMIT) }, () => mine)
      await this.#ask({ body: JSON.stringify(batch) })
    }
  }

  async #height(): Promise<number> {
    return Number(await this.#result('eth_blockNumber', []))
  }

  /** Learns this node's hash for one that the recording tells the position of. */
  async #resolve(hash: string, at: number): Promise<void> {
    if (this.#pairs.ownOf(hash) !== undefined) return
    const position = this.#positions.find(hash, at)
    if (position === undefined || this.#sent.has(hash)) return
    const { block, index } = position
    if (index !== undefined && (await this.#result('eth_getTransactionByHash', [hash])) !== null) return
    const own = await this.#result('eth_getBlockByNumber', [block, false])
    if (typeof own !== 'object' || own === null) return
    const { hash: blockHash, transactions } = own as { hash: string; transactions: readonly string[] }
    const found = index === undefined ? blockHash : transactions[index]
    if (found !== undefined) this.#pairs.learn(hash, found)
  }

  async #result(method: string, params: readonly unknown[]): Promise<unknown> {
    const { text } = await this.#ask({ body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) })
    return (jsonOf(text) as { readonly result?: unknown }).result ?? null
  }
}

const rawHash = (params: unknown): string => {
  const [raw]: readonly unknown[] = Array.isArray(params) ? params : []
  return typeof raw === 'string' && /^0x([0-9a-f]{2})+$/.test(raw)
    ? toHex(keccak256(Buffer.from(raw.slice(2), 'hex')))
    : ''
}

const numberAfter = (parts: readonly (string | number)[], index: number): number => {
  const next = parts[index + 1]
  return typeof next === 'number' ? next : 1
}

const isSending = ({ method = '' }: Step): boolean => /^(eth|personal)_send/.test(method)

/** Code of a transaction that the reference node keeps in its pool. */
const NOT_MINED = -32_009

/** Whether the reference node refused a transaction or a block. */
function wasRefused(step: Step): boolean {
  const { error } = (step.answer ?? {}) as { readonly error?: { readonly code?: number } }
  return (isSending(step) || step.method === 'evm_mine') && error !== undefined && error.code !== NOT_MINED
}

function hashesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return HASH.test(value) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(hashesIn) : []
}

function everyObject(value: unknown): ReadonlySet<unknown> {
  if (typeof value !== 'object' || value === null) return new Set()
  return new Set([value, ...Object.values(value).flatMap((item) => [...everyObject(item)])])
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
