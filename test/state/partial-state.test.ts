/** States that hold only what differs from a source, against whole states with the same changes. */

import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { fromHex, toWord } from '../../lib/base/hex.ts'
import { State } from '../../lib/state/state.ts'
import { StateRoot } from '../../lib/state/state-root.ts'
import { SlowSource, contentOf, loaded } from '../support/slow-source.ts'
import type { ShownAccount } from '../support/slow-source.ts'
import { ADDRESSES, SLOTS, anyChange, anyStep, change, runs } from '../support/state-steps.ts'
import type { Change, Step } from '../support/state-steps.ts'

const KNOWN = { addresses: ADDRESSES, slots: SLOTS }
const [FIRST, SECOND] = ADDRESSES as [(typeof ADDRESSES)[number], (typeof ADDRESSES)[number]]
const [ZEROTH, NEXT] = SLOTS as [(typeof SLOTS)[number], (typeof SLOTS)[number]]

/** A state with these changes. Accounts without code and nonce have no storage, as on every chain (EIP-7610). */
function wholeOf(changes: readonly Change[]): StateRoot {
  const state = new State(StateRoot.empty)
  for (const each of changes) change(state, each)
  for (const address of ADDRESSES) {
    const fields = state.account(address)
    if (fields?.nonce === 0n && fields.code.length === 0) state.clearStorage(address)
  }
  return state.commitRoot()
}

/** Applies a step, and waits for what it needs. @returns whether it was possible */
async function apply(state: State, step: Step): Promise<boolean> {
  if ('address' in step) await loaded(() => change(state, step))
  else if (step.type === 'checkpoint') state.checkpoint()
  else if (step.type === 'seal') {
    if (state.depth > 0) return false
    state.commitRoot()
  } else {
    if (state.depth === 0) return false
    if (step.type === 'commit') state.commit()
    else state.revert()
  }
  return true
}

/** What an account without storage that counts would be: the same for a whole and a partial state. */
type Content = Readonly<Record<string, ShownAccount | undefined>>

/** All that a working state answers. */
async function readAll(state: State): Promise<unknown> {
  const answers: unknown[] = []
  for (const address of ADDRESSES) {
    const fields = await loaded(() => state.account(address))
    answers.push(fields && [fields.nonce, fields.balance, fields.codeHash])
    for (const slot of SLOTS) answers.push(await loaded(() => state.storage(address, slot)))
  }
  return answers
}

describe('a partial state', () => {
  test('answers as a whole state after the same steps', async () => {
    const begin = fc.array(anyChange, { maxLength: 25 })
    const law = fc.asyncProperty(
      begin,
      fc.array(anyStep, { maxLength: 40 }),
      fc.boolean(),
      async (given, steps, isRead) => {
        const root = wholeOf(given)
        const whole = new State(root)
        const partial = new State(new SlowSource(root).root)
        for (const step of steps) {
          expect(await apply(partial, step)).toBe(await apply(whole, step))
          if (isRead) expect(await readAll(partial)).toEqual(await readAll(whole))
        }
        expect(await readAll(partial)).toEqual(await readAll(whole))
        while (whole.depth > 0) {
          whole.commit()
          partial.commit()
        }
        const contents = [partial, whole].map((state): Promise<Content> =>
          contentOf(state.commitRoot(), KNOWN),
        )
        expect(await contents[0]).toEqual(await contents[1])
        expect(await readAll(partial)).toEqual(await readAll(whole))
        const reread = [partial, whole].map((state) => readAll(new State(state.base)))
        expect(await reread[0]).toEqual(await reread[1])
      },
    )
    await fc.assert(law, runs(150))
  })

  test('roots of different contents differ', async () => {
    const begin = fc.array(anyChange, { maxLength: 12 })
    const steps = fc.array(anyStep, { maxLength: 6 })
    const law = fc.asyncProperty(begin, steps, steps, async (given, one, other) => {
      const source = new SlowSource(wholeOf(given))
      const roots: StateRoot[] = []
      for (const each of [one, other]) {
        const state = new State(source.root)
        for (const step of each) await apply(state, step)
        state.revertTo(0)
        roots.push(state.commitRoot())
      }
      const [first, second] = roots as [StateRoot, StateRoot]
      const contents = [await contentOf(first, KNOWN), await contentOf(second, KNOWN)]
      if (first.hash === second.hash) expect(contents[0]).toEqual(contents[1])
    })
    await fc.assert(law, runs(250))
  })
})

const put = (address: typeof FIRST, slot: typeof ZEROTH, value: string): Change => ({
  type: 'putStorage',
  address,
  slot,
  value: fromHex(value),
})

const CONTRACT: readonly Change[] = [
  { type: 'putAccount', address: FIRST, nonce: 1n, balance: 5n },
  { type: 'putCode', address: FIRST, code: Uint8Array.of(0x60, 0x00) },
  put(FIRST, ZEROTH, '0x07'),
  put(FIRST, NEXT, '0x08'),
]

/** A partial state over a contract with two slots, after some changes. */
async function changed(...changes: readonly Change[]): Promise<State> {
  const state = new State(new SlowSource(wholeOf(CONTRACT)).root)
  for (const each of changes) await loaded(() => change(state, each))
  return state
}

const valueOf = (root: StateRoot, slot = ZEROTH) => loaded(() => root.storageAt(FIRST, slot))

describe('storage of an account of the source', () => {
  test('a zero covers the value of the source, also after the root is the base', async () => {
    const state = await changed(put(FIRST, ZEROTH, '0x'))
    const root = state.commitRoot()
    expect(await valueOf(root)).toBe(toWord(0n))
    expect(state.storage(FIRST, ZEROTH)).toEqual(new Uint8Array(0))
    expect(await valueOf(root, NEXT)).toBe(toWord(8n))
    expect(await loaded(() => new State(root).storage(FIRST, ZEROTH))).toEqual(new Uint8Array(0))
  })

  test('a write that is reverted leaves the value of the source', async () => {
    const state = await changed()
    await loaded(() => state.account(FIRST))
    state.checkpoint()
    state.putStorage(FIRST, ZEROTH, Uint8Array.of(9))
    state.revert()
    expect(await loaded(() => state.storage(FIRST, ZEROTH))).toEqual(Uint8Array.of(7))
    expect(state.isDirty).toBe(false)
  })

  test('a write needs no load of the slot', async () => {
    const source = new SlowSource(wholeOf(CONTRACT))
    const state = new State(source.root)
    await loaded(() => state.putStorage(FIRST, ZEROTH, Uint8Array.of(9)))
    expect(source.loads).toEqual([FIRST])
    expect(state.storage(FIRST, ZEROTH)).toEqual(Uint8Array.of(9))
  })

  test('storage that was cleared is zero, and its account keeps code and balance', async () => {
    const root = (await changed({ type: 'clearStorage', address: FIRST })).commitRoot()
    expect([await valueOf(root), await valueOf(root, NEXT)]).toEqual([toWord(0n), toWord(0n)])
    expect(root.balance(FIRST)).toBe(5n)
  })

  test('an account that is created again after its deletion has none of the old slots', async () => {
    const state = await changed({ type: 'deleteAccount', address: FIRST })
    expect(state.commitRoot().account(FIRST)).toBeUndefined()
    for (const each of CONTRACT.slice(0, 3)) change(state, each)
    const root = state.commitRoot()
    expect([await valueOf(root), await valueOf(root, NEXT)]).toEqual([toWord(7n), toWord(0n)])
  })
})

describe('the root of a partial state', () => {
  test('is that of the source while nothing differs', async () => {
    const whole = wholeOf(CONTRACT)
    expect(new SlowSource(whole).root.hash).toBe(whole.hash)
    const state = await changed()
    await readAll(state)
    expect(state.commitRoot().hash).toBe(whole.hash)
  })

  test.each<[string, readonly Change[], readonly Change[]]>([
    [
      'an account that continues, and one that was created again',
      [{ type: 'putAccount', address: FIRST, nonce: 2n, balance: 5n }],
      [
        { type: 'deleteAccount', address: FIRST },
        { type: 'putAccount', address: FIRST, nonce: 2n, balance: 5n },
        { type: 'putCode', address: FIRST, code: Uint8Array.of(0x60, 0x00) },
      ],
    ],
    [
      'an account that was deleted, and an empty one',
      [{ type: 'deleteAccount', address: FIRST }],
      [
        { type: 'deleteAccount', address: FIRST },
        { type: 'putAccount', address: FIRST, nonce: 0n, balance: 0n },
        { type: 'putAccount', address: FIRST, nonce: 1n, balance: 0n },
        { type: 'putAccount', address: FIRST, nonce: 0n, balance: 0n },
      ],
    ],
    ['the same change of two accounts', [CONTRACT[0]!], [{ ...CONTRACT[0]!, address: SECOND }]],
  ])('differs between %s', async (_case, one, other) => {
    const roots = [(await changed(...one)).commitRoot(), (await changed(...other)).commitRoot()]
    expect(roots[0]!.hash).not.toBe(roots[1]!.hash)
  })
})
