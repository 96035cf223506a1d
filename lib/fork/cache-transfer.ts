/**
 * Exports the facts about a block from the cache to a file, and imports files into the cache. The first line of a file names
 * format, block and SHA-256. The compressed facts follow, sorted by key: one line for each key, one for its value. Equal facts give
 * equal bytes.
 */

import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import { NodeError } from '../base/errors.ts'
import { asHash, toHex } from '../base/hex.ts'
import { realHost } from '../base/host.ts'
import { replaceFile } from '../base/replace-file.ts'
import { reasonOf } from '../base/system-errors.ts'
import { sha256 } from '../crypto/sha256.ts'
import { findFork, forkFolder, type ForkedBlock, type WantedFork } from './cached-forks.ts'
import { FactStore, addFacts, factsPath, readFacts } from './fact-store.ts'
import { remoteFailed } from './remote-error.ts'

/**
 * Writes the facts about a block to a file. Returns the number of facts, and the fault if the cache has lost some. @throws
 * NodeError 'remoteFailed'
 */
export async function exportFork(cacheFolder: string, wanted: WantedFork, path: string) {
  const { folder, block } = await findFork(cacheFolder, wanted, 'name one with --chain-id and --block')
  const { facts, fault } = await readFacts(factsPath(folder))
  const file = await packFork({ block, facts })
  await replaceFile({ path }, file).catch(failAt(path))
  return { block, count: facts.size, bytes: file.length, fault }
}

/**
 * Adds the facts of files to the cache. If one file is damaged, nothing is written. Returns for each file how many facts it has,
 * how many were added, and how many conflict with the cache, which keeps its values; and the fault if the cache has lost some.
 * @throws NodeError 'remoteFailed'
 */
export async function importForks(cacheFolder: string, paths: readonly string[]) {
  const forks: KnownFork[] = []
  for (const path of paths) forks.push(await readFile(path).then(unpackFork).catch(failAt(path)))
  const imported: Awaited<ReturnType<typeof importFork>>[] = []
  for (const fork of forks) imported.push(await importFork(cacheFolder, fork))
  return imported
}

async function importFork(cacheFolder: string, { block, facts }: KnownFork) {
  const failures: unknown[] = []
  const faults: string[] = []
  const store = await FactStore.open(forkFolder(cacheFolder, block), {
    host: realHost,
    onFault: (_, fault) => faults.push(fault),
    onFailure: (error) => failures.push(error),
  })
  const merged = store.merge(facts)
  await store.close()
  const [failure] = failures
  if (failure !== undefined) failAt(cacheFolder)(failure)
  return { block, count: facts.size, ...merged, fault: faults[0] }
}

const failAt = (path: string) => (cause: unknown) => {
  const code = 'DN-CACHE-FILE'
  throw new NodeError('remoteFailed', `cache: cannot use ${path}: ${reasonOf(cause)}`, { cause, code })
}

/** The facts about a block: values as JSON by key. */
export interface KnownFork {
  readonly block: ForkedBlock
  readonly facts: ReadonlyMap<string, string>
}

/** Brotli, because gzip's bytes differ between processors. Higher qualities take four times as long for the same size. */
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** The content of the file. */
export async function packFork({ block, facts }: KnownFork): Promise<Buffer> {
  const sorted = [...facts].toSorted(([one], [other]) => (one < other ? -1 : 1))
  const lines = sorted.map(([key, value]) => Buffer.from(`${key}\n${value}\n`))
  const packed = await promisify(brotliCompress)(Buffer.concat(lines), COMPRESSION)
  const { chainId, blockNumber, blockHash } = block
  const title = `dev-node-fork-cache 1 ${chainId} ${blockNumber} ${blockHash}`
  return Buffer.concat([Buffer.from(`${title} ${checksum(title, packed)}\n`), packed])
}

const checksum = (title: string, packed: Uint8Array): string =>
  toHex(sha256(Buffer.concat([Buffer.from(`${title}\n`), packed])))

/** The first line, with the number of the format, the block, and the SHA-256 of the rest. */
const TITLE = /^(dev-node-fork-cache 1 (\d{1,20}) (\d{1,20}) (0x[0-9a-f]{64})) (0x[0-9a-f]{64})\n/

/** Bytes that hold the longest first line. */
const MAX_TITLE = 256

/** Reads the facts in a file. @throws NodeError 'remoteFailed' with what is wrong with the file, errors of Brotli */
export async function unpackFork(file: Buffer): Promise<KnownFork> {
  const [line, title = '', chainId = '', blockNumber = '', blockHash = '', stated] =
    TITLE.exec(file.toString('latin1', 0, MAX_TITLE)) ?? []
  if (line === undefined)
    throw remoteFailed(
      'it is not a file of dev-node cache export that this release can read, or it is cut short',
    )
  const packed = file.subarray(line.length)
  const actual = checksum(title, packed)
  if (actual !== stated)
    throw remoteFailed(`it is damaged or cut short: its SHA-256 is ${actual}, its first line says ${stated}`)
  const block = { chainId: BigInt(chainId), blockNumber: BigInt(blockNumber), blockHash: asHash(blockHash) }
  const facts = new Map<string, string>()
  addFacts(facts, await promisify(brotliDecompress)(packed, { maxOutputLength: 2 ** 31 }))
  return { block, facts }
}
