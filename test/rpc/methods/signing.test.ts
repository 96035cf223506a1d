import { expect, test, describe } from '@jest/globals'
import { verifyMessage } from 'ethers'
import { call, freshNode, refusal } from '../../support/node.ts'
import { COW, COW1 } from '../../support/signing.ts'
import { ACCOUNT, ABSENT, withLocked, transfer } from '../../support/locked-account.ts'

test('eth_signTransaction signs the transaction that eth_sendTransaction sends', async () => {
  const node = await freshNode()
  const { raw, tx } = await call(node, 'eth_signTransaction', [{ from: COW, to: COW1, value: '0x1' }])
  expect(tx).toMatchObject({ from: COW, to: COW1, value: '0x1', nonce: '0x0', blockHash: null })
  expect(await call(node, 'eth_blockNumber')).toBe('0x0')
  const params = [{ from: COW, to: COW1, value: '0x1' }]
  expect(await call(node, 'eth_signTransaction', params, 'ethereum')).toBe(raw)
  expect(await call(node, 'eth_sendRawTransaction', [raw])).toBe(tx.hash)
})

describe('personal_sign', () => {
  const signed = async (...params: readonly unknown[]) => call(await freshNode(), 'personal_sign', params)

  test('signs like eth_sign, in either order of its params', async () => {
    const expected = await call(await freshNode(), 'eth_sign', [COW, '0x0102'])
    expect(await signed('0x0102', COW)).toBe(expected)
    expect(await signed(COW, '0x0102')).toBe(expected)
  })

  test('takes 20 bytes that are not an account of the node as the message', async () => {
    const expected = await call(await freshNode(), 'eth_sign', [COW, ABSENT])
    expect(await signed(ABSENT, COW)).toBe(expected)
    expect(await signed(COW, ABSENT)).toBe(expected)
    expect(await signed(COW, COW1)).toBe(await call(await freshNode(), 'eth_sign', [COW1, COW]))
  })

  test('ignores the passphrase for an unlocked account', async () => {
    expect(await signed('0x01', COW, 'any')).toBe(await signed('0x01', COW))
  })

  test('refuses two messages at the position of the account', async () => {
    const { kind, message } = await refusal(await freshNode(), 'personal_sign', ['0x01', '0x02'])
    expect(kind).toBe('invalidParams')
    expect(message).toBe('params[1] (address): expected a 20-byte address, got "0x02"')
  })
})

describe('a locked account', () => {
  test('sends with its passphrase, is mined at once and stays locked', async () => {
    const { node } = await withLocked()
    const hash = await call(node, 'personal_sendTransaction', [transfer, 'secret'])
    expect(await call(node, 'eth_getTransactionReceipt', [hash])).toMatchObject({
      status: '0x1',
      from: ACCOUNT,
    })
    expect((await refusal(node, 'eth_sendTransaction', [transfer])).kind).toBe('lockedAccount')
  })

  test('signs a message and a transaction with its passphrase', async () => {
    const { node } = await withLocked()
    const signature = await call(node, 'personal_sign', ['0x0102', ACCOUNT, 'secret'])
    expect(verifyMessage(Uint8Array.of(1, 2), signature).toLowerCase()).toBe(ACCOUNT)
    const { raw, tx } = await call(node, 'personal_signTransaction', [transfer, 'secret'])
    expect(await call(node, 'eth_sendRawTransaction', [raw])).toBe(tx.hash)
  })
})
