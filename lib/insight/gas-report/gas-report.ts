/** The gas report: figures by contract and function. */

import type { ContractReport, GasReport, TransactionFigures } from '../../schema/gas-results.ts'
import type { ContractTally, GasTally } from './gas-tally.ts'

/** The report on tallies by the title of the contract. */
export function gasReport(tallies: ReadonlyMap<string, ContractTally>): GasReport {
  const contracts = [...tallies]
    .toSorted(byKey)
    .map(([contract, { deployments, functions }]): ContractReport => ({
      contract,
      deployments: deployments.isUsed
        ? { ...transactionFigures(deployments), codeSize: deployments.codeSize || undefined }
        : undefined,
      functions: [...functions].toSorted(byKey).map(([name, { transactions, calls }]) => ({
        function: name,
        transactions: transactions.isUsed ? transactionFigures(transactions) : undefined,
        calls: calls.figures,
      })),
    }))
  return { version: 1, contracts }
}

/** By code units, so that the order is the same everywhere. */
const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1)

const transactionFigures = ({ figures, failed }: GasTally): TransactionFigures => ({
  count: 0,
  ...figures,
  failed,
})
