/** Random traffic of the peg on one node and its worlds, and the sums that it must keep (peg-traffic.test.ts). */

import { auxChainOf } from '../../../support/networks.ts'
import { expect } from '@jest/globals'
import { asAddress, fromHex, toHex, toQuantity } from '../../../../lib/base/hex.ts'
import { keccak256 } from '../../../../lib/crypto/keccak.ts'
import {
  readAuxTransaction,
  type AuxTransaction,
} from '../../../../lib/modules/network-33/bridge/aux-transaction.ts'
import { BridgeStorage } from '../../../../lib/modules/network-33/bridge/bridge-storage.ts'
import { WEI_PER_SAT } from '../../../../lib/modules/network-33/bridge/constants.ts'
import { BRIDGE_EVENTS } from '../../../../lib/modules/network-33/bridge/events.ts'
import {
  federationOutputScript,
  genesisFederation,
} from '../../../../lib/modules/network-33/bridge/federation.ts'
import { isProcessed } from '../../../../lib/modules/network-33/bridge/pegin-methods.ts'
import {
  COINS,
  sumOf,
  CONFIRMING,
  QUEUE,
  RELEASED,
  SIGNING,
} from '../../../../lib/modules/network-33/bridge/pegout-state.ts'
import type { Node } from '../../../../lib/node/node.ts'
import { State } from '../../../../lib/state/state.ts'
import { ALL_COINS } from './bridge.ts'
import { textOf } from '../../../support/fingerprint.ts'
import { call } from '../../../support/node.ts'
import { BRIDGE } from './peg-in.ts'
import type { Draw } from '../../../support/random-draws.ts'

/** Does something at random. */
export type Step = (traffic: PegTraffic) => Promise<unknown>

/** Version and hash of addresses of the user and the provider of a flyover. */
export const USER = Uint8Array.of(0x6f, ...new Uint8Array(20).fill(0x11))
export const PROVIDER = Uint8Array.of(0x6f, ...new Uint8Array(20).fill(0x22))

/** The contract of the provider. */
export const FORWARDER = asAddress(`0x${'f0'.repeat(20)}`)

/** Hashes of the agreements of flyovers, by the hash of their arguments. */
export const AGREEMENTS = [1, 2].map((number) => {
  const argumentsHash = new Uint8Array(32).fill(number)
  return {
    argumentsHash,
    hash: keccak256(Buffer.concat([argumentsHash, USER, fromHex(FORWARDER), PROVIDER])),
  }
})

/** What a snapshot of a chain has to restore. */
interface Saved {
  readonly id: string
  readonly observed: string
  readonly keptWei: bigint
  readonly scanned: bigint
}

/** One chain of the node: its snapshots, and the wei that its Bridge kept without a peg-out for it. */
interface Chain {
  readonly node: Node
  snapshots: Saved[]
  keptWei: bigint
  /** Number of the last block whose events are counted. */
  scanned: bigint
}

/** State, auxiliary chain and pool as a text. */
const observe = (node: Node): string => {
  const { chain, mempool } = node
  const { blocks, pool } = auxChainOf(node)
  const pooled = [...mempool.senders()].flatMap((sender) =>
    mempool.from(sender).map(({ transaction }) => transaction.hash),
  )
  return textOf([
    chain.head.block.hash,
    chain.head.state,
    blocks.at(-1)?.header.hash,
    blocks.length,
    pool.length,
    pooled,
  ])
}

/** Random traffic of a node and its worlds. */
export class PegTraffic {
  readonly log: string[] = []
  /** Topics of the events so far. */
  readonly topics = new Set<string>()
  readonly #draw: Draw
  readonly release: string
  readonly #supply: bigint
  #chains: readonly [Chain, ...Chain[]]
  #current: Chain
  #worlds = 0

  constructor(node: Node, draw: Draw) {
    this.#draw = draw
    this.release = node.network.release!
    this.#supply = supplyOf(node)
    this.#current = { node, snapshots: [], keptWei: 0n, scanned: 0n }
    this.#chains = [this.#current]
  }

  /** Makes one of the steps, and checks the sums of its chain. */
  async step(steps: readonly (readonly [name: string, run: Step])[]): Promise<void> {
    const [name, run] = this.pick(steps)
    this.log.push(name)
    await run(this)
    // `evm_mine` postpones empty blocks.
    this.node.miner.makePostponedBlocks()
    this.#count()
    this.#check()
  }

  get node(): Node {
    return this.#current.node
  }

  get storage(): BridgeStorage {
    return new BridgeStorage(new State(this.node.chain.head.state))
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.#draw(items.length)]!
  }

  below(bound: number): number {
    return this.#draw(bound)
  }

  /** Sends a call of the Bridge; it may fail. */
  async send(from: string, data: string, value = 0n, to: string = BRIDGE): Promise<void> {
    const request = { from, to, data, value: toQuantity(value), gas: '0x200000', gasPrice: '0x0' }
    try {
      await call(this.node, 'eth_sendTransaction', [request])
    } catch (error) {
      this.log.push(`  ${String(error)}`)
    }
  }

  /** Calls a method of the node; it may be refused. */
  async call(method: string, params: readonly unknown[] = []): Promise<any> {
    this.log.push(`  ${method} ${JSON.stringify(params).slice(0, 200)}`)
    try {
      return await call(this.node, method, params)
    } catch (error) {
      this.log.push(`  ${String(error)}`)
      return undefined
    }
  }

  async takeSnapshot(): Promise<void> {
    const { node, keptWei, scanned } = this.#current
    const observed = observe(node)
    this.#current.snapshots.push({ id: await this.call('evm_snapshot'), observed, keptWei, scanned })
  }

  async revert(): Promise<void> {
    const { snapshots, node } = this.#current
    if (snapshots.length === 0) return
    const index = this.below(snapshots.length)
    const { id, observed, keptWei, scanned } = snapshots[index]!
    expect(await this.call('evm_revert', [id])).toBe(true)
    expect(observe(node)).toBe(observed)
    Object.assign(this.#current, { snapshots: snapshots.slice(0, index), keptWei, scanned })
  }

  /** Creates a world of the default chain's head, or deletes the newest one, and goes on in one of the chains. */
  async changeWorld(): Promise<void> {
    const before = this.#chains.map(({ node }) => observe(node))
    const [first, ...others] = this.#chains
    if (others.length < 3) {
      const id = `world-${this.#worlds++}`
      await call(first.node, 'dev_createWorld', [{ id }])
      const { chain: node } = first.node.worlds.acquire(id)
      this.#chains = [...this.#chains, { ...first, node, snapshots: [] }]
      expect(observe(node).split(',').slice(0, 5)).toEqual(before[0]!.split(',').slice(0, 5))
    }
    expect(this.#chains.slice(0, before.length).map(({ node }) => observe(node))).toEqual(before)
    this.#current = this.pick(this.#chains)
  }

  /** Counts what requests left in the Bridge without a peg-out: those of contracts, and fractions of a sat. */
  #count(): void {
    const { chain } = this.node
    const number = chain.head.block.header.number
    for (let at = this.#current.scanned + 1n; at <= number; at++) {
      for (const { outcome } of chain.at(at)!.block.receipts) {
        for (const { topics, data } of outcome.logs) {
          this.topics.add(topics[0]!)
          const words = [...toHex(data).slice(2).matchAll(/.{64}/g)].map(([word]) => BigInt(`0x${word}`))
          if (topics[0] === BRIDGE_EVENTS.release_request_rejected.topic && words[1] === 2n)
            this.#current.keptWei += words[0]!
          if (topics[0] === BRIDGE_EVENTS.release_request_received.topic)
            this.#current.keptWei += words[1]! % WEI_PER_SAT
        }
      }
    }
    this.#current.scanned = number
  }

  #check(): void {
    const { node, storage } = this
    expect(supplyOf(node)).toBe(this.#supply)
    const federation = genesisFederation(this.release)
    const own = toHex(federationOutputScript(federation))
    const pending = [...CONFIRMING.read(storage), ...SIGNING.read(storage), ...RELEASED.read(storage)].map(
      ({ raw }) => readAuxTransaction(raw),
    )
    const change = pending.flatMap(({ outputs }) => outputs).filter(({ script }) => toHex(script) === own)
    const held = sumOf(COINS.read(storage)) + sumOf(change) - sumOf(QUEUE.read(storage))
    const balance = node.chain.head.state.balance(asAddress(BRIDGE))
    expect(held * WEI_PER_SAT).toBe(ALL_COINS - balance + this.#current.keptWei)
    expect(coinsOf(storage)).toEqual(this.#unspent(pending))
  }

  /** Outputs to the federation of registered transactions of the auxiliary chain that neither it nor a release spends. */
  #unspent(pending: readonly AuxTransaction[]): readonly string[] {
    const { node, storage } = this
    const federation = genesisFederation(this.release)
    const scripts = new Map([
      [toHex(federationOutputScript(federation)), undefined],
      ...AGREEMENTS.map(({ hash }) => [toHex(federationOutputScript(federation, hash)), hash] as const),
    ])
    const { blocks, pool } = auxChainOf(node)
    const mined = blocks.flatMap(({ transactions }) => transactions)
    const spent = new Set(
      [...mined, ...pool, ...pending].flatMap(({ inputs }) =>
        inputs.map(({ previousId, previousIndex }) => `${toHex(previousId)}:${previousIndex}`),
      ),
    )
    const isRegistered = (id: Uint8Array, hash: Uint8Array | undefined) =>
      hash === undefined
        ? isProcessed(storage, id)
        : storage.bytes(`flyover/${toHex(id)}/${toHex(hash)}`) !== undefined
    return mined
      .flatMap(({ id, outputs }) =>
        outputs.flatMap(({ sat, script }, index) => {
          const shown = toHex(script)
          const outpoint = `${toHex(id)}:${index}`
          return scripts.has(shown) && isRegistered(id, scripts.get(shown)) && !spent.has(outpoint)
            ? [`${outpoint} ${sat}`]
            : []
        }),
      )
      .sort()
  }
}

const coinsOf = (storage: BridgeStorage): readonly string[] =>
  COINS.read(storage)
    .map(({ transactionId, index, sat }) => `${toHex(transactionId)}:${index} ${sat}`)
    .sort()

function supplyOf({ chain }: Node): bigint {
  let sum = 0n
  for (const [, { balance }] of chain.head.state.accounts()) sum += balance
  return sum
}
