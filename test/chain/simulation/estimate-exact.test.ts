/** Estimates are exact: with the estimate a call succeeds as a transaction, and with one gas less it fails. */

import { expect, test } from '@jest/globals'
import { Interface } from 'ethers'
import type { InterfaceAbi } from 'ethers'
import fc from 'fast-check'
import { toHex, toQuantity } from '../../../lib/base/hex.ts'
import type { Node } from '../../../lib/node/node.ts'
import { loadContracts } from '../../support/contracts.ts'
import type { ContractName } from '../../support/contracts.ts'
import { call, freshNode } from '../../support/node.ts'

const contracts = await loadContracts()
const abiOf = (name: ContractName) => new Interface(contracts[name].abi as InterfaceAbi)

/** A call as a request, and its name in a report. */
interface Step {
  readonly name: string
  readonly request: Readonly<Record<string, string>>
}

const CALLS = 200

/** Creation code with arguments of the constructor. */
function creation(name: ContractName, args: readonly unknown[]): string {
  return contracts[name].bytecode + abiOf(name).encodeDeploy(args).slice(2)
}

async function deploy(node: Node, name: ContractName, args: readonly unknown[], value = 0n): Promise<string> {
  const from = node.funded[0]!.address
  const request = { from, data: creation(name, args), gas: '0x4c4b40', value: toQuantity(value) }
  const hash = await call(node, 'eth_sendTransaction', [request])
  return (await call(node, 'eth_getTransactionReceipt', [hash])).contractAddress
}

/** A chain with the compiled contracts, funded accounts and tokens. */
async function town() {
  const node = await freshNode({ network: 'network-33' })
  const [from, friend] = node.funded.map(({ address }) => address)
  const addresses = {
    Storage: await deploy(node, 'Storage', [7n]),
    GameToken: await deploy(node, 'GameToken', [from]),
    Vault: await deploy(node, 'Vault', [from]),
    Natives: await deploy(node, 'Natives', []),
    GasMeter: await deploy(node, 'GasMeter', [], 1000n),
  }
  const mint = abiOf('GameToken').encodeFunctionData('mint', [from, 10n ** 30n])
  await call(node, 'eth_sendTransaction', [{ from, to: addresses.GameToken, data: mint }])
  return { node, from: from!, friend: friend!, addresses }
}

type Town = Awaited<ReturnType<typeof town>>

/** Calls of functions that succeed, whatever the arguments. */
function anyCall({ from, friend, addresses }: Town): fc.Arbitrary<Step> {
  const number = fc.oneof(fc.bigInt(0n, 3n), fc.bigInt(0n, 2n ** 80n))
  const small = fc.bigInt(0n, 20n)
  const stranger = fc.bigInt(2n ** 100n, 2n ** 100n + 5n).map((n) => `0x${n.toString(16).padStart(40, '0')}`)
  const anyAccount = fc.oneof(fc.constant(friend), stranger)
  const bytes = fc.uint8Array({ maxLength: 100 }).map(toHex)
  const hash = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(toHex)
  const to = (name: keyof typeof addresses, method: string, ...args: fc.Arbitrary<unknown>[]) =>
    fc.tuple(...args).map((values) => {
      const data = abiOf(name).encodeFunctionData(method, values)
      return { name: `${name}.${method}`, request: { from, to: addresses[name], data } }
    })
  const transfer = fc.tuple(anyAccount, number, bytes).map(([target, value, data]) => {
    return { name: 'transfer', request: { from, to: target, value: toQuantity(value), data } }
  })
  const payment = number.map((value) => {
    return { name: 'Vault.receive', request: { from, to: addresses.Vault, value: toQuantity(value) } }
  })
  const construction = number.map((initial) => {
    return { name: 'new Storage', request: { from, data: creation('Storage', [initial]) } }
  })
  return fc.oneof(
    transfer,
    payment,
    construction,
    to('Storage', 'store', number),
    to('Storage', 'increment'),
    to('GameToken', 'mint', anyAccount, number),
    to('GameToken', 'transfer', anyAccount, number),
    to('GameToken', 'approve', anyAccount, number),
    to('GasMeter', 'storageStore', small, small),
    to('GasMeter', 'send', anyAccount, small, fc.constant(1n)),
    to('Natives', 'remember', fc.bigInt(0n, 5n)),
    to('Natives', 'depths'),
    to('Natives', 'toAddress', hash, fc.bigInt(0n, 255n)),
  )
}

/** Sends the transaction with an amount of gas; returns whether it succeeded. */
async function succeeds(node: Node, { request }: Step, gas: bigint): Promise<boolean> {
  try {
    const hash = await call(node, 'eth_sendTransaction', [{ ...request, gas: toQuantity(gas) }])
    return (await call(node, 'eth_getTransactionReceipt', [hash])).status === '0x1'
  } catch {
    // A transaction that fails is an error, and so is one with less gas than the intrinsic gas.
    return false
  }
}

test(`${CALLS} random calls succeed with their estimates, and not with less`, async () => {
  const place = await town()
  const { node } = place
  const names = new Set<string>()
  for (const step of fc.sample(anyCall(place), CALLS)) {
    const estimate = BigInt(await call(node, 'eth_estimateGas', [step.request]))
    const snapshot = node.snapshots.take()
    const withLess = await succeeds(node, step, estimate - 1n)
    node.snapshots.revert(snapshot)
    // The transaction stays, so that later calls see its changes.
    const withAll = await succeeds(node, step, estimate)
    expect({ step, withLess, withAll }).toEqual({ step, withLess: false, withAll: true })
    names.add(step.name)
  }
  expect(names.size).toBeGreaterThan(10)
})
