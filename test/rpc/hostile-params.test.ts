/** Hostile values in every param and member: refused with the name of the param, or accepted if they are valid. */

import { expect, test } from '@jest/globals'
import * as z from 'zod'
import { NodeError } from '../../lib/base/errors.ts'
import type { Node } from '../../lib/node/node.ts'
import type { Method } from '../../lib/kernel/method.ts'
import { allMethods } from '../../scripts/all-methods.ts'
import { glance } from '../support/fingerprint.ts'
import { HOSTILE } from '../support/hostile.ts'
import { call, freshNode, refusal } from '../support/node.ts'

/** A position in the params of a method, and a function that puts a value there. */
interface Place {
  readonly label: string
  readonly position: number
  readonly put: (value: unknown) => readonly unknown[]
}

const ADDRESS = '0x7986b3df570230288501eea3d890bd66948c9b79'
const WORD = `0x${'00'.repeat(31)}01`

/** Every param, and every member of those that are objects. */
function placesOf({ params, example }: Method): readonly Place[] {
  return params.flatMap(({ schema, name }, position) => {
    // A transaction that a method waits for may never be mined.
    const usualParams = params.map((one, index) => (one.name === 'timeout' ? 0 : example.params[index]))
    const fill = (value: unknown) => usualParams.with(position, value)
    const whole = { label: name, position, put: fill }
    const usual = usualParams[position]
    const base = typeof usual === 'object' && usual !== null && !Array.isArray(usual) ? usual : {}
    const members = membersOf(schema).map((member) => ({
      label: `${name}.${member}`,
      position,
      put: (value: unknown) => fill({ ...base, [member]: value }),
    }))
    return [whole, ...members]
  })
}

const known = new Map<z.ZodType, readonly string[]>()

/** Names of the members an object has in any of the forms a schema accepts. */
function membersOf(schema: z.ZodType): readonly string[] {
  const members = known.get(schema) ?? readMembers(schema)
  known.set(schema, members)
  return members
}

function readMembers(schema: z.ZodType): readonly string[] {
  type Described = { properties?: object; anyOf?: Described[]; allOf?: Described[] }
  const namesIn = ({ properties = {}, anyOf = [], allOf = [] }: Described): string[] => [
    ...Object.keys(properties),
    ...[...anyOf, ...allOf].flatMap(namesIn),
  ]
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Described
  return [...new Set(namesIn(described))]
}

/** A node, and its cells that changed since the last check. */
class WatchedNode {
  readonly node: Node
  #latest: readonly string[] = []

  constructor(node: Node) {
    this.node = node
    this.changedCells()
  }

  changedCells(): readonly string[] {
    const before = this.#latest
    this.#latest = glance(this.node.instance).split('\n')
    return this.#latest.filter((cell, index) => cell !== before[index])
  }
}

/** The values, parsed from text as in a request. */
const PARSED = HOSTILE.map(([name, json]): readonly [string, unknown] => [name, JSON.parse(json)])

const untouched = new WatchedNode(await freshNode())

/** Methods that only read share a node, because they must not change it. */
const nodeFor = async ({ access }: Method): Promise<WatchedNode> =>
  access === 'read' ? untouched : new WatchedNode(await freshNode())

/** The fault in how a method handled a value; undefined if there is no fault. */
async function complaint(watched: WatchedNode, method: Method, place: Place, value: unknown) {
  const { wrong, mayChange = false } = await verdictOn(watched.node, method, place, value)
  const changed = watched.changedCells()
  if (wrong !== undefined || mayChange || changed.length === 0) return wrong
  return `changes ${changed.join(', ')}`
}

interface Verdict {
  readonly wrong?: string
  readonly mayChange?: boolean
}

/** The fault in the result or error, and whether the call may have changed cells. */
async function verdictOn(
  node: Node,
  method: Method,
  { position, put }: Place,
  value: unknown,
): Promise<Verdict> {
  try {
    const answer = await call(node, method.name, put(value))
    method.result.parse(answer)
    return { mayChange: method.access !== 'read' }
  } catch (error) {
    if (!(error instanceof NodeError)) return { wrong: `ends with ${String(error)}` }
    // By its place, or by the name of a member.
    const { name, schema } = method.params[position]!
    const names = [`params[${position}]`, name, ...membersOf(schema)]
    const isNamed = names.some((each) => error.message.startsWith(each))
    const isExpected = error.kind === 'invalidParams' ? isNamed : method.errors.includes(error.kind)
    if (!isExpected) return { wrong: `ends with ${error.kind}: ${error.message.slice(0, 200)}` }
    if (!isWellFormed(error.message)) return { wrong: `words it badly: ${error.message.slice(0, 200)}` }
    if (error.message.length > 600) return { wrong: `answers ${error.message.length} characters` }
    // The transaction stays in the pool.
    return { mayChange: error.kind === 'receiptTimeout' }
  }
}

/** Whether the reason is one clause before the given value, and not a text of the schema library. */
function isWellFormed(message: string): boolean {
  const [reason = ''] = message.split(', got ')
  return !/[.,;:]$|Invalid input|received|expected .*expected/.test(reason)
}

/** The faults in how a method handled the values. */
async function complaints(
  method: Method,
  place: Place,
  values: readonly (readonly [string, unknown])[] = PARSED,
): Promise<readonly string[]> {
  const watched = await nodeFor(method)
  const found: string[] = []
  for (const [name, value] of values) {
    const complained = await complaint(watched, method, place, value)
    if (complained !== undefined) found.push(`${name}: ${complained}`)
  }
  return found
}

/** Members of schemas, such as those of a transaction, which many methods share: only the first place gets all values. */
const parsed = new Map<z.ZodType, Set<string>>()

/** Whether this is the first place that is parsed by its schema. */
function isFirst({ params }: Method, { label, position }: Place): boolean {
  const { schema, name } = params[position]!
  const members = parsed.get(schema) ?? new Set()
  const member = label.slice(name.length)
  const isNew = !members.has(member)
  parsed.set(schema, members.add(member))
  return isNew
}

const places = allMethods.methods.flatMap((method) =>
  placesOf(method).map((place) => ({ name: method.name, label: place.label, method, place })),
)

test.each(places.map((row, index) => ({ ...row, index })))(
  '$name survives hostile values at $label',
  async ({ method, place, index }) => {
    const some = PARSED.filter((_, at) => at % 6 === index % 6)
    expect(await complaints(method, place, isFirst(method, place) ? PARSED : some)).toEqual([])
  },
)

test.each(allMethods.methods)('$name survives a hostile extra param', async ({ name, params, example }) => {
  const given = params.map((_, position) => example.params[position] ?? null)
  const taken: string[] = []
  for (const [title, value] of PARSED) {
    const { kind } = await refusal(untouched.node, name, [...given, value])
    if (kind !== 'invalidParams') taken.push(`${title}: ${kind}`)
  }
  expect([taken, untouched.changedCells()]).toEqual([[], []])
})

/** Places inside of maps and lists, which a schema does not name. */
const nested: readonly (readonly [string, string, (value: unknown) => readonly unknown[]])[] = [
  ...['balance', 'nonce', 'code', 'state', 'stateDiff', 'movePrecompileToAddress'].map(
    (member): [string, string, (value: unknown) => readonly unknown[]] => [
      `overrides.*.${member}`,
      'eth_call',
      (value) => [{ to: ADDRESS }, 'latest', { [ADDRESS]: { [member]: value } }],
    ],
  ),
  ['overrides.*', 'eth_call', (value) => [{ to: ADDRESS }, 'latest', { [ADDRESS]: value }]],
  ['overrides.*.state.*', 'eth_call', (value) => [{}, 'latest', { [ADDRESS]: { state: { [WORD]: value } } }]],
  [
    'overrides.*.stateDiff.*',
    'eth_call',
    (value) => [{}, 'latest', { [ADDRESS]: { stateDiff: { 0: value } } }],
  ],
  ['transaction.accessList[0]', 'eth_call', (value) => [{ to: ADDRESS, accessList: [value] }]],
  [
    'transaction.accessList[0].storageKeys[0]',
    'eth_call',
    (value) => [{ to: ADDRESS, accessList: [{ address: ADDRESS, storageKeys: [value] }] }],
  ],
  ['transaction.authorizationList[0]', 'eth_call', (value) => [{ to: ADDRESS, authorizationList: [value] }]],
  ['storageKeys[0]', 'eth_getProof', (value) => [ADDRESS, [value], 'latest']],
  ['simulation.blockStateCalls[0]', 'eth_simulateV1', (value) => [{ blockStateCalls: [value] }]],
  ...['blockOverrides', 'stateOverrides', 'calls'].map(
    (member): [string, string, (value: unknown) => readonly unknown[]] => [
      `simulation.blockStateCalls[0].${member}`,
      'eth_simulateV1',
      (value) => [{ blockStateCalls: [{ [member]: value }] }],
    ],
  ),
  ...['number', 'time', 'gasLimit', 'feeRecipient', 'prevRandao', 'difficulty', 'baseFeePerGas'].map(
    (member): [string, string, (value: unknown) => readonly unknown[]] => [
      `simulation.blockStateCalls[0].blockOverrides.${member}`,
      'eth_simulateV1',
      (value) => [{ blockStateCalls: [{ blockOverrides: { [member]: value }, calls: [{}] }] }],
    ],
  ),
  ...['from', 'to', 'gas', 'gasPrice', 'value', 'data', 'nonce', 'type', 'accessList'].map(
    (member): [string, string, (value: unknown) => readonly unknown[]] => [
      `simulation.blockStateCalls[0].calls[0].${member}`,
      'eth_simulateV1',
      (value) => [{ blockStateCalls: [{ calls: [{ [member]: value }] }], validation: true }],
    ],
  ),
  ['percentiles[0]', 'eth_feeHistory', (value) => ['0x1', 'latest', [value]]],
  ['filter.address[0]', 'eth_getLogs', (value) => [{ address: [value] }]],
  ['filter.topics[0]', 'eth_getLogs', (value) => [{ topics: [value] }]],
  ['filter.topics[0][0]', 'eth_getLogs', (value) => [{ topics: [[value]] }]],
]

test.each(nested)('survives hostile values at %s of %s', async (_, name, put) => {
  const position = put(null).findIndex((value) => JSON.stringify(value).includes('null'))
  expect(await complaints(allMethods.find(name)!, { label: name, position, put })).toEqual([])
})

/** Names of members that objects inherit. */
const KEYS = HOSTILE.filter(([, json]) => json.startsWith('"')).map(([name, json]): [string, string] => [
  name,
  json,
])

test.each([
  ['an account to override', (key: string) => `{${key}: {"balance": "0x1"}}`],
  ['a slot to override', (key: string) => `{"${ADDRESS}": {"state": {${key}: "${WORD}"}}}`],
])('refuses hostile keys that name %s', async (_, overridesOf) => {
  const put = (value: unknown) => [{ to: ADDRESS }, 'latest', value]
  const values = KEYS.map(([name, key]): [string, unknown] => [name, JSON.parse(overridesOf(key))])
  const place = { label: 'overrides', position: 2, put }
  expect(await complaints(allMethods.find('eth_call')!, place, values)).toEqual([])
})

test('__proto__ is refused as an account to override', async () => {
  const node = await freshNode()
  const overrides: unknown = JSON.parse('{"__proto__": {"balance": "0x1"}}')
  await expect(call(node, 'eth_call', [{ to: ADDRESS }, 'latest', overrides])).rejects.toMatchObject({
    kind: 'invalidParams',
  })
})

test.each(KEYS)('a param by a hostile name is refused: %s', async (_, key) => {
  const node = await freshNode()
  const params = JSON.parse(`{${key}: 1}`) as object
  await expect(call(node, 'eth_getBalance', params)).rejects.toMatchObject({ kind: 'invalidParams' })
})
