/** Methods that show what is in a contract: its sources, its state variables, and the names of the instructions of its code. */

import * as z from 'zod'
import { bytesToBigInt } from '../../base/hex.ts'
import { blockRef } from '../../schema/block-ref.ts'
import { optional, optionalWith, address, data } from '../../schema/wire.ts'
import { flag, hashText, text } from '../../schema/results.ts'
import { sourcesObject } from '../../schema/step-results.ts'
import { method, param } from '../method.ts'
import { COW1 } from './examples.ts'

const contract = param('address', address, 'Address of the contract.')

export const contractSources = method({
  name: 'dev_contractSources',
  summary:
    'Sources of the contract at an address, from the artifacts, its own file first; of a proxy or a clone also those of the contract that it runs. Null if none is known. Texts beyond 8,000,000 characters are left out.',
  params: [
    contract,
    param('block', optionalWith(blockRef, 'latest'), 'State to read its code from; latest if left out.'),
  ],
  result: sourcesObject.nullable(),
  errors: ['unknownBlock'],
  example: { params: [COW1, 'latest'], result: null },
  run: async ({ address: at, block }, { blockResolver, loadExplainer }) => {
    const { state } = blockResolver.at(block)
    return (await (await loadExplainer()).sourcesAt(at, state)) ?? null
  },
})

/** Keys in one request. */
const MAX_KEYS = 100

const key = data
  .refine(({ length }) => length <= 32, { error: 'expected at most 32 bytes' })
  .transform(bytesToBigInt)

const keyList = z
  .array(key, { error: 'expected a list of words' })
  .max(MAX_KEYS, { error: `expected at most ${MAX_KEYS} keys` })

const storedVariable = z.strictObject({
  variable: text,
  type: text,
  slot: hashText,
  offset: z.int().nonnegative(),
  /** Absent for a mapping, whose keys are not stored. */
  value: text.optional(),
})

export const storageVariables = method({
  name: 'dev_storageVariables',
  summary:
    'State variables of the contract at an address with their values, by the layout of its storage in the artifacts; those of a proxy or a clone by the layout of the contract that it runs. Null if the layout is not known. Mappings have no list of their keys: their values are read at given ones. `isWhole` is false if something is left out: there are at most 2,000 values, 100 items of a list and 4,096 bytes of a text, and 1,024 values of mappings are tried.',
  params: [
    contract,
    param('block', optionalWith(blockRef, 'latest'), 'State to read; latest if left out.'),
    param(
      'keys',
      optional(keyList),
      `Words to try as keys of mappings, at most ${MAX_KEYS}; none if left out. Values of zero are left out.`,
    ),
  ],
  result: z.strictObject({ variables: z.array(storedVariable).readonly(), isWhole: flag }).nullable(),
  errors: ['unknownBlock'],
  example: { params: [COW1, 'latest', []], result: null },
  run: async ({ address: at, block, keys = [] }, { blockResolver, loadExplainer }) => {
    const { state } = blockResolver.at(block)
    const found = await (await loadExplainer()).variablesAt(at, state, keys)
    return found === undefined ? null : { variables: found.variables, isWhole: found.isWhole }
  },
})

export const instructions = method({
  name: 'dev_instructions',
  summary:
    'Names of the 256 instructions by opcode under the rules of the chain, null for an undefined one. The data that an instruction pushes follows it in the code.',
  result: z.array(text.nullable()).readonly(),
  example: { params: [] },
  run: (_params, { instructionNames }) => instructionNames().map((name) => name ?? null),
})
