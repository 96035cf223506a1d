/** The method that pegs coins in: a transaction of the auxiliary chain, its blocks, and its registration (docs/bridge.md). */

import * as z from 'zod'
import { toQuantity } from '../../base/hex.ts'
import { present } from '../../base/invariant.ts'
import { findAuxTransaction, outsideOutput } from '../../networks/network-33/aux-chain/aux-chain.ts'
import { federationOutputScript } from '../../networks/network-33/bridge/federation.ts'
import { SENDER_TYPES, pegInTransaction } from '../../networks/network-33/aux-chain/pegin-transaction.ts'
import {
  bridgeCallData,
  bridgeHeaders,
  registrationArguments,
} from '../../networks/network-33/aux-chain/registration.ts'
import { readAuxAddress } from '../../networks/network-33/bridge/aux-address.ts'
import {
  AUX_CONFIRMATIONS,
  TOTAL_SUPPLY_SAT,
  WEI_PER_SAT,
} from '../../networks/network-33/bridge/constants.ts'
import type { Node } from '../../node/node.ts'
import { addressText, hashText, quantityText } from '../../schema/results.ts'
import { address, index, oneOf, optional, optionalWith, quantity, text } from '../../schema/wire.ts'
import { param, writeMethod } from '../../kernel/method.ts'
import type { RequestContext } from '../../kernel/request-context.ts'
import { SEND_ERRORS } from './eth-send.ts'
import { COW } from './examples.ts'
import {
  addTransaction,
  mineAuxBlocks,
  nextFederations,
  requireBridge,
  sendAsFederator,
} from './federator.ts'

const wholeSat = quantity
  .refine((wei) => wei % WEI_PER_SAT === 0n, 'expected wei in whole sat, of 10^10 wei each')
  .refine((wei) => wei <= TOTAL_SUPPLY_SAT * WEI_PER_SAT, 'expected at most the 21 million coins that exist')

const refund = text('an address of the auxiliary chain', readAuxAddress)

const pegInRequest = z
  .strictObject(
    {
      to: address,
      amount: wholeSat,
      version: optionalWith(
        index.refine((version) => version <= 1, 'expected 0 or 1'),
        '0x1',
      ),
      refundAddress: optional(refund),
      senderType: optionalWith(oneOf(SENDER_TYPES), 'keyHash'),
    },
    'expected {to, amount, version, refundAddress, senderType}',
  )
  .refine(
    ({ version, refundAddress }) => version === 1 || refundAddress === undefined,
    'expected no refundAddress in version 0',
  )

export const pegIn = writeMethod({
  name: 'dev_pegIn',
  summary:
    'Pegs coins in: pays the federation on the auxiliary chain, mines the three blocks that confirm it, and registers it with the Bridge, whose events in the receipt of `transactionHash` say whether it was accepted. Without automine the transactions wait in the pool.',
  params: [
    param(
      'pegIn',
      pegInRequest,
      'Account that receives, and wei in whole sat (10^10 wei). `version`: 1 (default) names the account in an output, also with a `refundAddress`; 0 pays the account of the sender, which must be unlocked here. `senderType`: keyHash (default), nestedWitnessKeyHash, multisig or unknown.',
    ),
  ],
  result: z.strictObject({
    /** Id of the transaction of the auxiliary chain. */
    txid: hashText,
    /** Of the registration. */
    transactionHash: hashText,
    receiver: addressText,
    amount: quantityText,
  }),
  errors: ['unknownAccount', 'lockedAccount', ...SEND_ERRORS],
  example: { params: [{ to: COW, amount: toQuantity(5n * 10n ** 15n) }] },
  run: ({ pegIn: request }, node, context) => {
    requireBridge(node)
    return node.instance.atomically(() => pegCoinsIn(request, node, context))
  },
})

function* pegCoinsIn(request: z.output<typeof pegInRequest>, node: Node, context: RequestContext) {
  const { to, amount, version, refundAddress, senderType } = request
  const { auxChain, chain, keystore } = node
  const raw = pegInTransaction({
    spent: outsideOutput(auxChain.value, bridgeHeaders(chain.head.state).best),
    senderType,
    senderKey: version === 0 ? keystore.privateKey(to) : undefined,
    sat: amount / WEI_PER_SAT,
    federationScript: federationOutputScript(nextFederations(node).active.federation),
    receiver: version === 0 ? undefined : to,
    refundAddress,
  })
  const txid = addTransaction(raw, node)
  yield* mineAuxBlocks(Number(AUX_CONFIRMATIONS), node, context)
  const found = findAuxTransaction(auxChain.value, txid)
  const proof = found?.block && registrationArguments(found.transaction, found.block)
  const registration = bridgeCallData('register{Aux}Transaction', present(proof, 'the peg-in'))
  const transactionHash = yield* sendAsFederator(registration, node, context)
  return { txid, transactionHash, receiver: to, amount: toQuantity(amount) }
}
