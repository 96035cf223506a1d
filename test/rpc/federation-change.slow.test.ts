/** The story of a change of federation through the whole node, from the votes to the coins that were moved. */

import { expect, test } from '@jest/globals'
import { AbiCoder } from 'ethers'
import { toQuantity } from '../../lib/base/hex.ts'
import type { Hex } from '../../lib/base/hex.ts'
import { addressOfPrivateKey } from '../../lib/crypto/address.ts'
import { federationAddress } from '../../lib/modules/network-33/bridge/federation.ts'
import type { Node } from '../../lib/node/node.ts'
import { dataOf } from '../modules/network-33/support/bridge.ts'
import { readBridgeState } from '../modules/network-33/support/bridge-state.ts'
import {
  ELECTION,
  NEW_FEDERATION,
  NEW_MEMBERS,
  VOTERS,
  signaturesOf,
} from '../modules/network-33/support/federation-change.ts'
import { sendAs } from '../modules/network-33/support/network-33-remote.ts'
import { call, freshNode } from '../support/node.ts'
import { BRIDGE, UNUSED, balance, bridgeEvents, register } from '../modules/network-33/support/peg-in.ts'
import { keyOf } from '../support/signing.ts'

const OLD_ADDRESS = '2N5muMepJizJE1gR7FbHJU6CD18V3BpNF9p'
const NEW_ADDRESS = federationAddress(NEW_FEDERATION)

/** Decodes a result of one type. */
const decodedAs = (type: string, data: string) => AbiCoder.defaultAbiCoder().decode([type], data)[0]

const ask = async (node: Node, name: string, type: string) =>
  decodedAs(type, await call(node, 'eth_call', [{ to: BRIDGE, data: dataOf(name, []) }, 'latest']))

const sendBy = (node: Node, phrase: string, name: string, args: readonly unknown[] = []) =>
  sendAs((method, params = []) => call(node, method, params), phrase, dataOf(name, args))

const mine = (node: Node, count: number) => call(node, 'hardhat_mine', [toQuantity(count)])

/** Updates the collections; returns the hash of the call, and the values of the coins that a transaction made by it spends. */
async function update(node: Node, phrase = 'federator1') {
  const { transactionHash: hash, logs } = await sendBy(node, phrase, 'updateCollections')
  const compact = logs.length > 2 ? Buffer.from(decodedAs('bytes', logs[2].data).slice(2), 'hex') : undefined
  const values: bigint[] = []
  // Each value is larger than two bytes and smaller than five.
  for (let at = 0; compact !== undefined && at < compact.length; at += 5)
    values.push(BigInt(compact.readUInt32LE(at + 1)))
  return { hash: hash as Hex, values }
}

/** Signs a transaction that waits, and registers it after three blocks of the auxiliary chain; returns the events. */
async function publish(
  node: Node,
  phrases: readonly string[],
  release: { readonly raw: string; readonly hash: Hex; readonly values: readonly bigint[] },
) {
  let receipt
  for (const phrase of phrases)
    receipt = await sendBy(node, phrase, 'addSignature', signaturesOf(phrase, release.raw, release))
  const txid = await call(node, 'dev_auxSend', [decodedAs('bytes', receipt.logs[1].data)])
  await call(node, 'dev_auxMine', ['0x3'])
  const hash = await register(node, await call(node, 'dev_auxTransaction', [txid]))
  return (await bridgeEvents(node, hash)).map(([name]) => name)
}

const stateOf = async (node: Node) => readBridgeState(await ask(node, 'getStateForDebugging', 'bytes'))

/** Makes a release of the old federation, confirms and publishes it. */
async function publishOld(node: Node) {
  const made = await update(node)
  await mine(node, 2)
  await update(node)
  const { raw } = (await stateOf(node)).signing[0]!
  return publish(node, ['federator1', 'federator3'], { ...made, raw: `0x${raw}` })
}

test('members are elected, prove that they can sign, and receive the coins of the old federation', async () => {
  const node = await freshNode({ federation: 'off' })
  const pegIn = (sat: bigint) =>
    call(node, 'dev_pegIn', [{ to: UNUSED, amount: toQuantity(sat * 10n ** 10n) }])
  await call(node, 'dev_auxMine', ['0x15e'])
  await pegIn(3_000_000n)
  for (const [name, args] of ELECTION) for (const voter of VOTERS) await sendBy(node, voter, name, args)
  expect(await ask(node, 'getProposedFederationAddress', 'string')).toBe(NEW_ADDRESS)

  expect(await publishOld(node)).toEqual([])
  const made = await update(node)
  const state: string = await ask(node, 'getStateForSvpClient', 'bytes')
  // A list of a list of the hash and of the bytes of the transaction.
  const raw = `0x${state.slice(state.indexOf(made.hash.slice(2)) + 64 + 6)}`
  for (const phrase of NEW_MEMBERS) {
    const member = addressOfPrivateKey(keyOf(phrase))
    await call(node, 'hardhat_setBalance', [member, toQuantity(10n ** 18n)])
  }
  expect(await publish(node, NEW_MEMBERS.slice(0, 2), { ...made, raw })).toEqual([])
  expect(await ask(node, 'getFederationAddress', 'string')).toBe(OLD_ADDRESS)

  await mine(node, 150)
  expect(await ask(node, 'getFederationAddress', 'string')).toBe(NEW_ADDRESS)
  expect(await ask(node, 'getRetiringFederationAddress', 'string')).toBe(OLD_ADDRESS)
  const overview = await call(node, 'dev_bridge')
  expect(overview).toMatchObject({
    federation: { address: NEW_ADDRESS },
    retiringFederation: { address: OLD_ADDRESS },
  })
  // The coins of both federations.
  expect(overview.coins.length).toBeGreaterThan(0)
  const before = await balance(node, UNUSED)
  await pegIn(700_000n)
  expect((await balance(node, UNUSED)) - before).toBe(700_000n * 10n ** 10n)
  expect((await stateOf(node)).outputs).toMatchObject([{ sat: 700_000n }])

  await mine(node, 15)
  expect(await publishOld(node)).toEqual([])
  const sums = (await stateOf(node)).outputs.map(({ sat }) => sat)
  // The fund transaction cost 40,200 sat, the proof 37,400.
  expect(sums[1]).toBeGreaterThan(2_850_000n)
  expect(sums[1]).toBeLessThan(3_000_000n - 40_200n - 37_400n)

  await mine(node, 150)
  await update(node, 'new-1')
  expect(await ask(node, 'getRetiringFederationAddress', 'string')).toBe('')
  await pegIn(800_000n)
  expect((await stateOf(node)).outputs).toMatchObject([{}, {}, { sat: 800_000n }])
})
