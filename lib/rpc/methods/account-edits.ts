/** Methods that edit accounts and token balances, with the names and params of other development nodes. */

import * as z from 'zod'
import { NodeError } from '../../base/errors.ts'
import { fromHex, bigIntToBytes32, type Address } from '../../base/hex.ts'
import { MAX_UINT256 } from '../../base/limits.ts'
import type { Chain } from '../../chain/chain.ts'
import type { Node } from '../../node/node.ts'
import { address, data, quantity, quantity64, slot, strippable } from '../../schema/wire.ts'
import { EMPTY_ACCOUNT, type Account } from '../../state/account.ts'
import { confirmed, control, command } from '../../kernel/control.ts'
import { param } from '../../kernel/method.ts'
import { COW1, COW, account } from './params.ts'
import type { Routine } from '../../base/routine.ts'
import { allowanceOf, balanceOf, findAmountSlot } from '../../chain/simulation/token-slots.ts'
import type { AmountGetter } from '../../chain/simulation/token-slots.ts'
import type { PlainChain } from '../../kernel/module.ts'

type TokenChain = Pick<Node, 'blockResolver' | 'chain' | 'simulator' | 'startCallTimer'>

const EDIT = 'The newest block keeps its header and hash; reads of its state and later blocks see the change.'

type Fields = Pick<Account, 'nonce' | 'balance'>

/** Changes fields of an account, which need not exist yet. */
function editAccount(chain: Chain, owner: Address, edit: (fields: Fields) => Partial<Fields>): void {
  chain.editHead((state) => {
    const { nonce, balance } = state.account(owner) ?? EMPTY_ACCOUNT
    state.putAccount(owner, { nonce, balance, ...edit({ nonce, balance }) })
  })
}

export const setBalance = control({
  name: 'hardhat_setBalance',
  aliases: ['anvil_setBalance', 'ganache_setBalance', 'evm_setAccountBalance', 'tenderly_setBalance'],
  summary: `Sets the balance of an account. ${EDIT}`,
  params: [account, param('balance', strippable(quantity), 'Wei.')],
  example: { params: [COW1, '0xde0b6b3a7640000'], result: true },
  run: ({ address: owner, balance }, { chain }: PlainChain) => editAccount(chain, owner, () => ({ balance })),
})

export const addBalance = control({
  name: 'anvil_addBalance',
  aliases: ['hardhat_addBalance', 'tenderly_addBalance'],
  summary: `Adds to the balance of an account. ${EDIT}`,
  params: [account, param('amount', strippable(quantity), 'Wei.')],
  example: { params: [COW1, '0x1'], result: true },
  run: ({ address: owner, amount }, { chain }: PlainChain) =>
    editAccount(chain, owner, ({ balance }) => {
      const sum = balance + amount
      return { balance: sum > MAX_UINT256 ? MAX_UINT256 : sum }
    }),
})

const newNonce = param('nonce', strippable(quantity64), 'Number of its next transaction.')

function putNonce(owner: Address, nonce: bigint, { chain, mempool }: PlainChain): void {
  editAccount(chain, owner, () => ({ nonce }))
  mempool.removeBelowNonce(owner, nonce)
}

export const setNonce = control({
  name: 'hardhat_setNonce',
  summary: `Sets the nonce of an account, which with the dialect hardhat may not go down. ${EDIT}`,
  params: [account, newNonce],
  errors: ['nonceTooLow'],
  example: { params: [COW1, '0x2a'], result: true },
  run: ({ address: owner, nonce }, node: PlainChain, context) => {
    const present = node.chain.head.state.nonce(owner)
    if (context.dialect === 'hardhat' && nonce < present) {
      // The text is Hardhat's.
      throw new NodeError(
        'nonceTooLow',
        `New nonce (${nonce}) must not be smaller than the existing nonce (${present})`,
      )
    }
    putNonce(owner, nonce, node)
  },
})

export const setAnyNonce = control({
  name: 'anvil_setNonce',
  aliases: ['ganache_setNonce', 'evm_setAccountNonce'],
  summary: `Sets the nonce of an account, which may go down. ${EDIT}`,
  params: [account, newNonce],
  example: { params: [COW1, '0x2a'], result: true },
  run: ({ address: owner, nonce }, node: PlainChain) => putNonce(owner, nonce, node),
})

export const setCode = control({
  name: 'hardhat_setCode',
  aliases: ['anvil_setCode', 'ganache_setCode', 'evm_setAccountCode'],
  summary: `Sets the code of an account. ${EDIT}`,
  params: [account, param('code', data, 'Runtime code; 0x removes it.')],
  example: { params: [COW1, '0x60006000fd'], result: true },
  run: ({ address: owner, code }, { chain }: PlainChain) =>
    chain.editHead((state) => state.putCode(owner, code)),
})

const WORD_EXPECTED = 'expected a word: hex of up to 32 bytes'

/** Up to 64 hex digits: other nodes read `0x1`, `0x01` and the whole word. */
const word = z
  .string(WORD_EXPECTED)
  .regex(/^0x[0-9a-fA-F]{0,64}$/, WORD_EXPECTED)
  .transform((text) => fromHex(`0x${text.slice(2).padStart(64, '0')}`))

export const setStorageAt = confirmed({
  name: 'hardhat_setStorageAt',
  aliases: ['anvil_setStorageAt', 'ganache_setStorageAt', 'evm_setAccountStorageAt'],
  summary: `Sets a word of storage of an account. ${EDIT}`,
  params: [
    account,
    param('position', slot, 'Storage position.'),
    param('value', word, 'Word to store there.'),
  ],
  example: { params: [COW1, '0x0', `0x${'00'.repeat(31)}01`], result: true },
  run: ({ address: owner, position, value }, { chain }: PlainChain) =>
    chain.editHead((state) => state.putStorage(owner, position, value)),
})

export const setTokenBalance = command({
  name: 'anvil_dealERC20',
  aliases: ['hardhat_dealERC20', 'anvil_setERC20Balance'],
  summary: 'Sets the token balance of an account (ERC-20). The total supply stays, no event is logged.',
  params: [
    account,
    param('token', address, 'Contract of the token.'),
    param('balance', quantity, "The token's smallest unit."),
  ],
  errors: ['unknownSlot', 'callTimeout'],
  example: { params: [COW1, COW, '0x1'], refusal: 'unknownSlot' },
  run: ({ address: owner, token, balance }, node: TokenChain) =>
    setAmount(node, { getter: balanceOf(token, owner), amount: balance }),
})

export const setTokenAllowance = command({
  name: 'anvil_setERC20Allowance',
  summary: 'Sets the token allowance of a spender (ERC-20). No event is logged.',
  params: [
    param('owner', address, 'Owner of the tokens.'),
    param('spender', address, 'Account that may spend them.'),
    param('token', address, 'Contract of the token.'),
    param('amount', quantity, "The token's smallest unit."),
  ],
  errors: ['unknownSlot', 'callTimeout'],
  example: { params: [COW1, COW, COW, '0x1'], refusal: 'unknownSlot' },
  run: ({ owner, spender, token, amount }, node: TokenChain) =>
    setAmount(node, { getter: allowanceOf(token, owner, spender), amount }),
})

/** @throws NodeError 'unknownSlot' if no single storage slot holds the amount, 'callTimeout' */
function* setAmount(
  { chain, simulator, blockResolver, startCallTimer }: TokenChain,
  { getter, amount }: { readonly getter: AmountGetter; readonly amount: bigint },
): Routine<void> {
  const head = blockResolver.at({ tag: 'latest' })
  const location = yield* findAmountSlot(simulator, head, { getter, amount }, startCallTimer())
  if (location === undefined) {
    throw new NodeError(
      'unknownSlot',
      `token ${getter.token} has no word of storage that alone decides the amount, so it cannot be set`,
    )
  }
  chain.editHead((state) => state.putStorage(location.address, location.slot, bigIntToBytes32(amount)))
}
