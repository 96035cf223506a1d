/** Failures as lines for a terminal: what was called, why it failed, and where. */

import type { ChalkInstance } from 'chalk'
import { shown } from '../config/console-lines.ts'
import type { FailureResult } from '../schema/explanation-results.ts'
import { valuesText } from './explanation-lines.ts'
import { stackLines } from './stack-lines.ts'

/** The lines of a failure, with the command that explains it, if there is one. */
export function failureLines(
  failure: FailureResult,
  paint: ChalkInstance,
  command?: string,
): readonly string[] {
  const { kind, world, time, removedAt, gasUsed, reason, place } = failure
  const facts = [
    `${kind} ${failure.hash?.slice(0, 10) ?? ''}`.trim(),
    ...(world === null ? [] : [`world ${world}`]),
    `${Number(gasUsed)} gas`,
    time.slice(11, 19),
    ...(removedAt === undefined ? [] : [`removed by a revert at ${removedAt.slice(11, 19)}`]),
  ]
  return [
    paint.red(shown(reason)),
    `  ${paint.bold(shown(calledText(failure)))}`,
    ...stackLines(place === undefined ? [] : [place], paint),
    paint.dim(`  ${facts.join(', ')}${command === undefined ? '' : `: ${command}`}`),
  ]
}

/** The contract with the function and its arguments, as far as they are known. */
function calledText({ to = 'a call', contract = to, ...call }: FailureResult): string {
  if (call.function === undefined) return contract
  const name = call.function.replace(/\(.*$/s, '')
  return `${contract}.${name}(${call.arguments === undefined ? '...' : valuesText(call.arguments)})`
}
