/** The transactions of random steps: of few senders and contracts, so that they meet each other. */

import { fromHex, toHex, toQuantity } from '../../lib/base/hex.ts'
import { CONTRACTS, assembleCode, creationCode, words } from './bytecode.ts'
import type { Place } from './write-params.ts'

/** Number of accounts that send; nobody locks them. */
export const PLAIN_KEYS = 3

const pick = <T>(from: readonly T[], n: number): T => from[n % from.length]!

/** Answers the word stored at its first argument, to whatever function: a token, as far as its getters go. */
const TOKEN = assembleCode('4 CALLDATALOAD SLOAD 0 MSTORE 32 0 RETURN')

const CODES = [CONTRACTS.store, CONTRACTS.environment, CONTRACTS.destroy, CONTRACTS.revert, TOKEN]

/** Most blocks back that contracts are looked for. */
const MAX_BLOCKS = 40

/** A contract of the ones that were mined lately, or an address without code. */
export function contractOf({ node, choices: [, , n] }: Place): string {
  const created: string[] = []
  let entry: typeof node.chain.head | undefined = node.chain.head
  for (let back = 0; entry !== undefined && back < MAX_BLOCKS; back++) {
    for (const { outcome } of entry.block.receipts) created.push(...[outcome.contractAddress ?? []].flat())
    entry = entry.parent
  }
  return pick([...created, `0x${'cc'.repeat(20)}`], n!)
}

/** A transfer, a call or a creation, without a nonce. */
export function contentOf(place: Place) {
  const { node, choices } = place
  const [kind, sender, , amount, price] = choices as [number, number, number, number, number]
  const fields = {
    from: pick(node.funded.slice(0, PLAIN_KEYS), sender).address,
    gasPrice: toQuantity(2_000_000_000n + BigInt(price)),
    gas: '0x30d40',
  }
  return pick(
    [
      { ...fields, to: pick(node.funded, amount).address, value: toQuantity(amount) },
      { ...fields, to: contractOf(place), data: words([BigInt(amount % 4), BigInt(price % 3)]) },
      { ...fields, data: toHex(creationCode(pick(CODES, amount))) },
    ],
    kind,
  )
}

/** The same with a nonce: mostly the next one; sometimes one that waits is replaced, sometimes a gap is left. */
export function transactionOf(place: Place) {
  const { chain, mempool } = place.node
  const content = contentOf(place)
  const next = mempool.nextNonce(content.from, chain.head.state.nonce(content.from))
  const ahead = place.choices[5]! % 6
  const nonce = next + (ahead === 0 ? 2n : ahead === 1 && next > 0n ? -1n : 0n)
  return { ...content, nonce: toQuantity(nonce) }
}

/** The same, signed. */
export function signedOf(place: Place): string {
  const { from, to, value, data, nonce, gasPrice, gas } = {
    to: undefined,
    value: '0x0',
    data: '0x',
    ...transactionOf(place),
  }
  const { privateKey } = place.node.funded.find(({ address }) => address === from)!
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
  return toHex(place.node.codec.sign(fields, privateKey, from).encoded)
}
