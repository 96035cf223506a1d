/** Methods by which tools recognise the node, and its log. */

import * as z from 'zod'
import { fromHex, toHash, toQuantity } from '../../base/hex.ts'
import { NodeError } from '../../base/errors.ts'
import { findPackage } from '../../config/package.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import type { Node } from '../../node.ts'
import { hashText, nothing, quantityText, text } from '../../schema/results.ts'
import { boolean } from '../../schema/wire.ts'
import { controlResult, controlResultSchema } from '../control-result.ts'
import { method, param } from '../method.ts'
import { NO_FORK } from './evm-snapshots.ts'

const clientVersion = method({
  name: 'web3_clientVersion',
  summary:
    'Name and version of this node, and the release of the reference it follows (--release). Helpers of Hardhat accept it as one of theirs.',
  params: [],
  result: text,
  access: 'read',
  example: { params: [] },
  run: (_, node) => versionText(node),
})

const metadataObject = z.strictObject({
  clientVersion: text,
  chainId: z.number(),
  /** Unchanged while the chain exists, and different in every world. */
  instanceId: hashText,
  latestBlockNumber: z.number(),
  latestBlockHash: hashText,
})

/** Has no `forkedNetwork`, because Hardhat's viem plugin does not accept null there. */
function metadataOf(node: Node): z.input<typeof metadataObject> {
  const { chain, miner, createdAtMs, worldId = '' } = node
  const { head, genesis } = chain
  return {
    clientVersion: versionText(node),
    chainId: Number(miner.settings.chainId),
    instanceId: toHash(
      keccak256(Buffer.concat([fromHex(genesis.block.hash), Buffer.from(`${createdAtMs}${worldId}`)])),
    ),
    latestBlockNumber: Number(head.block.header.number),
    latestBlockHash: head.block.hash,
  }
}

const metadata = method({
  name: 'hardhat_metadata',
  summary:
    'The metadata that Hardhat requests: client version, chain id, id of the chain instance, and the newest block.',
  params: [],
  result: metadataObject,
  access: 'read',
  example: { params: [] },
  run: (_, node) => metadataOf(node),
})

const anvilMetadata = method({
  name: 'anvil_metadata',
  summary: 'As hardhat_metadata; with the number and hash of the block of every snapshot.',
  params: [],
  result: metadataObject.extend({
    /** Always null: this node forks no other chain. */
    forkedNetwork: nothing,
    snapshots: z.record(quantityText, z.tuple([z.number(), hashText]).readonly()),
  }),
  access: 'read',
  example: { params: [] },
  run: (_, node) => {
    const blocks = node.snapshots.all.map(
      ({ id, head }) => [toQuantity(id), [Number(head.number), head.hash]] as const,
    )
    return { ...metadataOf(node), forkedNetwork: null, snapshots: Object.fromEntries(blocks) }
  },
})

const nodeInfo = method({
  name: 'anvil_nodeInfo',
  summary: 'What Foundry and Hardhat ask of Anvil: the newest block and what the next one starts from.',
  params: [],
  result: z.strictObject({
    currentBlockNumber: quantityText,
    currentBlockTimestamp: z.number(),
    currentBlockHash: hashText,
    hardFork: text,
    transactionOrder: text,
    environment: z.strictObject({
      baseFee: quantityText,
      chainId: z.number(),
      gasLimit: quantityText,
      gasPrice: quantityText,
    }),
    forkConfig: z.strictObject({
      forkUrl: nothing,
      forkBlockNumber: nothing,
      forkRetryBackoff: nothing,
    }),
  }),
  access: 'read',
  example: { params: [] },
  run: (_, { network, chain, miner, options }) => {
    const { hash, header } = chain.head.block
    const plan = miner.nextBlockContext()
    return {
      currentBlockNumber: toQuantity(header.number),
      currentBlockTimestamp: Number(header.timestamp),
      currentBlockHash: hash,
      hardFork: network.hardfork,
      transactionOrder: options.order,
      environment: {
        baseFee: toQuantity(plan.baseFeePerGas),
        chainId: Number(miner.settings.chainId),
        gasLimit: toQuantity(plan.gasLimit),
        gasPrice: toQuantity(plan.baseFeePerGas),
      },
      forkConfig: { forkUrl: null, forkBlockNumber: null, forkRetryBackoff: null },
    }
  },
})

const stackTraceFailures = method({
  name: 'hardhat_getStackTraceFailuresCount',
  summary:
    'How many stack traces could not be made. None: this node makes none, debug_traceTransaction shows calls.',
  params: [],
  result: z.int(),
  access: 'read',
  example: { params: [], result: 0 },
  run: () => 0,
})

const genesisTime = method({
  name: 'anvil_getGenesisTime',
  summary: 'Time of the genesis, in seconds since the epoch.',
  params: [],
  result: z.number(),
  access: 'read',
  example: { params: [] },
  run: (_, { chain }) => Number(chain.genesis.block.header.timestamp),
})

const setLoggingEnabled = method({
  name: 'hardhat_setLoggingEnabled',
  aliases: ['anvil_setLoggingEnabled', 'ganache_setLoggingEnabled'],
  summary: 'Switches the log of requests on or off.',
  params: [param('isEnabled', boolean, 'Whether requests are logged.')],
  result: controlResultSchema,
  access: 'write',
  example: { params: [true], result: true },
  run: ({ isEnabled }, { logging }, context) => {
    logging.value = isEnabled
    return controlResult(context)
  },
})

const setRpcUrl = method({
  name: 'anvil_setRpcUrl',
  aliases: ['hardhat_setRpcUrl', 'ganache_setRpcUrl'],
  summary: 'Refused: this node forks no other chain, so there is no URL to change.',
  params: [param('url', z.string({ error: 'expected a URL' }), 'URL of a chain to fork.')],
  result: nothing,
  access: 'read',
  errors: ['invalidParams'],
  example: { params: ['http://127.0.0.1:8545'], refusal: 'invalidParams' },
  run: () => {
    throw new NodeError('invalidParams', `params[0] (url): ${NO_FORK}`)
  },
})

/** Helpers of Hardhat check its beginning; OpenZeppelin's upgrades need exactly `HardhatNetwork` before the first slash. */
const versionText = ({ options }: Pick<Node, 'options'>): string =>
  `HardhatNetwork/compatible/dev-node/${findPackage().version}/${options.release}`

export const identityMethods = [
  clientVersion,
  metadata,
  anvilMetadata,
  nodeInfo,
  stackTraceFailures,
  genesisTime,
  setLoggingEnabled,
  setRpcUrl,
]
