/**
 * Declares the events of the Bridge (node-chain 10.7). Topics are those of the deployed contract, not hashes of the names here,
 * because neutral names replace the network's.
 */

import { asHash, type Hash } from '../../../base/hex.ts'
import { address, bool, bytes, bytes32, int256, string, uint256, type AbiType } from '../../../abi/codec.ts'

type Parameters = Readonly<Record<string, AbiType>>

/** An event: its parameters by name, the indexed ones first. */
export interface BridgeEvent<Indexed extends Parameters = Parameters, Data extends Parameters = Parameters> {
  readonly topic: Hash
  readonly indexed: Indexed
  readonly data: Data
}

const event = <Indexed extends Parameters, Data extends Parameters>(
  topic: string,
  parameters: Omit<BridgeEvent<Indexed, Data>, 'topic'>,
): BridgeEvent<Indexed, Data> => ({ topic: asHash(`0x${topic}`), ...parameters })

export const BRIDGE_EVENTS = {
  lock_aux: event('ec2232bdbe54a92238ce7a6b45d53fb31f919496c6abe1554be1cc8eddb6600a', {
    indexed: { receiver: address },
    data: { auxTxHash: bytes32, senderAuxAddress: string, amount: int256 },
  }),
  pegin_aux: event('44cdc782a38244afd68336ab92a0b39f864d6c0b2a50fa1da58cafc93cd2ae5a', {
    indexed: { receiver: address, auxTxHash: bytes32 },
    data: { amount: int256, protocolVersion: int256 },
  }),
  rejected_pegin: event('708ce1ead20561c5894a93be3fee64b326b2ad6c198f8253e4bb56f1626053d6', {
    indexed: { auxTxHash: bytes32 },
    data: { reason: int256 },
  }),
  unrefundable_pegin: event('35be155c87e408cbbcb753dc12f95fc5a242a29460a3d7189e807e63d7c185a7', {
    indexed: { auxTxHash: bytes32 },
    data: { reason: int256 },
  }),
  update_collections: event('1069152f4f916cbf155ee32a695d92258481944edb5b6fd649718fc1b43e515e', {
    indexed: {},
    data: { sender: address },
  }),
  add_signature: event('83b6efe3a7d95459577ec9396f5d6f1e486ca2378130e2ba4d98a4da108ca743', {
    indexed: { releaseTxHash: bytes32, federator: address },
    data: { federatorAuxPublicKey: bytes },
  }),
  release_aux: event('655929b56d5c5a24f81ee80267d5151b9d680e7e703387999922e9070bc98a02', {
    indexed: { releaseTxHash: bytes32 },
    data: { auxRawTransaction: bytes },
  }),
  commit_federation: event('5b9466a0b50d1cab12eeb0b3b5d387ece7659afcc56bb15704535e6954de8c4e', {
    indexed: {},
    data: {
      oldKeys: bytes,
      oldAddress: string,
      newKeys: bytes,
      newAddress: string,
      activationHeight: int256,
    },
  }),
  commit_federation_failed: event('ab26567e87284faa001c12145bc6434c48ed0f307ab75ac435880958f7c2110d', {
    indexed: {},
    data: { redeemScript: bytes, blockNumber: int256 },
  }),
  release_requested: event('7a7c29481528ac8c2b2e93aee658fddd4dc15304fa723a5c2b88514557bcc790', {
    indexed: { txHash: bytes32, auxTxHash: bytes32 },
    data: { amount: uint256 },
  }),
  release_request_received: event('1a4457a4460d48b40c5280955faf8e4685fa73f0866f7d8f573bdd8e64aca5b1', {
    indexed: { sender: address },
    data: { auxDestinationAddress: string, amount: uint256 },
  }),
  release_request_rejected: event('b607c3e1fbe6b38cd145b15b837f7b722b199caa60e3057b36c141adee3b75e7', {
    indexed: { sender: address },
    data: { amount: uint256, reason: int256 },
  }),
  batch_pegout_created: event('483d0191cc4e784b04a41f6c4801a0766b43b1fdd0b9e3e6bfdca74e5b05c2eb', {
    indexed: { auxTxHash: bytes32 },
    data: { releaseTxHashes: bytes },
  }),
  pegout_confirmed: event('c287f602476eeef8a547a3b82e79045c827c51362ff153f728b6d839bad099ef', {
    indexed: { auxTxHash: bytes32 },
    data: { creationBlockNumber: uint256 },
  }),
  pegout_transaction_created: event('9ee5d520fd5e6eaea3fd2e3ae4e35e9a9c0fb05c9d8f84b507f287da84b5117c', {
    indexed: { auxTxHash: bytes32 },
    data: { utxoOutpointValues: bytes },
  }),
  union_bridge_locking_cap_increased: event(
    'a49ac28359cb709b290925e5e581c83263b85a5defb455b9211614e316d1f970',
    {
      indexed: { caller: address },
      data: { previous: uint256, new: uint256 },
    },
  ),
  union_coin_requested: event('7437e377b64fb06ab77f4a383b1eca94d7379f1233cac75ab75c97583953a6ab', {
    indexed: { requester: address },
    data: { amount: uint256 },
  }),
  union_coin_released: event('1548a13bcc6ed11a355857b20975e460d7df1349d591bb3122307b1fe11e7978', {
    indexed: { receiver: address },
    data: { amount: uint256 },
  }),
  union_bridge_transfer_permissions_updated: event(
    'fd79aa37951edf622ef3d0a58665034675cf32e364213a1a7579448cc650d70e',
    {
      indexed: { caller: address },
      data: { requestEnabled: bool, releaseEnabled: bool },
    },
  ),
}

type Values<Described extends Parameters> = {
  readonly [Name in keyof Described]: Described[Name] extends AbiType<infer Value> ? Value : never
}

export type BridgeEventName = keyof typeof BRIDGE_EVENTS

export type EventValues<Name extends BridgeEventName> = Values<(typeof BRIDGE_EVENTS)[Name]['indexed']> &
  Values<(typeof BRIDGE_EVENTS)[Name]['data']>
