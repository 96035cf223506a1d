/** The differences between two executions of a block, the report with everything needed to repeat both, and the error. */

import { getOrAdd } from '../../base/once.ts'
import { toHex, toQuantity, type Address, type Hash } from '../../base/hex.ts'
import type { Block } from '../../chain/block.ts'
import type { ExecutionDifference, CrossCheckReport } from './results.ts'
import { EMPTY_ACCOUNT } from '../../state/account.ts'
import { differenceOf } from '../../state/difference.ts'
import type { StateRoot } from '../../state/state-root.ts'
import type { Rerun, TransactionResult } from './second-opinion.ts'
import { shorten } from '../../base/shorten.ts'
import type { ChainEntry } from '../../chain/chain-entry.ts'
import type { Network } from '../../config/network.ts'
import { NodeError } from '../../base/errors.ts'

/** The differences of a block: its transactions, the state after it, and the block itself. */
export function differencesOf(
  { receipts }: Block,
  states: { readonly before: StateRoot; readonly after: StateRoot },
  { transactions, state, failure }: Rerun,
): readonly ExecutionDifference[] {
  const differences = receipts.flatMap(({ transaction, outcome }, index) => {
    const again = transactions[index]
    return again === undefined ? [] : transactionDifferences(transaction.hash, outcome, again)
  })
  if (state !== undefined) differences.push(...stateDifferences(states.before, states.after, state))
  if (failure !== undefined) differences.push({ kind: 'block', node: 'valid', secondOpinion: failure })
  return differences
}

const RESULT_KINDS = ['status', 'gasUsed', 'logs', 'logsBloom', 'returnData', 'contractAddress'] as const

function transactionDifferences(
  transaction: Hash,
  node: TransactionResult,
  again: TransactionResult,
): ExecutionDifference[] {
  const [own, other] = [shownResult(node), shownResult(again)]
  return RESULT_KINDS.filter((kind) => own[kind] !== other[kind]).map((kind) => {
    return { kind, transaction, node: own[kind], secondOpinion: other[kind] }
  })
}

const shownResult = (result: TransactionResult) => ({
  status: result.status,
  gasUsed: String(result.gasUsed),
  logs: JSON.stringify(result.logs.map(({ address, topics, data }) => [address, topics, toHex(data)])),
  logsBloom: toHex(result.logsBloom),
  returnData: toHex(result.returnData),
  contractAddress: result.contractAddress ?? 'none',
})

/**
 * The accounts and slots in which two states with a common origin differ. Two partial states with different roots may be equal,
 * because they repeat different unchanged values. @throws NotLoadedError
 */
export function stateDifferences(
  before: StateRoot,
  node: StateRoot,
  again: StateRoot,
): readonly ExecutionDifference[] {
  if (node.hash === again.hash) return []
  const differences: ExecutionDifference[] = []
  for (const [address, slots] of changedIn(before, [node, again])) {
    const [own, other] = [shownAccount(node, address), shownAccount(again, address)]
    for (const kind of ['nonce', 'balance', 'code'] as const)
      if (own[kind] !== other[kind])
        differences.push({ kind, address, node: own[kind], secondOpinion: other[kind] })
    for (const slot of slots) {
      const values = { node: node.storageAt(address, slot), secondOpinion: again.storageAt(address, slot) }
      if (values.node !== values.secondOpinion)
        differences.push({ kind: 'storage', address, slot, ...values })
    }
  }
  if (differences.length === 0 && !node.isPartial)
    differences.push({ kind: 'stateRoot', node: node.hash, secondOpinion: again.hash })
  return differences
}

/** The accounts and slots that differ between a state and those made from it. */
function changedIn(before: StateRoot, states: readonly StateRoot[]): ReadonlyMap<Address, ReadonlySet<Hash>> {
  const changed = new Map<Address, Set<Hash>>()
  for (const { address, account } of states.flatMap((state) => differenceOf(before, state))) {
    const slots = getOrAdd(changed, address, () => new Set<Hash>())
    for (const [slot] of account?.storage ?? []) slots.add(slot)
  }
  return changed
}

function shownAccount(state: StateRoot, address: Address) {
  const { nonce, balance, code } = state.account(address) ?? EMPTY_ACCOUNT
  return { nonce: String(nonce), balance: String(balance), code: toHex(code) }
}

interface ReportInput {
  readonly entry: ChainEntry
  readonly before: StateRoot
  readonly network: Network
  readonly secondOpinion: string
  readonly rerun: Rerun
  readonly differences: readonly ExecutionDifference[]
}

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
    blockHashes: Object.fromEntries([...blockHashes].map(([number, hash]) => [toQuantity(number), hash])),
    transactions: block.receipts
      .slice(0, transactionCount(input))
      .map(({ transaction: { hash, sender, encoded } }) => ({ hash, from: sender, raw: toHex(encoded) })),
    preState: preStateOf(before, [reads, changedIn(before, states)]),
    differences: differences.slice(0, MAX_DIFFERENCES),
  }
}

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

/** The error of a block whose two executions differ. */
export const crossCheckError = (report: CrossCheckReport): NodeError =>
  new NodeError('crossCheckFailed', sentence(report), { report })

function sentence({ secondOpinion, block, differences }: CrossCheckReport): string {
  const [first] = differences
  const more = differences.length > 1 ? `, and ${differences.length - 1} more` : ''
  const example = first === undefined ? '' : `: ${described(first)}${more}`
  return `cross-check: block ${BigInt(block.number)} was not added, because ${secondOpinion} disagrees${example}`
}

function described({ kind, transaction, address, slot, node, secondOpinion }: ExecutionDifference): string {
  const place = [transaction, address, slot].filter((part) => part !== undefined).join(' ')
  const values = `${shorten(node)} here, ${shorten(secondOpinion)} there`
  return `${kind}${place === '' ? '' : ` of ${place}`} is ${values}`
}
