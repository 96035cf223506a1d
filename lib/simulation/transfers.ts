/** Transfers of the native coin as if they were events of a token, among the events of an execution (eth_simulateV1). */

import { asAddress, asHash, fromHex, toWord } from '../base/hex.ts'
import type { Address } from '../base/hex.ts'
import type { Log } from '../evm/outcome.ts'
import type { CallNode } from '../trace/call-tree.ts'

/** Who emits them (ERC-7528). */
const NATIVE_COIN = asAddress(`0x${'ee'.repeat(20)}`)

/** keccak256 of `Transfer(address,address,uint256)`. */
const TRANSFER = asHash('0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef')

/** Kinds of call that move the value they name. */
const MOVING: ReadonlySet<CallNode['kind']> = new Set(['call', 'create', 'create2', 'selfdestruct'])

/** Events and transfers of a call and of everything it called, in their order; none of what failed. */
export function logsWithTransfers(call: CallNode): readonly Log[] {
  if (call.status !== 'success') return []
  const logs: Log[] = call.value > 0n && MOVING.has(call.kind) ? [transferOf(call)] : []
  const emitted = (position: number) =>
    call.logs
      .filter((log) => log.position === position)
      .map(({ address, topics, data }) => ({ address, topics, data: fromHex(data) }))
  for (const [position, child] of call.children.entries()) {
    logs.push(...emitted(position), ...logsWithTransfers(child))
  }
  return [...logs, ...emitted(call.children.length)]
}

function transferOf({ from, to, value }: CallNode): Log {
  const word = (address: Address | undefined) => toWord(BigInt(address ?? 0))
  return { address: NATIVE_COIN, topics: [TRANSFER, word(from), word(to)], data: fromHex(toWord(value)) }
}
