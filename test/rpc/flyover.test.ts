/** Flyover by a compiled contract, with deposits on the auxiliary chain of the node (node-next 4.4). */

import { beforeAll, describe, expect, test } from '@jest/globals'
import { AbiCoder, Interface, concat, keccak256 } from 'ethers'
import type { InterfaceAbi } from 'ethers'
import { fromHex, toHex, toQuantity } from '../../lib/base/hex.ts'
import type { Hex } from '../../lib/base/hex.ts'
import { outputScript } from '../../lib/modules/network-33/bridge/aux-address.ts'
import { toDisplayOrder } from '../../lib/modules/network-33/bridge/aux-header.ts'
import { readAuxTransaction } from '../../lib/modules/network-33/bridge/aux-transaction.ts'
import { BRIDGE_EVENTS } from '../../lib/modules/network-33/bridge/events.ts'
import { federationOutputScript, genesisFederation } from '../../lib/modules/network-33/bridge/federation.ts'
import type { Node } from '../../lib/node/node.ts'
import { auxTransaction } from '../modules/network-33/support/aux-chain.ts'
import { dataOf } from '../modules/network-33/support/bridge.ts'
import { readBridgeState } from '../modules/network-33/support/bridge-state.ts'
import { loadContracts } from '../support/contracts.ts'
import type { CompiledContract } from '../support/contracts.ts'
import { fromKey } from '../modules/network-33/support/deposits.ts'
import { call, freshNode } from '../support/node.ts'
import { BRIDGE, UNUSED, balance } from '../modules/network-33/support/peg-in.ts'
import { COW, COW1 } from '../support/signing.ts'

let compiled: CompiledContract
let abi: Interface

beforeAll(async () => {
  compiled = (await loadContracts()).Liquidity
  abi = new Interface(compiled.abi as InterfaceAbi)
})

const VALUE = 10n ** 18n
const USER_REFUND: Hex = `0x6f${'11'.repeat(20)}`
const PROVIDER_REFUND: Hex = `0xc4${'22'.repeat(20)}`
const AGREEMENT = { user: UNUSED, value: VALUE, userRefund: USER_REFUND, providerRefund: PROVIDER_REFUND }

/** Maximum in sat of the coins in circulation, and the value of the agreement. */
const CAP = 100_000_000_000n
const VALUE_SAT = VALUE / 10n ** 10n

async function send(node: Node, from: string, transaction: object) {
  const hash = await call(node, 'eth_sendTransaction', [
    { from, gas: '0x4c4b40', gasPrice: '0x0', ...transaction },
  ])
  return call(node, 'eth_getTransactionReceipt', [hash])
}

/** A contract, and a deposit of the agreement with three confirmations. */
async function deposited(sat: bigint, release: string) {
  const node = await freshNode({ release })
  const { contractAddress: contract } = await send(node, COW, { data: compiled.bytecode })
  const hashCall = { to: contract, data: abi.encodeFunctionData('hashOf', [AGREEMENT]) }
  const hash = await call(node, 'eth_call', [hashCall, 'latest'])
  const flyoverHash = fromHex(keccak256(concat([hash, USER_REFUND, contract, PROVIDER_REFUND])))
  const script = federationOutputScript(genesisFederation(release), flyoverHash)
  const txid = await call(node, 'dev_auxSend', [toHex(auxTransaction([fromKey], [{ sat, script }]))])
  const payUser = () =>
    send(node, COW, {
      to: contract,
      value: toQuantity(VALUE),
      data: abi.encodeFunctionData('payUser', [AGREEMENT]),
    })
  /** Registers from an account that is no party; returns the result of the Bridge and the events before it. */
  const register = async () => {
    const { raw, height, partialMerkleTree } = await call(node, 'dev_auxTransaction', [txid])
    const data = abi.encodeFunctionData('register', [AGREEMENT, [raw, height, partialMerkleTree]])
    const { logs } = await send(node, COW1, { to: contract, data })
    const { args } = abi.parseLog(logs.at(-1))!
    return { result: args['result'], topics: logs.slice(0, -1).map((log: any) => log.topics[0]) }
  }
  await call(node, 'dev_auxMine', ['0x2'])
  expect(await register()).toEqual({ result: -303n, topics: [] })
  await call(node, 'dev_auxMine')
  return { node, contract, txid, payUser, register }
}

describe.each(['9.0.3', '9.1.0'])('release %s', (version) => {
  test('a deposit is for the provider that paid the user', async () => {
    const { node, contract, payUser, register } = await deposited(VALUE_SAT + 100_000n, version)
    const before = await balance(node, COW)
    await payUser()
    expect(await balance(node, UNUSED)).toBe(VALUE)
    const paid = VALUE + 10n ** 15n
    expect(await register()).toEqual({ result: paid, topics: [] })
    expect(await balance(node, COW)).toBe(before - VALUE + paid)
    expect([await balance(node, UNUSED), await balance(node, contract)]).toEqual([VALUE, 0n])
    expect(await register()).toEqual({ result: -302n, topics: [] })
  })

  test('a deposit is for the user that no provider paid', async () => {
    const { node, register } = await deposited(VALUE_SAT, version)
    expect(await register()).toEqual({ result: VALUE, topics: [] })
    expect(await balance(node, UNUSED)).toBe(VALUE)
  })

  test.each<[string, boolean, bigint, Hex]>([
    ['the provider that paid the user', true, -200n, PROVIDER_REFUND],
    ['the user that was not paid', false, -100n, USER_REFUND],
  ])('above the cap the refund is for %s', async (_, isPaid, result, address) => {
    const { node, contract, txid, payUser, register } = await deposited(CAP + 1n, version)
    if (isPaid) await payUser()
    const { release_requested, pegout_transaction_created } = BRIDGE_EVENTS
    const topics = [release_requested.topic, pegout_transaction_created.topic]
    expect(await register()).toEqual({ result, topics })
    expect(await balance(node, contract)).toBe(0n)
    const state = await call(node, 'eth_call', [
      { to: BRIDGE, data: dataOf('getStateForDebugging', []) },
      'latest',
    ])
    const [bytes] = AbiCoder.defaultAbiCoder().decode(['bytes'], state)
    const [release] = readBridgeState(bytes).confirming
    const { inputs, outputs } = readAuxTransaction(fromHex(`0x${release!.raw}`))
    expect(inputs.map(({ previousId }) => toDisplayOrder(previousId))).toEqual([txid])
    expect(outputs.map(({ script }) => script)).toEqual([outputScript(fromHex(address))])
  })
})
