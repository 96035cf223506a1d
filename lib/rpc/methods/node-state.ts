/** Dumps the whole chain as bytes and loads it again. */

import * as z from 'zod'
import { toHex, toQuantity } from '../../base/hex.ts'
import { optional, boolean, data } from '../../schema/wire.ts'
import { dataText, hashText, quantityText, text } from '../../schema/results.ts'
import { confirmed } from '../../kernel/control.ts'
import { param, readMethod } from '../../kernel/method.ts'

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
  SELECTION_EXPECTED,
)

/** Anvil's param to keep states of past blocks. It has no effect: they follow from the blocks. */
const wholeHistory = z.boolean().transform((): z.output<typeof selection> => ({}))

const savedState = z.strictObject({ path: text, blockNumber: quantityText, blockHash: hashText })

export const dumpState = readMethod({
  name: 'dev_dumpState',
  aliases: ['anvil_dumpState', 'hardhat_dumpState', 'ganache_dumpState'],
  summary: 'The whole chain as the bytes of a state file: blocks, state, pool, clock, snapshots.',
  params: [
    param(
      'parts',
      optional(z.union([selection, wholeHistory], SELECTION_EXPECTED)),
      'Parts to include or leave out: blocks, transactions, receipts, snapshots, keystore; the default is --state-parts. With format anvil: accounts and the newest block, as Anvil reads them.',
    ),
  ],
  result: dataText,
  isConfidential: true,
  run: async ({ parts: { format, ...parts } = {} }, { stateKeeper }) =>
    toHex(await stateKeeper.dump(parts, format)),
})

export const loadState = confirmed({
  name: 'dev_loadState',
  aliases: ['anvil_loadState', 'hardhat_loadState', 'ganache_loadState'],
  summary: 'Replaces the chain by a dumped one, and its snapshots by those of the dump, if it has any.',
  params: [
    param('state', data, "Result of dev_dumpState or of Anvil's anvil_dumpState, or bytes of a state file."),
  ],
  isConfidential: true,
  errors: ['invalidState'],
  example: { params: ['0x00'], refusal: 'invalidState' },
  run: ({ state }, { stateKeeper }) => stateKeeper.load(state),
})

export const saveState = readMethod({
  name: 'dev_saveState',
  summary: 'Writes the state file of --state or --dump-state to the disk; a killed node continues from it.',
  result: savedState,
  errors: ['invalidState'],
  example: { params: [], refusal: 'invalidState' },
  run: async (_, { stateKeeper, chain }) => {
    const { hash, header } = chain.head.block
    return { path: await stateKeeper.saveHeld(), blockNumber: toQuantity(header.number), blockHash: hash }
  },
})
