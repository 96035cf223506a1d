/** Methods of the Bridge about headers of the auxiliary chain (node-chain 10.4, 10.5, node-next 4.1). Terms: bridge.ts. */

import { AUX_HEADER_BYTES } from '../aux-reader.ts'
import { EMPTY_BYTES, fromHex, toHash } from '../../../base/hex.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'
import { readAuxHeader } from './aux-header.ts'
import type { BridgeCall, BridgeHandlers } from './bridge-call.ts'
import { MAX_SINGLE_HEADER_DEPTH, SECONDS_BETWEEN_HEADERS } from './constants.ts'
import { HeaderChain } from './header-chain.ts'

const headersOf = ({ storage }: BridgeCall): HeaderChain => new HeaderChain(storage)

export const headerMethods = {
  /** Adds headers. It skips known ones, those without a known parent, and those with invalid work. */
  receiveHeaders: (bridge, [headers]) => {
    const chain = headersOf(bridge)
    for (const header of headers.map(readAuxHeader)) chain.add(header)
  },

  receiveHeader: (bridge, [header]) => receiveSingle(bridge, header),

  'get{Aux}BlockchainBestChainHeight': (bridge) => headersOf(bridge).best.height,
  'get{Aux}BlockchainInitialBlockHeight': () => 0n,

  'get{Aux}BlockchainBlockHashAtDepth': (bridge, [depth]) => {
    const chain = headersOf(bridge)
    const { height } = chain.best
    const header = depth < 0n ? undefined : chain.atHeight(height - depth)
    if (header === undefined)
      throw new PrecompileFailure(`Depth must be between 0 and ${height}, not ${depth}`)
    return fromHex(header.hash)
  },

  'get{Aux}BlockchainBestBlockHeader': (bridge) => headersOf(bridge).best.bytes,
  'get{Aux}BlockchainBlockHeaderByHash': (bridge, [hash]) =>
    headersOf(bridge).byHash(toHash(hash))?.bytes ?? EMPTY_BYTES,
  'get{Aux}BlockchainBlockHeaderByHeight': (bridge, [height]) => {
    const chain = headersOf(bridge)
    return (height < chain.lowestHeight ? undefined : chain.atHeight(height)?.bytes) ?? EMPTY_BYTES
  },

  'get{Aux}BlockchainParentBlockHeaderByHash': (bridge, [hash]) => {
    const chain = headersOf(bridge)
    const header = chain.byHash(toHash(hash))
    return (header && chain.byHash(header.previousHash)?.bytes) ?? EMPTY_BYTES
  },
} satisfies Partial<BridgeHandlers>

/** Return values of `receiveHeader`, from the reference node; node-chain does not list them. */
const SINGLE = { added: 0n, tooSoon: -1n, tooOld: -2n, orphan: -3n, known: -4n, size: -20n, fault: -99n }

/** Name of the timestamp, in seconds, of the network 33 block in which `receiveHeader` last added a header. */
const RECEIVED_AT = 'headers/received'

function receiveSingle(bridge: BridgeCall, bytesOfHeader: Uint8Array): bigint {
  if (bytesOfHeader.length !== AUX_HEADER_BYTES) return SINGLE.size
  const header = readAuxHeader(bytesOfHeader)
  const chain = headersOf(bridge)
  const { timestamp } = bridge.call.block
  const last = bridge.storage.number(RECEIVED_AT)
  if (chain.byHash(header.hash) !== undefined) return SINGLE.known
  if (last !== undefined && timestamp - last < SECONDS_BETWEEN_HEADERS) return SINGLE.tooSoon
  const parent = chain.byHash(header.previousHash)
  if (parent === undefined) return SINGLE.orphan
  if (chain.best.height - (parent.height + 1n) > MAX_SINGLE_HEADER_DEPTH) return SINGLE.tooOld
  if (!chain.add(header)) return SINGLE.fault
  bridge.storage.putNumber(RECEIVED_AT, timestamp)
  return SINGLE.added
}
