/** The precompiles that return properties of recent blocks (IP-119, IP-536; node-chain 10.2) and the depth of the call (IP-203). */

import { bytes, int256, uint32 } from '../../../abi/codec.ts'
import { EMPTY_BYTES, bigIntToSignedBytes, fromHex, type Hex } from '../../../base/hex.ts'
import type { Ancestor } from '../../../evm/block-context.ts'
import { PrecompileFailure, precompileAddress, type PrecompileCall } from '../../../evm/precompile.ts'
import { NO_PROOF, bytesAfterHash, type AuxProof } from '../consensus/aux-block.ts'
import { areMergedMiningFields } from '../consensus/header.ts'
import { precompileMethod, precompileWithMethods } from './methods.ts'

/** Maximum depth of a known block; the parent has depth 0. */
const MAX_DEPTH = 3999n

/** Maximum of a signed 16-bit integer. Numbers outside that type, even negative ones, mean an unknown block. */
const MAX_INT16 = 32_767n

/** Gas of every function: 4000, plus 2 per byte of call data. */
const gas = (_values: unknown, { input }: PrecompileCall): number => 4000 + 2 * input.length

/** The proof of work of a block. */
const auxOf = ({ own }: Ancestor): AuxProof => (areMergedMiningFields(own) ? own.aux : NO_PROOF)

/** Declares a function that returns a property of a block, or no bytes for an unknown block. */
function property(name: string, read: (block: Ancestor) => Uint8Array, selector?: Hex) {
  return precompileMethod({
    name,
    inputs: [int256],
    output: bytes,
    gas,
    ...(selector === undefined ? {} : { selector }),
    run: ([depth], call) => {
      const block = blockAt(depth, call)
      return block === undefined ? EMPTY_BYTES : read(block)
    },
  })
}

const uncleCoinbase = precompileMethod({
  name: 'getUncleCoinbaseAddress',
  inputs: [int256, int256],
  output: bytes,
  gas,
  run: ([depth, index], call) => {
    const block = blockAt(depth, call)
    if (block === undefined || !fitsInt16(index)) return EMPTY_BYTES
    if (index < 0n) throw new PrecompileFailure(`negative index of an uncle: ${index}`)
    const uncle = block.uncles[Number(index)]
    return uncle === undefined ? EMPTY_BYTES : fromHex(uncle.coinbase)
  },
})

export const blockHeaderMethods = [
  property('getCoinbaseAddress', ({ coinbase }) => fromHex(coinbase)),
  property('getBlockHash', ({ hash }) => fromHex(hash)),
  property('getMergedMiningTags', (block) => bytesAfterHash(auxOf(block).coinbase)),
  property('getMinGasPrice', ({ minimumGasPrice }) => bigIntToSignedBytes(minimumGasPrice)),
  property('getGasLimit', ({ gasLimit }) => bigIntToSignedBytes(gasLimit)),
  property('getGasUsed', ({ gasUsed }) => bigIntToSignedBytes(gasUsed)),
  property('getDifficulty', ({ difficulty }) => bigIntToSignedBytes(difficulty)),
  property('getAuxHeader', (block) => auxOf(block).header, '0x3073c6eb'),
  uncleCoinbase,
  property('getDifficultyWithUncles', ({ cumulativeDifficulty }) =>
    bigIntToSignedBytes(cumulativeDifficulty),
  ),
  property('getCumulativeWork', ({ totalDifficulty }) => bigIntToSignedBytes(totalDifficulty)),
]

export const blockHeader = precompileWithMethods(
  { address: precompileAddress(0x01000010), name: 'blockHeader' },
  blockHeaderMethods,
)

/** The block at a depth, if it is known. @throws PrecompileFailure */
function blockAt(depth: bigint, { block }: PrecompileCall): Ancestor | undefined {
  if (!fitsInt16(depth)) return undefined
  if (depth < 0n) throw new PrecompileFailure(`negative depth of a block: ${depth}`)
  return depth > MAX_DEPTH ? undefined : block.ancestor(Number(depth))
}

const fitsInt16 = (value: bigint): boolean => value >= -MAX_INT16 - 1n && value <= MAX_INT16

export const environmentMethods = [
  precompileMethod({
    name: 'getCallStackDepth',
    inputs: [],
    output: uint32,
    gas: () => 0,
    // The depth is 1 both in code called by a transaction and for a transaction that calls the precompile directly.
    run: (_values, { depth }) => BigInt(Math.max(depth, 1)),
  }),
]

export const environment = precompileWithMethods(
  { address: precompileAddress(0x01000011), name: 'environment' },
  environmentMethods,
)
