/** Combines the changes of all EIPs of a network, and checks the EIPs that presets add to a hard fork. */

import { NodeError } from '../base/errors.ts'
import { present } from '../base/invariant.ts'
import { oncePer } from '../base/once.ts'
import { INITIAL_BLOB_SCHEDULE, INITIAL_RULES } from './eip-changes.ts'
import { EIPS, HARDFORK_EIPS } from './eips.ts'
import type {
  BlobSchedule,
  Eip,
  EipRules,
  OptionalHeaderField,
  OptionalInstruction,
  SystemContractName,
} from './eip-changes.ts'
import { HARDFORKS, type NetworkFork } from './hardfork.ts'
import type { NetworkTraits } from './network-traits.ts'

/** Members of a network that determine its EIPs. */
export interface HardforkChoice extends Pick<NetworkTraits, 'ownEips'> {
  readonly hardfork: NetworkFork
  /** EIPs in addition to those of the hard fork. */
  readonly eips: readonly number[]
}

/** The changes of all EIPs of a network. */
export interface ActiveEips {
  readonly instructions: ReadonlySet<OptionalInstruction>
  readonly precompiles: ReadonlySet<string>
  readonly systemContracts: ReadonlySet<SystemContractName>
  readonly headerFields: ReadonlySet<OptionalHeaderField>
  /** Transaction types, legacy transactions (0) included. */
  readonly transactionTypes: ReadonlySet<number>
  readonly rules: EipRules
  /** Absent if blocks have no blobs. */
  readonly blobs: BlobSchedule | undefined
}

/** The changes of a network's EIPs, computed once for each network because every block needs them. */
export const activeEips = oncePer((network: HardforkChoice): ActiveEips => joined(numbersOf(network)))

/** The blob schedule of a network; absent if its blocks have no blobs. */
export const networkBlobSchedule = (network: HardforkChoice): BlobSchedule | undefined =>
  activeEips(network).blobs

/** Numbers of the EIPs, in the order of their hard forks: the values of a later one replace those of an earlier one. */
function numbersOf(network: HardforkChoice): readonly number[] {
  const own = new Set([...networkEips(network), ...network.eips])
  return Object.values(HARDFORK_EIPS).flatMap((numbers) => numbers.filter((eip) => own.has(eip)))
}

function networkEips({ ownEips, hardfork }: HardforkChoice): readonly number[] {
  const newest = HARDFORKS.findIndex((fork) => fork === hardfork)
  return ownEips ?? HARDFORKS.slice(0, newest + 1).flatMap((fork) => HARDFORK_EIPS[fork])
}

function joined(numbers: readonly number[]): ActiveEips {
  const eips = numbers.map(eipOf)
  const blobs = eips.map((eip) => eip.blobs).filter((changes) => changes !== undefined)
  return {
    instructions: new Set(eips.flatMap(({ instructions = [] }) => instructions)),
    precompiles: new Set(eips.flatMap(({ precompiles = [] }) => precompiles)),
    systemContracts: new Set(eips.flatMap(({ systemContracts = [] }) => systemContracts)),
    headerFields: new Set(eips.flatMap(({ headerFields = [] }) => headerFields)),
    transactionTypes: new Set([0, ...eips.flatMap(({ transactionType = [] }) => transactionType)]),
    rules: eips.reduce<EipRules>((all, { rules }) => ({ ...all, ...rules }), INITIAL_RULES),
    blobs:
      blobs.length === 0
        ? undefined
        : blobs.reduce<BlobSchedule>((all, changes) => ({ ...all, ...changes }), INITIAL_BLOB_SCHEDULE),
  }
}

const eipOf = (eip: number): Eip => present(EIPS[eip], `EIP-${eip}`)

/**
 * Rejects EIPs of a preset that do not work on its network.
 * @throws NodeError 'invalidOption', naming the EIP that is missing
 */
export function checkEips(name: string, network: HardforkChoice): void {
  const { ownEips, hardfork, eips } = network
  const refuse = (problem: string): NodeError =>
    new NodeError('invalidOption', `network ${name}: eips: ${problem}`)
  const own = new Set([...networkEips(network), ...eips])
  for (const eip of eips) {
    if (ownEips !== undefined && changesMoreThanMachine(eipOf(eip)))
      throw refuse(
        `EIP-${eip} changes blocks, transactions or precompiles of Ethereum, and a merged-mining network has its own`,
      )
    const missing = eipOf(eip).requires?.find((required) => !own.has(required))
    if (missing !== undefined)
      throw refuse(
        `EIP-${eip} requires EIP-${missing}: add it to eips, or take a later hard fork than ${hardfork}`,
      )
  }
}

/** Rules of EIPs that concern more than the machine. */
const OTHER_RULES = ['modexpOperandSize', 'modexpPrice', 'refundsBlockGas', 'stateGas'] as const

function changesMoreThanMachine({ rules = {}, ...eip }: Eip): boolean {
  const { precompiles, systemContracts, headerFields, transactionType, blobs } = eip
  return (
    OTHER_RULES.some((rule) => rule in rules) ||
    [precompiles, systemContracts, headerFields, transactionType, blobs].some((part) => part !== undefined)
  )
}
