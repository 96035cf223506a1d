/** Returns the fork configuration and the range of stored data, for tools that check or select nodes. */

import * as z from 'zod'
import { toQuantity } from '../../base/hex.ts'
import { blobConfigOf, forkId, precompilesByName, systemContractAddresses } from '../../chain/fork-config.ts'
import { addressText, dataText, hashText, nothing, quantityText } from '../../schema/results.ts'
import { method } from '../method.ts'

const addressesByName = z.record(z.string(), addressText).readonly()

export const config = method({
  name: 'eth_config',
  summary:
    'The configuration of the hard fork (EIP-7910), which is active from block 0 on. `next` and `last` are null, as no fork follows.',
  result: z.strictObject({
    current: z.strictObject({
      activationTime: z.int(),
      /** Null if the hard fork has no blobs. */
      blobSchedule: z
        .strictObject({ baseFeeUpdateFraction: z.int(), max: z.int(), target: z.int() })
        .readonly()
        .nullable(),
      chainId: quantityText,
      forkId: dataText,
      precompiles: addressesByName,
      systemContracts: addressesByName,
    }),
    next: nothing,
    last: nothing,
  }),
  example: { params: [] },
  run: (_, { network, chain, miner, precompiles }) => ({
    current: {
      activationTime: 0,
      blobSchedule: blobConfigOf(network) ?? null,
      chainId: toQuantity(miner.settings.chainId),
      forkId: forkId(chain.genesis.block.hash),
      precompiles: precompilesByName(precompiles),
      systemContracts: systemContractAddresses(network),
    },
    next: null,
    last: null,
  }),
})

const resource = z.strictObject({ disabled: z.boolean(), oldestBlock: quantityText })

/** Result for each kind of data: the node has it for all blocks and deletes nothing, so there is no deletion strategy. */
const WHOLE = { disabled: false, oldestBlock: '0x0' } as const

export const capabilities = method({
  name: 'eth_capabilities',
  summary:
    'The first block of each kind of data that this node has (execution-apis): block 0 for all, as nothing is deleted.',
  result: z.strictObject({
    head: z.strictObject({ number: quantityText, hash: hashText }),
    state: resource,
    tx: resource,
    logs: resource,
    receipts: resource,
    blocks: resource,
    stateproofs: resource,
  }),
  example: { params: [] },
  run: (_, { chain }) => {
    const { hash, header } = chain.head.block
    return {
      head: { number: toQuantity(header.number), hash },
      state: WHOLE,
      tx: WHOLE,
      logs: WHOLE,
      receipts: WHOLE,
      blocks: WHOLE,
      stateproofs: WHOLE,
    }
  },
})
