/** Reads blocks from the JSON of a node, as a fork reads those of its remote. */

import { asHash } from '../../../lib/base/hex.ts'
import type { Block } from '../../../lib/chain/block.ts'
import type { Network } from '../../../lib/config/network.ts'
import {
  parseBlock,
  parseUncle,
  parseLogs,
  placedLogs,
  parseReceipts,
} from '../../../lib/fork/remote-block.ts'
import { renderBlock, renderReceipt } from '../../../lib/rpc/render/block.ts'
import { minedLogTexts } from '../../../lib/rpc/render/notification.ts'

/** Sends a request to the remote. */
export type AskRemote = (method: string, params: readonly unknown[]) => Promise<any>

/** What a remote says about a block. */
export interface RemoteAnswers {
  readonly full: any
  readonly hashes: any
  readonly receipts: readonly any[]
  readonly uncles: readonly any[]
  readonly logs: readonly any[]
}

/** Asks a remote about a block. */
export async function askAbout(ask: AskRemote, number: string): Promise<RemoteAnswers> {
  const full = await ask('eth_getBlockByNumber', [number, true])
  const uncles: readonly unknown[] = full.uncles ?? []
  return {
    full,
    hashes: await ask('eth_getBlockByNumber', [number, false]),
    receipts: await Promise.all(
      full.transactions.map(({ hash }: { hash: string }) => ask('eth_getTransactionReceipt', [hash])),
    ),
    uncles: await Promise.all(
      uncles.map((_, index) =>
        ask('eth_getUncleByBlockHashAndIndex', [full.hash, `0x${index.toString(16)}`]),
      ),
    ),
    logs: await ask('eth_getLogs', [{ blockHash: full.hash }]),
  }
}

/** The block as this node has it. */
export function remoteBlock({ full, receipts, uncles }: RemoteAnswers, network: Network): Block {
  const { transactions, ...block } = parseBlock(full, network)
  const headers = uncles.map((uncle) => parseUncle(uncle, network).header)
  return { ...block, receipts: parseReceipts(receipts, transactions), uncles: headers }
}

/** What this node answers about the block. */
export function renderedAnswers(answers: RemoteAnswers, network: Network): Omit<RemoteAnswers, 'uncles'> {
  const block = remoteBlock(answers, network)
  const resolved = { block, isPending: false }
  const logs = placedLogs(parseLogs(answers.logs), (hash) => {
    if (hash === asHash(answers.full.hash)) return BigInt(answers.full.timestamp)
    throw new Error(`asked for the time of block ${hash}`)
  })
  const rendered = {
    full: renderBlock(resolved, true),
    hashes: renderBlock(resolved, false),
    receipts: block.receipts.map((receipt) => renderReceipt(block, receipt)),
    logs: minedLogTexts(logs).map((text): unknown => JSON.parse(text)),
  }
  return JSON.parse(JSON.stringify(rendered))
}

/** A JSON object without some members. */
export const without = (names: readonly string[], object: object): any =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
