/** Loads networks (chain id, genesis, rules and fees) from preset files, merged along `extends`. resolve-network.ts applies options to them. */

import { refuseOption } from '../base/errors.ts'
import { describeIssues } from './issues.ts'
import type { NetworkKind } from './network-kind.ts'
import type { NetworkValues } from './network-values.ts'
import { networkSchema } from './network-schema.ts'
import { PARSE_ONCE } from './values.ts'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { isJsonObject } from '../base/json-text.ts'
import { findPackage } from './package.ts'

/** A network with the code that its kind brings. */
export interface Network extends NetworkValues {
  readonly kind: NetworkKind
}

/** Source of the funded and unlocked accounts. */
export type AccountSource = Network['accounts']

/**
 * Reads a shipped preset by its name, or a preset file by its path (absolute or relative to the working folder).
 * @throws NodeError 'invalidOption', naming the file and the key.
 */
export function loadNetwork(nameOrPath: string, kinds: readonly NetworkKind[]): Network {
  const file = findPreset(nameOrPath, '.')
  const { data, error } = networkSchema.safeParse(readPreset(file), PARSE_ONCE)
  if (data === undefined) refuseOption('DN-NETWORK', `network file ${file}: ${describeIssues(error.issues)}`)
  const kind = kinds.find(({ name }) => name === data.kind)
  if (kind === undefined) {
    const known = kinds.map(({ name }) => name).join(' or ')
    refuseOption('DN-NETWORK', `network file ${file}: kind: expected ${known}, got "${data.kind}"`)
  }
  return { ...data, kind, ...kind.traits(data.hardfork), networkId: data.networkId ?? data.chainId }
}

type JsonObject = Readonly<Record<string, unknown>>

const presetFolder = (): string => join(findPackage().folder, 'fixtures', 'networks')

/** Names of the presets that ship with the package, sorted. */
export function shippedNetworks(): readonly string[] {
  const files = readdirSync(presetFolder()).filter((file) => file.endsWith('.json'))
  return files.map((file) => basename(file, '.json')).sort()
}

/** File of a shipped preset, or of a path relative to the folder. @throws NodeError 'invalidOption' beginning with `prefix` */
function findPreset(nameOrPath: string, folder: string, prefix = ''): string {
  const name = basename(nameOrPath, '.json')
  const isName = nameOrPath === name
  if (isName && shippedNetworks().includes(name)) return join(presetFolder(), `${name}.json`)
  const path = resolve(folder, nameOrPath)
  if (!isName && existsSync(path)) return path
  const known = `shipped are ${shippedNetworks().join(', ')}`
  if (isName)
    refuseOption(
      'DN-NETWORK',
      `${prefix}unknown network "${nameOrPath}": ${known}; or give the path of a JSON file`,
    )
  refuseOption('DN-NETWORK', `${prefix}no network file at ${path}; ${known}`)
}

function readJson(file: string): JsonObject {
  let content: unknown
  try {
    content = JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    refuseOption('DN-NETWORK', `network file ${file} cannot be read as JSON`, cause)
  }
  if (isJsonObject(content)) return content
  refuseOption('DN-NETWORK', `network file ${file}: expected an object`)
}

/** Whether both have a member `source` with different values. Such objects must not be merged. */
const isOtherSource = (parent: JsonObject, child: JsonObject): boolean =>
  typeof child['source'] === 'string' && parent['source'] !== child['source']

/** Merges the child over the parent: objects are merged, other values are replaced. */
export function mergePresets(parent: JsonObject, child: JsonObject): JsonObject {
  const merged = { ...parent }
  for (const [key, value] of Object.entries(child)) {
    const old = parent[key]
    const isMerged = isJsonObject(value) && isJsonObject(old) && !isOtherSource(old, value)
    merged[key] = isMerged ? mergePresets(old, value) : value
  }
  return merged
}

/**
 * Content of a preset file merged over the presets it extends, without the key `extends`.
 * @throws NodeError 'invalidOption' for a file that is missing, is not JSON, or extends itself.
 */
function readPreset(file: string, descendants: readonly string[] = []): JsonObject {
  const line = [...descendants, file]
  const subject = `network file ${file}: extends`
  const { extends: parent, ...own } = readJson(file)
  if (parent === undefined) return own
  if (typeof parent !== 'string' || parent === '')
    refuseOption('DN-NETWORK', `${subject}: expected the name of a preset`)
  const parentFile = findParent(parent, file)
  if (line.includes(parentFile)) refuseOption('DN-NETWORK', `${subject}: ${parent} extends this file in turn`)
  return mergePresets(readPreset(parentFile, line), own)
}

/** The preset that a file extends: a file in the same folder, named with or without `.json`, or else a shipped preset. */
function findParent(name: string, file: string): string {
  const folder = dirname(file)
  const beside = resolve(folder, name.endsWith('.json') ? name : `${name}.json`)
  if (beside !== file && existsSync(beside)) return beside
  const shipped = name === basename(name) ? basename(name, '.json') : name
  return findPreset(shipped, folder, `network file ${file}: extends: `)
}
