/** Declares the options of network 33, and applies them to a network. */

import { refuseOption } from '../../base/errors.ts'
import { declare, inGroup, toggle } from '../../config/option-description.ts'
import { onOff } from '../../config/option-values.ts'
import type { Network } from '../../config/network.ts'
import { choice, matching } from '../../config/values.ts'
import type { Scope } from '../../kernel/module.ts'

export const network33Options = {
  ...inGroup('Client', {
    faithful: toggle(
      'Answer exactly as the reference node of network 33, accidents included, so that nothing changes when you deploy. docs/specification.md lists what that changes.',
    ),
    gasQuota: declare(
      onOff.optional(),
      'Limit the gas that a sender may spend in a period of time, as the pool of the reference node of network 33 does.',
      { form: 'maybe-value', defaultDescription: 'with --faithful' },
    ),
    release: declare(
      matching('a release such as 9.1.0', /^\d+\.\d+\.\d+$/).default('9.0.3'),
      'Release of the client whose behaviour the node follows.',
    ),
  }),
  ...inGroup('Mining and time', {
    systemTransaction: toggle(
      'End every block with the transaction that pays out the fees, if the network has one.',
    ),
    federation: declare(
      choice(['auto', 'manual', 'off']).optional(),
      'Who does the work of the federation for peg-outs, on networks with a Bridge: the node after each block (auto), dev_federationStep (manual), or nothing (off).',
      { defaultDescription: 'auto' },
    ),
  }),
}

export type Network33Options = Scope<typeof network33Options>['options']

/** What the options change in a network. Those of other kinds have only the release, which every node shows. */
export function appliedOptions(network: Network, options: Network33Options): Partial<Network> {
  const { faithful, release, number } = options
  refuseOnOthers(network, options)
  const systemTransaction = options.systemTransaction || faithful || network.systemTransaction
  if (systemTransaction && number > 0n)
    refuseOption(
      'DN-RULES',
      `number ${number}: the blocks before it would be empty, and each has a system transaction${faithful ? ' with --faithful' : ''}`,
    )
  return {
    release,
    systemTransaction,
    estimatesFreely: network.hasFeeContract === true && isSince(release, '9.1.0'),
    ...(faithful ? { forgetsTime: true, writesZeroPrice: true } : {}),
  }
}

/** Refuses the options on networks of other kinds, which have no fee contract. */
function refuseOnOthers(
  { name, hasFeeContract, dialect }: Network,
  { faithful, gasQuota, systemTransaction, federation }: Network33Options,
): void {
  const given = faithful ? 'faithful' : gasQuota && 'gas-quota'
  if (given && !hasFeeContract)
    refuseOption(
      'DN-RULES',
      `${given}: ${name} has no reference node, only network 33 has one; leave out --${given}`,
    )
  if (faithful && dialect !== 'node33')
    refuseOption(
      'DN-RULES',
      `faithful: the reference node has the dialect node33, not ${dialect}; leave out one of the two`,
    )
  if (systemTransaction && !hasFeeContract)
    refuseOption('DN-RULES', `system transaction: blocks of ${name} have no system transaction`)
  if (federation && !hasFeeContract)
    refuseOption('DN-RULES', `federation ${federation}: ${name} has no Bridge`)
}

/** Whether a release is `since` or a later one; both have the form `9.1.0`. */
export const isSince = (release: string, since: string): boolean => numberOf(release) >= numberOf(since)

// Not localeCompare, which makes a collator at each call.
const numberOf = (release: string): number =>
  release.split('.').reduce((number, part) => number * 1e6 + Number(part), 0)
