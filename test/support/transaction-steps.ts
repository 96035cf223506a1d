/** Generates random transactions on few accounts and contracts, and sends them to a node. */

import { finish } from '../../lib/base/routine.ts'
import type { Common } from '@ethereumjs/common'
import { createTxFromRLP } from '@ethereumjs/tx'
import fc from 'fast-check'
import { createContractAddress } from './created-address.ts'
import { ZERO_ADDRESS, asAddress, fromHex, toHash, toHex, toQuantity } from '../../lib/base/hex.ts'
import type { Address, Hex } from '../../lib/base/hex.ts'
import type { Block } from '../../lib/chain/block.ts'
import { NodeError } from '../../lib/base/errors.ts'
import { versionedHash } from '../../lib/evm/sidecar.ts'
import { BLOB_TYPE, type TransactionFields } from '../../lib/evm/transaction.ts'
import type { Node } from '../../lib/node/node.ts'
import { CONTRACTS, creationCode, words } from './bytecode.ts'
import type { CodeName } from './bytecode.ts'
import type { Contracts } from './contracts.ts'
import { stockCommon } from './library-chain.ts'

/** A transaction before the addresses of a chain are filled in. */
export interface TransactionStep {
  /** Index of one of four senders. */
  readonly sender: number
  readonly target: Target
  readonly value: bigint
  /** Enough gas for any step, or an amount above the intrinsic cost. */
  readonly spareGas: bigint | 'enough'
  /** Transaction type of the network. */
  readonly type: number
  readonly tip: bigint
  readonly announcesSlots: boolean
  /** Whether a block ends here. */
  readonly endsBlock: boolean
}

type Target =
  | { readonly kind: 'transfer'; readonly to: number }
  | { readonly kind: 'deploy'; readonly code: Creation }
  | { readonly kind: 'call'; readonly contract: CodeName; readonly args: readonly bigint[] }
  /** Through a contract that forwards the rest of its call data. */
  | {
      readonly kind: 'through'
      readonly by: CodeName
      readonly contract: CodeName
      readonly args: readonly bigint[]
    }
  | {
      readonly kind: 'create'
      readonly by: 'create' | 'create2'
      readonly salt: bigint
      readonly code: Creation
    }

const NAMES = Object.keys(CONTRACTS) as CodeName[]
const word = fc.constantFrom(0n, 1n, 2n, 3n, 0xffn, 2n ** 200n)
const args = fc.tuple(word, word)
const contract = fc.constantFrom(...NAMES)

/** Creation codes: of compiled contracts with their arguments, of small ones, and some that fail. */
function creations({ Storage, Reverter, Vault, GameItem }: Contracts) {
  const owner = words([0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826n]).slice(2)
  return {
    storage: `${Storage.bytecode}${words([7n]).slice(2)}`,
    reverter: Reverter.bytecode,
    vault: `${Vault.bytecode}${owner}`,
    gameItem: `${GameItem.bytecode}${owner}`,
    store: toHex(creationCode(CONTRACTS.store)),
    destroy: toHex(creationCode(CONTRACTS.destroy)),
    /** Destroys itself in its constructor. */
    destroysItself: '0x33ff',
    nothing: '0x',
    invalid: '0xfe',
    reverts: '0x60006000fd',
    endless: '0x5b600056',
    /** Leaves code that starts with 0xef (EIP-3541). */
    reservedByte: '0x60ef60005360016000f3',
  } as const
}

type Creation = keyof ReturnType<typeof creations>
const CREATIONS: readonly Creation[] = [
  ...(['storage', 'reverter', 'vault', 'gameItem', 'store', 'destroy', 'destroysItself'] as const),
  ...(['nothing', 'invalid', 'reverts', 'endless', 'reservedByte'] as const),
]

/** Any transaction. */
export function anyTransaction(): fc.Arbitrary<TransactionStep> {
  const code = fc.constantFrom(...CREATIONS)
  const target: fc.Arbitrary<Target> = fc.oneof(
    fc.record({ kind: fc.constant('transfer' as const), to: fc.nat(8) }),
    fc.record({ kind: fc.constant('deploy' as const), code }),
    { arbitrary: fc.record({ kind: fc.constant('call' as const), contract, args }), weight: 4 },
    {
      arbitrary: fc.record({
        kind: fc.constant('through' as const),
        by: fc.constantFrom<CodeName>('delegate', 'forward', 'forwardLimited'),
        contract,
        args,
      }),
      weight: 3,
    },
    fc.record({
      kind: fc.constant('create' as const),
      by: fc.constantFrom('create' as const, 'create2' as const),
      salt: fc.constantFrom(1n, 2n),
      code,
    }),
  )
  return fc.record({
    sender: fc.nat(3),
    target,
    value: fc.constantFrom(0n, 0n, 1n, 10n ** 15n),
    spareGas: fc.oneof(
      { arbitrary: fc.constant('enough' as const), weight: 3 },
      fc.constantFrom(0n, 100n, 2_300n, 25_000n, 60_000n),
    ),
    type: fc.constantFrom(0, 1, 2, 3),
    tip: fc.constantFrom(0n, 1n, 10n ** 9n),
    announcesSlots: fc.boolean(),
    endsBlock: fc.boolean(),
  })
}

/** Gas that suffices for every step and leaves room for others in the block. */
const ENOUGH = 2_000_000n

/** Gas that an endless loop burns in a short time. */
const SOME = 100_000n

/** A node with the small contracts, for random transactions. */
export class Playground {
  readonly node: Node
  readonly addresses: ReadonlyMap<CodeName, Address>
  readonly #codes: Readonly<Record<Creation, Hex>>
  readonly #common: Common

  private constructor(node: Node, addresses: ReadonlyMap<CodeName, Address>, contracts: Contracts) {
    this.node = node
    this.#codes = creations(contracts)
    this.#common = stockCommon(node.network)
    this.addresses = addresses
  }

  /** Deploys the small contracts, then switches to manual mining. */
  static async on(node: Node, contracts: Contracts): Promise<Playground> {
    node.miner.stop()
    const { address, privateKey } = node.funded[9]!
    const addresses = new Map<CodeName, Address>()
    for (const [index, name] of NAMES.entries()) {
      const data = creationCode(CONTRACTS[name])
      const fields = { to: undefined, data, nonce: BigInt(index), gasLimit: 500_000n, value: 0n }
      const priced = { ...fields, type: 0, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 10n }
      await finish(node.submission.submit(node.codec.sign(priced, privateKey, address)))
      addresses.set(name, createContractAddress(address, BigInt(index)))
    }
    await finish(node.miner.mine())
    return new Playground(node, addresses, contracts)
  }

  /** Sends the transaction of a step. Returns whether the pool admitted it. */
  async send(step: TransactionStep): Promise<boolean> {
    const { node } = this
    const { address, privateKey } = node.funded[step.sender]!
    const nonce = node.mempool.nextNonce(address, node.chain.head.state.nonce(address))
    const fields = this.#fields(step, nonce)
    const gasLimit = this.#gasLimit(step, fields)
    try {
      await finish(node.submission.submit(node.codec.sign({ ...fields, gasLimit }, privateKey, address)))
      return true
    } catch (error) {
      if (error instanceof NodeError) return false
      throw error
    }
  }

  /** Sends and mines the steps, and yields every block. */
  async *blocks(steps: readonly TransactionStep[]): AsyncGenerator<Block> {
    for (const step of steps) {
      await this.send(step)
      if (step.endsBlock) yield await finish(this.node.miner.mine())
    }
    while (this.node.mempool.size > 0) yield await finish(this.node.miner.mine())
  }

  /** The transaction of a step as a request, without gas and nonce. */
  request(step: TransactionStep): object {
    const { to, data, value, accessList, maxFeePerGas } = this.#fields(step, 0n)
    return {
      from: this.node.funded[step.sender]!.address,
      ...(to === undefined ? {} : { to }),
      ...(accessList === undefined ? {} : { accessList }),
      data: toHex(data),
      value: toQuantity(value),
      gasPrice: toQuantity(maxFeePerGas),
    }
  }

  #gasLimit({ spareGas, target }: TransactionStep, fields: TransactionFields): bigint {
    const isEndless = Object.values(target).some((part) => part === 'burn' || part === 'endless')
    if (spareGas === 'enough') return isEndless ? SOME : ENOUGH
    const { encoded } = this.node.codec.unsigned(fields, ZERO_ADDRESS)
    return createTxFromRLP(encoded, { common: this.#common }).getIntrinsicGas() + spareGas
  }

  #fields(step: TransactionStep, nonce: bigint): TransactionFields {
    const { network, miner } = this.node
    const destination = this.#destination(step.target)
    const wanted = step.type === BLOB_TYPE && destination.to === undefined ? 2 : step.type
    const type = network.transactionTypes.includes(wanted) ? wanted : 0
    const maxFeePerGas = miner.nextBaseFee * 2n + step.tip
    return {
      ...destination,
      ...(type === BLOB_TYPE ? zeroBlobs(step.sender + 1) : {}),
      type,
      nonce,
      gasLimit: ENOUGH,
      value: step.value,
      maxFeePerGas,
      maxPriorityFeePerGas: type >= 2 ? step.tip : maxFeePerGas,
      accessList: step.announcesSlots && type > 0 ? this.#accessList() : undefined,
    }
  }

  #destination(target: Target): { readonly to: Address | undefined; readonly data: Uint8Array } {
    const { funded } = this.node
    const at = (name: CodeName): Address => this.addresses.get(name)!
    switch (target.kind) {
      case 'transfer':
        return {
          to: funded[target.to]?.address ?? asAddress(`0x${'ab'.repeat(20)}`),
          data: new Uint8Array(0),
        }
      case 'deploy':
        return { to: undefined, data: fromHex(this.#codes[target.code]) }
      case 'call':
        return { to: at(target.contract), data: fromHex(words(target.args)) }
      case 'through':
        return { to: at(target.by), data: fromHex(words([at(target.contract), ...target.args])) }
      case 'create':
        return { to: at(target.by), data: fromHex(words([target.salt], fromHex(this.#codes[target.code]))) }
    }
  }

  #accessList() {
    const slots = [0n, 1n, 77n].map((slot) => toHash(fromHex(words([slot]))))
    return [{ address: this.addresses.get('store')!, storageKeys: slots }]
  }
}

/** Blobs of zeros, whose proofs are fast to check: commitment and proof are the point at infinity. */
function zeroBlobs(count: number): Partial<TransactionFields> {
  const infinity = Uint8Array.of(0xc0, ...new Uint8Array(47))
  const points = Array.from({ length: count }, () => infinity)
  const blobs = points.map(() => new Uint8Array(131_072))
  return {
    maxFeePerBlobGas: 10n ** 9n,
    blobVersionedHashes: points.map(versionedHash),
    sidecar: { version: 0, blobs, commitments: points, proofs: points },
  }
}

/**
 * Number of runs and seed of random tests: `SEED` repeats the seed of a failure.
 * Failures are not shrunk: that takes minutes where one run takes a second.
 */
export function runs(numRuns: number): fc.Parameters<unknown> {
  const seed = process.env['SEED']
  return { numRuns, endOnFailure: true, ...(seed === undefined ? {} : { seed: Number(seed) }) }
}
