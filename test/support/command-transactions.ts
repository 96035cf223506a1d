/** Makes transactions of random commands, with few senders and contracts so that they interact. */

import { fromHex, toHex, toQuantity } from '../../lib/base/hex.ts'
import { CONTRACTS, assembleCode, creationCode, words } from './bytecode.ts'
import type { CommandContext } from './write-params.ts'

/** Number of sending accounts, which stay unlocked. */
export const PLAIN_KEYS = 3

/** Selects an item of a list by any number. */
export const pick = <T>(from: readonly T[], n = 0): T => from[n % from.length]!

/** Returns the storage word at its first argument for any function, like the getters of a token. */
const TOKEN = assembleCode('4 CALLDATALOAD SLOAD 0 MSTORE 32 0 RETURN')

const CODES = [CONTRACTS.store, CONTRACTS.environment, CONTRACTS.destroy, CONTRACTS.revert, TOKEN]

/** Maximum number of recent blocks that are searched for contracts. */
const MAX_BLOCKS = 40

/** A recently created contract, or an address without code. */
export function contractOf({ node, choices: [, , n] }: CommandContext): string {
  const created: string[] = []
  let entry: typeof node.chain.head | undefined = node.chain.head
  for (let back = 0; entry !== undefined && back < MAX_BLOCKS; back++) {
    for (const { outcome } of entry.block.receipts) created.push(...[outcome.contractAddress ?? []].flat())
    entry = entry.parent
  }
  return pick([...created, `0x${'cc'.repeat(20)}`], n)
}

/** A transfer, a call or a creation, without a nonce. */
export function contentOf(context: CommandContext) {
  const { node, choices } = context
  const [kind, sender, , amount, price] = choices as [number, number, number, number, number]
  const fields = {
    from: pick(node.funded.slice(0, PLAIN_KEYS), sender).address,
    gasPrice: toQuantity(2_000_000_000n + BigInt(price)),
    gas: '0x30d40',
  }
  return pick(
    [
      { ...fields, to: pick(node.funded, amount).address, value: toQuantity(amount) },
      { ...fields, to: contractOf(context), data: words([BigInt(amount % 4), BigInt(price % 3)]) },
      { ...fields, data: toHex(creationCode(pick(CODES, amount))) },
    ],
    kind,
  )
}

/** The same with a nonce: mostly the next one, sometimes that of a pending transaction or one after a gap. */
export function transactionOf(context: CommandContext) {
  const { chain, mempool } = context.node
  const content = contentOf(context)
  const next = mempool.nextNonce(content.from, chain.head.state.nonce(content.from))
  const ahead = context.choices[5]! % 6
  const nonce = next + (ahead === 0 ? 2n : ahead === 1 && next > 0n ? -1n : 0n)
  return { ...content, nonce: toQuantity(nonce) }
}

/** The same, signed. */
export function signedOf(context: CommandContext): string {
  const { from, to, value, data, nonce, gasPrice, gas } = {
    to: undefined,
    value: '0x0',
    data: '0x',
    ...transactionOf(context),
  }
  const { privateKey } = context.node.funded.find(({ address }) => address === from)!
  const price = BigInt(gasPrice)
  const fields = {
    type: 0,
    nonce: BigInt(nonce),
    gasLimit: BigInt(gas),
    value: BigInt(value),
    data: fromHex(data),
    to: to as typeof from | undefined,
    maxFeePerGas: price,
    maxPriorityFeePerGas: price,
  }
  return toHex(context.node.codec.sign(fields, privateKey, from).encoded)
}
