/** The method for stateless execution. */

import * as z from 'zod'
import { dataText, list } from '../../schema/results.ts'
import { readMethod } from '../../kernel/method.ts'
import { SENT } from './examples.ts'
import { anyBlock, existing } from './params.ts'

export const executionWitness = readMethod({
  name: 'debug_executionWitness',
  aliases: ['debug_executionWitnessByHash'],
  summary:
    'What a client without any state needs to execute a block: nodes of the tries before it, codes, keys of accounts and slots, and encoded headers from the oldest that the block reads up to its parent.',
  params: [existing(anyBlock)],
  result: z.strictObject({
    state: list(dataText),
    codes: list(dataText),
    keys: list(dataText),
    headers: list(dataText),
  }),
  example: { after: [SENT.step], params: ['latest'] },
  run: ({ block }, { blockResolver, witnessOf }) => witnessOf(blockResolver.entryAt(block)),
})
