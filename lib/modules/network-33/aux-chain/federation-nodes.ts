/** The federation of the peg inside the node: adds the transactions of its members to the pool (docs/bridge.md, --federation). */

import { acceptedGasPrice } from '../../../chain/fees.ts'
import type { Cell } from '../../../chain/instance/chain-instance.ts'
import { TransactionCodec } from '../../../evm/codec.ts'
import { LEGACY_TYPE, type Transaction, type TransactionFields } from '../../../evm/transaction.ts'
import type { AuxChain } from './aux-chain.ts'
import { federationWork, nextCollection } from './federation-work.ts'
import { FEDERATORS } from './registration.ts'
import { BRIDGE_ADDRESS } from '../bridge/constants.ts'
import { genesisFederation, type Federation } from '../bridge/federation.ts'
import type { BlockSource, MinerDependencies } from '../../../chain/miner/miner-dependencies.ts'

/** Limit of the transactions, which use no gas. It leaves room for others in the block. */
const GAS_LIMIT = 1_000_000n

/** The transaction of a member's call, for the price that the pool accepts. */
export function bridgeTransaction(
  input: Uint8Array,
  nonce: bigint,
  { parent, context }: ReturnType<BlockSource['nextBlock']>,
): TransactionFields {
  const gasPrice = acceptedGasPrice(parent.block.header, context)
  return {
    type: LEGACY_TYPE,
    nonce,
    to: BRIDGE_ADDRESS,
    gasLimit: GAS_LIMIT,
    maxFeePerGas: gasPrice,
    maxPriorityFeePerGas: gasPrice,
    value: 0n,
    data: input,
  }
}

interface FederationDependencies extends Pick<MinerDependencies, 'chain' | 'mempool' | 'network'> {
  readonly auxChain: Cell<AuxChain>
  /** Release of the client, which determines the scripts of the federation. */
  readonly release: string
}

/** The members of one chain whose keys are published. */
export class FederationNodes {
  readonly #dependencies: FederationDependencies
  readonly #genesis: Federation

  constructor(dependencies: FederationDependencies) {
    this.#dependencies = dependencies
    this.#genesis = genesisFederation(dependencies.release)
  }

  /** Pooled transactions of the members. */
  get pooled(): readonly Transaction[] {
    const { mempool } = this.#dependencies
    return FEDERATORS.flatMap(({ address }) => mempool.from(address)).map(({ transaction }) => transaction)
  }

  /** Adds what is due after the head to the pool, unless transactions of the members wait there. @throws NotLoadedError before it changes anything */
  act(miner: BlockSource): void {
    const { chain, mempool, auxChain, network } = this.#dependencies
    if (this.pooled.length > 0) return
    const known = { auxChain: auxChain.value, genesis: this.#genesis }
    const { state, block } = chain.head
    const work = federationWork(state, block.header.number + 1n, known)
    if (work.calls.length === 0) return
    const next = miner.nextBlock()
    const codec = new TransactionCodec(network, next.context)
    const transactions = work.calls.map(({ member: { privateKey, address }, input }, index) => {
      const earlier = work.calls.slice(0, index).filter(({ member }) => member.address === address)
      const nonce = state.nonce(address) + BigInt(earlier.length)
      return codec.sign(bridgeTransaction(input, nonce, next), privateKey, address)
    })
    auxChain.value = work.auxChain
    for (const transaction of transactions) mempool.add(transaction, block.header.number)
  }

  /** Number of blocks to the next one in which a peg-out goes on; 0 if it goes on in none. @throws NotLoadedError */
  get blocksToNext(): number {
    const { state, block } = this.#dependencies.chain.head
    const due = nextCollection(state, block.header.number + 1n, this.#genesis)
    return due === undefined ? 0 : Math.max(Number(due - block.header.number), 1)
  }
}
