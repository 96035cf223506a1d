import { describe, expect, test } from '@jest/globals'
import { chooseFirst } from '../../lib/crypto/candidates.ts'

const works = (name: string) => ({ name, load: () => name })
const fails = (name: string, thrown: unknown) => ({
  name,
  load: () => {
    throw thrown
  },
})
const accept = () => undefined

describe('chooseFirst', () => {
  test('prefers the order given and does not load the rest', () => {
    const loaded: string[] = []
    const record = (name: string) => ({ name, load: () => loaded.push(name) })
    const choice = chooseFirst([record('a'), record('b')], accept)
    expect(choice).toMatchObject({ name: 'a', skipped: [] })
    expect(loaded).toEqual(['a'])
  })

  test('keeps the reason of each one skipped', () => {
    const choice = chooseFirst([fails('a', new Error('first')), fails('b', 'second'), works('c')], accept)
    expect(choice).toEqual({
      name: 'c',
      implementation: 'c',
      skipped: [
        { name: 'a', reason: 'first' },
        { name: 'b', reason: 'second' },
      ],
    })
  })

  test('skips one that fails the check', () => {
    const refuseA = (name: string) => {
      if (name === 'a') throw new Error('wrong answer')
    }
    const choice = chooseFirst([works('a'), works('b')], refuseA)
    expect(choice.name).toBe('b')
    expect(choice.skipped).toEqual([{ name: 'a', reason: 'wrong answer' }])
  })

  test('names the reasons if no candidate is left', () => {
    expect(() => chooseFirst([fails('a', new Error('gone'))], accept)).toThrow(/a: gone/)
  })
})
