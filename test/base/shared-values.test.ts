/** Values that several users share. */

import { expect, test } from '@jest/globals'
import { SharedValues } from '../../lib/base/shared-values.ts'

function counted() {
  const log: string[] = []
  const values = new SharedValues<string>((value) => log.push(`close ${value}`))
  const make = (name: string) => () => {
    log.push(`make ${name}`)
    return name
  }
  return { log, use: (name: string) => values.use(name, make(name)), values }
}

test('a value is made once for all its users, and closed after the last one', async () => {
  const { log, use } = counted()
  const [one, two, other] = await Promise.all([use('a'), use('a'), use('b')])
  await one.release()
  await one.release()
  const three = two.share()
  await two.release()
  expect(log).toEqual(['make a', 'make b'])
  await three.release()
  expect(log).toEqual(['make a', 'make b', 'close a'])
  expect([three.value, other.value]).toEqual(['a', 'b'])
})

test('a value is made again after it was closed, and after making it failed', async () => {
  const { log, use, values } = counted()
  await (await use('a')).release()
  await use('a')
  expect(log).toEqual(['make a', 'close a', 'make a'])
  const failing = () => Promise.reject(new Error('no'))
  await expect(Promise.all([values.use('c', failing), values.use('c', failing)])).rejects.toThrow('no')
  expect((await use('c')).value).toBe('c')
})
