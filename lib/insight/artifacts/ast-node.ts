/** Reads nodes of solc's compact AST, written since 0.4.12. */

import type { SourceRange } from './source-map.ts'

export interface AstNode {
  readonly nodeType: string
  /** `start:length:file` in bytes. */
  readonly src: string
  readonly [member: string]: unknown
}

export const isAstNode = (value: unknown): value is AstNode =>
  typeof value === 'object' &&
  value !== null &&
  'nodeType' in value &&
  typeof value.nodeType === 'string' &&
  'src' in value &&
  typeof value.src === 'string'

/** A node and the nodes inside, outer ones first, in source order as far as solc keeps it. The content of skipped nodes is left out. */
export function nodesIn(
  node: AstNode,
  isSkipped: (inner: AstNode) => boolean = () => false,
): readonly AstNode[] {
  const nodes: AstNode[] = []
  const add = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) add(item)
    else if (isAstNode(value) && !isSkipped(value)) {
      nodes.push(value)
      for (const member in value) add(value[member])
    }
  }
  add(node)
  return nodes
}

/** The node in a member; undefined if there is none. */
export function childAt(node: AstNode | undefined, member: string): AstNode | undefined {
  const value = node?.[member]
  return isAstNode(value) ? value : undefined
}

/** The nodes in a member's list; empty without a list. */
export function listAt(node: AstNode, member: string): readonly AstNode[] {
  const value = node[member]
  return Array.isArray(value) ? value.filter(isAstNode) : []
}

/** The top-level definitions of a source, and those in its contracts; empty without the AST. */
export const definitionsIn = (ast: AstNode | undefined): readonly AstNode[] =>
  ast === undefined ? [] : listAt(ast, 'nodes').flatMap((node) => [node, ...listAt(node, 'nodes')])

export const valueNames = (definition: AstNode): readonly string[] =>
  listAt(definition, 'members').map((member) => textAt(member, 'name') ?? '')

export function textAt(node: AstNode | undefined, member: string): string | undefined {
  const value = node?.[member]
  return typeof value === 'string' ? value : undefined
}

export function numberAt(node: AstNode | undefined, member: string): number | undefined {
  const value = node?.[member]
  return typeof value === 'number' ? value : undefined
}

/** The type of an expression or type name, as solc identifies it or as it is written; empty if it has none. */
export function typeIn(node: AstNode | undefined, member: 'typeIdentifier' | 'typeString'): string {
  const type: unknown = node?.['typeDescriptions']
  const texts: Readonly<Record<string, unknown>> = typeof type === 'object' ? { ...type } : {}
  const text = texts[member]
  return typeof text === 'string' ? text : ''
}

/** Identifier of the type of an expression; empty if it has none. */
export const typeOf = (node: AstNode | undefined): string => typeIn(node, 'typeIdentifier')

export function rangeOf({ src }: AstNode): SourceRange {
  const start = Number.parseInt(src)
  return { start, end: start + Number.parseInt(src.slice(src.indexOf(':') + 1)) }
}

export const isSameRange = (one: SourceRange, other: SourceRange): boolean =>
  one.start === other.start && one.end === other.end

/** Whether a part of a source contains another; equal parts contain each other. */
export const containsRange = (outer: SourceRange, inner: SourceRange): boolean =>
  outer.start <= inner.start && inner.end <= outer.end
