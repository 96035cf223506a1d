/** Methods that edit token balances and allowances. Names and params are those of other development nodes. */

import { NodeError } from '../../base/errors.ts'
import { bigIntToBytes32 } from '../../base/hex.ts'
import { pausing } from '../../base/routine.ts'
import type { Routine } from '../../base/routine.ts'
import { editHead } from '../../chain/edit-head.ts'
import type { Node } from '../../node.ts'
import { address, quantity } from '../../schema/wire.ts'
import { allowanceOf, balanceOf, findAmountSlot } from '../../simulation/token-slots.ts'
import type { AmountGetter } from '../../simulation/token-slots.ts'
import { command } from '../control.ts'
import { param } from '../method.ts'
import { COW, COW1 } from './examples.ts'

export const setTokenBalance = command({
  name: 'anvil_dealERC20',
  aliases: ['hardhat_dealERC20', 'anvil_setERC20Balance'],
  summary:
    'Sets the token balance of an account (ERC-20). The total supply does not change, and no event is logged.',
  params: [
    param('address', address, 'Account.'),
    param('token', address, 'Contract of the token.'),
    param('balance', quantity, "The token's smallest unit."),
  ],
  errors: ['unknownSlot', 'callTimeout'],
  example: { params: [COW1, COW, '0x1'], refusal: 'unknownSlot' },
  run: pausing(function* ({ address: account, token, balance }, node) {
    yield* setAmount(node, { getter: balanceOf(token, account), amount: balance })
  }),
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
  run: pausing(function* ({ owner, spender, token, amount }, node) {
    yield* setAmount(node, { getter: allowanceOf(token, owner, spender), amount })
  }),
})

/** @throws NodeError 'unknownSlot' if no single storage slot holds the amount, 'callTimeout' */
function* setAmount(
  { chain, simulator, blockResolver, startCallTimer }: Node,
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
  editHead(chain, (state) => state.putStorage(location.address, location.slot, bigIntToBytes32(amount)))
}
