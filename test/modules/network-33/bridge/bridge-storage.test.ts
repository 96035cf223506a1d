import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { toHex } from '../../../../lib/base/hex.ts'
import { BridgeStorage } from '../../../../lib/modules/network-33/bridge/bridge-storage.ts'
import { BRIDGE_ADDRESS } from '../../../../lib/modules/network-33/bridge/constants.ts'
import { State } from '../../../../lib/state/state.ts'
import { StateRoot } from '../../../../lib/state/state-root.ts'

describe('the storage of the Bridge', () => {
  test('holds only the last value of each name', () => {
    const value = fc.option(fc.uint8Array({ maxLength: 100 }), { nil: undefined })
    const writes = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'a/b'), value), { maxLength: 12 })
    fc.assert(
      fc.property(writes, (list) => {
        const storage = new BridgeStorage(new State(StateRoot.empty))
        const expected = new Map<string, Uint8Array | undefined>()
        for (const [name, bytes] of list) {
          storage.putBytes(name, bytes)
          expected.set(name, bytes)
        }
        for (const [name, bytes] of expected) expect(storage.bytes(name)).toEqual(bytes)
      }),
    )
  })

  test('leaves no slot when its values are removed', () => {
    const state = new State(StateRoot.empty)
    const storage = new BridgeStorage(state)
    storage.putBytes('long', new Uint8Array(200).fill(7))
    storage.putBytes('long', new Uint8Array(40).fill(7))
    storage.putNumber('number', 0n)
    expect(storage.number('number')).toBe(0n)
    storage.putBytes('long', undefined)
    storage.putNumber('number', undefined)
    expect(state.hasStorage(BRIDGE_ADDRESS)).toBe(false)
  })

  test('is reverted with the state', () => {
    const state = new State(StateRoot.empty)
    const storage = new BridgeStorage(state)
    storage.putBytes('long', new Uint8Array(64).fill(1))
    state.checkpoint()
    storage.putBytes('long', new Uint8Array(96).fill(2))
    state.revert()
    expect(toHex(storage.bytes('long')!)).toBe(`0x${'01'.repeat(64)}`)
    const sealed = new BridgeStorage(new State(state.commitRoot()))
    expect(toHex(sealed.bytes('long')!)).toBe(`0x${'01'.repeat(64)}`)
  })
})
