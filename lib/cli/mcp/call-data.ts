/**
 * Reads what an agent wants to call: a contract by name or address, a function by name or signature, JSON arguments, an amount with
 * its unit.
 */

import * as z from 'zod'
import { argumentOf } from '../../abi/arguments.ts'
import { fragmentKey, fragmentSignature, readAbi, type AbiFragment } from '../../abi/fragments.ts'
import { readSignature } from '../../abi/signatures.ts'
import { encodeValues } from '../../abi/values.ts'
import { refuseRequest } from '../../base/errors.ts'
import { toHex, toQuantity } from '../../base/hex.ts'
import { reasonOf } from '../../base/system-errors.ts'
import type { AskedNode } from '../../client/node-client.ts'
import { contractList } from '../../schema/explanation-results.ts'
import { addressText, list } from '../../schema/results.ts'

export const contract = z.string().min(1).describe('Address or name of a deployed contract.')

export const callInput = z.strictObject({
  to: contract,
  function: z
    .string()
    .optional()
    .describe(
      'Name, such as transfer, or signature, such as transfer(address,uint256); left out, no data is sent.',
    ),
  args: z.array(z.json()).default([]).describe('Large numbers as texts, tuples as objects or lists.'),
  from: z.string().optional().describe('The first account of the node if left out.'),
  value: z.string().default('0').describe('Wei, or an amount such as `1.5 ether`.'),
})

const ADDRESS = /^0x[\da-f]{40}$/i

/** The address of a contract by its name; the newest of several. @throws NodeError 'invalidOption' */
export async function addressOf(wanted: string, node: AskedNode): Promise<string> {
  if (ADDRESS.test(wanted)) return wanted
  const { contracts } = await node.ask(['dev_contracts'], contractList)
  const names = [...new Set(contracts.flatMap(({ name = [] }) => name))]
  const found = contracts.find(({ name }) => name === wanted)
  return (
    found?.address ??
    refuseRequest(`no contract is named ${wanted}; there are ${names.join(', ') || 'none with a name'}`)
  )
}

/** Makes the request of a call. @throws NodeError 'invalidOption' naming what does not fit */
export async function transactionOf(
  { to, function: called, args, from, value }: z.output<typeof callInput>,
  node: AskedNode,
) {
  const address = await addressOf(to, node)
  const sender = from ?? (await node.ask(['eth_accounts'], list(addressText)))[0]
  const data =
    called === undefined ? '0x' : callData(functionOf(called, args, await abiAt(address, node)), args)
  return { from: sender, to: address, data, value: toQuantity(weiOf(value)) }
}

const described = z.object({ abi: z.unknown() })

/** The functions of a contract, and of the implementation behind a proxy. */
async function abiAt(address: string, node: AskedNode): Promise<readonly AbiFragment[]> {
  const known = described.extend({ implementation: described.optional() }).nullable()
  const found = await node.ask(['dev_getContract', address], known)
  const all = [...readAbi(found?.abi), ...readAbi(found?.implementation?.abi)]
  return all.filter(({ type }) => type === 'function')
}

function functionOf(called: string, args: readonly unknown[], abi: readonly AbiFragment[]): AbiFragment {
  const isMeant = (one: AbiFragment): boolean =>
    fragmentSignature(one) === called || (one.name === called && one.inputs?.length === args.length)
  const [found, other] = abi.filter(isMeant)
  const [signature] = called.includes('(') ? readSignature(called) : []
  const meant = found ?? signature
  if (meant === undefined || other !== undefined) {
    const known = abi.map(fragmentSignature).join(', ') || 'none known: give the signature'
    return refuseRequest(
      `${called} with ${args.length} arguments is no function of the contract; there are ${known}`,
    )
  }
  return meant
}

function callData(called: AbiFragment, args: readonly unknown[]): string {
  const { inputs = [] } = called
  try {
    const values = inputs.map((input, index) => argumentOf(input, args[index]))
    return fragmentKey(called) + toHex(encodeValues(inputs, values)).slice(2)
  } catch (cause) {
    return refuseRequest(`${fragmentSignature(called)}: ${reasonOf(cause)}`, cause)
  }
}

const UNITS = { wei: 0, gwei: 9, ether: 18 } as const

/** @throws NodeError 'invalidOption' */
function weiOf(amount: string): bigint {
  const [, whole, part = '', unit = 'wei'] = /^(\d+)(?:\.(\d+))? ?(wei|gwei|ether)?$/.exec(amount) ?? []
  const decimals = Object.entries(UNITS).find(([name]) => name === unit)?.[1] ?? 0
  if (whole === undefined || part.length > decimals)
    return refuseRequest(`value: expected wei, or an amount such as 1.5 ether, got ${amount}`)
  return BigInt(whole + part.padEnd(decimals, '0'))
}
