/** The next fork of network 33, whose rules are drafts: typed transactions, their gas, receipts, shapes and errors. */

import { describe, expect, test } from '@jest/globals'
import { bigIntToBytes, fromHex, toHex } from '../../../lib/base/hex.ts'
import { decodeRlp } from '../../../lib/base/rlp.ts'
import type { RlpInput } from '../../../lib/base/rlp.ts'
import { encodeEnvelope, unsignedMembers } from '../../../lib/evm/transaction-members.ts'
import type { TransactionFields } from '../../../lib/evm/transaction.ts'
import { toWireError } from '../../../lib/rpc/error-codes.ts'
import type { Node } from '../../../lib/node/node.ts'
import { orderedRoot } from '../../../lib/state/trie.ts'
import { forkOf } from '../../support/fork-pair.ts'
import { call, freshNode } from '../../support/node.ts'
import { answerOf, withServer } from '../../support/server.ts'
import { COW, COW1, keyOf, signed, tupleMembers, typed } from '../../support/signing.ts'
import type { TypedMembers } from '../../support/signing.ts'

const nextNode = (options: object = {}) => freshNode({ hardfork: 'next', ...options })

/** Code and text of the error that a client gets. */
const errorOf = async (node: Node, method: string, params: readonly unknown[]) =>
  call(node, method, params).then(
    (result) => ({ result }),
    (error: unknown) => {
      const { code, message } = toWireError(error, 'node33')
      return [code, message]
    },
  )

const sendRaw = (node: Node, raw: string) => call(node, 'eth_sendRawTransaction', [raw])

/** The receipt of a transaction that is sent. */
const receiptOf = async (node: Node, raw: string) =>
  call(node, 'eth_getTransactionReceipt', [await sendRaw(node, raw)])

const gasUsed = async (node: Node, raw: string) => Number((await receiptOf(node, raw)).gasUsed)

const numbers = (members: Readonly<Record<string, bigint>>): TypedMembers =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, bigIntToBytes(value)]))

/** Contract at the address: it stores one in slot 0. */
const CODE_AT = '0x0000000000000000000000000000000000000c0d'
const STORES_ONE = '0x600160005500'
const setCode = (node: Node, address: string, code: string) => call(node, 'hardhat_setCode', [address, code])

const TUPLE = { address: CODE_AT }
const setCodeTransaction = (tuples: readonly RlpInput[], members: TypedMembers = {}) =>
  typed(4, { ...numbers({ value: 0n }), authorizationList: tuples, ...members })

describe('the vectors of the reference node', () => {
  const P = '825208941234567890123456789012345678901234567890880de0b6b3a764000080'
  const S = `a0${'11'.repeat(32)}a0${'22'.repeat(32)}`
  const FEES = '2101843b9aca008477359400'
  const TUPLES = 'dbda2194000000000000000000000000000000000000000301800101'
  const fields = (type: number): TransactionFields => ({
    type,
    nonce: 1n,
    maxFeePerGas: type === 1 ? 10n ** 9n : 2n * 10n ** 9n,
    maxPriorityFeePerGas: 10n ** 9n,
    gasLimit: 21_000n,
    to: '0x1234567890123456789012345678901234567890' as TransactionFields['to'],
    value: 10n ** 18n,
    data: new Uint8Array(0),
    authorizationList: [
      {
        chainId: 33n,
        address: `0x${'03'.padStart(40, '0')}` as NonNullable<TransactionFields['to']>,
        nonce: 1n,
        yParity: 0n,
        r: 1n,
        s: 1n,
      },
    ],
  })

  test.each([
    [1, `01ea2101843b9aca00${P}c0`, `01f86d2101843b9aca00${P}c001${S}`],
    [2, `02ef${FEES}${P}c0`, `02f872${FEES}${P}c001${S}`],
    [4, `04f84b${FEES}${P}c0${TUPLES}`, `04f88e${FEES}${P}c0${TUPLES}01${S}`],
  ])('bytes of type %i, to sign and signed', (type, toSign, whole) => {
    const members = unsignedMembers(fields(type), 33n)
    const signature = ['01', '11'.repeat(32), '22'.repeat(32)].map((hex) => fromHex(`0x${hex}`))
    expect(toHex(encodeEnvelope(type, members))).toBe(`0x${toSign}`)
    expect(toHex(encodeEnvelope(type, [...members, ...signature]))).toBe(`0x${whole}`)
  })

  test.each([
    [1, 'ef543290a1383f07ef2310ad04b752106613dce7457dcd8ea47b00967f9012c0', 21_000],
    [2, 'c4afcc734a4701c3342c8e2591ddc4a111a2d240d7f37a2b9e38ce953ba14300', 21_000],
    [4, '4d2bf4093c8b9031155e379a9c15d2d06ee8f97b542ddba9ec49fb2331ca6b32', 36_500],
  ])('a transaction of type %i of cow has the hash and is mined', async (type, hash, gas) => {
    const node = await nextNode()
    const fees = numbers({
      gasPrice: 10n ** 9n,
      maxPriorityFeePerGas: 10n ** 9n,
      maxFeePerGas: 2n * 10n ** 9n,
    })
    const receipt = await receiptOf(node, typed(type, { ...fees, authorizationList: [tupleMembers()] }))
    expect(receipt).toMatchObject({ transactionHash: `0x${hash}`, from: COW, status: '0x1' })
    expect(receipt).toMatchObject({ type: `0x${type}`, effectiveGasPrice: '0x3b9aca00' })
    expect(Number(receipt.gasUsed)).toBe(gas)
  })
})

describe('gas and price', () => {
  const LIST = [[fromHex(COW1), [new Uint8Array(32)]]]

  test.each([1, 2, 4])('an access list costs 80 per byte of its encoding, in type %i', async (type) => {
    const used = async (accessList: RlpInput) =>
      gasUsed(await nextNode(), typed(type, { accessList, authorizationList: [tupleMembers()] }))
    expect((await used(LIST)) - (await used([]))).toBe(58 * 80)
  })

  test('an access list does not make accesses cheaper', async () => {
    const node = await nextNode()
    // SLOAD of slot 0.
    await setCode(node, CODE_AT, '0x60005400')
    const to = fromHex(CODE_AT)
    const key = [[to, [new Uint8Array(32)]]]
    expect(await gasUsed(node, typed(1, { to, accessList: key }))).toBe(21_000 + 4640 + 3 + 200)
  })

  test.each([
    ['the tip', 2n, 5n, 2],
    ['the maximum, which the tip may reach', 5n, 5n, 5],
    ['nothing', 0n, 5n, 0],
  ])('the price is %s', async (_case, maxPriorityFeePerGas, maxFeePerGas, price) => {
    const node = await nextNode()
    // GASPRICE, stored in slot 0.
    await setCode(node, CODE_AT, '0x3a60005500')
    const before = BigInt(await call(node, 'eth_getBalance', [COW]))
    const to = fromHex(CODE_AT)
    const fees = numbers({ maxPriorityFeePerGas, maxFeePerGas, value: 0n })
    const receipt = await receiptOf(node, typed(2, { to, ...fees }))
    const paid = before - BigInt(await call(node, 'eth_getBalance', [COW]))
    expect(Number(await call(node, 'eth_getStorageAt', [CODE_AT, '0x0']))).toBe(price)
    expect([Number(receipt.effectiveGasPrice), paid]).toEqual([
      price,
      BigInt(receipt.gasUsed) * BigInt(price),
    ])
  })

  test('the sender needs the price for the gas limit, not the maximum', async () => {
    const node = await nextNode()
    await call(node, 'hardhat_setBalance', [COW, '0x186a1'])
    const fees = numbers({ maxPriorityFeePerGas: 1n, maxFeePerGas: 10n ** 18n })
    expect(await receiptOf(node, typed(2, fees))).toMatchObject({ status: '0x1' })
  })

  test('minimum, cap and replacement look at the price', async () => {
    const node = await nextNode({ noMining: true })
    await call(node, 'hardhat_setMinGasPrice', ['0xa'])
    await call(node, 'evm_mine')
    const fees = (tip: bigint) => numbers({ maxPriorityFeePerGas: tip, maxFeePerGas: 10n ** 9n })
    const send = (tip: bigint) => errorOf(node, 'eth_sendRawTransaction', [typed(2, fees(tip))])
    expect(await send(9n)).toEqual([-32010, "transaction's gas price lower than block's minimum"])
    expect(await send(801n)).toEqual([-32010, "transaction's gas price exceeds cap"])
    expect(await send(10n)).toHaveProperty('result')
    expect(await send(13n)).toEqual([-32010, 'gas price not enough to bump transaction'])
    expect(await send(14n)).toHaveProperty('result')
  })

  test('a block takes the highest price first', async () => {
    const node = await nextNode({ noMining: true })
    const cheap = await sendRaw(node, typed(2, numbers({ maxPriorityFeePerGas: 1n, maxFeePerGas: 900n })))
    const dear = await sendRaw(node, signed({ key: keyOf('cow2'), gasPrice: 2n }))
    await call(node, 'evm_mine')
    expect((await call(node, 'eth_getBlockByNumber', ['latest', false])).transactions).toEqual([dear, cheap])
  })
})

describe('set-code transactions', () => {
  const BASE = 21_000 + 25_000

  test.each([
    ['of an account that exists, with a refund', TUPLE, BASE - 9500, true],
    ['for every chain', { ...TUPLE, chainId: 0n }, BASE - 9500, true],
    ['of an account that does not exist, without a refund', { ...TUPLE, key: keyOf('new') }, BASE, undefined],
    ['with another nonce: it is skipped', { ...TUPLE, nonce: 1n }, BASE, false],
    ['for another chain: it is skipped', { ...TUPLE, chainId: 1n }, BASE, false],
  ])('a tuple %s', async (_case, tuple, gas, delegates) => {
    const node = await nextNode()
    const to = fromHex(COW)
    expect(await gasUsed(node, setCodeTransaction([tupleMembers(tuple)], { to }))).toBe(gas)
    if (delegates === undefined) return
    const code = delegates ? `0xef0100${CODE_AT.slice(2)}` : '0x'
    expect(await call(node, 'eth_getCode', [COW1])).toBe(code)
    expect(await call(node, 'eth_getTransactionCount', [COW1])).toBe(delegates ? '0x1' : '0x0')
  })

  test('the refunds are at most half of the gas used', async () => {
    const node = await nextNode()
    // Clears three slots, which it also fills: three refunds of 15,000.
    const clear = '6001600055600060005560016001556000600155600160025560006002556000600055'
    await setCode(node, CODE_AT, `0x${clear}`)
    const gas = await gasUsed(
      node,
      setCodeTransaction([tupleMembers(TUPLE)], {
        to: fromHex(CODE_AT),
        ...numbers({ gasLimit: 300_000n, value: 0n }),
      }),
    )
    const { structLogs } = await call(node, 'debug_traceTransaction', [
      (await call(node, 'eth_getBlockByNumber', ['latest', false])).transactions[0],
    ])
    const spent = 300_000 - (structLogs.at(-1).gas - structLogs.at(-1).gasCost)
    expect(gas).toBe(spent - Math.min(3 * 15_000 + 9500, Math.floor(spent / 2)))
  })

  test('tuples and their refund stay when the execution fails', async () => {
    const node = await nextNode()
    await setCode(node, CODE_AT, '0xfe')
    const raw = setCodeTransaction([tupleMembers(TUPLE)], { to: fromHex(COW1) })
    const [, message] = (await errorOf(node, 'eth_sendRawTransaction', [raw])) as [number, string]
    expect(message).toContain('VM Exception')
    const { transactions } = await call(node, 'eth_getBlockByNumber', ['latest', false])
    const receipt = await call(node, 'eth_getTransactionReceipt', transactions)
    expect([receipt.status, Number(receipt.gasUsed)]).toEqual(['0x0', 100_000 - 9500])
    expect(await call(node, 'eth_getCode', [COW1])).toBe(`0xef0100${CODE_AT.slice(2)}`)
  })

  test('the zero address clears a delegation', async () => {
    const node = await nextNode()
    await sendRaw(node, setCodeTransaction([tupleMembers(TUPLE)], { to: fromHex(COW) }))
    const cleared = tupleMembers({ address: `0x${'00'.repeat(20)}`, nonce: 1n })
    await sendRaw(node, setCodeTransaction([cleared], { to: fromHex(COW), ...numbers({ nonce: 1n }) }))
    expect(await call(node, 'eth_getCode', [COW1])).toBe('0x')
  })

  test('a delegated account runs the code without additional gas, one level deep', async () => {
    const node = await nextNode()
    await setCode(node, CODE_AT, STORES_ONE)
    const direct = await gasUsed(node, signed({ to: CODE_AT, value: 0n, gas: 100_000n }))
    const tuples = [
      tupleMembers(TUPLE),
      tupleMembers({ address: COW1, key: keyOf('cow2') }),
      tupleMembers({ address: `0x${'01000006'.padStart(40, '0')}`, key: keyOf('cow3') }),
    ]
    const nonce = (value: bigint) => ({ nonce: value, value: 0n })
    await sendRaw(node, setCodeTransaction(tuples, { to: fromHex(COW), ...numbers(nonce(1n)) }))
    const to = (address: string, at: bigint) => typed(1, { to: fromHex(address), ...numbers(nonce(at)) })
    expect(await gasUsed(node, to(COW1, 2n))).toBe(direct)
    expect(await call(node, 'eth_getStorageAt', [COW1, '0x0'])).toMatch(/01$/)
    // The delegation of cow2 leads to a delegation, whose first byte is no instruction; a precompile is empty code.
    const [, , cow2, cow3] = await call(node, 'eth_accounts')
    expect(await errorOf(node, 'eth_call', [{ to: cow2 }])).toEqual([-32015, expect.any(String)])
    expect(await gasUsed(node, to(cow3, 3n))).toBe(21_000)
  })

  test.each([
    ['EXTCODESIZE', '3b', 23n],
    ['EXTCODEHASH', '3f', undefined],
  ])('%s sees the delegation, CODESIZE the code', async (_name, opcode, expected) => {
    const node = await nextNode()
    // CODESIZE as the result.
    await setCode(node, CODE_AT, '0x3860005260206000f3')
    await sendRaw(node, setCodeTransaction([tupleMembers(TUPLE)], { to: fromHex(COW) }))
    const reader = `0x73${COW1.slice(2)}${opcode}60005260206000f3`
    await setCode(node, '0x0000000000000000000000000000000000000ead', reader)
    const seen = BigInt(await call(node, 'eth_call', [{ to: '0x0000000000000000000000000000000000000ead' }]))
    const code = await call(node, 'eth_getCode', [COW1])
    expect(seen).toBe(expected ?? BigInt(await call(node, 'web3_sha3', [code])))
    expect(BigInt(await call(node, 'eth_call', [{ to: COW1 }]))).toBe(9n)
  })

  test('a delegated account has one transaction in the pool, with its next nonce', async () => {
    const node = await nextNode()
    await sendRaw(node, setCodeTransaction([tupleMembers({ ...TUPLE, nonce: 1n, key: keyOf('cow') })]))
    expect(await call(node, 'eth_getCode', [COW])).toHaveLength(48)
    await call(node, 'evm_setAutomine', [false])
    const send = (nonce: bigint, gasPrice: bigint) =>
      errorOf(node, 'eth_sendRawTransaction', [signed({ nonce, gasPrice })])
    expect(await send(3n, 1n)).toEqual([-32010, 'gapped-nonce transaction from delegated account'])
    expect(await send(2n, 1n)).toHaveProperty('result')
    expect(await send(3n, 1n)).toEqual([-32010, 'delegated account already has a transaction in the pool'])
    expect(await send(2n, 9n)).toHaveProperty('result')
  })
})

describe('blocks and receipts', () => {
  test('a typed transaction is a byte string in the block, and its receipt has four members', async () => {
    const node = await nextNode({ noMining: true })
    const raw = typed(2, numbers({ maxPriorityFeePerGas: 1n, maxFeePerGas: 1n }))
    await sendRaw(node, raw)
    await sendRaw(node, signed({ key: keyOf('cow2') }))
    await call(node, 'evm_mine')
    const [, body] = decodeRlp(fromHex(await call(node, 'debug_getRawBlock', ['latest']))) as any
    expect([toHex(body[0]), Array.isArray(body[1])]).toEqual([raw, true])
    const receipts: string[] = await call(node, 'debug_getRawReceipts', ['latest'])
    expect(receipts[0]).toMatch(/^0x02/)
    expect(decodeRlp(fromHex(`0x${receipts[0]!.slice(4)}`))).toHaveLength(4)
    expect(decodeRlp(fromHex(receipts[1] as `0x${string}`))).toHaveLength(6)
    const { receiptsRoot } = await call(node, 'eth_getBlockByNumber', ['latest', false])
    expect(toHex(orderedRoot(receipts.map((one) => fromHex(one as `0x${string}`))))).toBe(receiptsRoot)
  })

  test('typed transactions are replayed, reverted and kept in state files', async () => {
    const node = await nextNode()
    await setCode(node, CODE_AT, STORES_ONE)
    const snapshot = await call(node, 'evm_snapshot')
    const raw = setCodeTransaction([tupleMembers(TUPLE)], { to: fromHex(COW1) })
    const hash = await sendRaw(node, raw)
    const { gasUsed: gas } = await call(node, 'eth_getTransactionReceipt', [hash])
    const trace = await call(node, 'debug_traceTransaction', [hash])
    expect([trace.failed, trace.gas]).toEqual([false, Number(gas)])
    expect(await call(node, 'trace_transaction', [hash])).toMatchObject([{ action: { to: COW1 } }])
    const state = await call(node, 'dev_dumpState')
    expect(await call(node, 'evm_revert', [snapshot])).toBe(true)
    expect(await call(node, 'eth_getCode', [COW1])).toBe('0x')
    expect(await sendRaw(node, raw)).toBe(hash)
    const other = await nextNode()
    await call(other, 'dev_loadState', [state])
    const read = (from: Node) => call(from, 'eth_getBlockByNumber', ['latest', true])
    expect(await read(other)).toEqual(await read(node))
  })
})

test('a fork reads typed blocks of the remote as they are, and goes on with them', () =>
  withServer({ hardfork: 'next' }, async ({ port }) => {
    const url = `http://127.0.0.1:${port}`
    const remote = async (method: string, params: readonly unknown[]) =>
      (await answerOf(url, method, params)).result
    await remote('hardhat_setCode', [CODE_AT, STORES_ONE])
    const hash = await remote('eth_sendRawTransaction', [
      setCodeTransaction([tupleMembers(TUPLE)], { to: fromHex(COW1) }),
    ])
    const { node } = await forkOf(url, { hardfork: 'next' })
    for (const [method, params] of [
      ['eth_getBlockByNumber', ['latest', true]],
      ['eth_getTransactionReceipt', [hash]],
      ['debug_getRawReceipts', ['latest']],
      ['debug_getRawBlock', ['latest']],
    ] as const)
      expect(await call(node, method, params)).toEqual(await remote(method, params))
    const raw = typed(2, { to: fromHex(COW1), ...numbers({ nonce: 1n, value: 0n }) })
    const receipt = await call(node, 'eth_getTransactionReceipt', [
      await call(node, 'eth_sendRawTransaction', [raw]),
    ])
    expect(receipt).toMatchObject({ type: '0x2', status: '0x1' })
    expect(await call(node, 'eth_getBlockByNumber', ['latest', false])).toMatchObject({
      baseFeePerGas: '0x0',
    })
  }))

describe('shapes of responses', () => {
  const block = async (node: Node) => call(node, 'eth_getBlockByNumber', ['latest', true])

  test('a block has a base fee of zero and a minimum gas price, from the genesis on', async () => {
    const node = await nextNode({ blockGasLimit: 50_000n })
    expect(await block(node)).toMatchObject({ baseFeePerGas: '0x0', minimumGasPrice: '0x0' })
    // More than half of the gas, for which Ethereum would raise the fee.
    await sendRaw(node, typed(2, { ...numbers({ gasLimit: 50_000n }), accessList: [[fromHex(COW1), []]] }))
    await call(node, 'evm_mine')
    expect(await block(node)).toMatchObject({ baseFeePerGas: '0x0' })
    expect(await block(await freshNode())).not.toHaveProperty('baseFeePerGas')
  })

  test.each([
    [1, ['accessList', 'yParity']],
    [2, ['accessList', 'maxFeePerGas', 'maxPriorityFeePerGas', 'yParity']],
    [4, ['accessList', 'authorizationList', 'maxFeePerGas', 'maxPriorityFeePerGas', 'yParity']],
  ])('a transaction of type %i has its members, pooled and mined', async (type, members) => {
    const node = await nextNode({ noMining: true })
    const legacyHash = await sendRaw(node, signed({ key: keyOf('cow2') }))
    const fees = numbers({ gasPrice: 3n, maxPriorityFeePerGas: 3n, maxFeePerGas: 7n })
    const hash = await sendRaw(node, typed(type, { ...fees, authorizationList: [tupleMembers()] }))
    const read = (one: string) => call(node, 'eth_getTransactionByHash', [one])
    const pooled = await read(hash)
    const legacy = await read(legacyHash)
    expect(
      Object.keys(pooled)
        .filter((name) => !(name in legacy))
        .sort(),
    ).toEqual(members)
    expect(pooled).toMatchObject({ type: `0x${type}`, gasPrice: '0x3', chainId: '0x21', v: pooled.yParity })
    await call(node, 'evm_mine')
    expect(await read(hash)).toMatchObject({ gasPrice: '0x3', v: pooled.yParity })
  })

  test('the fee methods of clients answer', async () => {
    const node = await nextNode()
    await call(node, 'hardhat_setMinGasPrice', ['0xa'])
    await call(node, 'evm_mine')
    expect(await call(node, 'eth_maxPriorityFeePerGas')).toBe('0xb')
    expect(await call(node, 'eth_feeHistory', ['0x1', 'latest', []])).toMatchObject({
      baseFeePerGas: ['0x0', '0x0'],
    })
    const { tx } = await call(node, 'eth_fillTransaction', [{ from: COW, to: COW1 }])
    expect(tx).toMatchObject({ type: '0x2', maxFeePerGas: '0xa', maxPriorityFeePerGas: '0xa' })
  })
})

describe('requests', () => {
  const TRANSFER = { from: COW, to: COW1, value: '0x1' }
  const FEES = { maxFeePerGas: '0x5', maxPriorityFeePerGas: '0x2' }
  const TYPE_2 = { type: '0x2', chainId: '0x21' }
  const EXPLICIT =
    'Invalid transaction type: 0x0; explicit type 0x00 is not allowed, omit the type field for legacy transactions'
  const TIP_TOO_HIGH = 'Invalid transaction: maxPriorityFeePerGas (3) must not exceed maxFeePerGas (2)'

  test.each([
    ['no type', FEES, '0x0'],
    ['type 1', { type: '0x1', chainId: '0x21', accessList: [] }, '0x1'],
    ['type 2', { type: '0x2', chainId: '0x21', ...FEES }, '0x2'],
  ])('eth_sendTransaction with %s', async (_case, members, type) => {
    const node = await nextNode()
    const hash = await call(node, 'eth_sendTransaction', [{ ...TRANSFER, ...members }])
    expect(await call(node, 'eth_getTransactionReceipt', [hash])).toMatchObject({ type, status: '0x1' })
  })

  test.each([
    [{ type: '0x0' }, EXPLICIT],
    [{ type: '0x2', ...FEES }, 'Typed transaction requires chainId'],
    [{ ...TYPE_2 }, 'Type 2 transaction requires maxPriorityFeePerGas'],
    [{ ...TYPE_2, maxPriorityFeePerGas: '0x1' }, 'Type 2 transaction requires maxFeePerGas'],
    [{ ...TYPE_2, ...FEES, type: '0x3' }, 'Invalid transaction: transaction type not supported: 0x03'],
    [{ ...TYPE_2, maxPriorityFeePerGas: '0x3', maxFeePerGas: '0x2' }, TIP_TOO_HIGH],
  ])('eth_sendTransaction refuses %j', async (members, text) => {
    const answer = await errorOf(await nextNode(), 'eth_sendTransaction', [{ ...TRANSFER, ...members }])
    expect(answer).toEqual([-32602, text])
  })

  test.each(['eth_call', 'eth_estimateGas'])('%s infers the type from the members', async (method) => {
    const node = await nextNode()
    const ask = (members: object) => errorOf(node, method, [{ ...TRANSFER, ...members }])
    const noTuples = 'Set-code transaction authorization_list must not be empty'
    expect(await ask({ authorizationList: [] })).toEqual([-32602, noTuples])
    const noMaximum = 'maxPriorityFeePerGas requires maxFeePerGas'
    expect(await ask({ maxPriorityFeePerGas: '0x1' })).toEqual([-32602, noMaximum])
    expect(await ask({ type: '0x0', maxFeePerGas: '0x1' })).toHaveProperty('result')
  })

  test('an estimate contains access list and tuples', async () => {
    const node = await nextNode()
    const estimate = async (members: object) =>
      Number(await call(node, 'eth_estimateGas', [{ ...TRANSFER, ...members }]))
    const key = `0x${'00'.repeat(32)}`
    expect(await estimate({ accessList: [{ address: COW1, storageKeys: [key] }] })).toBe(21_000 + 4640)
    const word = `0x${'11'.repeat(32)}`
    const tuple = { chainId: '0x21', address: CODE_AT, nonce: '0x0', yParity: '0x0', r: word, s: word }
    expect(await estimate({ authorizationList: [tuple] })).toBe(46_000)
  })
})

describe('eth_sendRawTransaction refuses', () => {
  const at = (position: number, value: RlpInput) => (members: RlpInput[]) =>
    members.map((member, index) => (index === (position + members.length) % members.length ? value : member))
  const entry = (address: number, key: number): RlpInput[] => [
    [new Uint8Array(20), [new Uint8Array(32)]],
    [new Uint8Array(address), [new Uint8Array(32), new Uint8Array(key)]],
  ]
  const tuple = (position: number, value: RlpInput) =>
    setCodeTransaction([tupleMembers(TUPLE).map((member, index) => (index === position ? value : member))])
  const MAX = new Uint8Array(32).fill(255)
  const padded = Uint8Array.of(0, 1)
  const highTip = numbers({ maxPriorityFeePerGas: 2n, maxFeePerGas: 1n })
  const creation = { to: new Uint8Array(0) }

  test.each([
    ['type 0', '0x00c0', /^transaction type not supported: 0x00$/],
    ['type 3', '0x03c0', /^transaction type not supported: 0x03$/],
    ['type ff', '0xff', /^Transaction type 0xff is reserved per EIP-2718 and cannot be used$/],
    ['12 members in type 1', typed(1, {}, (all) => [...all, padded]), /^Type 1 .* exactly 11 elements$/],
    ['11 members in type 2', typed(2, {}, (all) => all.slice(1)), /^Type 2 .* exactly 12 elements$/],
    ['no chain id', typed(2, numbers({ chainId: 0n })), /chainId must not be zero or absent$/],
    ['a large chain id', typed(1, numbers({ chainId: 256n })), /maximum supported value of 255, got: 256$/],
    [
      'a tip above the maximum',
      typed(2, highTip),
      /^maxPriorityFeePerGas \(2\) must not exceed maxFeePerGas \(1\)$/,
    ],
    [
      'a y parity of 2',
      typed(2, {}, at(-3, Uint8Array.of(2))),
      /transaction yParity must be 0 or 1, got: 2$/,
    ],
    ['no s', typed(2, {}, at(-1, new Uint8Array(0))), /^Typed transaction signature is incomplete$/],
    ['a padded r', typed(2, {}, at(-2, padded)), /^Signature R is not valid$/],
    ['a padded s', typed(2, {}, at(-1, padded)), /^Signature S is not valid$/],
    [
      'a high s',
      typed(4, { authorizationList: [tupleMembers()] }, at(-1, MAX)),
      /^Type 4 .* at most secp256k1n\/2$/,
    ],
    ['a padded nonce', typed(2, { nonce: padded }), /^Nonce is not valid$/],
    ['a zero byte as price', typed(1, { gasPrice: Uint8Array.of(0) }), /^Gas Price is not valid$/],
    ['a padded gas limit', typed(2, { gasLimit: Uint8Array.of(0, 255, 255) }), /^Gas Limit is not valid$/],
    ['a padded value', typed(2, { value: padded }), /^Value is not valid$/],
    ['bytes as access list', typed(1, { accessList: padded }), /^Access list must be an RLP list$/],
    [
      'an entry of one',
      typed(1, { accessList: [[padded]] }),
      /entry at index 0 must have exactly 2 elements$/,
    ],
    [
      'a short address',
      typed(1, { accessList: entry(19, 32) }),
      /address at index 1 must be exactly 20 bytes$/,
    ],
    [
      'a short key',
      typed(1, { accessList: entry(20, 31) }),
      /key at entry 1, key 1 must be exactly 32 bytes$/,
    ],
    [
      'a creation of type 4',
      setCodeTransaction([tupleMembers()], creation),
      /must have a non-null destination$/,
    ],
    ['no tuples', setCodeTransaction([]), /^Set-code transaction authorization_list must not be empty$/],
    ['a tuple of five', setCodeTransaction([tupleMembers().slice(1)]), /list tuple must have 6 fields$/],
    ['a short delegate', tuple(1, new Uint8Array(19)), /^Authorization address must be exactly 20 bytes$/],
    [
      'the last nonce',
      tuple(2, new Uint8Array(8).fill(255)),
      /nonce must be non-negative and less than 2\^64 - 1$/,
    ],
    ['a y parity of a tuple', tuple(3, Uint8Array.of(2)), /^Authorization y_parity must be 0 or 1, got: 2$/],
    ['a high s of a tuple', tuple(5, MAX), /^Authorization signature s must be at most secp256k1n\/2$/],
  ])('%s', async (_case, raw, text) => {
    const [code, message] = (await errorOf(await nextNode(), 'eth_sendRawTransaction', [raw])) as [
      number,
      string,
    ]
    expect([code, message.slice(0, 21)]).toEqual([-32602, 'Invalid transaction: '])
    expect(message.slice(21)).toMatch(text)
  })

  test('another chain, and bytes that are no RLP', async () => {
    const node = await nextNode()
    const refused = (raw: string) => errorOf(node, 'eth_sendRawTransaction', [raw])
    expect(await refused(typed(2, numbers({ chainId: 31n })))).toEqual([-32602, 'Invalid chainId: 31'])
    expect(await refused('0x02f8')).toEqual([-32602, expect.stringMatching(/^Invalid input: /)])
  })
})

describe('the switch', () => {
  test('typed transactions are unknown without it', async () => {
    const node = await freshNode()
    expect(await errorOf(node, 'eth_sendRawTransaction', [typed(2)])).toEqual([
      -32602,
      expect.stringContaining('is not supported: this network accepts type 0 (legacy)'),
    ])
    const accessList = [{ address: COW1, storageKeys: [] }]
    expect(await call(node, 'eth_estimateGas', [{ from: COW, to: COW1, accessList }])).toBe('0x5208')
  })

  test('it is for network 33 alone, and an unknown fork lists it', async () => {
    await expect(nextNode({ network: 'ethereum' })).rejects.toThrow('next fork of network 33')
    expect(() => freshNode({ hardfork: 'later' as 'next' })).toThrow('amsterdam, next')
  })
})
