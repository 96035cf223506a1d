import { describe, expect, test } from '@jest/globals'
import { fromHex, keccak256, numberToHex, toBytes } from 'viem'
import {
  PROXY_SLOTS,
  implementationOf,
  implementationOfClone,
  implementationSlotIn,
} from '../../../lib/insight/artifacts/proxies.ts'

const ADDRESS = 'bebebebebebebebebebebebebebebebebebebebe'
const bytes = (hex: string) => fromHex(`0x${hex}`, 'bytes')
import { asHash } from '../../../lib/base/hex.ts'

describe('the contract of a clone', () => {
  test.each([
    ['EIP-1167', `363d3d373d3d3d363d73${ADDRESS}5af43d82803e903d91602b57fd5bf3`],
    [
      'EIP-1167 with arguments',
      `363d3d373d3d3d363d73${ADDRESS}5af43d82803e903d91602b57fd5bf3${'5a'.repeat(99)}`,
    ],
    ['PUSH0', `5f5f365f5f37365f73${ADDRESS}5af43d5f5f3e5f3d91602a57fd5bf3`],
    ['the shorter one', `3d3d3d3d363d3d37363d73${ADDRESS}5af43d3d93803e602a57fd5bf3`],
  ])('is read: %s', (_case, code) => {
    expect(implementationOfClone(bytes(code))).toBe(`0x${ADDRESS}`)
  })

  test('can have an address with zeros at its beginning, which shortens the code', () => {
    const code = '363d3d373d3d3d363d6fbebebebebebebebebebebebebebebebe5af43d82803e903d91602757fd5bf3'
    expect(implementationOfClone(bytes(code))).toBe(`0x00000000${'be'.repeat(16)}`)
  })

  test('can have an address that looks like the code after it', () => {
    const address = '5af43d82803e903d91602b57fd5bf35af43d8280'
    const code = `363d3d373d3d3d363d73${address}5af43d82803e903d91602b57fd5bf3`
    expect(implementationOfClone(bytes(code))).toBe(`0x${address}`)
  })

  test.each([
    ['no code', ''],
    ['other code', '6080604052'],
    ['a wrong length', `363d3d373d3d3d363d72${ADDRESS}5af43d82803e903d91602b57fd5bf3`],
  ])('is absent: %s', (_case, code) => {
    expect(implementationOfClone(bytes(code))).toBeUndefined()
  })
})

describe('the slots of proxies', () => {
  const slotOf = (name: string) => numberToHex(BigInt(keccak256(toBytes(name))) - 1n, { size: 32 })
  const ofImplementation = slotOf('eip1967.proxy.implementation')

  test('have the numbers of EIP-1967', () => {
    const names = ['eip1967.proxy.implementation', 'eip1967.proxy.beacon', 'eip1967.proxy.admin']
    expect([...PROXY_SLOTS]).toEqual(names.map((name) => [slotOf(name), name]))
  })

  test('are found in the code', () => {
    expect(implementationSlotIn(bytes(`607f7f${ofImplementation.slice(2)}54`))).toBe(ofImplementation)
    expect(implementationSlotIn(bytes(`607f7f${slotOf('other').slice(2)}54`))).toBeUndefined()
  })
})

describe('the contract that runs in place of a code', () => {
  const ofClone = bytes(`363d3d373d3d3d363d73${ADDRESS}5af43d82803e903d91602b57fd5bf3`)
  const stored = asHash(`0x${'00'.repeat(12)}${'ab'.repeat(20)}`)

  test.each([
    ['of a clone is in its code', ofClone, stored, `0x${ADDRESS}`],
    [
      'of a proxy is in its slot, also if its code computes the slot',
      bytes('6080604052'),
      stored,
      `0x${'ab'.repeat(20)}`,
    ],
    ['of an empty slot is absent', bytes('6080604052'), asHash(`0x${'00'.repeat(32)}`), undefined],
    ['of a slot that is not known is absent', bytes('6080604052'), undefined, undefined],
    ['of an account without code is absent', bytes(''), stored, undefined],
  ])('%s', (_case, code, word, expected) => {
    expect(implementationOf(code, () => word)).toBe(expected)
  })
})
