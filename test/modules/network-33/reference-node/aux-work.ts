/** Mines a submitted aux block again, for this node's hash of the work. */

import { fromHex } from '../../../../lib/base/hex.ts'
import { doubleSha256 } from '../../../../lib/crypto/sha256.ts'

const HEADER_DIGITS = 160
const ROOT = { start: 36, end: 68 }
const NONCE_OFFSET = 76
/** Target of the minimum difficulty. */
const TARGET = BigInt(`0x${'55'.repeat(32)}`)

const bytesOf = (digits: string): Buffer => Buffer.from(digits, 'hex')
const hashOf = (bytes: Buffer): Buffer => Buffer.from(doubleSha256(bytes))
const reversed = (bytes: Buffer): string => Buffer.from(bytes).reverse().toString('hex')
const hasWork = (header: Buffer): boolean => BigInt(`0x${reversed(hashOf(header))}`) <= TARGET

interface AuxBlock {
  readonly header: Buffer
  readonly coinbase: Buffer
  /** Ids of transactions, in display order. */
  readonly ids: readonly string[]
}

/** The root over the coinbase and at most one more transaction. */
function rootOf({ coinbase, ids }: AuxBlock): Buffer {
  const id = hashOf(coinbase)
  const other = ids.find((one) => one !== reversed(id))
  return other === undefined ? id : hashOf(Buffer.concat([id, Buffer.from(fromHex(`0x${other}`)).reverse()]))
}

/** The header with the root of the new coinbase, if the recorded one had that of its own, and with work if the recorded one had. */
function remine(recorded: AuxBlock, coinbase: Buffer): Buffer {
  const header = Buffer.from(recorded.header)
  const root = rootOf(recorded)
  const ids = recorded.ids.filter((id) => id !== reversed(hashOf(recorded.coinbase)))
  if (root.equals(header.subarray(ROOT.start, ROOT.end)))
    rootOf({ header, coinbase, ids }).copy(header, ROOT.start)
  for (let nonce = 0; hasWork(header) !== hasWork(recorded.header); nonce++)
    header.writeUInt32LE(nonce, NONCE_OFFSET)
  return header
}

/** The params of a submission for this node. `translated` has this node's hash of the work in the coinbase. */
export function submissionFor(
  method: string,
  recorded: readonly string[],
  translated: readonly string[],
): readonly string[] {
  if (recorded.join() === translated.join()) return recorded
  if (method === 'mnr_submitAuxBlock') {
    const [was = ''] = recorded
    const [now = ''] = translated
    const coinbaseAt = HEADER_DIGITS + 2
    const block = {
      header: bytesOf(was.slice(0, HEADER_DIGITS)),
      coinbase: bytesOf(was.slice(coinbaseAt)),
      ids: [],
    }
    const header = remine(block, bytesOf(now.slice(coinbaseAt)))
    return [header.toString('hex') + now.slice(HEADER_DIGITS)]
  }
  const [, wasHeader = '', wasCoinbase = '', wasIds = '', ...rest] = recorded
  const [, , coinbase = ''] = translated
  const block = { header: bytesOf(wasHeader), coinbase: bytesOf(wasCoinbase), ids: wasIds.split(' ') }
  const header = remine(block, bytesOf(coinbase))
  const ids = wasIds.replace(reversed(hashOf(block.coinbase)), reversed(hashOf(bytesOf(coinbase))))
  return [reversed(hashOf(header)), header.toString('hex'), coinbase, ids, ...rest]
}
