/** Layouts of the storage as rows: those that the node computes and those that solc writes. */

import type { CompiledContract } from '../../../lib/insight/artifacts/compilation.ts'
import { compilationOf } from '../../../lib/insight/artifacts/source-unit.ts'
import { storageLayout, transientLayout } from '../../../lib/insight/artifacts/storage-layout.ts'
import type { StorageLayout, StorageType } from '../../../lib/insight/artifacts/storage-layout.ts'

/** Path, type, slot, offset, and size in bytes. */
type Row = readonly [path: string, type: string, slot: string, offset: number, bytes: string]

/** Types inside of types are listed to this depth: a struct can contain itself. */
const MAX_DEPTH = 4

/** The rows of both, of the namespaces (ERC-7201) and of transient variables, by contract; undefined where there are none. */
export function bothLayouts(output: any) {
  return Object.entries<any>(output.contracts).flatMap(([path, contracts]) =>
    Object.entries<any>(contracts).map(([name, found]) => {
      const contract = compiledContract(output, path, name)
      const [layout, transient] = [storageLayout(contract), transientLayout(contract)]
      // solc does not list the namespaces, which are the last ones.
      const count = found.storageLayout.storage.length
      return {
        name: `${path}:${name}`,
        computed: layout && computedRows(layout.slice(0, count)),
        namespaces: layout && computedRows(layout.slice(count)),
        solc: solcRows(found.storageLayout),
        transient: transient && computedRows(transient),
        solcTransient: found.transientStorageLayout && solcRows(found.transientStorageLayout),
      }
    }),
  )
}

/** A contract of the output of solc, without its code. */
export function compiledContract(output: any, path: string, name: string): CompiledContract {
  const sources = Object.entries<any>(output.sources).map(([path, { id, ast }]) => ({
    id,
    path,
    content: () => undefined,
    ast: () => ast,
  }))
  const compilation = compilationOf({ language: 'Solidity', sources })
  return { compilation, path, name, abi: [], creation: undefined, runtime: undefined }
}

function computedRows(layout: StorageLayout): readonly Row[] {
  const rows: Row[] = []
  const add = (path: string, type: StorageType | undefined, slot: bigint, offset: number, depth: number) => {
    if (type === undefined || depth > MAX_DEPTH) return
    const bytes = type.slots > 1n || type.bytes === 32 ? 32n * type.slots : BigInt(type.bytes)
    rows.push([path, type.label, slot.toString(), offset, bytes.toString()])
    if (type.kind === 'struct')
      for (const member of type.members)
        add(`${path}.${member.label}`, member.type, slot + member.slot, member.offset, depth + 1)
    if (type.kind === 'array') add(`${path}[]`, type.base(), 0n, 0, depth + 1)
    if (type.kind === 'mapping') {
      add(`${path}.key`, type.key(), 0n, 0, depth + 1)
      add(`${path}.value`, type.value(), 0n, 0, depth + 1)
    }
  }
  for (const { label, type, slot, offset } of layout) add(label, type, slot, offset, 0)
  return rows
}

function solcRows({ storage, types }: any): readonly Row[] {
  const rows: Row[] = []
  const add = (path: string, id: string | undefined, slot: bigint, offset: number, depth: number) => {
    if (id === undefined || depth > MAX_DEPTH) return
    const { label, numberOfBytes, members = [], base, key, value } = types[id]
    rows.push([path, label, slot.toString(), offset, numberOfBytes])
    for (const member of members)
      add(`${path}.${member.label}`, member.type, slot + BigInt(member.slot), member.offset, depth + 1)
    add(`${path}[]`, base, 0n, 0, depth + 1)
    add(`${path}.key`, key, 0n, 0, depth + 1)
    add(`${path}.value`, value, 0n, 0, depth + 1)
  }
  for (const { label, type, slot, offset } of storage) add(label, type, BigInt(slot), offset, 0)
  return rows
}
