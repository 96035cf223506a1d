/** Methods that name contracts for the explanations of the node. */

import * as z from 'zod'
import { readAbi } from '../../artifacts/schemas.ts'
import { NodeError } from '../../base/errors.ts'
import { nothing } from '../../schema/results.ts'
import { address } from '../../schema/wire.ts'
import { method, param } from '../method.ts'

const COW1 = '0x7986b3df570230288501eea3d890bd66948c9b79'

const named = z.strictObject(
  {
    name: z
      .string({ error: 'expected the name of the contract' })
      .min(1, 'expected the name of the contract'),
    abi: z.array(z.looseObject({ type: z.string() }), { error: 'expected the ABI, a list of objects' }),
  },
  { error: 'expected an object with name and abi' },
)

const addContract = method({
  name: '{module}_addContract',
  summary:
    'Names the contract at an address, and gives its ABI: the log and the errors of the node then have the names of its custom errors. A revert keeps the name; a later call replaces it.',
  params: [
    param('address', address, 'Address of the contract, which may be created later.'),
    param('contract', named, 'Name and ABI of the contract.'),
  ],
  result: nothing,
  access: 'write',
  example: {
    params: [COW1, { name: 'Bank', abi: [{ type: 'error', name: 'Broke', inputs: [] }] }],
    result: null,
  },
  run: ({ address: at, contract: { name, abi } }, { namedContracts }) => {
    const wrong = abi.findIndex((item) => readAbi([item]).length === 0)
    if (wrong !== -1) {
      throw new NodeError('invalidParams', `invalid contract: abi[${wrong}] is not an item of an ABI`)
    }
    namedContracts.set(at, { name, abi: readAbi(abi) })
    return null
  },
})

export const contractMethods = [addContract]
