/** Declares the options of a fork: the remote whose chain the node continues, the block, and how the remote is asked. */

import { shownUrl } from '../base/shown-url.ts'
import { declare, inGroup } from './option-description.ts'
import * as option from './option-values.ts'
import { count, hash, quantityBetween, readable, readWhole, show, MAX_CHAIN_ID } from './values.ts'

/** Longest time-out in milliseconds: a day. */
const MAX_TIMEOUT_MS = 86_400_000

export const REMOTE_URLS_EXPECTED = 'a URL with http:// or https://, or several different ones'

/** Reads the URLs of remotes: text with spaces or commas in between, several values, or both. */
export function readRemoteUrls(given: unknown): readonly string[] | undefined {
  const parts: readonly unknown[] = Array.isArray(given) ? given : [given]
  const urls = parts.flatMap((part) => (typeof part === 'string' ? splitUrls(part) : ['']))
  if (urls.length === 0 || !urls.every(isRemoteUrl)) return undefined
  return new Set(urls.map((url) => new URL(url).href)).size === urls.length ? urls : undefined
}

/** The URLs in a text. A comma may be part of a URL, unless another URL or nothing follows it. */
const splitUrls = (text: string): readonly string[] =>
  text.trim().split(/\s*,(?=\s*(?:[a-z][a-z0-9+.-]*:\/\/|$))\s*|\s+/i)

/** URLs of remotes. Error messages hide their paths, which may be keys. */
const remoteUrls = readable<string | readonly string[], readonly string[]>(
  REMOTE_URLS_EXPECTED,
  readRemoteUrls,
  (given) => show(withoutSecrets(given)),
)

/** Hides a value for URLs in error messages. */
function withoutSecrets(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(withoutSecrets)
  if (typeof given === 'object' && given !== null) return '...'
  if (typeof given !== 'string' || given.trim() === '') return given
  return splitUrls(given).map(shownUrl).join(', ')
}

/** URLs of these schemes have a host. */
const isRemoteUrl = (given: string): boolean =>
  URL.canParse(given) && /^https?:$/.test(new URL(given).protocol)

export const HEADERS_EXPECTED = 'headers as "name: value", printable, and none of those that frame a request'

/** Reads headers given as text with a header per line, as several values, or as both. */
export function readHeaders(given: unknown): readonly string[] | undefined {
  const parts: readonly unknown[] = Array.isArray(given) ? given : [given]
  const lines = parts.flatMap((part) => (typeof part === 'string' ? part.split(/\r?\n/) : [undefined]))
  const headers = lines.map((line) => (line === undefined ? undefined : readHeader(line)))
  return headers.every((header) => header !== undefined) ? headers : undefined
}

const headerList = readable<string | readonly string[], readonly string[]>(
  HEADERS_EXPECTED,
  readHeaders,
  () => show('...'),
)

/** A header: its name is a token (RFC 9110, 5.1), its value is visible characters, spaces and tabs (5.5). */
const HEADER = /^\s*([!#$%&'*+.^_`|~0-9a-z-]+)\s*:[ \t]*([\t\u0020-\u007E\u0080-\u00FF]*?)\s*$/i

/** Headers that the client itself sets: another value would break the message. */
const FRAMING = /^(connection|content-length|keep-alive|transfer-encoding|upgrade)$/i

function readHeader(line: string): string | undefined {
  const [, name, value] = HEADER.exec(line) ?? []
  return name === undefined || value === undefined || FRAMING.test(name) ? undefined : `${name}: ${value}`
}

const TAGS = ['latest', 'safe', 'finalized', 'earliest'] as const

export const FORK_BLOCK_EXPECTED = `a block number, a negative number from the head, or one of ${TAGS.join(', ')}`

/** Reads a block of the remote: a number, a negative number that counts back from its head, or a tag. */
export function readForkBlock(given: unknown): bigint | (typeof TAGS)[number] | undefined {
  if (typeof given === 'bigint') return given
  if (typeof given === 'number') return Number.isSafeInteger(given) ? BigInt(given) : undefined
  const [, minus, number] = typeof given === 'string' ? (/^\s*(-?)(.*)$/.exec(given) ?? []) : []
  const whole = readWhole(number)
  if (whole !== undefined) return minus === '' ? whole : -whole
  return TAGS.find((tag) => tag === given)
}

const forkBlock = readable<string | number | bigint, bigint | (typeof TAGS)[number]>(
  FORK_BLOCK_EXPECTED,
  readForkBlock,
)

const folderOrFalse = readable<string | false, string | false>('a folder, or false', (given) => {
  if (given === false || given === 'false') return false
  return typeof given === 'string' && given.trim() !== '' ? given : undefined
})

/**
 * Options that describe the block to continue from, so they need `forkUrl` or `forkCacheOnly`. The others apply to every fork,
 * including those that requests make (hardhat_reset, dev_createWorld).
 */
export const NEED_FORK_URL: readonly string[] = [
  'forkBlockNumber',
  'forkTransaction',
  'forkHeaders',
  'forkChainId',
]

export const forkOptions = {
  ...inGroup('Fork', {
    forkUrl: declare(
      remoteUrls.optional(),
      'URL of a JSON-RPC server (http or https) whose chain this node continues. What is sent to this node changes only its own copy. May be repeated for several servers of the chain; in the variable, separated by commas or spaces.',
      { form: 'list', defaultDescription: 'none, the chain begins with its own genesis' },
    ),
    forkBlockNumber: declare(
      forkBlock.optional(),
      `Block to continue from: a number, a negative number that counts back from the head, or one of ${TAGS.join(', ')}.`,
      { defaultDescription: 'the newest that will not be reorganized' },
    ),
    forkTransaction: declare(
      hash.optional(),
      'Hash of a transaction to continue from: the state is the one after it.',
      { defaultDescription: 'none' },
    ),
    forkHeaders: declare(
      headerList.optional(),
      'Header "name: value" to send with every request to every URL; may be repeated. In the variable, one per line.',
      { flag: 'fork-header', form: 'list', defaultDescription: 'none' },
    ),
    forkChainId: declare(
      quantityBetween(1n, MAX_CHAIN_ID).optional(),
      'Chain id of the forked chain, which the node then does not ask for, so that it can start offline from its cache.',
      { defaultDescription: 'what the server answers' },
    ),
    // Five retries, as in Anvil.
    forkRetries: declare(
      count(0, 1000).default(5),
      'How often a request is repeated after a time-out, a lost connection, a rate limit or HTTP 5xx.',
    ),
    forkTimeout: declare(
      count(1, MAX_TIMEOUT_MS).default(30_000),
      'Milliseconds to wait for an answer of a URL.',
    ),
    forkRate: declare(
      count(0, 1_000_000).default(0),
      'Maximum requests per second to each URL, each request of a batch counted; 0 for no limit.',
    ),
    forkBatch: declare(
      count(1, 1000).default(100),
      'Maximum requests that are sent to a URL in one batch; 1 for no batches. A URL that refuses a batch gets smaller ones.',
    ),
    forkCache: declare(
      folderOrFalse.optional(),
      'Folder in which answers are kept for later runs; false keeps none.',
      { defaultDescription: 'a folder in the cache folder of the user' },
    ),
    noForkCache: declare(option.onOff.optional(), 'The same as --fork-cache false.', { form: 'switch' }),
    forkCacheOnly: declare(
      option.onOff.optional(),
      'Never ask the remote: what the cache lacks is reported as an error. With the number of the block, no URL is needed.',
      { form: 'switch' },
    ),
  }),
}
