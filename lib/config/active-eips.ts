/** Combines the changes of all EIPs of a network, and checks EIPs that presets add to a hard fork. */

import { trouble, type NodeError } from '../base/errors.ts'
import { present } from '../base/invariant.ts'
import { oncePer } from '../base/once.ts'
import { INITIAL_BLOB_SCHEDULE, INITIAL_RULES, type BlobSchedule, type EipRules } from './eip-changes.ts'
import type { Eip } from './eip-changes.ts'
import { EIPS, HARDFORKS, HARDFORK_EIPS } from './eips.ts'
import type { Network } from './network.ts'

/** Members of a network that determine its EIPs. */
export type HardforkChoice = Pick<Network, 'ownEips' | 'hardfork' | 'eips'>

/** The changes of all EIPs of a network. */
export type ActiveEips = ReturnType<typeof joined>

/** The changes of a network's EIPs, computed once for each network because every block needs them. */
export const activeEips = oncePer((network: HardforkChoice): ActiveEips => {
  const own = numbersOf(network)
  // In the order of hard forks, so that later values replace earlier ones.
  return joined(Object.values(HARDFORK_EIPS).flatMap((numbers) => numbers.filter((eip) => own.has(eip))))
})

function numbersOf({ ownEips, hardfork, eips }: HardforkChoice): ReadonlySet<number> {
  const newest = HARDFORKS.findIndex((fork) => fork === hardfork)
  const own = ownEips ?? HARDFORKS.slice(0, newest + 1).flatMap((fork) => HARDFORK_EIPS[fork])
  return new Set([...own, ...eips])
}

function joined(numbers: readonly number[]) {
  const eips = numbers.map(eipOf)
  return {
    instructions: setOf(eips.map(({ instructions }) => instructions)),
    precompiles: setOf(eips.map(({ precompiles }) => precompiles)),
    systemContracts: setOf(eips.map(({ systemContracts }) => systemContracts)),
    headerFields: setOf(eips.map(({ headerFields }) => headerFields)),
    /** Transaction types, legacy transactions (0) included. */
    transactionTypes: new Set([0, ...eips.flatMap(({ transactionType = [] }) => transactionType)]),
    rules: eips.reduce<EipRules>((all, { rules }) => ({ ...all, ...rules }), INITIAL_RULES),
    /** Absent if blocks have no blobs. */
    blobs: eips.reduce<BlobSchedule | undefined>(
      (all, { blobs }) => (blobs === undefined ? all : { ...INITIAL_BLOB_SCHEDULE, ...all, ...blobs }),
      undefined,
    ),
  }
}

const setOf = <Item>(lists: readonly (readonly Item[] | undefined)[]): ReadonlySet<Item> =>
  new Set(lists.flatMap((list = []) => list))

const eipOf = (eip: number): Eip => present(EIPS[eip], `EIP-${eip}`)

/** Rejects EIPs of a preset that do not work on its network. @throws NodeError 'invalidOption' naming the missing EIP */
export function checkEips(name: string, network: HardforkChoice): void {
  const { ownEips, hardfork, eips } = network
  const refuse = (problem: string): NodeError => trouble('DN-NETWORK', `network ${name}: eips: ${problem}`)
  const own = numbersOf(network)
  for (const eip of eips) {
    if (ownEips !== undefined && changesMoreThanMachine(eipOf(eip)))
      throw refuse(
        `EIP-${eip} changes blocks, transactions or precompiles of Ethereum, and this network has its own`,
      )
    const missing = eipOf(eip).requires?.find((required) => !own.has(required))
    if (missing !== undefined)
      throw refuse(
        `EIP-${eip} requires EIP-${missing}: add it to eips, or take a later hard fork than ${hardfork}`,
      )
  }
}

/** Parts of an EIP that concern only the machine or the documents. */
const OF_MACHINE = ['title', 'requires', 'instructions']

/** Rules that concern more than the machine. */
const OTHER_RULES = ['modexpOperandSize', 'modexpPrice', 'refundsBlockGas', 'stateGas']

const changesMoreThanMachine = ({ rules = {}, ...eip }: Eip): boolean =>
  OTHER_RULES.some((rule) => rule in rules) || Object.keys(eip).some((part) => !OF_MACHINE.includes(part))
