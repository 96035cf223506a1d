/** Methods that identify the node's chain, network and modules, and hash data. The node has no peers. */

import * as z from 'zod'
import { toQuantity, toHash } from '../../base/hex.ts'
import {
  addressText,
  dataText,
  flag,
  hashText,
  list,
  nothing,
  quantityText,
  text,
} from '../../schema/results.ts'
import { param, readMethod } from '../../kernel/method.ts'
import { networkIdUnder } from '../../config/resolve-network.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import { data } from '../../schema/wire.ts'
import { blobConfigOf, forkId, precompilesByName, systemContractAddresses } from '../../chain/fork-config.ts'
import type { Node } from '../../node/node.ts'

type IdentifiedChain = Pick<Node, 'chain' | 'miner' | 'network' | 'precompiles'>

export const chainId = readMethod({
  name: 'eth_chainId',
  summary: 'Chain id that transactions are signed for.',
  result: quantityText,
  example: { params: [], result: '0x21' },
  run: (_, { miner }: IdentifiedChain) => toQuantity(miner.settings.chainId),
})

export const blockNumber = readMethod({
  name: 'eth_blockNumber',
  summary: 'Number of the newest block.',
  result: quantityText,
  example: { params: [], result: '0x0' },
  run: (_, { chain }: IdentifiedChain) => toQuantity(chain.height),
})

export const coinbase = readMethod({
  name: 'eth_coinbase',
  summary: 'Coinbase of the next block.',
  result: addressText,
  example: { params: [], result: '0xec4ddeb4380ad69b3e509baad9f158cdf4e4681d' },
  run: (_, { miner }: IdentifiedChain) => miner.nextBlockContext().coinbase,
})

export const mining = readMethod({
  name: 'eth_mining',
  summary: 'Whether the node mines by itself: for each transaction or at an interval.',
  result: flag,
  example: { params: [], result: true },
  run: (_, { miner }: IdentifiedChain) => miner.mode.kind === 'instant' || miner.mode.kind === 'interval',
})

export const syncing = readMethod({
  name: 'eth_syncing',
  summary: 'Whether the node is syncing: always false, as it has no peers.',
  result: z.literal(false),
  example: { params: [], result: false },
  run: () => false as const,
})

export const version = readMethod({
  name: 'net_version',
  aliases: ['eth_networkId'],
  summary: 'Network id as a decimal string.',
  result: text,
  example: { params: [], result: '33' },
  run: (_, { network, miner }: IdentifiedChain) => networkIdUnder(miner.settings.chainId, network).toString(),
})

export const listening = readMethod({
  name: 'net_listening',
  summary: 'Whether the node accepts connections; always true while it answers.',
  result: flag,
  example: { params: [], result: true },
  run: () => true,
})

export const peerCount = readMethod({
  name: 'net_peerCount',
  summary: 'Number of connected peers: none, the chain is local.',
  result: quantityText,
  example: { params: [], result: '0x0' },
  run: () => '0x0',
})

export const peerList = readMethod({
  name: 'net_peerList',
  summary: 'Known peers with id and address: none, the chain is local.',
  result: list(text),
  example: { params: [], result: [] },
  run: () => [],
})

export const sha3 = readMethod({
  name: 'web3_sha3',
  summary: 'keccak-256 of bytes (not the standardized SHA3-256).',
  params: [param('data', data, 'Bytes to hash.')],
  result: hashText,
  example: {
    params: ['0x696e7465726e6574'],
    result: '0x2949b355406e040cb594c48726db3cf34bd8f963605e2c39a6b0b862e46825a5',
  },
  run: ({ data: bytes }) => toHash(keccak256(bytes)),
})

export const modules = readMethod({
  name: 'rpc_modules',
  summary: 'Modules of methods and their versions.',
  result: z.record(z.string(), z.string()),
  run: (_, __, { modules: names }) => Object.fromEntries(names.map((name) => [name, '1.0'])),
})

const blobSchedule = z
  .strictObject({ baseFeeUpdateFraction: z.int(), max: z.int(), target: z.int() })
  .readonly()
const addressesByName = z.record(z.string(), addressText).readonly()

export const config = readMethod({
  name: 'eth_config',
  summary: 'The hard fork (EIP-7910), active from block 0 on. `next` and `last` are null: no fork follows.',
  result: z.strictObject({
    current: z.strictObject({
      activationTime: z.int(),
      /** Null if the hard fork has no blobs. */
      blobSchedule: blobSchedule.nullable(),
      chainId: quantityText,
      forkId: dataText,
      precompiles: addressesByName,
      systemContracts: addressesByName,
    }),
    next: nothing,
    last: nothing,
  }),
  run: (_, { network, chain, miner, precompiles }: IdentifiedChain) => ({
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
