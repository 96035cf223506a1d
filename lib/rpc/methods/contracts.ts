/** Methods that name contracts for the explanations of the node. */

import * as z from 'zod'
import { readAbi } from '../../insight/artifacts/schemas.ts'
import type { DescribedContract } from '../../insight/explain/account-contract.ts'
import { NodeError } from '../../base/errors.ts'
import type { Address } from '../../base/hex.ts'
import { interfaceAt } from '../../networks/network-33/precompiles/interfaces.ts'
import type { Node } from '../../node/node.ts'
import { blockRef } from '../../schema/block-ref.ts'
import { optionalWith, address } from '../../schema/wire.ts'
import { addressText, dataText, text } from '../../schema/results.ts'
import { command } from '../control.ts'
import { method, param } from '../method.ts'
import { COW1 } from './examples.ts'

/** Longest text to search for. */
const MOST_CHARACTERS = 200

const named = z.strictObject(
  {
    name: z
      .string({ error: 'expected the name of the contract' })
      .min(1, 'expected the name of the contract'),
    abi: z.array(z.looseObject({ type: z.string() }), { error: 'expected the ABI, a list of objects' }),
  },
  { error: 'expected an object with name and abi' },
)

export const addContract = command({
  name: 'dev_addContract',
  summary:
    'Names the contract at an address, and gives its ABI: the log and the errors of the node then have the names of its custom errors. A revert keeps the name; a later call replaces it.',
  params: [
    param('address', address, 'Address of the contract, which may be created later.'),
    param('contract', named, 'Name and ABI of the contract.'),
  ],
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
  },
})

const described = z.strictObject({
  address: addressText,
  name: text.optional(),
  /** Path of the source, as the compiler names it. */
  file: text.optional(),
  compiler: text.optional(),
  /** The ABI as compilers write it. */
  abi: z.array(z.looseObject({ type: text })).readonly(),
})

/** The items of an ABI are plain objects, as they were read. */
const rendered = ({
  abi,
  address: at,
  name,
  file,
  compiler,
}: DescribedContract): z.input<typeof described> => ({
  address: at,
  name,
  file,
  compiler,
  abi: abi.map((item) => ({ ...item })),
})

const selected = z.looseObject({ type: text, selector: dataText })

/** A contract that is part of the node. Those that only network 33 has are called by selectors, and have an ABI. */
function nativeContract(at: Address, { precompiles, network }: Node) {
  const precompile = precompiles.get(at)
  if (precompile === undefined) return null
  const { abi, bySelector } = interfaceAt(at, network.names)
  return {
    address: at,
    name: precompile.name,
    isNative: true as const,
    abi: abi.map((item) => ({ ...item })),
    bySelector: bySelector.map((item) => ({ ...item })),
  }
}

export const getContract = method({
  name: 'dev_getContract',
  summary:
    'What is known of the contract at an address, from the artifacts or from dev_addContract: name, source, ABI; of a proxy or a clone also the contract that it runs. A contract that is part of the node has `isNative`; on network 33 it has an ABI, and in `bySelector` the items whose selector or topic is not the hash of their signature. Null if nothing is known.',
  params: [
    param('address', address, 'Address of the contract.'),
    param('block', optionalWith(blockRef, 'latest'), 'State to read its code from; latest if left out.'),
  ],
  result: described
    .extend({
      implementation: described.optional(),
      isNative: z.literal(true).optional(),
      bySelector: z.array(selected).readonly().optional(),
    })
    .nullable(),
  errors: ['unknownBlock'],
  example: { params: [COW1, 'latest'], result: null },
  run: async ({ address: at, block }, node) => {
    const { state } = node.blockResolver.at(block)
    const contracts = await (await node.loadExplainer()).accountContracts()
    const contract = contracts.at(at, state)
    if (contract === undefined) return nativeContract(at, node)
    const { implementation } = contract
    return { ...rendered(contract), implementation: implementation && rendered(implementation) }
  },
})

/** Most contracts that a search finds. */
const MOST_FOUND = 100

export const findContracts = method({
  name: 'dev_findContracts',
  summary:
    'Contracts of the newest block whose name, or the name of one of whose functions, contains a text, in upper or lower case; at most 100. On a fork those that differ from the forked chain.',
  params: [
    param(
      'text',
      z
        .string({ error: 'expected a part of a name' })
        .min(1, 'expected a part of a name')
        .max(MOST_CHARACTERS, `expected at most ${MOST_CHARACTERS} characters`),
      'Part of the name of a contract or of a function.',
    ),
  ],
  result: z.strictObject({
    contracts: z
      .array(
        z.strictObject({
          address: addressText,
          name: text,
          /** Names of the functions that match; empty if the name of the contract does. */
          functions: z.array(text).readonly(),
        }),
      )
      .readonly(),
    /** Whether there are more than 100. */
    hasMore: z.boolean(),
  }),
  example: { params: ['Bank'], result: { contracts: [], hasMore: false } },
  run: async ({ text: part }, { chain, loadExplainer }) => {
    const contracts = await (await loadExplainer()).accountContracts()
    return contracts.search(part, chain.head.state, MOST_FOUND)
  },
})
