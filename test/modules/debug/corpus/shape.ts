/** Shapes of Solidity types by their names in the AST: how reported values are decoded, and what a debugger shows of them. */

import { AbiCoder, getAddress } from 'ethers'

/** What must be shown: a text, in which the case of an address does not matter, or parts. */
export type Shown = string | readonly (readonly [name: string, Shown])[]

/** How a value of a type is decoded and shown. */
export interface Shape {
  readonly abi: string
  readonly shown: (value: any) => Shown
}

/** A node of the AST. */
export type AstNode = Readonly<Record<string, any>>

/** All nodes of an AST. */
export function* nodesOf(value: unknown): Generator<AstNode> {
  if (typeof value !== 'object' || value === null) return
  if ('nodeType' in value) yield value
  for (const part of Object.values(value)) yield* nodesOf(part)
}

/** The shapes of the types that a source names. */
export function shapesOf(ast: unknown): (typeString: string) => Shape {
  const defined = new Map([...nodesOf(ast)].map((node) => [node['canonicalName'], node]))
  const shapeOf = (typeString: string): Shape => {
    const type = typeString.replaceAll(/ (memory|calldata|storage|ref|pointer|payable)\b/g, '')
    const [, base, length] = /^(.*)\[(\d*)\]$/.exec(type) ?? []
    if (base !== undefined) return arrayOf(shapeOf(base), length!)
    const [kind, name = ''] = type.split(' ')
    if (kind === 'struct') return structOf(defined.get(name)!, shapeOf)
    if (kind === 'enum') return enumOf(defined.get(name)!)
    if (kind === 'contract') return { abi: 'address', shown: (value) => `${name}(${value})` }
    if (kind === 'function') return FUNCTION
    const underlying = defined.get(type)
    return elementary(underlying?.['underlyingType'].typeDescriptions.typeString ?? type)
  }
  return shapeOf
}

/** An external function: an address and a selector. */
const FUNCTION: Shape = {
  abi: 'bytes24',
  shown: (value) => `${getAddress(value.slice(0, 42))}.0x${value.slice(42)}`,
}

const arrayOf = (item: Shape, length: string): Shape => ({
  abi: `${item.abi}[${length}]`,
  shown: (values) => [...values].map((value, at) => [`[${at}]`, item.shown(value)]),
})

function structOf({ members }: AstNode, shapeOf: (typeString: string) => Shape): Shape {
  const shapes = members.map((member: AstNode) => shapeOf(member['typeDescriptions'].typeString))
  return {
    abi: `tuple(${shapes.map(({ abi }: Shape) => abi).join()})`,
    shown: (values) => members.map(({ name }: AstNode, at: number) => [name, shapes[at].shown(values[at])]),
  }
}

const enumOf = ({ name, members }: AstNode): Shape => ({
  abi: 'uint8',
  shown: (value) => `${name}.${members[Number(value)].name}`,
})

const elementary = (abi: string): Shape => ({
  abi,
  shown: (value) => (abi === 'string' ? JSON.stringify(value) : String(value)),
})

/** What must be shown of an encoded value. */
export const decoded = ({ abi, shown }: Shape, data: string): Shown =>
  shown(AbiCoder.defaultAbiCoder().decode([abi], data)[0])
