/** Transactions with blobs: admission, price, and the order in blocks. The blobs themselves are in methods/blobs.test.ts. */

import { describe, expect, test } from '@jest/globals'
import { keccak256 } from 'viem'
import { toHex } from '../../lib/base/hex.ts'
import type { OptionsInput } from '../../lib/modules/options.ts'
import type { Node } from '../../lib/node/node.ts'
import { ACCOUNT, BLOB, BLOB_HASH, COMMITMENT, PROOF, sentBlobs, signedBlobs } from '../support/blobs.ts'
import { call, freshNode, refusal } from '../support/node.ts'

const GAS_PER_BLOB = 131_072n

const ethereum = (options: OptionsInput = {}): Promise<Node> => freshNode({ network: 'ethereum', ...options })

/** A node with manual mining. */
const manual = (options: OptionsInput = {}): Promise<Node> => ethereum({ noMining: true, ...options })

const send = async (node: Node, ...sent: Parameters<typeof sentBlobs>): Promise<string> =>
  call(node, 'eth_sendRawTransaction', [await sentBlobs(...sent)])

describe('a transaction with blobs', () => {
  test.each([
    ['cancun', 0],
    ['prague', 0],
    ['osaka', 0],
    ['osaka', 1],
  ] as const)(
    'is mined on %s with a sidecar of version %s, and the block holds it without the sidecar',
    async (hardfork, version) => {
      const node = await ethereum({ hardfork })
      const encoded = await signedBlobs({ count: 2 })
      const hash = await send(node, version, { count: 2 })
      expect(hash).toBe(keccak256(encoded))
      const mined = await call(node, 'eth_getTransactionByHash', [hash])
      expect(mined).toMatchObject({
        type: '0x3',
        blockNumber: '0x1',
        maxFeePerBlobGas: '0xa',
        blobVersionedHashes: [BLOB_HASH, BLOB_HASH],
      })
      const receipt = await call(node, 'eth_getTransactionReceipt', [hash])
      expect(receipt).toMatchObject({ status: '0x1', blobGasUsed: '0x40000', blobGasPrice: '0x1' })
      const block = await call(node, 'eth_getBlockByNumber', ['latest', false])
      expect(block).toMatchObject({ blobGasUsed: '0x40000', excessBlobGas: '0x0' })
      expect(node.chain.receipt(hash as never)?.receipt.transaction.encoded).toEqual(encoded)
    },
  )

  test('pays a blob fee that is burned, also when it reverts', async () => {
    const node = await manual()
    const reverting = '0x00000000000000000000000000000000000000fe'
    await call(node, 'hardhat_setCode', [reverting, '0x5f5ffd'])
    const coinbase = node.network.coinbase
    const before = BigInt(await call(node, 'eth_getBalance', [ACCOUNT.address]))
    const hash = await send(node, 1, { count: 3, to: reverting })
    await call(node, 'evm_mine')
    const receipt = await call(node, 'eth_getTransactionReceipt', [hash])
    expect(receipt.status).toBe('0x0')
    const gas = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice)
    const after = BigInt(await call(node, 'eth_getBalance', [ACCOUNT.address]))
    expect(before - after).toBe(gas + 3n * GAS_PER_BLOB)
    const { baseFeePerGas } = await call(node, 'eth_getBlockByNumber', ['latest', false])
    const tips = BigInt(receipt.gasUsed) * (BigInt(receipt.effectiveGasPrice) - BigInt(baseFeePerGas))
    expect(BigInt(await call(node, 'eth_getBalance', [coinbase]))).toBe(tips)
  })

  test("is refused with its type's name on networks and forks without blobs", async () => {
    for (const options of [
      { network: 'ethereum', hardfork: 'shanghai' },
      { network: 'network-33' },
    ] as const) {
      const node = await freshNode(options)
      const { kind, message } = await refusal(node, 'eth_sendRawTransaction', [await sentBlobs()])
      expect(kind).toBe('unsupportedTransaction')
      expect(message).toMatch(/^transaction type 3 \(blob \(EIP-4844\)\) is not supported/)
    }
  })

  test('is refused without a sidecar, and with the sidecar of a later fork', async () => {
    const node = await ethereum({ hardfork: 'prague' })
    expect(await refusal(node, 'eth_sendRawTransaction', [toHex(await signedBlobs())])).toEqual({
      kind: 'invalidTransaction',
      message: 'missing sidecar in blob transaction',
    })
    expect(await refusal(node, 'eth_sendRawTransaction', [await sentBlobs(1)])).toEqual({
      kind: 'invalidTransaction',
      message: 'unexpected sidecar version, want: 0, got: 1',
    })
  })

  test.each([
    ['whose proofs are wrong', 'proof', /^KZG verification error/],
    ['whose hashes are others', 'hash', /^blob 0: computed hash 0x01\w+ mismatches transaction one 0x01/],
  ] as const)('%s is refused', async (_which, tamper, message) => {
    const node = await ethereum()
    const other = `0x01${'ab'.repeat(31)}` as const
    const sent = await sentBlobs(0, tamper === 'hash' ? { blobVersionedHashes: [other] } : {})
    const changed = tamper === 'hash' ? sent : sent.replace(toHex(PROOF).slice(2), toHex(COMMITMENT).slice(2))
    const refused = await refusal(node, 'eth_sendRawTransaction', [changed])
    expect(refused).toMatchObject({ kind: 'invalidTransaction', message: expect.stringMatching(message) })
    expect(node.mempool.size).toBe(0)
  })

  test.each([
    ['cancun', 7, 6],
    ['prague', 10, 9],
    ['osaka', 7, 6],
  ] as const)(
    'of %s is refused with %s blobs, one more than the limit',
    async (hardfork, count, permitted) => {
      const node = await ethereum({ hardfork })
      const encoded = toHex(await signedBlobs({ count }))
      expect((await refusal(node, 'eth_sendRawTransaction', [encoded])).message).toBe(
        `invalid transaction: too many blobs in transaction: have ${count}, permitted ${permitted}`,
      )
    },
  )

  test.each([
    ['no blob', { blobVersionedHashes: [] }, 'blob transaction missing blob hashes'],
    ['no receiver', { to: null }, 'blob transaction of type create'],
    [
      'another version',
      { blobVersionedHashes: [`0x02${'00'.repeat(31)}`] },
      'blob 0 has invalid hash version',
    ],
  ] as const)('with %s is refused', async (_which, fields, message) => {
    const node = await ethereum()
    const { maxFeePerBlobGas, ...request } = { maxFeePerBlobGas: '0xa', to: ACCOUNT.address, ...fields }
    const params = [{ from: ACCOUNT.address, maxFeePerBlobGas, ...request, gas: '0x186a0' }]
    expect(await refusal(node, 'eth_sendTransaction', params)).toEqual({
      kind: 'invalidTransaction',
      message: `invalid transaction: ${message}`,
    })
  })
})

describe('the blob base fee', () => {
  test('rises with blobs above the target; a lower offer is refused, or stays pooled until the fee falls', async () => {
    const node = await manual({ hardfork: 'cancun', baseFee: 0n })
    const prices: bigint[] = []
    for (let nonce = 0; nonce < 6; nonce++) {
      if (nonce === 5) await send(node, 0, { nonce: 6, maxFeePerBlobGas: 1n })
      await send(node, 0, { count: 6, nonce, maxFeePerBlobGas: 1000n })
      await call(node, 'evm_mine')
      prices.push(BigInt(await call(node, 'eth_blobBaseFee')))
    }
    // e to the power of 3 * 131072 * 6 / 3338477.
    expect(prices.at(-1)).toBe(2n)
    const refused = await refusal(node, 'eth_sendRawTransaction', [
      await sentBlobs(0, { nonce: 7, maxFeePerBlobGas: 1n }),
    ])
    expect(refused).toMatchObject({ kind: 'feeTooLow' })
    expect(refused.message).toMatch(
      /^max fee per blob gas less than block blob gas fee: address 0x\w+ blobGasFeeCap: 1, blobBaseFee: 2$/,
    )
    const history = await call(node, 'eth_feeHistory', ['0x3', 'latest'])
    expect(history.blobGasUsedRatio).toEqual([1, 1, 1])
    expect(history.baseFeePerBlobGas.map(BigInt)).toEqual(prices.slice(-4))
    const { excessBlobGas } = await call(node, 'eth_getBlockByNumber', ['latest', false])
    expect(BigInt(excessBlobGas)).toBe(3n * GAS_PER_BLOB * 5n)
    const pending = await call(node, 'eth_getBlockByNumber', ['pending', false])
    expect(BigInt(pending.excessBlobGas)).toBe(3n * GAS_PER_BLOB * 6n)
    await call(node, 'evm_mine')
    expect(node.mempool.size).toBe(1)
    await call(node, 'evm_mine')
    expect(node.mempool.size).toBe(0)
  })
})

describe('the pool', () => {
  test('fills a block up to its blob limit and keeps the other transactions', async () => {
    const node = await manual({ hardfork: 'cancun' })
    const hashes: string[] = []
    for (let nonce = 0; nonce < 3; nonce++) hashes.push(await send(node, 0, { count: 4, nonce }))
    const minedIn: (string | null)[] = []
    for (let block = 0; block < 3; block++) await call(node, 'evm_mine')
    for (const hash of hashes)
      minedIn.push((await call(node, 'eth_getTransactionByHash', [hash])).blockNumber)
    expect(minedIn).toEqual(['0x1', '0x2', '0x3'])
  })

  test('returns a raw transaction with its blobs while it is pooled, and without them once it is mined', async () => {
    const node = await manual()
    const sent = await sentBlobs()
    const hash = await call(node, 'eth_sendRawTransaction', [sent])
    expect(await call(node, 'eth_getRawTransactionByHash', [hash])).toBe(sent)
    await call(node, 'evm_mine')
    const mined = await call(node, 'eth_getRawTransactionByHash', [hash])
    expect(keccak256(mined)).toBe(hash)
  })

  test('replaces a blob transaction only for twice the fees', async () => {
    const node = await manual()
    const first = await send(node, 1)
    const dearer = { maxFeePerGas: 8_000_000_000n, maxPriorityFeePerGas: 2_000_000_000n }
    for (const [fields, name] of [
      [{ ...dearer, maxFeePerBlobGas: 19n }, 'maxFeePerBlobGas 19, at least 20'],
      [
        { ...dearer, maxFeePerGas: 7_999_999_999n, maxFeePerBlobGas: 20n },
        'maxFeePerGas 7999999999, at least 8000000000',
      ],
    ] as const) {
      const refused = await refusal(node, 'eth_sendRawTransaction', [await sentBlobs(1, fields)])
      expect(refused).toEqual({
        kind: 'underpriced',
        message: `replacement transaction underpriced: ${name} is needed`,
      })
    }
    const second = await send(node, 1, { ...dearer, maxFeePerBlobGas: 20n })
    expect(await call(node, 'eth_getTransactionByHash', [first])).toBeNull()
    expect(await call(node, 'eth_getTransactionByHash', [second])).toMatchObject({ maxFeePerBlobGas: '0x14' })
  })

  test('requires a balance that covers the blob fee', async () => {
    const node = await ethereum()
    const gas = 100_000n * 4_000_000_000n
    await call(node, 'hardhat_setBalance', [
      ACCOUNT.address,
      `0x${(gas + 10n * GAS_PER_BLOB - 1n).toString(16)}`,
    ])
    expect(await refusal(node, 'eth_sendRawTransaction', [await sentBlobs()])).toMatchObject({
      kind: 'insufficientFunds',
    })
    await call(node, 'hardhat_setBalance', [ACCOUNT.address, `0x${(gas + 10n * GAS_PER_BLOB).toString(16)}`])
    await send(node)
  })
})

describe('eth_sendTransaction', () => {
  const request = { from: ACCOUNT.address, to: ACCOUNT.address, blobs: [toHex(BLOB)] }
  const proven = { ...request, commitments: [toHex(COMMITMENT)], proofs: [toHex(PROOF)] }

  test('signs blobs that come with commitments and proofs, and fills in hashes and price', async () => {
    const node = await ethereum()
    const hash = await call(node, 'eth_sendTransaction', [proven])
    expect(await call(node, 'eth_getTransactionByHash', [hash])).toMatchObject({
      type: '0x3',
      blobVersionedHashes: [BLOB_HASH],
      maxFeePerBlobGas: '0x2',
    })
    expect(await call(node, 'anvil_getBlobByHash', [BLOB_HASH])).toBe(toHex(BLOB))
  })

  test('names the missing commitments and proofs, and a wrong hash', async () => {
    const node = await ethereum()
    expect(await refusal(node, 'eth_sendTransaction', [request])).toEqual({
      kind: 'invalidTransaction',
      message:
        'invalid transaction: blobs need commitments and proofs beside them, which this node checks and does not make',
    })
    const named = { ...proven, blobVersionedHashes: [`0x01${'11'.repeat(31)}`] }
    expect((await refusal(node, 'eth_sendTransaction', [named])).message).toMatch(/^blob 0: computed hash/)
  })

  test('has the counterpart eth_signTransaction, whose bytes can be sent', async () => {
    const node = await ethereum()
    const raw = await call(node, 'eth_signTransaction', [proven], 'ethereum')
    const hash = await call(node, 'eth_sendRawTransaction', [raw])
    expect(await call(node, 'eth_getTransactionReceipt', [hash])).toMatchObject({
      type: '0x3',
      status: '0x1',
    })
  })

  test('has the counterpart eth_fillTransaction, whose bytes have the blobs, too', async () => {
    const node = await ethereum()
    const { raw } = await call(node, 'eth_fillTransaction', [proven])
    expect(raw).toContain(toHex(BLOB).slice(2))
  })

  test('sends blobs of an impersonated account', async () => {
    const node = await ethereum()
    const from = '0x00000000000000000000000000000000000000aa'
    await call(node, 'hardhat_impersonateAccount', [from])
    await call(node, 'hardhat_setBalance', [from, '0xde0b6b3a7640000'])
    const hash = await call(node, 'eth_sendTransaction', [{ ...proven, from }])
    expect(await call(node, 'eth_getTransactionReceipt', [hash])).toMatchObject({
      from,
      status: '0x1',
      type: '0x3',
    })
  })
})

describe('calls', () => {
  const contract = '0x00000000000000000000000000000000000000fd'
  const hashes = [`0x01${'11'.repeat(31)}`, `0x01${'22'.repeat(31)}`]
  /** Code that returns the word that the instructions push. */
  const read = (program: string) => `0x${program}5f5260205ff3`

  test('see the blob hashes of the request', async () => {
    const node = await ethereum()
    await call(node, 'hardhat_setCode', [contract, read('600149')])
    const request = { to: contract, blobVersionedHashes: hashes }
    expect(await call(node, 'eth_call', [request])).toBe(hashes[1])
    expect(await call(node, 'eth_call', [{ to: contract }])).toBe(`0x${'00'.repeat(32)}`)
    const [block] = await call(node, 'eth_simulateV1', [{ blockStateCalls: [{ calls: [request] }] }])
    expect(block).toMatchObject({ blobGasUsed: '0x40000', calls: [{ returnData: hashes[1], status: '0x1' }] })
  })

  test('see the blob base fee, or the overridden one', async () => {
    const node = await ethereum()
    await call(node, 'hardhat_setCode', [contract, read('4a')])
    expect(BigInt(await call(node, 'eth_call', [{ to: contract }]))).toBe(1n)
    const calls = [{ to: contract }]
    const simulation = { blockStateCalls: [{ calls }, { blockOverrides: { blobBaseFee: '0x7' }, calls }] }
    const blocks = await call(node, 'eth_simulateV1', [simulation])
    expect(blocks.map((block: any) => BigInt(block.calls[0].returnData))).toEqual([1n, 7n])
  })

  test('are estimated with the balance that the blob fee leaves', async () => {
    const node = await ethereum()
    await call(node, 'hardhat_setCode', [contract, read('5f49')])
    const request = {
      from: ACCOUNT.address,
      to: contract,
      blobVersionedHashes: hashes,
      maxFeePerBlobGas: '0x1',
    }
    expect(BigInt(await call(node, 'eth_estimateGas', [request]))).toBeGreaterThan(21_000n)
    await call(node, 'hardhat_setBalance', [ACCOUNT.address, '0x1'])
    expect(await refusal(node, 'eth_estimateGas', [request])).toMatchObject({ kind: 'estimationFailed' })
  })
})
