/** Methods about peers and the network id. The node has no peers. */

import * as z from 'zod'
import { flag, quantityText, text } from '../../schema/results.ts'
import { networkIdUnder } from '../../config/resolve-network.ts'
import { method } from '../method.ts'

const version = method({
  name: 'net_version',
  aliases: ['eth_networkId'],
  summary: 'Network id as a decimal string.',
  params: [],
  result: text,
  access: 'read',
  example: { params: [], result: '33' },
  run: (_, { network, miner }) => networkIdUnder(miner.settings.chainId, network).toString(),
})

const listening = method({
  name: 'net_listening',
  summary: 'Whether the node accepts connections; always true while it answers.',
  params: [],
  result: flag,
  access: 'read',
  example: { params: [], result: true },
  run: () => true,
})

const peerCount = method({
  name: 'net_peerCount',
  summary: 'Number of connected peers: none, the chain is local.',
  params: [],
  result: quantityText,
  access: 'read',
  example: { params: [], result: '0x0' },
  run: () => '0x0',
})

const peerList = method({
  name: 'net_peerList',
  summary: 'Known peers with id and address: none, the chain is local.',
  params: [],
  result: z.array(text).readonly(),
  access: 'read',
  example: { params: [], result: [] },
  run: () => [],
})

export const netMethods = [version, listening, peerCount, peerList]
