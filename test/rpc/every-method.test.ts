/** Properties of every method, computed from the registry. */

import { describe, expect, test } from '@jest/globals'
import type { Method } from '../../lib/kernel/method.ts'
import { allMethods } from '../../scripts/all-methods.ts'
import type { Node } from '../../lib/node/node.ts'
import { fingerprint } from '../support/fingerprint.ts'
import { call, freshNode, refusal } from '../support/node.ts'

const rows = allMethods.methods.map((method): [string, Method] => [method.name, method])
const isRequired = ({ schema }: Method['params'][number]) => !schema.safeParse(undefined).success

/** A node on which the example can be called. */
async function nodeBefore({ example }: Method): Promise<Node> {
  const node = await freshNode()
  for (const step of example.after ?? []) await call(node, step.method, step.params)
  return node
}

describe.each(rows)('%s', (name, method) => {
  const { params, example, access, result } = method

  test('has a summary of one sentence', () => {
    expect(method.summary).toMatch(/^\S.*\.$/)
    for (const param of params) expect(param.summary).toMatch(/^\S.*\.$/)
  })

  test('has unique param names, the required ones first', () => {
    const required = params.map(isRequired)
    expect(new Set(params.map((param) => param.name)).size).toBe(params.length)
    expect(required).toEqual(required.toSorted((left, right) => Number(right) - Number(left)))
  })

  test('returns its example in the documented shape, or refuses it as documented', async () => {
    if (example.refusal !== undefined) {
      expect(method.errors).toContain(example.refusal)
      return expect(await refusal(await nodeBefore(method), name, example.params)).toMatchObject({
        kind: example.refusal,
      })
    }
    const answer = await call(await nodeBefore(method), name, example.params)
    result.parse(answer)
    if (example.result !== undefined) expect(answer).toEqual(example.result)
  })

  test('refuses an extra param and names its position', async () => {
    const given = params.map((_, position) => example.params[position] ?? null)
    const { kind, message } = await refusal(await nodeBefore(method), name, [...given, 'extra'])
    expect(kind).toBe('invalidParams')
    expect(message).toContain(`params[${params.length}]`)
  })

  test('changes no cell when it is refused or only reads', async () => {
    const node = await nodeBefore(method)
    const before = fingerprint(node.instance)
    await refusal(node, name, [...params.map(() => null), 'extra'])
    if (access === 'read') await outcomeOf(call(node, name, example.params))
    expect(fingerprint(node.instance)).toEqual(before)
  })
})

/** The result, or the message of the error. */
const outcomeOf = (answer: Promise<unknown>): Promise<unknown> =>
  answer.catch((error: unknown) => ({ refusal: String(error) }))

const required = allMethods.methods.flatMap(({ name, params, example }) =>
  params.flatMap((param, position) =>
    isRequired(param)
      ? [{ name, position, param: param.name, given: example.params.slice(0, position) }]
      : [],
  ),
)

test.each(required)('$name refuses a missing $param', async ({ name, position, param, given }) => {
  const node = await freshNode()
  const before = fingerprint(node.instance)
  const { kind, message } = await refusal(node, name, given)
  expect(kind).toBe('invalidParams')
  expect(message).toContain(`params[${position}] (${param})`)
  expect(message).toMatch(/got nothing$/)
  expect(fingerprint(node.instance)).toEqual(before)
})

/** The answer of dev_memory differs from call to call in what it measures of the process. */
const withoutProcess = (answer: unknown): unknown =>
  typeof answer === 'object' && answer !== null && 'process' in answer
    ? { ...answer, process: 'measured' }
    : answer

const aliases = allMethods.methods.flatMap((method) => method.aliases.map((alias) => ({ alias, method })))

test.each(aliases)('$alias has the result of the declared name', async ({ alias, method }) => {
  const answers = [method.name, alias].map(async (name) =>
    outcomeOf(call(await nodeBefore(method), name, method.example.params)),
  )
  const [own, other] = await Promise.all(answers)
  expect(withoutProcess(other)).toEqual(withoutProcess(own))
})

test('every name is a module, an underscore and a word, with an optional version or _detailed', () => {
  for (const name of allMethods.names) expect(name).toMatch(/^[a-z][a-z0-9]*_[a-zA-Z0-9]+(_v\d|_detailed)?$/)
})
