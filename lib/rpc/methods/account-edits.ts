/** Methods that edit accounts. Names and params are those of other development nodes, so that their test helpers work. */

import * as z from 'zod'
import { NodeError } from '../../base/errors.ts'
import { fromHex } from '../../base/hex.ts'
import type { Address } from '../../base/hex.ts'
import { MAX_UINT256 } from '../../base/limits.ts'
import type { Chain } from '../../chain/chain.ts'
import { editHead } from '../../chain/edit-head.ts'
import type { Node } from '../../node.ts'
import { flag } from '../../schema/results.ts'
import { address, data, quantity, quantity64, slot, strippable } from '../../schema/wire.ts'
import { EMPTY_ACCOUNT } from '../../state/account.ts'
import type { Account } from '../../state/account.ts'
import { controlResult, controlResultSchema } from '../control-result.ts'
import { method, param } from '../method.ts'

const EDIT = 'The newest block keeps its header and hash; reads of its state and later blocks see the change.'
const COW1 = '0x7986b3df570230288501eea3d890bd66948c9b79'

/** Nonce and balance of an account. */
type Fields = Pick<Account, 'nonce' | 'balance'>

/** Changes fields of an account, which may not exist yet. */
function editAccount(chain: Chain, account: Address, edit: (fields: Fields) => Partial<Fields>): void {
  editHead(chain, (state) => {
    const { nonce, balance } = state.account(account) ?? EMPTY_ACCOUNT
    state.putAccount(account, { nonce, balance, ...edit({ nonce, balance }) })
  })
}

const setBalance = method({
  name: 'hardhat_setBalance',
  aliases: ['anvil_setBalance', 'ganache_setBalance', 'evm_setAccountBalance', 'tenderly_setBalance'],
  summary: `Sets the balance of an account. ${EDIT}`,
  params: [param('address', address, 'Account.'), param('balance', strippable(quantity), 'Wei.')],
  result: controlResultSchema,
  access: 'write',
  example: { params: [COW1, '0xde0b6b3a7640000'], result: true },
  run: ({ address: account, balance }, { chain }, context) => {
    editAccount(chain, account, () => ({ balance }))
    return controlResult(context)
  },
})

const addBalance = method({
  name: 'anvil_addBalance',
  aliases: ['hardhat_addBalance', 'tenderly_addBalance'],
  summary: `Adds to the balance of an account. ${EDIT}`,
  params: [param('address', address, 'Account.'), param('amount', strippable(quantity), 'Wei.')],
  result: controlResultSchema,
  access: 'write',
  example: { params: [COW1, '0x1'], result: true },
  run: ({ address: account, amount }, { chain }, context) => {
    editAccount(chain, account, ({ balance }) => {
      const sum = balance + amount
      return { balance: sum > MAX_UINT256 ? MAX_UINT256 : sum }
    })
    return controlResult(context)
  },
})

const nonceParams = [
  param('address', address, 'Account.'),
  param('nonce', strippable(quantity64), 'Number of its next transaction.'),
] as const

function putNonce(account: Address, nonce: bigint, { chain, mempool }: Node): void {
  editAccount(chain, account, () => ({ nonce }))
  mempool.removeBelowNonce(account, nonce)
}

const setNonce = method({
  name: 'hardhat_setNonce',
  summary: `Sets the nonce of an account, which with the dialect hardhat may not go down. ${EDIT}`,
  params: nonceParams,
  result: controlResultSchema,
  access: 'write',
  errors: ['nonceTooLow'],
  example: { params: [COW1, '0x2a'], result: true },
  run: ({ address: account, nonce }, node, context) => {
    const present = node.chain.head.state.nonce(account)
    if (context.dialect === 'hardhat' && nonce < present) {
      // The text is Hardhat's.
      throw new NodeError(
        'nonceTooLow',
        `New nonce (${nonce}) must not be smaller than the existing nonce (${present})`,
      )
    }
    putNonce(account, nonce, node)
    return controlResult(context)
  },
})

const setAnyNonce = method({
  name: 'anvil_setNonce',
  aliases: ['ganache_setNonce', 'evm_setAccountNonce'],
  summary: `Sets the nonce of an account, which may go down. ${EDIT}`,
  params: nonceParams,
  result: controlResultSchema,
  access: 'write',
  example: { params: [COW1, '0x2a'], result: true },
  run: ({ address: account, nonce }, node, context) => {
    putNonce(account, nonce, node)
    return controlResult(context)
  },
})

const setCode = method({
  name: 'hardhat_setCode',
  aliases: ['anvil_setCode', 'ganache_setCode', 'evm_setAccountCode'],
  summary: `Sets the code of an account. ${EDIT}`,
  params: [param('address', address, 'Account.'), param('code', data, 'Runtime code; 0x removes it.')],
  result: controlResultSchema,
  access: 'write',
  example: { params: [COW1, '0x60006000fd'], result: true },
  run: ({ address: account, code }, { chain }, context) => {
    editHead(chain, (state) => state.putCode(account, code))
    return controlResult(context)
  },
})

const WORD_EXPECTED = 'expected a word: hex of up to 32 bytes'

/** Up to 64 hex digits: other nodes read `0x1`, `0x01` and the whole word. */
const word = z
  .string({ error: WORD_EXPECTED })
  .regex(/^0x[0-9a-fA-F]{0,64}$/, { error: WORD_EXPECTED })
  .transform((text) => fromHex(`0x${text.slice(2).padStart(64, '0')}`))

const setStorageAt = method({
  name: 'hardhat_setStorageAt',
  aliases: ['anvil_setStorageAt', 'ganache_setStorageAt', 'evm_setAccountStorageAt'],
  summary: `Sets a word of storage of an account. ${EDIT}`,
  params: [
    param('address', address, 'Account.'),
    param('position', slot, 'Position in its storage.'),
    param('value', word, 'Word to store there.'),
  ],
  result: flag,
  access: 'write',
  example: { params: [COW1, '0x0', `0x${'00'.repeat(31)}01`], result: true },
  run: ({ address: account, position, value }, { chain }) => {
    editHead(chain, (state) => state.putStorage(account, position, value))
    return true
  },
})

export const accountEditMethods = [setBalance, addBalance, setNonce, setAnyNonce, setCode, setStorageAt]
