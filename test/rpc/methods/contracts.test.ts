/** Contracts that are named by address and ABI. */

import { expect, test } from '@jest/globals'
import { getAddress } from 'viem'
import { asAddress } from '../../../lib/base/hex.ts'
import { loadContracts } from '../../support/contracts.ts'
import { call, freshNode, refusal } from '../../support/node.ts'
import { COW } from '../../support/signing.ts'
import { talkingNode } from '../../support/talker.ts'

const NAMED = { name: 'Bank', abi: [{ type: 'function', name: 'pay', inputs: [], outputs: [] }] }

test('the custom errors of a named contract have names in the log and in errors, also after a revert', async () => {
  const { node, talker, request, logged } = await talkingNode()
  const { abi } = (await loadContracts()).Talker
  const snapshot = await call(node, 'evm_snapshot')
  expect(await call(node, 'node_addContract', [talker, { name: 'Talker', abi }])).toBeNull()
  await call(node, 'evm_revert', [snapshot])
  const { error, transaction } = await logged('eth_sendTransaction', [request('refuse', [8])], 'hardhat')
  const name = `Refused(${getAddress(talker)}, [8, 2], (3, "shield"))`
  expect(transaction?.reason).toBe(`custom error ${name}`)
  expect(error?.message).toContain(`reverted with custom error '${name}'`)
})

test('a later name replaces an earlier one, and a world begins with the names of the default chain', async () => {
  const node = await freshNode()
  await call(node, 'node_addContract', [COW, NAMED])
  await call(node, 'node_addContract', [COW, { ...NAMED, name: 'Vault' }])
  const { chain: world } = node.worlds.create('other')
  expect(world.namedContracts.at(asAddress(COW))).toMatchObject({ name: 'Vault', abi: NAMED.abi })
  await call(world, 'node_addContract', [COW, NAMED])
  expect(node.namedContracts.at(asAddress(COW))?.name).toBe('Vault')
})

test.each([
  ['no name', { abi: [] }, 'name of the contract'],
  ['an ABI that is no list', { name: 'Bank', abi: 'pay()' }, 'the ABI, a list of objects'],
  [
    'a wrong item',
    { name: 'Bank', abi: [...NAMED.abi, { type: 'event', inputs: 5 }] },
    'abi[1] is not an item',
  ],
])('%s is refused', async (_case, contract, text) => {
  const { kind, message } = await refusal(await freshNode(), 'node_addContract', [COW, contract])
  expect({ kind, message }).toEqual({ kind: 'invalidParams', message: expect.stringContaining(text) })
})
