/** The error of a block that two executions do not agree on. */

import { NodeError } from '../base/errors.ts'
import type { ExecutionDifference } from './differences.ts'
import type { CrossCheckReport } from './report.ts'

/** The error of a block that two executions do not agree on. */
export const crossCheckError = (report: CrossCheckReport): NodeError =>
  new NodeError('crossCheckFailed', sentence(report), { report })

/** What the error says; the report has the rest. */
function sentence({ secondOpinion, block, differences }: CrossCheckReport): string {
  const [first] = differences
  const more = differences.length > 1 ? `, and ${differences.length - 1} more` : ''
  const found = first === undefined ? '' : `: ${described(first)}${more}`
  return `cross-check: block ${BigInt(block.number)} was not added, because ${secondOpinion} disagrees${found}`
}

function described({ kind, transaction, address, slot, node, secondOpinion }: ExecutionDifference): string {
  const place = [transaction, address, slot].filter((part) => part !== undefined).join(' ')
  const values = `${shortened(node)} here, ${shortened(secondOpinion)} there`
  return `${kind}${place === '' ? '' : ` of ${place}`} is ${values}`
}

const MAX_SHOWN = 80

const shortened = (value: string): string =>
  value.length <= MAX_SHOWN ? value : `${value.slice(0, MAX_SHOWN)}...`
