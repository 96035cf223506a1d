/** State variables, their types, and their places computed from the AST (Solidity documentation, "Layout of State Variables in Storage"). */

import { childAt, definitionsIn, listAt, numberAt, textAt, typeIn, typeOf, valueNames } from './ast-node.ts'
import type { AstNode } from './ast-node.ts'
import type { CompiledContract } from './compilation.ts'
import { bigIntToBytes32, bytesToBigInt } from '../../base/hex.ts'
import { once, oncePer } from '../../base/once.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import { declaredContract, neededSources } from './solidity-ast.ts'

const readerOf = oncePer((contract: CompiledContract) => new LayoutReader(contract))
const layoutsOf = oncePer((contract: CompiledContract) => readerOf(contract).layouts())

/** Resolves type names in a contract's sources. The types also describe values in memory and call data. */
export const typesOf = (contract: CompiledContract): Pick<LayoutReader, 'typeOf'> => readerOf(contract)

/**
 * A contract's state variables with their slots, computed at the first call; undefined without the AST. Constants, immutables and
 * transient variables are left out; a namespace (ERC-7201) is listed by its struct's name.
 */
export const storageLayout = (contract: CompiledContract) => layoutsOf(contract)?.storage

/** A contract's transient variables with their slots, which begin at 0 (EIP-1153); undefined without the AST. */
export const transientLayout = (contract: CompiledContract) => layoutsOf(contract)?.transient

class LayoutReader {
  readonly #contract: CompiledContract
  readonly #definitions: ReadonlyMap<number | undefined, AstNode>

  constructor(contract: CompiledContract) {
    this.#contract = contract
    const definitions = neededSources(contract).flatMap(({ ast }) => definitionsIn(ast))
    this.#definitions = new Map(definitions.map((node) => [numberAt(node, 'id'), node]))
  }

  layouts() {
    const contracts = declaredContract(this.#contract)?.linearization.map((id) => this.#definitions.get(id))
    if (contracts === undefined || !contracts.every((contract) => contract !== undefined)) return undefined
    const parts = contracts.toReversed().flatMap((contract) => listAt(contract, 'nodes'))
    const transient = this.#place(parts.filter(isTransient), 0n).variables
    const specifier = childAt(contracts[0], 'storageLayout')
    const start = specifier === undefined ? 0n : this.#slotIn(childAt(specifier, 'baseSlotExpression'))
    const stored = start === undefined ? undefined : this.#place(parts.filter(isStored), start).variables
    return { transient, storage: stored && [...stored, ...parts.flatMap((part) => this.#namespaceIn(part))] }
  }

  /** A struct whose comment names its place (ERC-7201). */
  #namespaceIn(part: AstNode): StorageLayout {
    if (part.nodeType !== 'StructDefinition') return []
    const comment = textAt(childAt(part, 'documentation'), 'text') ?? ''
    const [, name] = /@custom:storage-location erc7201:(\S+)/.exec(comment) ?? []
    if (name === undefined) return []
    const label = textAt(part, 'name') ?? ''
    const type = this.#structOf(part, `struct ${textAt(part, 'canonicalName') ?? label}`)
    return [{ label, slot: namespaceSlot(name), offset: 0, type }]
  }

  /** Value of the expression after `layout at`: a number, a constant's name, or a namespace; undefined for other expressions. */
  #slotIn(expression: AstNode | undefined): bigint | undefined {
    if (expression === undefined) return undefined
    const [, digits] = /^t_rational_(\d+)_by_1$/.exec(typeOf(expression)) ?? []
    if (digits !== undefined) return BigInt(digits)
    const [argument] = listAt(expression, 'arguments')
    const name = textAt(argument, 'value')
    if (textAt(childAt(expression, 'expression'), 'name') === 'erc7201' && name !== undefined)
      return namespaceSlot(name)
    const constant = this.#definitions.get(numberAt(expression, 'referencedDeclaration'))
    return this.#slotIn(childAt(constant, 'value'))
  }

  /** Places variables in order. Those after a variable of unknown type are left out. */
  #place(nodes: readonly AstNode[], start: bigint) {
    const variables: StorageVariable[] = []
    let [slot, offset] = [start, 0]
    for (const node of nodes) {
      const type = this.typeOf(childAt(node, 'typeName'))
      if (type === undefined) break
      if (offset + type.bytes > 32) [slot, offset] = [slot + 1n, 0]
      variables.push({ label: textAt(node, 'name') ?? '', slot, offset, type })
      slot += type.slots - 1n
      offset += type.bytes
    }
    return { variables, slots: slot + 1n - start }
  }

  typeOf(node: AstNode | undefined): StorageType | undefined {
    if (node === undefined) return undefined
    const label = typeIn(node, 'typeString')
    // Types in mappings are read at first use, because a struct can contain itself through a mapping.
    const typeAt = (member: string) => once(() => this.typeOf(childAt(node, member)))
    switch (node.nodeType) {
      case 'ElementaryTypeName':
        // Without a name, the size is unknown.
        if (label === '') return undefined
        return label === 'string' || label === 'bytes'
          ? { kind: 'bytes', label, bytes: 32, slots: 1n }
          : valueType(label, sizeOf(label))
      case 'FunctionTypeName':
        return valueType(label, textAt(node, 'visibility') === 'external' ? 24 : 8)
      case 'Mapping':
        return {
          kind: 'mapping',
          label,
          bytes: 32,
          slots: 1n,
          key: typeAt('keyType'),
          value: typeAt('valueType'),
        }
      case 'ArrayTypeName':
        return arrayOf(label, typeAt('baseType'))
      default:
        return this.#definedType(this.#definitions.get(numberAt(node, 'referencedDeclaration')), label)
    }
  }

  #definedType(definition: AstNode | undefined, label: string): StorageType | undefined {
    if (definition === undefined) return undefined
    switch (definition.nodeType) {
      case 'ContractDefinition':
        return valueType(label, 20)
      case 'EnumDefinition':
        return enumType(label, valueNames(definition))
      case 'UserDefinedValueTypeDefinition': {
        const encoded = this.typeOf(childAt(definition, 'underlyingType'))
        return encoded && { ...encoded, label }
      }
      case 'StructDefinition':
        return this.#structOf(definition, label)
      default:
        return undefined
    }
  }

  #structOf(definition: AstNode, label: string): StorageStruct {
    const { variables: members, slots } = this.#place(listAt(definition, 'members'), 0n)
    return { kind: 'struct', label, bytes: 32, slots, members }
  }
}

function arrayOf(label: string, base: () => StorageType | undefined): StorageArray | undefined {
  const array = { kind: 'array', label, bytes: 32, base } as const
  // The type ends with the number of items, even if the source has a constant's name there.
  const [, digits] = /\[(\d+)\]$/.exec(label) ?? []
  if (digits === undefined) return { ...array, slots: 1n, count: undefined }
  const item = base()
  if (item === undefined) return undefined
  const [count, shared] = [BigInt(digits), itemsPerSlot(item)]
  return { ...array, slots: ((count + shared - 1n) / shared) * item.slots, count }
}

/** First slot of a namespace in the storage (ERC-7201). */
function namespaceSlot(name: string): bigint {
  const hash = bytesToBigInt(keccak256(Buffer.from(name)))
  return bytesToBigInt(keccak256(bigIntToBytes32(hash - 1n))) & ~0xffn
}

/** Whether a part of a contract is a variable with a place in the storage. */
const isStored = (part: AstNode): boolean =>
  part.nodeType === 'VariableDeclaration' &&
  part['constant'] !== true &&
  part['mutability'] !== 'immutable' &&
  !isTransient(part)

const isTransient = (part: AstNode): boolean => part['storageLocation'] === 'transient'

export const valueType = (label: string, bytes: number): StorageValue => ({
  kind: 'value',
  label,
  bytes,
  slots: 1n,
  encoding: label,
})

/** An enum with the names of its values. Before 0.8 there can be more than 256. */
export const enumType = (label: string, names: readonly string[]): StorageValue => ({
  ...valueType(label, names.length > 256 ? 2 : 1),
  names,
})

/** Size of an elementary type in bytes. */
function sizeOf(label: string): number {
  if (label === 'bool') return 1
  if (label.startsWith('address')) return 20
  const size = Number(/\d+/.exec(label))
  return label.startsWith('bytes') ? size : size / 8
}

export interface StorageVariable {
  readonly label: string
  /** For a member, relative to the struct's slot. */
  readonly slot: bigint
  /** Position of the lowest byte, counted from the slot's lowest byte. */
  readonly offset: number
  readonly type: StorageType
}

/** State variables with their places, in the order of their declaration. */
export type StorageLayout = readonly StorageVariable[]

interface AnyStorageType {
  /** As in Solidity, such as `struct Shop.Item[]`. */
  readonly label: string
  /** Number of bytes in a slot; 32 for a type that begins a new slot. */
  readonly bytes: number
  readonly slots: bigint
}

/** A value that lies within one slot. */
export interface StorageValue extends AnyStorageType {
  readonly kind: 'value'
  /** The type that determines how the value is written. For a user-defined value type it is the underlying type, such as `uint128`. */
  readonly encoding: string
  readonly names?: readonly string[]
}

/** Bytes or text of any length. */
export interface StorageBytes extends AnyStorageType {
  readonly kind: 'bytes'
}

export interface StorageMapping extends AnyStorageType {
  readonly kind: 'mapping'
  readonly key: () => StorageType | undefined
  readonly value: () => StorageType | undefined
}

/** An array; without a count if it is dynamic. */
export interface StorageArray extends AnyStorageType {
  readonly kind: 'array'
  readonly base: () => StorageType | undefined
  readonly count: bigint | undefined
}

interface StorageStruct extends AnyStorageType {
  readonly kind: 'struct'
  readonly members: StorageLayout
}

export type StorageType = StorageValue | StorageBytes | StorageMapping | StorageArray | StorageStruct

/** Number of values of a type that share a slot. */
export const itemsPerSlot = ({ bytes }: StorageType): bigint => BigInt(Math.floor(32 / bytes))
