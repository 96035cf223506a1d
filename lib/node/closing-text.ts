/** The reports of a closed node for a terminal: tables of gas and coverage, and the files that have them. */

import type { Node } from './node.ts'

/** The text; empty without reports. */
export async function closingText(node: Pick<Node, 'gasRecorder' | 'options'>): Promise<string> {
  const { coverage, gasReport } = node.options
  const gas = gasReport === true ? await node.gasRecorder?.reportText() : undefined
  const file = typeof gasReport === 'string' ? `Gas report: ${gasReport}\n` : undefined
  if (coverage === undefined) return gas ?? file ?? ''
  const { coverageText } = await import('../insight/coverage/coverage-files.ts')
  return [gas, file, await coverageText(coverage)].filter(Boolean).join('\n')
}
