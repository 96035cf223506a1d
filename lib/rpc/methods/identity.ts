/** Methods by which tools recognise the node, and its log. */

import * as z from 'zod'
import { fromHex, toHash, toQuantity } from '../../base/hex.ts'
import { NodeError, invalidParams } from '../../base/errors.ts'
import { waitFor } from '../../base/routine.ts'
import { gasForTransactions } from '../../chain/fees.ts'
import { findPackage } from '../../config/package.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import type { Node } from '../../node/node.ts'
import { flag, hashText, nothing, quantityText, text } from '../../schema/results.ts'
import { boolean, hash } from '../../schema/wire.ts'
import { control } from '../../kernel/control.ts'
import { param, readMethod } from '../../kernel/method.ts'

type DescribedChain = Pick<Node, 'chain' | 'createdAtMs' | 'miner' | 'network' | 'snapshots' | 'worldId'>

export const clientVersion = readMethod({
  name: 'web3_clientVersion',
  summary: 'Version of this node in the form of Hardhat, and the release that it follows (--release).',
  result: text,
  run: (_, node: Pick<Node, 'network'>) => versionText(node),
})

/** The block of a remote chain that this chain continues. */
const forkedNetworkObject = z.strictObject({
  chainId: z.number(),
  forkBlockNumber: z.number(),
  forkBlockHash: hashText,
})

const metadataObject = z.strictObject({
  clientVersion: text,
  chainId: z.number(),
  /** Unchanged until the chain is reset, and different in every world. */
  instanceId: hashText,
  latestBlockNumber: z.number(),
  latestBlockHash: hashText,
})

function metadataOf(node: DescribedChain): z.input<typeof metadataObject> {
  const { chain, miner, createdAtMs, snapshots, worldId = '' } = node
  const { head, genesis } = chain
  const era = Buffer.from(`${createdAtMs}${worldId}/${snapshots.resets.value}`)
  const identity = Buffer.concat([fromHex(genesis.block.hash), era])
  return {
    clientVersion: versionText(node),
    chainId: Number(miner.settings.chainId),
    instanceId: toHash(keccak256(identity)),
    latestBlockNumber: Number(head.block.header.number),
    latestBlockHash: head.block.hash,
  }
}

function forkedNetworkOf({ forks }: Pick<Node, 'forks'>): z.input<typeof forkedNetworkObject> | undefined {
  if (forks.current === undefined) return undefined
  const { chainId, blockNumber, blockHash } = forks.current.block
  return { chainId: Number(chainId), forkBlockNumber: Number(blockNumber), forkBlockHash: blockHash }
}

/** Gas that hardhat-ethers gives to each transaction on the network localhost if the node has hardhat_metadata. */
const HARDHAT_GAS = 2n ** 24n

const HARDHAT_CHAIN_ID = 31337n

export const metadata = readMethod({
  name: 'hardhat_metadata',
  summary:
    'Client version, chain id, id of the chain instance, newest block, block that a fork continues. A server lacks it where a transaction cannot have 16,777,216 gas, which hardhat-ethers would give to each, unless the chain id is 31337, of which Ignition asks it.',
  errors: ['methodNotFound'],
  // Without a fork the member is absent, because Hardhat's viem plugin does not accept null.
  result: metadataObject.extend({ forkedNetwork: forkedNetworkObject.optional() }),
  run: (_, node: DescribedChain & Pick<Node, 'forks' | 'options'>, { isRemote }) => {
    const gas = gasForTransactions(node.network, node.chain.head.block.header)
    // Plugins in the node's own process need the method, and Ignition needs it wherever the chain id is Hardhat's.
    const isAsked = isRemote === true && node.network.chainId !== HARDHAT_CHAIN_ID
    if (isAsked && gas < HARDHAT_GAS)
      throw new NodeError(
        'methodNotFound',
        `the method hardhat_metadata does not exist/is not available on a chain whose transactions have at most ${gas} gas: hardhat-ethers would give ${HARDHAT_GAS} to each`,
      )
    return { ...metadataOf(node), forkedNetwork: forkedNetworkOf(node) }
  },
})

export const anvilMetadata = readMethod({
  name: 'anvil_metadata',
  summary: 'As hardhat_metadata; with the number and hash of the block of every snapshot.',
  result: metadataObject.extend({
    /** Null without a fork. */
    forkedNetwork: forkedNetworkObject.nullable(),
    snapshots: z.record(quantityText, z.tuple([z.number(), hashText]).readonly()),
  }),
  run: (_, node: DescribedChain & Pick<Node, 'forks'>) => {
    const blocks = node.snapshots.all.map(
      ({ id, head }) => [toQuantity(id), [Number(head.number), head.hash]] as const,
    )
    const forkedNetwork = forkedNetworkOf(node) ?? null
    return { ...metadataOf(node), forkedNetwork, snapshots: Object.fromEntries(blocks) }
  },
})

export const leadsTo = readMethod({
  name: 'dev_leadsTo',
  summary:
    'Whether this chain made a token, or continues a chain that did. A reset asks it of its remote, so that no chain continues itself.',
  params: [param('token', hash, 'Token of 32 random bytes.')],
  result: flag,
  example: { params: [`0x${'00'.repeat(32)}`], result: false },
  run: ({ token }, { forks }: Pick<Node, 'forks'>) => waitFor(forks.leadTo(token)),
})

export const nodeInfo = readMethod({
  name: 'anvil_nodeInfo',
  summary: 'What Foundry and Hardhat ask of Anvil: the newest block and what the next one starts from.',
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
    /** Nulls without a fork. */
    forkConfig: z.strictObject({
      /** Without credentials, path and query, which may be keys. */
      forkUrl: text.nullable(),
      forkBlockNumber: z.number().nullable(),
      /** Maximum milliseconds before the first retry of a request. */
      forkRetryBackoff: z.number().nullable(),
    }),
  }),
  run: (_, { network, chain, miner, options, forks }: DescribedChain & Pick<Node, 'forks' | 'options'>) => {
    const fork = forks.current
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
      forkConfig: {
        forkUrl: fork?.shownUrl ?? null,
        forkBlockNumber: fork === undefined ? null : Number(fork.block.blockNumber),
        forkRetryBackoff: fork?.retryBackoffMs ?? null,
      },
    }
  },
})

export const stackTraceFailures = readMethod({
  name: 'hardhat_getStackTraceFailuresCount',
  summary: 'Number of stack traces that could not be made: 0, as this node makes none.',
  result: z.int(),
  example: { params: [], result: 0 },
  run: () => 0,
})

export const genesisTime = readMethod({
  name: 'anvil_getGenesisTime',
  summary: 'Time of the genesis, in seconds since the epoch.',
  result: z.number(),
  run: (_, { chain }: Pick<Node, 'chain'>) => Number(chain.genesis.block.header.timestamp),
})

export const setLoggingEnabled = control({
  name: 'hardhat_setLoggingEnabled',
  aliases: ['anvil_setLoggingEnabled', 'ganache_setLoggingEnabled'],
  summary: 'Switches the log of requests on or off.',
  params: [param('isEnabled', boolean, 'Whether requests are logged.')],
  example: { params: [true], result: true },
  run: ({ isEnabled }, { logging }: Pick<Node, 'logging'>) => {
    logging.value = isEnabled
  },
})

export const setRpcUrl = readMethod({
  name: 'anvil_setRpcUrl',
  aliases: ['hardhat_setRpcUrl', 'ganache_setRpcUrl'],
  summary: 'Refused: the remote of a fork is not changed. hardhat_reset continues another remote.',
  params: [param('url', z.string('expected a URL'), 'URL of a chain to fork.')],
  result: nothing,
  errors: ['invalidParams'],
  example: { params: ['http://127.0.0.1:8545'], refusal: 'invalidParams' },
  run: () => {
    throw invalidParams(
      'params[0] (url): the remote of a fork is not changed; hardhat_reset with forking continues another one',
    )
  },
})

/** Hardhat's helpers check its beginning. OpenZeppelin's upgrades need exactly `HardhatNetwork` before the first slash. */
const versionText = ({ network: { release = '' } }: Pick<Node, 'network'>): string =>
  `HardhatNetwork/compatible/dev-node/${findPackage().version}/${release}`
