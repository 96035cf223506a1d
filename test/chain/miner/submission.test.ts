import { describe, expect, test } from '@jest/globals'
import { privateKeyToAccount } from 'viem/accounts'
import { NodeError } from '../../../lib/base/errors.ts'
import { toHex, toQuantity } from '../../../lib/base/hex.ts'
import type { Address } from '../../../lib/base/hex.ts'
import type { OptionsInput } from '../../../lib/modules/options.ts'
import type { Node } from '../../../lib/node/node.ts'
import { transactionRequest } from '../../../lib/schema/requests.ts'
import { CONTRACTS, creationCode, words } from '../../support/bytecode.ts'
import { createContractAddress } from '../../support/created-address.ts'
import { runAtOnce } from '../../../lib/base/routine.ts'
import { call, freshNode, refusal } from '../../support/node.ts'

const GWEI = 10n ** 9n
const ethereum = (options: OptionsInput = {}) => freshNode({ network: 'ethereum', ...options })

const addressesOf = (node: Node) => node.funded.map(({ address }) => address)
const accountOf = (node: Node, n = 0) => privateKeyToAccount(toHex(node.funded[n]!.privateKey))

async function send(node: Node, fields: object = {}): Promise<string> {
  const [from, to] = addressesOf(node)
  return call(node, 'eth_sendTransaction', [{ from, to, gas: '0x5208', ...fields }])
}

const receiptOf = (node: Node, hash: string) => call(node, 'eth_getTransactionReceipt', [hash])
const balanceOf = async (node: Node, address: string) => BigInt(await call(node, 'eth_getBalance', [address]))

describe('fees', () => {
  test('are the base fee, burnt, and the tip, which the coinbase earns', async () => {
    const node = await ethereum()
    const [from] = addressesOf(node)
    const before = await balanceOf(node, from!)
    const baseFee = node.miner.nextBaseFee
    const hash = await send(node, {
      maxFeePerGas: toQuantity(9n * GWEI),
      maxPriorityFeePerGas: toQuantity(2n * GWEI),
    })
    const { effectiveGasPrice } = await receiptOf(node, hash)
    expect(BigInt(effectiveGasPrice)).toBe(baseFee + 2n * GWEI)
    expect(before - (await balanceOf(node, from!))).toBe(21_000n * (baseFee + 2n * GWEI))
    expect(await balanceOf(node, node.network.coinbase)).toBe(21_000n * 2n * GWEI)
  })

  test.each([
    ['tip on top of the base fee', 9n, 2n, (base: bigint) => base + 2n * GWEI],
    ['maximum where that is less', 2n, 2n, () => 2n * GWEI],
  ])('are at most the %s', async (_case, max, tip, expected) => {
    const node = await ethereum()
    const base = node.miner.nextBaseFee
    const fees = { maxFeePerGas: toQuantity(max * GWEI), maxPriorityFeePerGas: toQuantity(tip * GWEI) }
    const { effectiveGasPrice } = await receiptOf(node, await send(node, fees))
    expect(BigInt(effectiveGasPrice)).toBe(expected(base))
  })
})

describe('a transaction', () => {
  test('behind a gap returns its hash at once, stays queued, and is mined when the gap is filled', async () => {
    const node = await freshNode()
    const queued = [await send(node, { nonce: '0x2' }), await send(node, { nonce: '0x1' })]
    expect(await Promise.all(queued.map((hash) => receiptOf(node, hash)))).toEqual([null, null])
    expect(await call(node, 'eth_getTransactionCount', [addressesOf(node)[0], 'pending'])).toBe('0x0')
    await send(node, { nonce: '0x0' })
    const mined = await Promise.all(queued.map((hash) => receiptOf(node, hash)))
    expect(mined.map(({ blockNumber }) => blockNumber)).toEqual(['0x1', '0x1'])
  })

  test.each([
    ['network-33', 140n, 139n],
    ['ethereum', 110n, 109n],
  ])('of %s replaces another for the bump of the network', async (network, enough, tooLittle) => {
    const node = await freshNode({ network, mining: false })
    const priced = (percent: bigint) => ({
      nonce: '0x0',
      gasPrice: toQuantity((100n * GWEI * percent) / 100n),
    })
    const replaced = await send(node, priced(100n))
    const [from, to] = addressesOf(node)
    const cheap = [{ from, to, gas: '0x5208', ...priced(tooLittle) }]
    expect(await refusal(node, 'eth_sendTransaction', cheap)).toMatchObject({ kind: 'underpriced' })
    const replacement = await send(node, priced(enough))
    const block = runAtOnce(node.miner.mine())
    expect(block.receipts.map(({ transaction }) => transaction.hash)).toEqual([replacement])
    expect(await call(node, 'eth_getTransactionByHash', [replaced])).toBeNull()
  })

  test('that cannot be executed is refused and dropped', async () => {
    const node = await freshNode({ mining: false })
    const [from, , third] = addressesOf(node)
    const all = await balanceOf(node, from!)
    // The second was affordable without the first, which arrives later.
    await send(node, { nonce: '0x1', value: toQuantity(all - 10n) })
    await send(node, { nonce: '0x0', value: '0x64' })
    const other = await send(node, { from: third })
    const block = runAtOnce(node.miner.mine())
    expect(block.receipts.map(({ transaction }) => transaction.nonce)).toEqual([0n, 0n])
    expect(await receiptOf(node, other)).not.toBeNull()
    expect(node.mempool.size).toBe(0)
  })

  test('that cannot pay the base fee of a block waits for a lower one', async () => {
    const node = await ethereum({ mining: false, baseFee: '1000000000' })
    const hash = await send(node, {
      maxFeePerGas: toQuantity((GWEI * 9n) / 10n),
      maxPriorityFeePerGas: '0x0',
    })
    const [, from] = addressesOf(node)
    // They fill the first block, which raises the base fee from 0.875 to 0.98 gwei.
    const full = { from, to: null, data: '0xfe', gas: '0xf42400', maxFeePerGas: toQuantity(9n * GWEI) }
    await send(node, full)
    await send(node, { ...full, gas: '0xd59f80', nonce: '0x1' })
    const first = runAtOnce(node.miner.mine())
    expect(first.receipts).toHaveLength(2)
    runAtOnce(node.miner.mine())
    expect(await receiptOf(node, hash)).toBeNull()
    await node.miner.mineMany(3n)
    expect(await receiptOf(node, hash)).not.toBeNull()
  })

  test('that does not fit the block stays in the pool', async () => {
    const node = await freshNode({ mining: false, blockGasLimit: '100000' })
    const [, second] = addressesOf(node)
    await send(node, { gas: '0x186a0', gasPrice: '0x2' })
    await send(node, { from: second, gas: '0x186a0', gasPrice: '0x1' })
    const block = runAtOnce(node.miner.mine())
    expect([block.receipts.length, node.mempool.size]).toEqual([1, 1])
    runAtOnce(node.miner.mine())
    expect(node.mempool.size).toBe(0)
  })
})

describe('a set-code transaction', () => {
  /** Sends the first account's authorization of the echo contract, from the account with the number. */
  async function delegated(sender: number) {
    const node = await ethereum()
    const [authority] = addressesOf(node)
    const echo = createContractAddress(addressesOf(node)[9]!, 0n)
    await send(node, {
      from: addressesOf(node)[9],
      to: null,
      data: toHex(creationCode(CONTRACTS.echo)),
      gas: '0x30d40',
    })
    const nonce = sender === 0 ? 1 : 0
    const authorization = await accountOf(node).signAuthorization({
      contractAddress: echo,
      chainId: 31337,
      nonce,
    })
    const { r, s, yParity } = authorization
    const request = {
      from: addressesOf(node)[sender],
      to: authority,
      data: words([42n]),
      authorizationList: [
        {
          chainId: '0x7a69',
          address: echo,
          nonce: toQuantity(nonce),
          r: toQuantity(BigInt(r)),
          s: toQuantity(BigInt(s)),
          yParity: toQuantity(yParity!),
        },
      ],
    }
    return { node, authority: authority!, echo, request }
  }

  test.each([
    ['another account', 1],
    ['the account itself', 0],
  ])('sent by %s gives an account code that it runs', async (_case, sender) => {
    const { node, authority, echo, request } = await delegated(sender)
    const hash = await call(node, 'eth_sendTransaction', [request])
    expect(await receiptOf(node, hash)).toMatchObject({ status: '0x1', type: '0x4' })
    expect(await call(node, 'eth_getCode', [authority, 'latest'])).toBe(`0xef0100${echo.slice(2)}`)
    expect(await call(node, 'eth_call', [{ to: authority, data: words([7n]) }])).toBe(words([7n]))
    expect(await call(node, 'eth_getTransactionCount', [authority])).toBe(sender === 0 ? '0x2' : '0x1')
  })

  test('leaves its account able to send', async () => {
    const { node, authority, request } = await delegated(1)
    await call(node, 'eth_sendTransaction', [request])
    const hash = await send(node, { from: authority, gas: '0xc350' })
    expect(await receiptOf(node, hash)).toMatchObject({ status: '0x1' })
  })

  test.each([0, 1])('is estimated exactly when account %s sends it', async (sender) => {
    const { node, request } = await delegated(sender)
    const gas = BigInt(await call(node, 'eth_estimateGas', [request]))
    const short = [{ ...request, gas: toQuantity(gas - 1n) }]
    const id = node.snapshots.take()
    const outcome = await call(node, 'eth_sendTransaction', short).catch((error: unknown) => error)
    expect(outcome).toBeInstanceOf(NodeError)
    node.snapshots.revert(id)
    await call(node, 'eth_sendTransaction', [{ ...request, gas: toQuantity(gas) }])
    expect(node.chain.head.block.receipts[0]!.outcome.status).toBe('success')
  })

  test('is simulated with the gas it uses', async () => {
    const { node, request } = await delegated(1)
    const params = transactionRequest.parse(request)
    const { gasUsed } = runAtOnce(node.simulator.call(node.blockResolver.at({ tag: 'latest' }), params))
    await call(node, 'eth_sendTransaction', [request])
    expect(node.chain.head.block.receipts[0]!.outcome.gasUsed).toBe(gasUsed)
  })

  test('is simulated with the code it sets', async () => {
    const { node, authority, request } = await delegated(1)
    expect(await call(node, 'eth_call', [request, 'latest'])).toBe(words([42n]))
    expect(await call(node, 'eth_getCode', [authority, 'latest'])).toBe('0x')
  })
})

/** A transaction of the first account that was not sent yet. */
async function signedBy(node: Node) {
  const [{ address, privateKey }] = node.funded as [(typeof node.funded)[number]]
  const fields = { type: 0, nonce: 0n, to: address, gasLimit: 21_000n, value: 0n, data: new Uint8Array(0) }
  const priced = { ...fields, maxFeePerGas: 9n * GWEI, maxPriorityFeePerGas: 9n * GWEI }
  return { transaction: node.codec.sign(priced, privateKey, address), sender: address }
}

/** The head's state with code at an address. */
const putCode = ({ chain }: Node, address: Address): void =>
  chain.editHead((state) => state.putCode(address, CONTRACTS.echo))

describe('a sender that is a contract', () => {
  test('is refused', async () => {
    const node = await ethereum({ mining: false })
    const { transaction, sender } = await signedBy(node)
    putCode(node, sender)
    expect(() => runAtOnce(node.submission.submit(transaction))).toThrow(
      expect.objectContaining({ kind: 'senderNotExternal' }),
    )
  })

  test('is refused at mining when the sender became a contract', async () => {
    const node = await ethereum()
    const { transaction, sender } = await signedBy(node)
    node.miner.stop()
    runAtOnce(node.submission.submit(transaction))
    putCode(node, sender)
    expect(() => runAtOnce(node.miner.mineUntil(transaction.hash))).toThrow(
      expect.objectContaining({ kind: 'transactionRejected' }),
    )
    expect(node.mempool.size).toBe(0)
  })
})
