import { expect, test } from '@jest/globals'
import { lazyPart } from '../../lib/base/lazy-part.ts'

test('a part is loaded once, at its first use', async () => {
  let loads = 0
  const load = lazyPart('one', async () => ++loads)
  expect(loads).toBe(0)
  expect([await load(), await load()]).toEqual([1, 1])
})

test('a part that does not load is named, and tried again', async () => {
  let loads = 0
  const load = lazyPart('two', async () => {
    if (++loads === 1) throw new Error('no such file')
    return loads
  })
  await expect(load()).rejects.toMatchObject({
    kind: 'internal',
    message:
      'part two of dev-node could not be loaded: no such file; was the package reinstalled? restart the node',
  })
  expect(await load()).toBe(2)
})
