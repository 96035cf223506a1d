/** Methods about peers and the network id. The node has no peers. */

import * as z from 'zod'
import { flag, quantityText, text } from '../../schema/results.ts'
import { networkIdUnder } from '../../config/resolve-network.ts'
import { method } from '../method.ts'

export const version = method({
  name: 'net_version',
  aliases: ['eth_networkId'],
  summary: 'Network id as a decimal string.',
  result: text,
  example: { params: [], result: '33' },
  run: (_, { network, miner }) => networkIdUnder(miner.settings.chainId, network).toString(),
})

export const listening = method({
  name: 'net_listening',
  summary: 'Whether the node accepts connections; always true while it answers.',
  result: flag,
  example: { params: [], result: true },
  run: () => true,
})

export const peerCount = method({
  name: 'net_peerCount',
  summary: 'Number of connected peers: none, the chain is local.',
  result: quantityText,
  example: { params: [], result: '0x0' },
  run: () => '0x0',
})

export const peerList = method({
  name: 'net_peerList',
  summary: 'Known peers with id and address: none, the chain is local.',
  result: z.array(text).readonly(),
  example: { params: [], result: [] },
  run: () => [],
})
