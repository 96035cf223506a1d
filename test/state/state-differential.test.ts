import { describe, expect, test } from '@jest/globals'
import { MerkleStateManager } from '@ethereumjs/statemanager'
import { Address as ReferenceAddress, createAccount } from '@ethereumjs/util'
import fc from 'fast-check'
import type { Address } from '../../lib/base/hex.ts'
import { fromHex, stripZeros, toHex } from '../../lib/base/hex.ts'
import { StateRoot } from '../../lib/state/state-root.ts'
import { State } from '../../lib/state/state.ts'
import type { Change, Step } from '../support/state-steps.ts'
import {
  ADDRESSES,
  SLOTS,
  accountText,
  anyStep,
  change,
  rootText,
  runs,
  stateText,
} from '../support/state-steps.ts'

/** The state under test and the reference implementation, with the same contents. */
class Pair {
  readonly state = new State(StateRoot.empty)
  readonly reference = new MerkleStateManager()
  readonly sealed: { readonly root: StateRoot; readonly text: string }[] = []
  depth = 0

  async step(step: Step): Promise<void> {
    switch (step.type) {
      case 'checkpoint':
        this.state.checkpoint()
        await this.reference.checkpoint()
        this.depth++
        return
      case 'commit':
      case 'revert':
        if (this.depth === 0) return
        this.state[step.type]()
        await this.reference[step.type]()
        this.depth--
        return this.compareAll()
      case 'seal':
        if (this.depth > 0) return
        this.sealed.push({ root: this.state.commitRoot(), text: stateText(this.state) })
        return this.compareAll()
      case 'putAccount':
      case 'deleteAccount':
      case 'putCode':
      case 'putStorage':
      case 'clearStorage':
        change(this.state, step)
        await changeReference(this.reference, step)
        expect(accountText(this.state, step.address)).toBe(await referenceText(this.reference, step.address))
    }
  }

  async compareAll(): Promise<void> {
    for (const address of ADDRESSES) {
      expect(accountText(this.state, address)).toBe(await referenceText(this.reference, address))
    }
    expect(this.state.intermediateRoot().hash).toBe(toHex(await this.reference.getStateRoot()))
  }
}

async function changeReference(reference: MerkleStateManager, made: Change): Promise<void> {
  const address = new ReferenceAddress(fromHex(made.address))
  const account = await reference.getAccount(address)
  switch (made.type) {
    case 'putAccount': {
      const { storageRoot, codeHash } = account ?? createAccount({})
      const { nonce, balance } = made
      return reference.putAccount(address, createAccount({ nonce, balance, storageRoot, codeHash }))
    }
    case 'deleteAccount':
      // It keeps the storage of a deleted account in memory, and would make an account in order to clear it.
      if (account === undefined) return
      await reference.clearStorage(address)
      return reference.deleteAccount(address)
    case 'putCode':
      return reference.putCode(address, made.code)
    case 'putStorage':
      if (account === undefined && stripZeros(made.value).length === 0) return
      if (account === undefined) await reference.putAccount(address, createAccount({}))
      return reference.putStorage(address, fromHex(made.slot), made.value)
    case 'clearStorage':
      return account === undefined ? undefined : reference.clearStorage(address)
  }
}

async function referenceText(reference: MerkleStateManager, of: Address): Promise<string> {
  const address = new ReferenceAddress(fromHex(of))
  const account = await reference.getAccount(address)
  const fields =
    account === undefined ? 'none' : `${account.nonce} ${account.balance} ${toHex(account.codeHash)}`
  const slots: string[] = []
  for (const slot of SLOTS) slots.push(toHex(await reference.getStorage(address, fromHex(slot))))
  const hasStorage = slots.some((value) => value !== '0x')
  const code = toHex(await reference.getCode(address))
  return [of, fields, code, hasStorage ? 'storage' : 'no storage', ...slots].join(' ')
}

describe('state compared with the state manager of ethereumjs', () => {
  test('reads the same and has the same roots after any steps', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 120, size: 'max' }), async (steps) => {
        const pair = new Pair()
        for (const step of steps) await pair.step(step)
        while (pair.depth > 0) await pair.step({ type: 'commit' })
        await pair.step({ type: 'seal' })
        for (const { root, text } of pair.sealed) expect(rootText(root)).toBe(text)
      }),
      runs(8),
    )
  })
})
