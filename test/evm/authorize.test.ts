import { runAtOnce } from '../../lib/base/routine.ts'
import { expect, test } from '@jest/globals'
import { privateKeyToAccount } from 'viem/accounts'
import { asAddress, toHex } from '../../lib/base/hex.ts'
import type { Address } from '../../lib/base/hex.ts'
import type { Authorization } from '../../lib/evm/transaction.ts'
import type { Node } from '../../lib/node/node.ts'
import { LibraryChain, ranBlock } from '../support/library-chain.ts'
import { freshNode } from '../support/node.ts'

const TARGET = asAddress(`0x${'77'.repeat(20)}`)
const ZERO_ADDRESS = asAddress(`0x${'00'.repeat(20)}`)

/** An authorization signed by an account of the node. */
async function signedBy(node: Node, by: number, fields: { nonce: number; chainId?: number; to?: Address }) {
  const { nonce, chainId = 31_337, to = TARGET } = fields
  const account = privateKeyToAccount(toHex(node.funded[by]!.privateKey))
  const signed = await account.signAuthorization({ contractAddress: to, chainId, nonce })
  const { r, s, yParity } = signed
  return {
    chainId: BigInt(chainId),
    address: to,
    nonce: BigInt(nonce),
    r: BigInt(r),
    s: BigInt(s),
    yParity: BigInt(yParity!),
  }
}

/** An authorization signed by a key without an account. */
async function byStranger(): Promise<Authorization> {
  const stranger = privateKeyToAccount(`0x${'42'.repeat(32)}`)
  const signed = await stranger.signAuthorization({ contractAddress: TARGET, chainId: 31_337, nonce: 0 })
  const { r, s, yParity } = signed
  return {
    chainId: 31_337n,
    address: TARGET,
    nonce: 0n,
    r: BigInt(r),
    s: BigInt(s),
    yParity: BigInt(yParity!),
  }
}

/** Authorization lists of a transaction of the first account, on a fresh chain. */
const CASES: readonly (readonly [string, (node: Node) => Promise<readonly Authorization[]>])[] = [
  ['of another account', async (node) => [await signedBy(node, 1, { nonce: 0 })]],
  ['of the sender, whose nonce has been raised', async (node) => [await signedBy(node, 0, { nonce: 1 })]],
  ['of a key without an account', async () => [await byStranger()]],
  ['for any chain', async (node) => [await signedBy(node, 1, { nonce: 0, chainId: 0 })]],
  ['for another chain', async (node) => [await signedBy(node, 1, { nonce: 0, chainId: 7 })]],
  ['with a nonce that is not the next one', async (node) => [await signedBy(node, 1, { nonce: 3 })]],
  [
    'set and cleared',
    async (node) => [
      await signedBy(node, 1, { nonce: 0 }),
      await signedBy(node, 1, { nonce: 1, to: ZERO_ADDRESS }),
    ],
  ],
]

test.each(CASES)(
  'an authorization %s has the same effect as in ethereumjs',
  async (_case, authorizationsOf) => {
    const node = await freshNode({ network: 'ethereum', hardfork: 'prague' })
    const library = await LibraryChain.at(node)
    const [{ address, privateKey }] = node.funded as [Node['funded'][number]]
    const fields = { type: 4, nonce: 0n, to: node.funded[1]!.address, gasLimit: 200_000n, value: 0n }
    const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n, data: Uint8Array.of(1, 0) }
    const authorizationList = await authorizationsOf(node)
    runAtOnce(
      node.submission.submit(node.codec.sign({ ...fields, ...fees, authorizationList }, privateKey, address)),
    )
    const { block } = node.chain.head
    expect(block.receipts.length).toBe(1)
    expect(ranBlock(block)).toEqual(await library.run(block))
  },
)
