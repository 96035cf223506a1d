/** Lazy objects of Hardhat in the plugin: the same members, without a stack for each. */
import { expect, test } from '@jest/globals'
import { createRequire } from 'node:module'
import { fastLazyObject, type LazyObject } from '../../../lib/embed/hardhat/lazy-objects.ts'

const { lazyObject } = createRequire(import.meta.url)('hardhat/internal/util/lazy') as {
  readonly lazyObject: LazyObject
}
const fast = fastLazyObject(lazyObject)

test('the object is created once, when a member is first read', () => {
  let created = 0
  const object = fast(() => ({ number: ++created }))
  expect(created).toBe(0)
  expect([object.number, object.number, created]).toEqual([1, 1, 1])
})

test('members are written, listed and inherited as those of the object', () => {
  class Base {
    inherited = 1
    get twice(): number {
      return 2 * this.inherited
    }
  }
  const object = fast(() => new Base())
  object.inherited = 2
  expect(object.twice).toBe(4)
  expect(Object.keys(object)).toEqual(['inherited'])
  expect(object).toBeInstanceOf(Base)
})

test('what Hardhat refuses is refused each time', () => {
  const object: object = fast(() => () => undefined)
  expect(() => Reflect.get(object, 'member')).toThrow('lazyObject')
  expect(() => Reflect.get(object, 'member')).toThrow('lazyObject')
})

test('only the first member makes a stack', () => {
  const prepare: unknown = Reflect.get(Error, 'prepareStackTrace')
  let stacks = 0
  Error.prepareStackTrace = () => String(++stacks)
  try {
    const object = fast(() => ({ one: 1, other: 2 }))
    expect(object.one + object.other + object.one).toBe(4)
    expect(stacks).toBe(1)
  } finally {
    Reflect.set(Error, 'prepareStackTrace', prepare)
  }
})
