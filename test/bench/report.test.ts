import { describe, expect, test } from '@jest/globals'
import { reportOf, withReport } from '../../bench/report.ts'
import { results } from './results-example.ts'

const report = reportOf(results, 'dev-node')

/** Text below a heading, up to the next one. */
function section(heading: string): string {
  const [, text] = report.split(`## ${heading}\n\n`)
  if (text === undefined) throw new Error(`no heading ${heading}`)
  return text.split('\n\n## ')[0]!
}

describe('the report', () => {
  test('has medians of all nodes that were measured', () => {
    expect(
      section('Processor time of the server per operation, in milliseconds').split('\n').slice(0, 4),
    ).toEqual([
      '|  | dev-node | Anvil |',
      '| --- | --: | --: |',
      '| won | 1.00 | 5.00 |',
      '| lost & <found> | 4.00 | 2.00 |',
    ])
  })

  test('has the ratios of the rounds with their range', () => {
    expect(section('Times the processor time of dev-node')).toContain('| won | 4.00 [3.00–5.00] |')
  })

  test('has no figure for a row that failed in one round, and says why', () => {
    expect(section('Times the time on the clock of dev-node')).toContain('| wrong | failed (1) |')
    expect(section('Notes')).toContain('- (1) wrong: the balance is \\[1\\] \\| 2 (1 of 3 rounds)')
  })

  test('lists what others do with less, the worst first', () => {
    expect(section('Where dev-node needs more').split('\n')).toEqual([
      '- memory: 5.00 times the memory of Anvil',
      '- lost & <found>: 4.00 times the processor time of Anvil',
    ])
  })

  test('has memory in a table of its own, with its note', () => {
    expect(section('Memory, in megabytes')).toContain('| memory | 200 | 40.0 (2) |')
  })

  test('names a node that is absent', () => {
    expect(report).toContain('- Ganache: absent, not installed.')
    expect(
      report
        .split('\n')
        .filter((line) => line.startsWith('|'))
        .join(),
    ).not.toContain('Ganache')
  })
})

describe('the document', () => {
  test('keeps what is around the generated part', () => {
    const document = 'before\n<!-- generated: performance -->\nold\n<!-- end of performance -->\nafter\n'
    expect(withReport(document, 'new')).toBe(
      'before\n<!-- generated: performance -->\n\nnew\n\n<!-- end of performance -->\nafter\n',
    )
  })

  test('without a generated part is refused', () => {
    expect(() => withReport('text', 'new')).toThrow('no generated part')
  })
})
