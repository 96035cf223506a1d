/**
 * Blocks of Anvil and Hardhat 2 with transactions of all types. What they say about a block, and this node says about the
 * same block, is equal; the members that only one of them has are listed.
 */

import { describe, expect, test } from '@jest/globals'
import { privateKeyToAccount } from 'viem/accounts'
import { asAddress, toHex } from '../../lib/base/hex.ts'
import { loadNetwork } from '../support/networks.ts'
import { withAnvil } from '../support/anvil.ts'
import { ACCOUNT, sentBlobs } from '../support/blobs.ts'
import { describeFoundry } from '../support/foundry.ts'
import { withHardhat2 } from '../support/hardhat2.ts'
import type { Ask } from '../support/peer-process.ts'
import { askAbout, remoteBlock, renderedAnswers } from './support/remote-block.ts'

const ethereum = loadNetwork('ethereum')
const LOGGING = `0x${'10'.repeat(20)}` as const
const REVERTING = `0x${'11'.repeat(20)}` as const
const FAILING = `0x${'12'.repeat(20)}` as const
const IMPERSONATED = asAddress('0x90f79bf6eb2c4f870365e785982e1f101e93b906')
const authorizing = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')

/** Mines transactions of all types: blobs in block 1, because Hardhat mines them only at once, and the others in block 2. */
async function mineEverything(ask: Ask): Promise<void> {
  await ask('eth_sendRawTransaction', [await sentBlobs(0, { count: 2, to: LOGGING })])
  await ask('evm_setAutomine', [false])
  await ask('hardhat_setCode', [LOGGING, '0x60aa60bb60206000a260006000a000'])
  await ask('hardhat_setCode', [REVERTING, '0x60006000fd'])
  await ask('hardhat_setCode', [FAILING, '0xfe'])
  await ask('hardhat_impersonateAccount', [IMPERSONATED])
  const [gas, gasPrice, chainId] = [100_000n, 4_000_000_000n, 31_337]
  const fees = { maxFeePerGas: gasPrice, maxPriorityFeePerGas: 1_000_000_000n }
  const accessList = [{ address: LOGGING, storageKeys: [`0x${'07'.repeat(32)}`] as const }]
  const authorizationList = [
    await authorizing.signAuthorization({ chainId: 0, contractAddress: LOGGING, nonce: 0 }),
  ]
  const sign = (nonce: number, request: object) =>
    ACCOUNT.signTransaction({ gas, nonce, chainId, ...request } as never)
  const sent = [
    await sign(1, { type: 'legacy', gasPrice, to: LOGGING, value: 5n }),
    await sign(2, { type: 'legacy', gasPrice, to: REVERTING, chainId: undefined }),
    await sign(3, { type: 'legacy', gasPrice, data: '0x600160005260016000f3' }),
    await sign(4, { type: 'legacy', gasPrice, data: '0x60006000fd' }),
    await sign(5, { type: 'eip2930', gasPrice, to: LOGGING, accessList }),
    await sign(6, { type: 'eip1559', ...fees, to: FAILING }),
    await sign(7, { type: 'eip7702', ...fees, to: LOGGING, authorizationList }),
  ]
  for (const raw of sent) await ask('eth_sendRawTransaction', [raw])
  const unsigned = { from: IMPERSONATED, to: LOGGING, gas: toHex(Uint8Array.of(1, 0, 0)) }
  await ask('eth_sendTransaction', [unsigned])
  await ask('evm_mine')
}

/** Anvil gives every receipt a price of blobs. */
const OF_ANVIL = ['theirs.receipts.*.blobGasPrice']

/** Hardhat gives no time outside of blocks, no parity, and no chain id of legacy transactions. */
const NOT_OF_HARDHAT = [
  'ours.full.transactions.*.blockTimestamp',
  'ours.full.transactions.*.chainId',
  'ours.full.transactions.*.yParity',
  'ours.logs.*.blockTimestamp',
  'ours.receipts.*.logs.*.blockTimestamp',
]

/** A difference between two answers: a path, and what each side has there. */
type Difference = readonly [path: string, ours: unknown, theirs: unknown]

function* differences(path: string, ours: any, theirs: any): Generator<Difference> {
  if (typeof ours !== 'object' || typeof theirs !== 'object' || ours === null || theirs === null) {
    if (ours !== theirs) yield [path, ours, theirs]
    return
  }
  for (const name of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    yield* differences(`${path}.${name.replace(/^\d+$/, '*')}`, ours[name], theirs[name])
  }
}

/** Members that only one side has, each once, and values that differ. Only unsigned transactions have no encoding. */
async function compared(ask: Ask): Promise<readonly unknown[]> {
  await mineEverything(ask)
  const found: Difference[] = []
  for (const number of ['0x0', '0x1', '0x2']) {
    const answers = await askAbout((method, params) => ask(method, [...params]), number)
    const { full, hashes, receipts, logs } = answers
    for (const { transaction } of remoteBlock(answers, ethereum).receipts) {
      expect(transaction.encoded.length === 0).toBe(transaction.sender === IMPERSONATED)
    }
    found.push(...differences('', renderedAnswers(answers, ethereum), { full, hashes, receipts, logs }))
  }
  const described = found.map(([path, ours, theirs]) => {
    if (ours === undefined) return `theirs${path}`
    return theirs === undefined ? `ours${path}` : JSON.stringify([path, ours, theirs])
  })
  return [...new Set(described)].toSorted()
}

describeFoundry('blocks of Anvil', () => {
  test('are shown as Anvil shows them', async () => {
    await withAnvil(['--hardfork', 'prague'], async (ask) => {
      expect(await compared(ask)).toEqual(OF_ANVIL)
    })
  })
})

describe('blocks of Hardhat 2', () => {
  test('are shown as Hardhat shows them', async () => {
    await withHardhat2({ hardfork: 'prague' }, async (ask) => {
      expect(await compared(ask)).toEqual(NOT_OF_HARDHAT)
    })
  })
})
