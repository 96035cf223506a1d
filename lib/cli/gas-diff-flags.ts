/** The flags of `dev-node gas-diff`, and how a command line has them. */

import { NodeError } from '../base/errors.ts'
import { nearest } from '../config/nearest.ts'

/** A flag of `dev-node gas-diff`. */
interface GasDiffFlag {
  readonly flag: string
  readonly form: 'value' | 'switch'
  readonly summary: string
}

/** All flags but --help. */
export const GAS_DIFF_FLAGS: readonly GasDiffFlag[] = [
  {
    flag: 'threshold',
    form: 'value',
    summary: 'Percent by which the mean gas of a function may increase, such as 1%; 0 if left out.',
  },
  { flag: 'json', form: 'switch', summary: 'Print JSON on one line, for programs.' },
]

/** A command line of `dev-node gas-diff`. */
export interface GasDiffCommand {
  /** Path of the earlier report. */
  readonly before: string
  /** Path of the later report. */
  readonly after: string
  readonly thresholdPercent: number
  readonly isJson: boolean
}

/**
 * Reads the words after `gas-diff`, and the flags.
 * @throws NodeError 'invalidOption' naming the word or the flag
 */
export function readGasDiffCommand(
  [before, after, extra]: readonly string[],
  flags: Readonly<Record<string, unknown>>,
): GasDiffCommand {
  if (extra !== undefined) throw new NodeError('invalidOption', `unexpected argument ${extra}`)
  if (before === undefined || after === undefined)
    throw new NodeError('invalidOption', `gas-diff: expected two files, got ${before ?? 'nothing'}`)
  const known = GAS_DIFF_FLAGS.map(({ flag }) => flag)
  const unknown = Object.keys(flags).find((flag) => !known.includes(flag))
  if (unknown !== undefined) {
    const meant = nearest(unknown, known)
    const hint = meant === undefined ? '' : `; did you mean --${meant}?`
    throw new NodeError('invalidOption', `gas-diff has no flag --${unknown}${hint}`)
  }
  return { before, after, thresholdPercent: readPercent(flags['threshold']), isJson: flags['json'] === true }
}

function readPercent(given: unknown = '0'): number {
  const digits = typeof given === 'string' ? /^(\d+(?:\.\d+)?)%?$/.exec(given)?.[1] : undefined
  if (digits !== undefined) return Number(digits)
  const shown = given === true ? 'nothing' : String(given)
  throw new NodeError('invalidOption', `--threshold: expected a percentage such as 1%, got ${shown}`)
}
