/** Checks that old blocks and the states after them are answered as when they were new, after random changes of the chain. */

import { expect, test } from '@jest/globals'
import { toQuantity } from '../../lib/base/hex.ts'
import type { ChainEntry } from '../../lib/chain/chain-entry.ts'
import type { Node } from '../../lib/node/node.ts'
import { call, freshNode } from '../support/node.ts'
import { drawsFrom } from '../support/random-draws.ts'
import type { Draw } from '../support/random-draws.ts'
import { addressOf } from '../support/transactions.ts'

/** Sets a slot to a value, both of its data, and logs the caller; destructs itself when its data have 33 bytes. */
const CODE = '36602114601557602035600035553360006000a1005b33ff'
const CREATION = `0x77${CODE}60005260186008f3`

const quantity = (value: number) => `0x${value.toString(16)}`
const word = (value: number) => value.toString(16).padStart(64, '0')

/** What is asked about a canonical block and the state after it. */
async function answersAt(
  node: Node,
  entry: ChainEntry,
  accounts: readonly string[],
): Promise<readonly unknown[]> {
  const tag = quantity(entry.number)
  const ask = (method: string, ...params: readonly unknown[]) => call(node, method, params)
  const block = await ask('eth_getBlockByNumber', tag, true)
  const answers = [
    block,
    entry.state.hash,
    await ask('eth_getBlockByHash', block.hash, false),
    await ask('eth_getBlockReceipts', tag),
    await ask('eth_getLogs', { blockHash: block.hash }),
    await ask('debug_getRawBlock', tag),
  ]
  for (const { hash } of block.transactions.slice(0, 2)) {
    answers.push(await ask('eth_getTransactionReceipt', hash))
    answers.push(await ask('debug_traceTransaction', hash, { tracer: 'prestateTracer' }))
  }
  for (const account of accounts) {
    answers.push(
      await ask('eth_getProof', account, ['0x0', '0x1'], tag),
      await ask('eth_getCode', account, tag),
    )
  }
  return answers
}

/** Changes a node at random, and keeps what it answered about each block when that was new. */
class RandomChain {
  readonly #draw: Draw
  readonly #node: Node
  readonly #accounts: readonly string[]
  readonly #contracts: string[] = []
  readonly #snapshots: string[] = []
  readonly #recorded = new Map<ChainEntry, readonly unknown[]>()

  constructor(node: Node, seed: number) {
    this.#node = node
    this.#draw = drawsFrom(seed)
    this.#accounts = [...node.funded.slice(0, 3).map(({ address }) => address), addressOf(77)]
  }

  /** Records what is answered about the canonical blocks that are new. */
  async record(): Promise<void> {
    const { chain } = this.#node
    for (let number = chain.height; number >= 0n; number--) {
      const entry = chain.at(number)!
      if (this.#recorded.has(entry)) return
      this.#recorded.set(entry, await answersAt(this.#node, entry, this.#known()))
    }
  }

  /** Checks the answers of a node with the same blocks. */
  async check(node: Node): Promise<void> {
    const { chain } = this.#node
    for (let count = 0; count < 25; count++) {
      const number = BigInt(this.#draw(Number(chain.height) + 1))
      const expected = this.#recorded.get(chain.at(number)!)
      expect(await answersAt(node, node.chain.at(number)!, this.#known())).toEqual(expected)
    }
  }

  async step(): Promise<void> {
    const kind = this.#draw(100)
    if (kind < 25) await this.#send({ to: this.#some(this.#accounts), value: quantity(this.#draw(1000)) })
    else if (kind < 65) await this.#write()
    else if (kind < 66) await this.#send({ to: this.#some(this.#contracts), data: `0x${'01'.repeat(33)}` })
    else if (kind < 75) await this.#ask('evm_mine')
    else if (kind < 78) await this.#ask('hardhat_mine', quantity(1 + this.#draw(12)))
    else if (kind < 90) await this.#edit()
    else if (kind < 92) await this.#ask('anvil_setChainId', 31_337 + this.#draw(2))
    else if (kind < 95) this.#snapshots.push(await this.#ask('evm_snapshot'))
    else if (kind < 96) await this.#ask('anvil_reorg', 1 + this.#draw(3), [])
    else if (kind < 97) await this.#ask('anvil_rollback', 1 + this.#draw(20))
    else if (kind < 98) await this.#revert()
    else await this.#mineManually()
  }

  /** Reverts to an older block, and edits the state after it. */
  async revertDeep(): Promise<void> {
    this.#snapshots.push(await this.#ask('evm_snapshot'))
    for (let sent = 0; sent < 20; sent++) await this.#send({ to: this.#accounts[1], value: '0x1' })
    await this.record()
    await this.#ask('evm_revert', this.#snapshots.pop())
    await this.#edit()
    await this.record()
  }

  async deploy(): Promise<void> {
    const hash = await this.#send({ data: CREATION })
    const { contractAddress } = await this.#ask('eth_getTransactionReceipt', hash)
    this.#contracts.push(contractAddress)
  }

  #known(): readonly string[] {
    return [...this.#accounts, ...this.#contracts.slice(0, 2)]
  }

  #some(list: readonly string[]): string {
    return list[this.#draw(list.length)]!
  }

  #ask(method: string, ...params: readonly unknown[]): Promise<any> {
    return call(this.#node, method, params)
  }

  #send(transaction: object): Promise<string> {
    return this.#ask('eth_sendTransaction', { from: this.#accounts[0], gas: '0x20000', ...transaction })
  }

  async #write(): Promise<void> {
    const data = `0x${word(this.#draw(3))}${word(this.#draw(4) === 0 ? 0 : this.#draw(70_000))}`
    await this.#send({ to: this.#some(this.#contracts), data })
  }

  async #edit(): Promise<void> {
    const [account, contract] = [this.#some(this.#accounts), this.#some(this.#contracts)]
    if (this.#draw(2) === 0)
      await this.#ask('hardhat_setBalance', account, toQuantity(10n ** 21n + BigInt(this.#draw(1000))))
    else if (this.#draw(2) === 0)
      await this.#ask('hardhat_setStorageAt', contract, quantity(this.#draw(3)), `0x${word(this.#draw(3))}`)
    else await this.#ask('hardhat_setCode', contract, this.#draw(4) === 0 ? '0x' : `0x${CODE}`)
  }

  async #revert(): Promise<void> {
    const at = this.#draw(this.#snapshots.length + 1)
    const [id] = this.#snapshots.splice(at)
    if (id !== undefined) await this.#ask('evm_revert', id)
  }

  async #mineManually(): Promise<void> {
    await this.#ask('evm_setAutomine', false)
    for (let sent = this.#draw(4); sent > 0; sent--) await this.#send({ to: addressOf(77), value: '0x1' })
    await this.#ask('evm_mine')
    await this.#ask('evm_setAutomine', true)
  }
}

const STEPS = 160
/** Seed of the changes: `OLD_BLOCKS_SEED=2 npm test -- test/chain/old-blocks.test.ts` makes others. */
const SEED = Number(process.env['OLD_BLOCKS_SEED'] ?? 1)

test.each([
  ['network-33', {}],
  ['network-33', { systemTransaction: true }],
  ['ethereum', {}],
] as const)('old blocks of %s with %j are answered as when they were new', async (network, options) => {
  const node = await freshNode({ network, ...options })
  const random = new RandomChain(node, SEED)
  for (let count = 0; count < 25; count++) await random.deploy()
  await random.record()
  for (let count = 0; count < STEPS; count++) {
    await random.step()
    await random.record()
    if (count === 100) {
      await random.revertDeep()
      await random.check(node)
    }
  }
  await random.check(node)
  await call(node, 'dev_createWorld', [{ id: 'other' }])
  const world = node.worlds.acquire('other').chain
  await call(world, 'evm_mine')
  await call(world, 'hardhat_setBalance', [addressOf(77), '0x9'])
  for (let count = 0; count < 5; count++) await call(world, 'evm_mine')
  const state = await call(node, 'dev_dumpState', [])
  const loaded = await freshNode({ network, ...options })
  await call(loaded, 'dev_loadState', [state])
  await random.check(world)
  await random.check(loaded)
  await random.check(node)
})
