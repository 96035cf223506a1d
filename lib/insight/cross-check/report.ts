/** Reports of differences, with everything that is needed to repeat both executions, and the error of a refused block. */

import { toHex, toQuantity } from '../../base/hex.ts'
import { shorten } from '../../base/shorten.ts'
import type { Address, Hash } from '../../base/hex.ts'
import type { Block } from '../../chain/block.ts'
import type { ChainEntry } from '../../chain/chain-entry.ts'
import type { Network } from '../../config/network.ts'
import type { CrossCheckReport, ExecutionDifference } from '../../schema/report-results.ts'
import type { StateRoot } from '../../state/state-root.ts'
import { changedIn } from './differences.ts'
import type { Rerun } from './second-opinion.ts'
import { NodeError } from '../../base/errors.ts'

/** Everything that a report is made of. */
interface ReportInput {
  readonly entry: ChainEntry
  readonly before: StateRoot
  readonly network: Network
  readonly secondOpinion: string
  readonly rerun: Rerun
  readonly differences: readonly ExecutionDifference[]
}

/** Maximum number of differences in a report. */
const MAX_DIFFERENCES = 100

/** Makes the report of a block. @throws NotLoadedError */
export function reportOf(input: ReportInput): CrossCheckReport {
  const { entry, before, network, secondOpinion, rerun, differences } = input
  const { block } = entry
  const { chainId = network.chainId } = block
  const { blockHashes, reads } = rerun.recorder
  const states = rerun.state === undefined ? [entry.state] : [entry.state, rerun.state]
  return {
    secondOpinion,
    network: { hardfork: network.hardfork, chainId: toQuantity(chainId), eips: network.eips },
    block: reportedHeader(block),
    blockHashes: Object.fromEntries([...blockHashes].map(([number, one]) => [toQuantity(number), one])),
    transactions: block.receipts
      .slice(0, transactionCount(input))
      .map(({ transaction: { hash, sender, encoded } }) => ({ hash, from: sender, raw: toHex(encoded) })),
    preState: preStateOf(before, [reads, changedIn(before, states)]),
    differences: differences.slice(0, MAX_DIFFERENCES),
  }
}

/** Members of the header that executions depend on. */
function reportedHeader({ hash, header }: Block): CrossCheckReport['block'] {
  const { baseFeePerGas, excessBlobGas, parentBeaconBlockRoot } = header
  return {
    hash,
    number: toQuantity(header.number),
    parentHash: header.parentHash,
    timestamp: toQuantity(header.timestamp),
    miner: header.coinbase,
    gasLimit: toQuantity(header.gasLimit),
    difficulty: toQuantity(header.difficulty),
    mixHash: header.mixHash,
    ...(baseFeePerGas === undefined ? {} : { baseFeePerGas: toQuantity(baseFeePerGas) }),
    ...(excessBlobGas === undefined ? {} : { excessBlobGas: toQuantity(excessBlobGas) }),
    ...(parentBeaconBlockRoot === undefined ? {} : { parentBeaconBlockRoot }),
  }
}

/** Number of transactions up to the first one that differs. */
function transactionCount({ entry, differences }: ReportInput): number {
  const { receipts } = entry.block
  const first = differences.find(({ transaction }) => transaction !== undefined)?.transaction
  const index = receipts.findIndex(({ transaction }) => transaction.hash === first)
  return index === -1 ? receipts.length : index + 1
}

function preStateOf(
  before: StateRoot,
  sets: readonly ReadonlyMap<Address, ReadonlySet<Hash>>[],
): CrossCheckReport['preState'] {
  const preState: CrossCheckReport['preState'] = {}
  for (const address of new Set(sets.flatMap((set) => [...set.keys()]))) {
    const account = before.account(address)
    if (account === undefined) continue
    const slots = new Set(sets.flatMap((set) => [...(set.get(address) ?? [])]))
    preState[address] = {
      nonce: toQuantity(account.nonce),
      balance: toQuantity(account.balance),
      code: toHex(account.code),
      storage: Object.fromEntries([...slots].map((slot) => [slot, before.storageAt(address, slot)])),
    }
  }
  return preState
}

/** The error of a block that two executions do not agree on. */
export const crossCheckError = (report: CrossCheckReport): NodeError =>
  new NodeError('crossCheckFailed', sentence(report), { report })

/** The text of the error; the report has the rest. */
function sentence({ secondOpinion, block, differences }: CrossCheckReport): string {
  const [first] = differences
  const more = differences.length > 1 ? `, and ${differences.length - 1} more` : ''
  const found = first === undefined ? '' : `: ${described(first)}${more}`
  return `cross-check: block ${BigInt(block.number)} was not added, because ${secondOpinion} disagrees${found}`
}

function described({ kind, transaction, address, slot, node, secondOpinion }: ExecutionDifference): string {
  const place = [transaction, address, slot].filter((part) => part !== undefined).join(' ')
  const values = `${shorten(node)} here, ${shorten(secondOpinion)} there`
  return `${kind}${place === '' ? '' : ` of ${place}`} is ${values}`
}
