import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { activeEips } from '../../lib/config/active-eips.ts'
import { EIPS, HARDFORK_EIPS } from '../../lib/config/eips.ts'
import { HARDFORKS } from '../../lib/config/eips.ts'
import type { OptionsInput } from '../../lib/modules/options.ts'
import { networkOf } from '../support/networks.ts'

/** Settles a preset file with this content. */
function settle(content: object, options: OptionsInput = {}) {
  const file = join(mkdtempSync(join(tmpdir(), 'dev-node-eips-')), 'mine.json')
  writeFileSync(file, JSON.stringify({ extends: 'ethereum', name: 'mine', ...content }))
  return networkOf({ network: file, ...options })
}

describe('the table', () => {
  const listed = HARDFORKS.flatMap((fork) => HARDFORK_EIPS[fork])

  test('has every EIP of a hard fork once, in the order of the forks', () => {
    expect(Object.keys(EIPS).map(Number)).toEqual(listed.toSorted((left, right) => left - right))
    expect(new Set(listed).size).toBe(listed.length)
  })

  test('has hard forks whose EIPs find what they require', () => {
    for (const hardfork of HARDFORKS) expect(settle({ hardfork }).hardfork).toBe(hardfork)
  })

  test('has no EIP that changes nothing', () => {
    const changes = Object.values(EIPS).map(({ title: _title, requires: _requires, ...rest }) => rest)
    expect(changes.filter((rest) => Object.keys(rest).length === 0)).toEqual([])
  })
})

describe('the eips of a preset', () => {
  test('are added to those of its hard fork, whatever their order', () => {
    const [one, other] = [
      [7691, 4844],
      [4844, 7691],
    ].map((eips) => activeEips(settle({ hardfork: 'shanghai', eips })))
    expect(one!.blobs).toMatchObject({ target: 6, max: 9 })
    expect(other!.blobs).toEqual(one!.blobs)
    expect(one!.instructions).toEqual(new Set(['BASEFEE', 'PUSH0', 'BLOBHASH']))
  })

  test('may have an EIP that the hard fork has', () => {
    const network = settle({ hardfork: 'osaka', eips: [4844, 1559] })
    expect(activeEips(network)).toEqual(activeEips(settle({ hardfork: 'osaka' })))
  })

  test.each([
    [{ hardfork: 'paris', eips: [4844] }, 'EIP-4844 requires EIP-4895'],
    [{ hardfork: 'cancun', eips: [7002] }, 'EIP-7002 requires EIP-7685'],
    [{ hardfork: 'paris', eips: [4788] }, 'EIP-4788 requires EIP-3855'],
  ])('%j lack what they require', (content, problem) => {
    expect(() => settle(content)).toThrow(
      `network mine: eips: ${problem}: add it to eips, or take a later hard fork than ${content.hardfork}`,
    )
  })

  test('are checked against the hard fork of the option', () => {
    const preset = { hardfork: 'cancun', eips: [7691] }
    expect(settle(preset).eips).toEqual([7691])
    expect(() => settle(preset, { hardfork: 'shanghai' })).toThrow(
      'EIP-7691 requires EIP-4844: add it to eips, or take a later hard fork than shanghai',
    )
  })

  test.each([[9999], [0], [1.5], ['4844x']])('do not include %j', (eip) => {
    expect(() => settle({ eips: [4844, eip] })).toThrow(
      `eips[1]: expected the number of an EIP that the node knows (docs/configuration.md), got ${JSON.stringify(eip)}`,
    )
  })

  test('of a merged-mining network are EIPs of the machine', () => {
    const mine = { extends: 'network-33' }
    expect(activeEips(settle({ ...mine, eips: [7939] })).instructions.has('CLZ')).toBe(true)
    for (const eip of [2537, 2935, 4844, 4895, 7702, 7883])
      expect(() => settle({ ...mine, eips: [eip] })).toThrow(
        `network mine: eips: EIP-${eip} changes blocks, transactions or precompiles of Ethereum, and this network has its own`,
      )
  })
})
