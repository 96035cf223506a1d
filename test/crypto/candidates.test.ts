import { describe, expect, test } from '@jest/globals'
import { chooseFirst } from '../../lib/crypto/candidates.ts'

const works = (name: string) => ({ name, load: () => Promise.resolve(name) })
// eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a loader may throw anything
const fails = (name: string, thrown: unknown) => ({ name, load: () => Promise.reject(thrown) })
const accept = () => undefined

describe('chooseFirst', () => {
  test('prefers the order given and does not load the rest', async () => {
    const loaded: string[] = []
    const record = (name: string) => ({ name, load: async () => loaded.push(name) })
    const choice = await chooseFirst([record('a'), record('b')], accept)
    expect(choice).toMatchObject({ name: 'a', skipped: [] })
    expect(loaded).toEqual(['a'])
  })

  test('keeps the reason of each one skipped', async () => {
    const choice = await chooseFirst(
      [fails('a', new Error('first')), fails('b', 'second'), works('c')],
      accept,
    )
    expect(choice).toEqual({
      name: 'c',
      implementation: 'c',
      skipped: [
        { name: 'a', reason: 'first' },
        { name: 'b', reason: 'second' },
      ],
    })
  })

  test('skips one that throws before it answers with a promise', async () => {
    const throws = {
      name: 'a',
      load: () => {
        throw new Error('at once')
      },
    }
    const choice = await chooseFirst([throws, works('b')], accept)
    expect(choice.name).toBe('b')
  })

  test('skips one that fails the check', async () => {
    const refuseA = (name: string) => {
      if (name === 'a') throw new Error('wrong answer')
    }
    const choice = await chooseFirst([works('a'), works('b')], refuseA)
    expect(choice.name).toBe('b')
    expect(choice.skipped).toEqual([{ name: 'a', reason: 'wrong answer' }])
  })

  test('names the reasons if no candidate is left', async () => {
    await expect(chooseFirst([fails('a', new Error('gone'))], accept)).rejects.toThrow(/a: gone/)
  })
})
