import { describe, expect, test } from '@jest/globals'
import { InvariantError } from '../../lib/base/invariant.ts'
import { Journal } from '../../lib/state/storage.ts'

/** A list, and a function that records a change whose undo appends its name to the list. */
function logWithNotes() {
  const log = new Journal()
  const undone: string[] = []
  return { log, undone, note: (name: string) => log.push(() => undone.push(name)) }
}

describe('journal', () => {
  test('undoes the newest first, down to the innermost checkpoint', () => {
    const { log, undone, note } = logWithNotes()
    log.checkpoint()
    note('a')
    log.checkpoint()
    note('b')
    note('c')
    log.revert()
    expect(undone).toEqual(['c', 'b'])
    expect(log.depth).toBe(1)
  })

  test('gives committed changes to the checkpoint around them', () => {
    const { log, undone, note } = logWithNotes()
    log.checkpoint()
    log.checkpoint()
    note('a')
    log.commit()
    log.revert()
    expect(undone).toEqual(['a'])
  })

  test('drops changes outside all checkpoints, and those of the outermost commit', () => {
    const { log, undone, note } = logWithNotes()
    note('a')
    log.checkpoint()
    note('b')
    log.commit()
    log.checkpoint()
    log.revert()
    expect(undone).toEqual([])
  })

  test('does not close a checkpoint that is not open', () => {
    const { log } = logWithNotes()
    expect(() => log.commit()).toThrow(InvariantError)
    expect(() => log.revert()).toThrow(InvariantError)
  })
})
