import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { codeOf, reasonOf } from '../../lib/base/system-errors.ts'

test('an error of the system has a code and a message', () => {
  const error = caught(() => readFileSync('/missing/file'))
  expect(codeOf(error)).toBe('ENOENT')
  expect(reasonOf(error)).toBe("ENOENT: no such file or directory, open '/missing/file'")
})

test.each([
  ['a text', 'a text'],
  [{ message: 7 }, '7'],
  [{ code: 7 }, '[object Object]'],
  [undefined, 'undefined'],
  [null, 'null'],
])('%j has no code and the message %s', (error, reason) => {
  expect(codeOf(error)).toBeUndefined()
  expect(reasonOf(error)).toBe(reason)
})

function caught(task: () => unknown): unknown {
  try {
    return task()
  } catch (error) {
    return error
  }
}
