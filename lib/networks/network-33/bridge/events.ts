/**
 * Declares the events of the Bridge (node-chain 10.7). The topics are those of the deployed contract. They are not the hashes
 * of the names here, because names of the network are replaced by neutral ones.
 */

import type { Hash } from '../../../base/hex.ts'
import { asHash } from '../../../base/hex.ts'
import { address, bool, bytes, bytes32, int256, string, uint256 } from '../../../abi/types.ts'
import type { AbiType } from '../../../abi/types.ts'

/** An event: its indexed parameters come first. */
export interface BridgeEvent<
  Indexed extends readonly AbiType[] = readonly AbiType[],
  Data extends readonly AbiType[] = readonly AbiType[],
> {
  readonly name: string
  readonly topic: Hash
  readonly indexed: Indexed
  readonly data: Data
  /** Names of all parameters. */
  readonly parameters: readonly string[]
}

function event<const Indexed extends readonly AbiType[], const Data extends readonly AbiType[]>(
  signature: readonly [name: string, ...parameters: string[]],
  topic: string,
  indexed: Indexed,
  data: Data,
): BridgeEvent<Indexed, Data> {
  const [name, ...parameters] = signature
  return { name, topic: asHash(`0x${topic}`), indexed, data, parameters }
}

export const BRIDGE_EVENTS = {
  lockAux: event(
    ['lock_aux', 'receiver', 'auxTxHash', 'senderAuxAddress', 'amount'],
    'ec2232bdbe54a92238ce7a6b45d53fb31f919496c6abe1554be1cc8eddb6600a',
    [address],
    [bytes32, string, int256],
  ),
  peginAux: event(
    ['pegin_aux', 'receiver', 'auxTxHash', 'amount', 'protocolVersion'],
    '44cdc782a38244afd68336ab92a0b39f864d6c0b2a50fa1da58cafc93cd2ae5a',
    [address, bytes32],
    [int256, int256],
  ),
  rejectedPegin: event(
    ['rejected_pegin', 'auxTxHash', 'reason'],
    '708ce1ead20561c5894a93be3fee64b326b2ad6c198f8253e4bb56f1626053d6',
    [bytes32],
    [int256],
  ),
  unrefundablePegin: event(
    ['unrefundable_pegin', 'auxTxHash', 'reason'],
    '35be155c87e408cbbcb753dc12f95fc5a242a29460a3d7189e807e63d7c185a7',
    [bytes32],
    [int256],
  ),
  updateCollections: event(
    ['update_collections', 'sender'],
    '1069152f4f916cbf155ee32a695d92258481944edb5b6fd649718fc1b43e515e',
    [],
    [address],
  ),
  addSignature: event(
    ['add_signature', 'releaseTxHash', 'federator', 'federatorAuxPublicKey'],
    '83b6efe3a7d95459577ec9396f5d6f1e486ca2378130e2ba4d98a4da108ca743',
    [bytes32, address],
    [bytes],
  ),
  releaseAux: event(
    ['release_aux', 'releaseTxHash', 'auxRawTransaction'],
    '655929b56d5c5a24f81ee80267d5151b9d680e7e703387999922e9070bc98a02',
    [bytes32],
    [bytes],
  ),
  commitFederation: event(
    ['commit_federation', 'oldKeys', 'oldAddress', 'newKeys', 'newAddress', 'activationHeight'],
    '5b9466a0b50d1cab12eeb0b3b5d387ece7659afcc56bb15704535e6954de8c4e',
    [],
    [bytes, string, bytes, string, int256],
  ),
  commitFederationFailed: event(
    ['commit_federation_failed', 'redeemScript', 'blockNumber'],
    'ab26567e87284faa001c12145bc6434c48ed0f307ab75ac435880958f7c2110d',
    [],
    [bytes, int256],
  ),
  releaseRequested: event(
    ['release_requested', 'txHash', 'auxTxHash', 'amount'],
    '7a7c29481528ac8c2b2e93aee658fddd4dc15304fa723a5c2b88514557bcc790',
    [bytes32, bytes32],
    [uint256],
  ),
  releaseRequestReceived: event(
    ['release_request_received', 'sender', 'auxDestinationAddress', 'amount'],
    '1a4457a4460d48b40c5280955faf8e4685fa73f0866f7d8f573bdd8e64aca5b1',
    [address],
    [string, uint256],
  ),
  releaseRequestRejected: event(
    ['release_request_rejected', 'sender', 'amount', 'reason'],
    'b607c3e1fbe6b38cd145b15b837f7b722b199caa60e3057b36c141adee3b75e7',
    [address],
    [uint256, int256],
  ),
  batchPegoutCreated: event(
    ['batch_pegout_created', 'auxTxHash', 'releaseTxHashes'],
    '483d0191cc4e784b04a41f6c4801a0766b43b1fdd0b9e3e6bfdca74e5b05c2eb',
    [bytes32],
    [bytes],
  ),
  pegoutConfirmed: event(
    ['pegout_confirmed', 'auxTxHash', 'creationBlockNumber'],
    'c287f602476eeef8a547a3b82e79045c827c51362ff153f728b6d839bad099ef',
    [bytes32],
    [uint256],
  ),
  pegoutTransactionCreated: event(
    ['pegout_transaction_created', 'auxTxHash', 'utxoOutpointValues'],
    '9ee5d520fd5e6eaea3fd2e3ae4e35e9a9c0fb05c9d8f84b507f287da84b5117c',
    [bytes32],
    [bytes],
  ),
  unionLockingCapIncreased: event(
    ['union_bridge_locking_cap_increased', 'caller', 'previous', 'new'],
    'a49ac28359cb709b290925e5e581c83263b85a5defb455b9211614e316d1f970',
    [address],
    [uint256, uint256],
  ),
  unionCoinRequested: event(
    ['union_coin_requested', 'requester', 'amount'],
    '7437e377b64fb06ab77f4a383b1eca94d7379f1233cac75ab75c97583953a6ab',
    [address],
    [uint256],
  ),
  unionCoinReleased: event(
    ['union_coin_released', 'receiver', 'amount'],
    '1548a13bcc6ed11a355857b20975e460d7df1349d591bb3122307b1fe11e7978',
    [address],
    [uint256],
  ),
  unionPermissionsUpdated: event(
    ['union_bridge_transfer_permissions_updated', 'caller', 'requestEnabled', 'releaseEnabled'],
    'fd79aa37951edf622ef3d0a58665034675cf32e364213a1a7579448cc650d70e',
    [address],
    [bool, bool],
  ),
} as const
