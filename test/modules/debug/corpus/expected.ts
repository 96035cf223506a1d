/** The values that the twin of a source reported, in the order of the visits. */

import { AbiCoder, decodeBytes32String, dataSlice, toBigInt } from 'ethers'
import { decoded, nodesOf, shapesOf } from './shape.ts'
import type { AstNode, Shown } from './shape.ts'
import { REPORTED_TO } from './source.ts'

/** A value that was reported. */
export interface Report {
  readonly mark: string
  readonly expression: string
  readonly shown: Shown
}

/** A call in the result of callTracer. */
export interface TracedCall {
  readonly type: string
  readonly to?: string
  readonly input: string
  readonly output?: string
  readonly error?: string
  readonly calls?: readonly TracedCall[]
}

/** Reads reports, by the types that the compiler gave the expressions. */
export function reportReader(asts: readonly AstNode[]): (call: TracedCall) => readonly Report[] {
  const types = new Map(asts.flatMap(typesIn))
  return (call) => reportsIn(call).map((input) => readReport(input, types))
}

type Types = ReadonlyMap<string, (data: string) => Shown>

/** Of each call `Seen.at("mark", "name", abi.encode(expression))`. */
function typesIn(ast: AstNode): readonly (readonly [string, (data: string) => Shown])[] {
  const shapeOf = shapesOf(ast)
  const calls = [...nodesOf(ast)].filter(
    ({ nodeType, expression }) =>
      nodeType === 'FunctionCall' && expression.memberName === 'at' && expression.expression.name === 'Seen',
  )
  return calls.map(({ arguments: [mark, name, encoding] }) => {
    const { typeString } = encoding.arguments[0].typeDescriptions
    const shape = shapeOf(typeString)
    return [`${mark.value} ${name.value}`, (data) => decoded(shape, data)]
  })
}

/** Inputs of the reports in the order of execution. */
const reportsIn = ({ to, input, calls = [] }: TracedCall): readonly string[] =>
  to === REPORTED_TO ? [input] : calls.flatMap(reportsIn)

const YUL_BYTES = 96

function readReport(input: string, types: Types): Report {
  if (input.length === 2 + 2 * YUL_BYTES) {
    const [mark, expression] = [0, 32].map((at) => decodeBytes32String(dataSlice(input, at, at + 32)))
    return { mark: mark!, expression: expression!, shown: String(toBigInt(dataSlice(input, 64))) }
  }
  const [mark, name, value] = AbiCoder.defaultAbiCoder().decode(['string', 'string', 'bytes'], input)
  const shown = types.get(`${mark} ${name}`)!(value)
  const [expression, held] = name.split(' == ')
  if (held === undefined) return { mark, expression, shown }
  if (shown !== 'true') throw new Error(`${mark}: ${name} is not true`)
  return { mark, expression, shown: held }
}
