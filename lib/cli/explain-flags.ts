/** The flags of `dev-node explain`, and how a command line has them. */

import { NodeError } from '../base/errors.ts'
import type { Hash } from '../base/hex.ts'
import { nearest } from '../config/nearest.ts'
import { hash } from '../config/values.ts'

/** A flag of `dev-node explain`. */
interface ExplainFlag {
  readonly flag: string
  readonly form: 'value' | 'switch'
  readonly summary: string
}

/** All flags but --help. */
export const EXPLAIN_FLAGS: readonly ExplainFlag[] = [
  {
    flag: 'url',
    form: 'value',
    summary: 'URL of the node, with the path of a world; http://127.0.0.1:4444/ if left out.',
  },
  { flag: 'json', form: 'switch', summary: 'Print JSON on one line, for programs.' },
  {
    flag: 'flame',
    form: 'value',
    summary: 'Also draw the gas by call path as a flame graph, in this SVG file.',
  },
]

const DEFAULT_URL = 'http://127.0.0.1:4444/'

/** A command line of `dev-node explain`. */
export interface ExplainCommand {
  readonly hash: Hash
  readonly url: string
  readonly isJson: boolean
  /** Path of the flame graph to draw. */
  readonly flame: string | undefined
}

/**
 * Reads the words after `explain`, and the flags.
 * @throws NodeError 'invalidOption' naming the word or the flag
 */
export function readExplainCommand(
  [word, extra]: readonly string[],
  flags: Readonly<Record<string, unknown>>,
): ExplainCommand {
  if (extra !== undefined) throw new NodeError('invalidOption', `unexpected argument ${extra}`)
  const wanted = hash.safeParse(word).data
  if (wanted === undefined)
    throw new NodeError(
      'invalidOption',
      `explain: expected the hash of a transaction, got ${word ?? 'nothing'}`,
    )
  const known = EXPLAIN_FLAGS.map(({ flag }) => flag)
  const unknown = Object.keys(flags).find((flag) => !known.includes(flag))
  if (unknown !== undefined) {
    const meant = nearest(unknown, known)
    throw new NodeError(
      'invalidOption',
      `explain has no flag --${unknown}${meant === undefined ? '' : `; did you mean --${meant}?`}`,
    )
  }
  const flame = readPath(flags['flame'])
  return { hash: wanted, url: readUrl(flags['url']), isJson: flags['json'] === true, flame }
}

function readPath(given: unknown): string | undefined {
  if (given === undefined || (typeof given === 'string' && given !== '')) return given
  throw new NodeError('invalidOption', '--flame: expected one path of a file behind it')
}

function readUrl(given: unknown = DEFAULT_URL): string {
  if (typeof given === 'string' && /^https?:$/.test(URL.canParse(given) ? new URL(given).protocol : ''))
    return given
  throw new NodeError('invalidOption', `--url: expected a URL such as ${DEFAULT_URL}, got ${String(given)}`)
}
