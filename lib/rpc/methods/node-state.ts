/** Dumps the whole chain as bytes and loads it again. */

import * as z from 'zod'
import { toHex, toQuantity } from '../../base/hex.ts'
import { optional, boolean, data } from '../../schema/wire.ts'
import { dataText, flag, hashText, quantityText, text } from '../../schema/results.ts'
import { method, param } from '../method.ts'

const SELECTION_EXPECTED =
  'expected {blocks, transactions, receipts, snapshots, keystore}, each true or false, and {format}: dev-node or anvil'

const selection = z.strictObject(
  {
    blocks: boolean.exactOptional(),
    transactions: boolean.exactOptional(),
    receipts: boolean.exactOptional(),
    snapshots: boolean.exactOptional(),
    keystore: boolean.exactOptional(),
    format: z.enum(['dev-node', 'anvil']).exactOptional(),
  },
  { error: SELECTION_EXPECTED },
)

/** Anvil's param to keep states of past blocks. It has no effect: they follow from the blocks. */
const wholeHistory = z.boolean().transform((): z.output<typeof selection> => ({}))

const savedState = z.strictObject({ path: text, blockNumber: quantityText, blockHash: hashText })

export const dumpState = method({
  name: 'dev_dumpState',
  aliases: ['anvil_dumpState', 'hardhat_dumpState', 'ganache_dumpState'],
  summary: 'The whole chain as the bytes of a state file: blocks, state, pool, clock, snapshots.',
  params: [
    param(
      'parts',
      optional(z.union([selection, wholeHistory], { error: SELECTION_EXPECTED })),
      'Parts to include or leave out: blocks, transactions, receipts, snapshots, keystore; the default is --state-parts. With format anvil: accounts and the newest block, as Anvil reads them.',
    ),
  ],
  result: dataText,
  isConfidential: true,
  example: { params: [] },
  run: async ({ parts: { format, ...parts } = {} }, { stateKeeper }) =>
    toHex(await stateKeeper.dump(parts, format)),
})

export const loadState = method({
  name: 'dev_loadState',
  aliases: ['anvil_loadState', 'hardhat_loadState', 'ganache_loadState'],
  summary:
    'Replaces the chain by a dumped one. Snapshots in the dump replace those of the node; a dump without snapshots keeps them.',
  params: [
    param(
      'state',
      data,
      "Result of dev_dumpState or of Anvil's anvil_dumpState, or the bytes of a state file.",
    ),
  ],
  result: flag,
  access: 'write',
  isConfidential: true,
  errors: ['invalidState'],
  example: { params: ['0x00'], refusal: 'invalidState' },
  run: async ({ state }, { stateKeeper }) => {
    await stateKeeper.load(state)
    return true
  },
})

export const saveState = method({
  name: 'dev_saveState',
  summary:
    'Writes the state file of the options state and dump-state now. When it is answered, the file is on the disk and a killed node continues from there.',
  result: savedState,
  errors: ['invalidState'],
  example: { params: [], refusal: 'invalidState' },
  run: async (_args, { stateKeeper, chain }) => {
    const { hash, header } = chain.head.block
    return { path: await stateKeeper.saveHeld(), blockNumber: toQuantity(header.number), blockHash: hash }
  },
})
