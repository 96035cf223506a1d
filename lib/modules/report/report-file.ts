/** The report's file: a line with the format and the hash of the rest, then compressed JSON. */

import { createHash } from 'node:crypto'
import { brotliCompressSync, brotliDecompressSync, constants, gzipSync } from 'node:zlib'
import { NodeError } from '../../base/errors.ts'
import type { TroubleCode } from '../../base/troubles.ts'
import { isJsonObject } from '../../base/json-text.ts'
import { reasonOf } from '../../base/system-errors.ts'
import type { NetworkValues } from '../../config/network-values.ts'
import { packed, unpack } from '../../node/persistence/records.ts'
import type { ExplanationResult, TestResult } from '../../schema/explanation-results.ts'
import type { RecordedBuild } from './recorded-contracts.ts'
import type { RecordedExecution } from './recorded-execution.ts'

/** An execution of a failed test. */
export interface ReportedExecution extends RecordedExecution {
  /** The failure's id in dev_failures. */
  readonly id: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly world: string | undefined
  readonly explanation: ExplanationResult
}

export interface ReportedTest extends TestResult {
  /** In the order in which they ran. */
  readonly executions: readonly ReportedExecution[]
}

/** What a report's executions ran on, besides the network. Nothing in it is secret. */
export interface ReportedRules {
  readonly kind: string
  readonly network: Omit<NetworkValues, 'accounts' | 'genesis'> & {
    readonly genesis: Omit<NetworkValues['genesis'], 'accounts' | 'nonce' | 'mixHash' | 'systemContracts'>
  }
  readonly allowUnlimitedContractSize: boolean
}

export interface ReportContent {
  /** Version of the package that wrote the report. */
  readonly version: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly rules: ReportedRules
  readonly tests: readonly ReportedTest[]
  /** Codes by their hash. */
  readonly codes: Readonly<Record<string, Uint8Array>>
  readonly builds: readonly RecordedBuild[]
}

const NAME = 'dev-node failures'

/** Rises with each change that earlier releases cannot read. */
const VERSION = 1

/** Finds repetitions within 16 MB, because states of executions and source trees are similar. Higher qualities take four times as long. */
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 24 } }

const compressed = (text: string): Uint8Array => brotliCompressSync(text, COMPRESSION)

/** The bytes of the file. */
export function encodeReport(content: ReportContent, compress = compressed): Uint8Array {
  const body = compress(packed(content))
  return Buffer.concat([Buffer.from(`${NAME} ${VERSION} ${hashOf(body)}\n`), body])
}

/** The same for the page, because browsers lack Brotli. */
export const encodeForPage = (content: ReportContent): Uint8Array =>
  encodeReport(content, (text) => gzipSync(text, { level: 9 }))

const hashOf = (body: Uint8Array): string => createHash('sha256').update(body).digest('hex')

/** @throws NodeError 'invalidState' for another file, a newer one and a damaged one */
export function decodeReport(
  bytes: Uint8Array,
  path: string,
  decompress: (body: Uint8Array) => Buffer = brotliDecompressSync,
): ReportContent {
  const end = bytes.indexOf(0x0a)
  const [, version, hash] = new RegExp(`^${NAME} (\\d+) ([0-9a-f]{64})$`).exec(lineOf(bytes, end)) ?? []
  if (version === undefined) throw unreadable(path, 'it is no file of failures')
  if (Number(version) > VERSION)
    throw unreadable(
      path,
      `a newer release of dev-node wrote it (version ${version}, this one reads ${VERSION})`,
      'DN-VERSION',
    )
  const body = bytes.subarray(end + 1)
  if (hashOf(body) !== hash) throw unreadable(path, 'it is damaged: the hash of its content differs')
  try {
    const content = unpack(JSON.parse(decompress(body).toString('utf8')))
    if (isContent(content)) return content
  } catch (error) {
    throw unreadable(path, reasonOf(error))
  }
  throw unreadable(path, 'its content has another form')
}

const MAX_LINE = 200

const lineOf = (bytes: Uint8Array, end: number): string =>
  end < 0 || end > MAX_LINE ? '' : Buffer.from(bytes.subarray(0, end)).toString('latin1')

/** The hash guarantees the rest. */
const isContent = (value: unknown): value is ReportContent =>
  isJsonObject(value) && ['version', 'at', 'rules', 'tests', 'codes', 'builds'].every((name) => name in value)

const unreadable = (path: string, reason: string, code: TroubleCode = 'DN-DNR'): NodeError =>
  new NodeError('invalidState', `cannot read the failures in ${path}: ${reason}`, { code })
