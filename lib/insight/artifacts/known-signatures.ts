/** Lists of signatures, which name functions, events and errors of contracts without source. */

import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  errorText,
  eventOfLog,
  eventValues,
  fragmentKey,
  fragmentSignature,
  readAbi,
} from '../../abi/fragments.ts'
import type { AbiFragment } from '../../abi/fragments.ts'
import { SELECTOR_CHARACTERS, SELECTOR_LENGTH } from '../../abi/selector.ts'
import { decodeValues, encodesExactly } from '../../abi/values.ts'
import { NodeError, trouble } from '../../base/errors.ts'
import { getOrAdd } from '../../base/once.ts'
import { fromHex, toHex, type Hash } from '../../base/hex.ts'
import { isJsonObject, jsonValue } from '../../base/json-text.ts'
import { lazyPart } from '../../base/lazy-part.ts'
import { shorten } from '../../base/shorten.ts'
import { codeOf, reasonOf } from '../../base/system-errors.ts'

interface ShownLog {
  readonly topics: readonly Hash[]
  readonly data: Uint8Array
}

/** A line that begins with a selector. Its signature is read when the selector is looked up. */
const WITH_SELECTOR = /^(0x[0-9a-f]{8})[\s:,]+(.*)$/i

/** Functions, events and errors by the first four bytes of their hashes. */
export class KnownSignatures {
  readonly #files: readonly string[]
  readonly #onFault: (error: Error) => void
  readonly #items = new Map<string, (AbiFragment | string)[]>()
  #read: ((text: string) => readonly AbiFragment[]) | undefined

  private constructor(files: readonly string[], onFault: (error: Error) => void) {
    this.#files = files
    this.#onFault = onFault
  }

  /**
   * The list of a file, and those in other files and folders. The listener is called once for a file with lines that are no
   * signatures. Only the others are looked up now.
   * @throws NodeError 'invalidOption' naming a path that is missing
   */
  static async in(
    file: string,
    others: readonly string[],
    onFault: (error: Error) => void,
  ): Promise<KnownSignatures> {
    return new KnownSignatures([file, ...(await Promise.all(others.map(filesIn))).flat()], onFault)
  }

  /** The first call reads the lists; before that nothing is known. Files never make it reject. */
  readonly load = lazyPart('signatures', async () => {
    const { readSignature } = await import('../../abi/signatures.ts')
    this.#read = readSignature
    for (const file of this.#files) {
      try {
        this.#addFile(file, await readFile(file, 'utf8'))
      } catch (error) {
        this.#onFault(error instanceof NodeError ? error : faultOf(file, error))
      }
    }
  })

  /** The functions that call data may mean: those whose encoding matches exactly, or else those that can decode it. */
  functionsOf(input: Uint8Array): readonly AbiFragment[] {
    if (input.length < SELECTOR_LENGTH) return []
    const named = this.#named('function', toHex(input.subarray(0, SELECTOR_LENGTH)))
    return fitting(named, input.subarray(SELECTOR_LENGTH))
  }

  /** The event of a log. Several events can share a hash and differ in indexed values. */
  eventOf(log: ShownLog): AbiFragment | undefined {
    const named = this.#named('event', log.topics[0]?.slice(0, SELECTOR_CHARACTERS) ?? '')
    return named.find(
      (event) => eventOfLog([event], log) !== undefined && eventValues(event, log) !== undefined,
    )
  }

  /** The custom error in revert data with its values, such as `Broke(5)`; undefined if it is unknown. */
  errorText(data: string, isQuoted?: boolean): string | undefined {
    const named = this.#named('error', data.slice(0, SELECTOR_CHARACTERS))
    return textOf(fitting(named, fromHex(`0x${data.slice(SELECTOR_CHARACTERS)}`)), data, isQuoted)
  }

  /** The functions that call data may mean with their values, such as `transfer(0x..., 5)`; undefined if none is known. */
  callText(input: Uint8Array): string | undefined {
    return textOf(this.functionsOf(input), toHex(input))
  }

  #named(type: 'function' | 'event' | 'error', selector: string): readonly AbiFragment[] {
    const items = this.#items.get(selector) ?? []
    const read = items.flatMap((item) => (typeof item === 'string' ? (this.#read?.(item) ?? []) : item))
    if (items.some((item) => typeof item === 'string')) this.#items.set(selector, read)
    return read.filter((item) => item.type === type && fragmentKey(item).startsWith(selector))
  }

  #addFile(path: string, text: string): void {
    const json = jsonValue(text)
    const abi = readAbi(isJsonObject(json) ? json['abi'] : json)
    if (json !== undefined) {
      if (abi.length === 0) throw faultOf(path, 'it has no ABI')
      return abi.forEach((item) => this.#add(item))
    }
    const wrong = text.split(/\r?\n/).filter((line) => !this.#addLine(line.trim()))
    const count = `${wrong.length} lines are no signatures, such as`
    if (wrong.length > 0) this.#onFault(faultOf(path, `${count} ${JSON.stringify(shorten(wrong[0] ?? ''))}`))
  }

  /** Returns whether the line is a signature, empty, or a comment. */
  #addLine(line: string): boolean {
    if (line === '' || line.startsWith('#') || line.startsWith('//')) return true
    const [, selector, signature] = WITH_SELECTOR.exec(line) ?? []
    if (selector !== undefined && signature !== undefined) {
      getOrAdd(this.#items, selector.toLowerCase(), () => []).push(signature)
      return true
    }
    const items = this.#read?.(line) ?? []
    for (const item of items) this.#add(item)
    return items.length > 0
  }

  #add(item: AbiFragment): void {
    getOrAdd(this.#items, fragmentKey(item).slice(0, SELECTOR_CHARACTERS), () => []).push(item)
  }
}

/** The items that encode exactly to this data. Without one, those that can decode it. */
function fitting(items: readonly AbiFragment[], data: Uint8Array): readonly AbiFragment[] {
  const exact = items.filter(({ inputs = [] }) => encodesExactly(inputs, data))
  const found =
    exact.length > 0 ? exact : items.filter(({ inputs = [] }) => decodeValues(inputs, data) !== undefined)
  // Several lists may contain the same signature.
  return [...new Map(found.map((item) => [fragmentSignature(item), item])).values()]
}

const textOf = (items: readonly AbiFragment[], data: string, isQuoted?: boolean): string | undefined =>
  items
    .map(({ name = '', inputs: types = [] }) => errorText({ name, types, selector: '' }, data, isQuoted))
    .filter((text) => text !== undefined)
    .join(' or ') || undefined

/** The file, or all files in the folder and its subfolders. @throws NodeError 'invalidOption' */
async function filesIn(path: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(path, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  } catch (error) {
    if (codeOf(error) !== 'ENOTDIR') throw faultOf(path, error)
    return [path]
  }
}

const faultOf = (path: string, reason: unknown): NodeError =>
  trouble('DN-READ', `--selectors: cannot read ${path}: ${reasonOf(reason)}`)
