/**
 * Which contracts each file of tests runs, so that the next run can leave out files that no change affects. The hooks of test runners
 * ask for it and keep it on the disk (embed/affected).
 *
 * @example createNode({ affected: true }) answers dev_executedContracts.
 */

import * as z from 'zod'
import { inGroup, toggle } from '../../config/option-description.ts'
import { param, readMethod } from '../../kernel/method.ts'
import type { Scope } from '../../kernel/module.ts'
import type { Node, NodeModule } from '../../node/node.ts'
import { list, text } from '../../schema/results.ts'
import { optional } from '../../schema/wire.ts'
import { contractHash, contractId } from '../../insight/artifacts/contract-hash.ts'
import { ExecutedCodes } from './executed-codes.ts'

interface AffectedPart {
  /** Absent without the option. */
  readonly executedCodes: ExecutedCodes | undefined
}

const affectedOptions = inGroup('Output', {
  affected: toggle(
    'Leave out the files of tests that no change of contracts, tests or settings affects since they passed. In test runners, not where CI is set, unless DEV_NODE_AFFECTED asks for it there.',
  ),
})

type AffectedScope = Scope<typeof affectedOptions>

const executedContracts = readMethod({
  name: 'dev_executedContracts',
  summary:
    'The contracts of the project whose code the chain has run or created since the last request of this method, with a hash of their ABI and code that changes of comments leave. The result contains the contracts of the param, too. `doubts` says why the contracts may not be all: code that is in no artifact, a fork without a block number. Null without the option affected.',
  params: [
    param('contracts', optional(list(z.string())), 'Contracts, such as contracts/Token.sol:Token.'),
    param('allChains', optional(z.boolean()), 'Whether all chains of the node count.'),
  ],
  result: z.strictObject({ contracts: z.record(z.string(), text), doubts: list(text) }).nullable(),
  example: { params: [], result: null },
  run: async (
    { contracts: asked = [], allChains = false },
    {
      executedCodes,
      worldId,
      contractCatalog,
      forks,
      options,
    }: AffectedPart & Pick<Node, 'worldId' | 'contractCatalog' | 'forks' | 'options'>,
  ) => {
    if (executedCodes === undefined) return null
    await contractCatalog.refreshUnlessRecent()
    const { contracts, isUnknown } = executedCodes.take(worldId, allChains, contractCatalog.contractOf)
    const named = new Set(asked)
    for (const contract of contractCatalog.contracts)
      if (named.delete(contractId(contract))) contracts.add(contract)
    const isMoving = forks.current !== undefined && options.forkBlockNumber === undefined
    return {
      contracts: Object.fromEntries([...contracts].map((each) => [contractId(each), contractHash(each)])),
      doubts: [
        ...(isUnknown ? ['contracts without artifacts'] : []),
        ...(isMoving ? ['a fork without a block number'] : []),
      ],
    }
  },
})

export const affected = {
  name: 'affected tests',
  options: affectedOptions,
  start: ({ options }) => ({ executedCodes: options.affected ? new ExecutedCodes() : undefined }),
  monitor: ({ executedCodes }) => executedCodes?.of,
  methods: [executedContracts],
} as const satisfies NodeModule<AffectedScope, AffectedPart>
