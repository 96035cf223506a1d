/** Methods of the Bridge about headers of the auxiliary chain (node-chain 10.4, 10.5). Terms: bridge.ts. */

import { AUX_HEADER_BYTES } from '../../../base/aux-reader.ts'
import { EMPTY_BYTES, fromHex, toHash } from '../../../base/hex.ts'
import { arrayOf, bytes, bytes32, int256, uint256 } from '../../../abi/types.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'
import { readAuxHeader } from './aux-header.ts'
import type { AuxHeader } from './aux-header.ts'
import type { BridgeCall } from './bridge-call.ts'
import { MAX_SINGLE_HEADER_DEPTH, MAX_HEADERS, SECONDS_BETWEEN_HEADERS } from './constants.ts'
import { HeaderChain } from './header-chain.ts'
import { bridgeMethod, nothing } from './method.ts'

const headersOf = ({ storage }: BridgeCall): HeaderChain => new HeaderChain(storage)

const receiveHeaders = bridgeMethod({
  selector: '0xe5400e7b',
  name: 'receiveHeaders',
  inputs: [arrayOf(bytes)],
  output: nothing,
  gas: ([headers]) => 25_000 + 3_500 * Math.max(0, headers.length - 1),
  run: (bridge, [headers]) => {
    if (headers.length > MAX_HEADERS) {
      throw new PrecompileFailure(`${headers.length} headers exceed the ${MAX_HEADERS} of one call`)
    }
    const chain = headersOf(bridge)
    for (const header of headers.map(readAuxHeader)) requireAdded(chain, header)
  },
})

/** Adds a header and skips a known one, because callers send overlapping ranges. */
function requireAdded(chain: HeaderChain, header: AuxHeader): void {
  const result = chain.add(header)
  if (result === 'orphan') {
    throw new PrecompileFailure(`header ${header.hash} follows ${header.previousHash}, which is not known`)
  }
  if (typeof result === 'object') throw new PrecompileFailure(result.fault)
}

/** Return values of `receiveHeader`. They are those of the reference node; node-chain does not list them. */
const SINGLE = { added: 0n, tooSoon: -1n, tooOld: -2n, orphan: -3n, known: -4n, size: -20n, fault: -99n }

const receiveHeader = bridgeMethod({
  selector: '0x884bdd86',
  name: 'receiveHeader',
  inputs: [bytes],
  output: int256,
  gas: 10_600,
  run: (bridge, [header]) => receiveSingle(bridge, header),
})

function receiveSingle(bridge: BridgeCall, bytesOfHeader: Uint8Array): bigint {
  if (bytesOfHeader.length !== AUX_HEADER_BYTES) return SINGLE.size
  const header = readAuxHeader(bytesOfHeader)
  const chain = headersOf(bridge)
  const { timestamp } = bridge.call.block
  const last = chain.receivedAt
  if (chain.byHash(header.hash) !== undefined) return SINGLE.known
  if (last !== undefined && timestamp - last < SECONDS_BETWEEN_HEADERS) return SINGLE.tooSoon
  const parent = chain.byHash(header.previousHash)
  if (parent === undefined) return SINGLE.orphan
  if (chain.best.height - parent.height > MAX_SINGLE_HEADER_DEPTH) return SINGLE.tooOld
  if (chain.add(header) !== 'added') return SINGLE.fault
  chain.noteReceived(timestamp)
  return SINGLE.added
}

const bestHeight = bridgeMethod({
  selector: '0x14c89c01',
  name: 'get{Aux}BlockchainBestChainHeight',
  inputs: [],
  output: int256,
  gas: 19_000,
  mutability: 'view',
  run: (bridge) => headersOf(bridge).best.height,
})

const initialHeight = bridgeMethod({
  selector: '0x4897193f',
  name: 'get{Aux}BlockchainInitialBlockHeight',
  inputs: [],
  output: int256,
  gas: 20_000,
  use: 'ethCallOnly',
  mutability: 'view',
  run: () => 0n,
})

const hashAtDepth = bridgeMethod({
  selector: '0xefd44418',
  name: 'get{Aux}BlockchainBlockHashAtDepth',
  inputs: [int256],
  output: bytes,
  gas: 20_000,
  use: 'ethCallOnly',
  mutability: 'view',
  run: (bridge, [depth]) => {
    const chain = headersOf(bridge)
    const { height } = chain.best
    const header = depth < 0n ? undefined : chain.atHeight(height - depth)
    if (header === undefined)
      throw new PrecompileFailure(`Depth must be between 0 and ${height}, not ${depth}`)
    return fromHex(header.hash)
  },
})

const bestHeader = bridgeMethod({
  selector: '0xf0b2424b',
  name: 'get{Aux}BlockchainBestBlockHeader',
  inputs: [],
  output: bytes,
  gas: 3_800,
  mutability: 'view',
  run: (bridge) => headersOf(bridge).best.bytes,
})

const headerByHash = bridgeMethod({
  selector: '0x739e364a',
  name: 'get{Aux}BlockchainBlockHeaderByHash',
  inputs: [bytes32],
  output: bytes,
  gas: 4_600,
  mutability: 'view',
  run: (bridge, [hash]) => headersOf(bridge).byHash(toHash(hash))?.bytes ?? EMPTY_BYTES,
})

const headerByHeight = bridgeMethod({
  selector: '0xbd0c1fff',
  name: 'get{Aux}BlockchainBlockHeaderByHeight',
  inputs: [uint256],
  output: bytes,
  gas: 5_000,
  mutability: 'view',
  run: (bridge, [height]) => headersOf(bridge).atHeight(height)?.bytes ?? EMPTY_BYTES,
})

const parentByHash = bridgeMethod({
  selector: '0xe0236724',
  name: 'get{Aux}BlockchainParentBlockHeaderByHash',
  inputs: [bytes32],
  output: bytes,
  gas: 4_900,
  mutability: 'view',
  run: (bridge, [hash]) => {
    const chain = headersOf(bridge)
    const header = chain.byHash(toHash(hash))
    return (header && chain.byHash(header.previousHash)?.bytes) ?? EMPTY_BYTES
  },
})

export const headerMethods = [
  receiveHeaders,
  receiveHeader,
  bestHeight,
  initialHeight,
  hashAtDepth,
  bestHeader,
  headerByHash,
  headerByHeight,
  parentByHash,
]
