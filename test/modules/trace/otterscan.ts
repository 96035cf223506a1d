/** A chain with one block of each kind that the Otterscan explorer shows. */

import { toHex } from '../../../lib/base/hex.ts'
import type { Node } from '../../../lib/node/node.ts'
import { assembleCode } from '../../support/bytecode.ts'
import { call, freshNode } from '../../support/node.ts'

/** A contract that creates another and pays `RECEIVER` in each call. */
export const PAYER = `0x${'c0'.repeat(20)}`

/** An account that receives all payments. */
export const RECEIVER = `0x${'dd'.repeat(20)}`

/** Makes a contract whose code is one zero byte, and sends a wei to RECEIVER. */
const CREATE_AND_PAY = `1 0 0 CREATE POP 0 0 0 0 1 ${RECEIVER} GAS CALL STOP`

/** Init code of a contract whose code is one zero byte. */
export const ONE_BYTE = '1 0 RETURN'

/** Sends a transaction of the first account. */
export const send = async (node: Node, fields: object): Promise<string> =>
  call(node, 'eth_sendTransaction', [{ from: node.funded[0]!.address, gas: '0x30d40', ...fields }])

/** Blocks: a transfer, a creation, a call that pays from within, a revert, an empty one, and a transfer of another. */
export async function withHistory(network: string) {
  const node = await freshNode({ network, dialect: 'ethereum' })
  const [sender, other] = node.funded.map(({ address }) => address)
  await call(node, 'hardhat_setCode', [PAYER, toHex(assembleCode(CREATE_AND_PAY))])
  await call(node, 'hardhat_setBalance', [PAYER, '0x10'])
  const transfer = await send(node, { to: RECEIVER, value: '0x5' })
  const creation = await send(node, { data: toHex(assembleCode(ONE_BYTE)) })
  const payment = await send(node, { to: PAYER })
  const revert = await send(node, { data: toHex(assembleCode('0xdeadbeef 0 MSTORE 4 28 REVERT')) })
  await call(node, 'evm_mine')
  const last = await send(node, { from: other, to: sender, value: '0x1' })
  const { contractAddress } = await call(node, 'eth_getTransactionReceipt', [creation])
  return { node, sender: sender!, other: other!, transfer, creation, payment, revert, last, contractAddress }
}
