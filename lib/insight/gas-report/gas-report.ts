/** The gas report: figures by contract and function. */

import type { ContractTally, GasFigures, GasTally } from './gas-tally.ts'

/** Figures of transactions: the successful ones, and the number of failed ones. */
export type TransactionFigures = {
  readonly [Figure in Exclude<keyof GasFigures, 'count'>]?: number | undefined
} & {
  /** Number of successful transactions. The other figures are absent without any. */
  readonly count: number
  readonly failed: number
}

/** Figures of a function. */
export interface FunctionReport {
  /** Its signature, such as `transfer(address,uint256)`; the selector if it is unknown. */
  readonly function: string
  readonly transactions?: TransactionFigures | undefined
  readonly calls?: GasFigures | undefined
}

/** Figures of the creations of a contract. */
export type DeploymentFigures = TransactionFigures & {
  /** Bytes of the code; absent if no creation left code. */
  readonly codeSize?: number | undefined
}

/** Figures of a contract. */
export interface ContractReport {
  /** Path and name, such as `contracts/Token.sol:Token`. */
  readonly contract: string
  readonly deployments?: DeploymentFigures | undefined
  readonly functions: readonly FunctionReport[]
}

/** Figures by contract, in the order of their titles. */
export interface GasReport {
  /** Version of this form. */
  readonly version: 1
  readonly contracts: readonly ContractReport[]
}

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
