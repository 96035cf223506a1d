import { describe, expect, test } from '@jest/globals'
import { Interface, id } from 'ethers'
import {
  precompileAddresses,
  precompileInterfaces,
} from '../../../../lib/modules/network-33/precompiles/interfaces.ts'

const all = Object.entries(precompileInterfaces)
const { bridge, blockHeader, environment, feeContract, hdWalletUtils } = precompileInterfaces

describe.each(all)('the interface of %s', (name, { address, abi, bySelector, selectors, topics }) => {
  const read = new Interface(abi)

  test('is at its address', () => {
    expect(precompileAddresses[name]).toBe(address)
  })

  test('lets a client compute the same selectors and topics', () => {
    for (const item of abi) {
      if (item.type === 'function') {
        const found = read.getFunction(item.name)!
        expect(selectors[found.format()]).toBe(found.selector)
      } else {
        const event = read.getEvent(item.name)!
        expect(topics[event.format()]).toBe(event.topicHash)
      }
    }
  })

  test('contains everything that a client can call', () => {
    const named = abi.filter(({ type }) => type === 'function').length
    const signatures = Object.entries(selectors)
    const computed = signatures.filter(([signature, selector]) => id(signature).startsWith(selector))
    expect(named).toBe(computed.length)
  })

  test('has the items with other selectors apart', () => {
    const others = new Interface(bySelector)
    const all = new Map(Object.entries({ ...selectors, ...topics }))
    for (const { name: item, selector, type } of bySelector) {
      const found = type === 'function' ? others.getFunction(item)! : others.getEvent(item)!
      expect(all.get(found.format())).toBe(selector)
      expect(id(found.format()).startsWith(selector)).toBe(false)
    }
    expect(abi.length + bySelector.length).toBe(all.size)
  })

  test('is JSON', () => {
    const whole = { address, abi, bySelector, selectors, topics }
    expect(JSON.parse(JSON.stringify(whole))).toEqual(whole)
  })
})

test('all precompiles have an address', () => {
  expect(Object.values(precompileAddresses).sort()).toEqual(
    [
      '01',
      '02',
      '03',
      '04',
      '05',
      '06',
      '07',
      '08',
      '09',
      '01000006',
      '01000008',
      '01000009',
      '01000010',
      '01000011',
      '01000016',
      '01000017',
    ].map((end) => `0x${end.padStart(40, '0')}`),
  )
})

test.each([
  ['blockHeader', blockHeader, 11],
  ['environment', environment, 1],
  ['hdWalletUtils', hdWalletUtils, 4],
  ['feeContract', feeContract, 2],
])('%s has all its functions', (_name, { selectors }, count) => {
  expect(Object.keys(selectors)).toHaveLength(count)
})

test('neutrally named functions are called by selector', () => {
  expect(blockHeader.selectors['getAuxHeader(int256)']).toBe('0x3073c6eb')
  expect(blockHeader.abi.map(({ name }) => name)).not.toContain('getAuxHeader')
  expect(bridge.selectors['getActivePegRedeemScript()']).toBe('0x1d73d5dd')
})
