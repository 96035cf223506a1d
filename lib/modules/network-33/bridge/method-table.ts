/** Every method of the Bridge (node-chain 10.4): kind, selector, inputs, output, gas. Placeholders: config/names.ts. */

import {
  address,
  arrayOf,
  bool,
  bytes,
  bytes32,
  cutTo32Bits,
  int256,
  int64,
  string,
  uint256,
  type AbiType,
  type AbiValues,
} from '../../../abi/codec.ts'
import { EMPTY_BYTES, toHash, type Hex } from '../../../base/hex.ts'
import type { PrecompileMethod } from '../precompiles/methods.ts'
import type { BridgeStorage } from './bridge-storage.ts'
import { MAX_BLOCK_DEPTH } from './constants.ts'
import { HeaderChain } from './header-chain.ts'

/** The output type of a method without output. */
export const nothing: AbiType<void> = {
  name: '',
  isDynamic: false,
  encode: () => EMPTY_BYTES,
  decode: () => undefined,
}

/** Declaration of a method (node-chain 10.4). */
export interface BridgeDeclaration<Inputs extends readonly AbiType[], Output> {
  /** Selector of the deployed contract, not the hash of the neutral signature. */
  readonly selector: Hex
  readonly inputs: Inputs
  readonly output: AbiType<Output>
  /** Gas of the method, to which the gas per byte of data is added. */
  readonly gas: number | ((args: AbiValues<Inputs>, storage: BridgeStorage) => number)
  /** `ethCallOnly`: only in calls without a transaction. `membersOnly`: only for members of the federation. */
  readonly use: 'any' | 'ethCallOnly' | 'membersOnly'
  /** `view`: may be reached by STATICCALL. */
  readonly mutability: PrecompileMethod['mutability']
}

export type AnyDeclaration = BridgeDeclaration<readonly AbiType[], unknown>

const kind =
  (mutability: AnyDeclaration['mutability'], use: AnyDeclaration['use']) =>
  <const Inputs extends readonly AbiType[], Output>(
    selector: Hex,
    inputs: Inputs,
    output: AbiType<Output>,
    gas: BridgeDeclaration<Inputs, Output>['gas'],
  ): BridgeDeclaration<Inputs, Output> => ({ selector, inputs, output, gas, mutability, use })

/** Declares a method that changes state. */
const write = kind('nonpayable', 'any')

/** Declares a method that changes state, and that only members of the federation may call. */
const memberWrite = kind('nonpayable', 'membersOnly')

/** Declares a method that changes state and accepts wei. */
const payable = kind('payable', 'any')

/** Declares a method that only reads. */
const view = kind('view', 'any')

/** Declares a method that only reads, and that no transaction can call. */
const localView = kind('view', 'ethCallOnly')

/** Positions, heights and paths. */
const int32 = cutTo32Bits(int256)
const uint32 = cutTo32Bits(uint256)

const TABLE = {
  // header-methods.ts
  receiveHeaders: memberWrite(
    '0xe5400e7b',
    [arrayOf(bytes)],
    nothing,
    ([headers]) => 25_000 + 3_500 * Math.max(0, headers.length - 1),
  ),
  receiveHeader: write('0x884bdd86', [bytes], int256, 10_600),
  'get{Aux}BlockchainBestChainHeight': view('0x14c89c01', [], int256, 19_000),
  'get{Aux}BlockchainInitialBlockHeight': localView('0x4897193f', [], int256, 20_000),
  'get{Aux}BlockchainBlockHashAtDepth': localView('0xefd44418', [int32], bytes, 20_000),
  'get{Aux}BlockchainBestBlockHeader': view('0xf0b2424b', [], bytes, 3_800),
  'get{Aux}BlockchainBlockHeaderByHash': view('0x739e364a', [bytes32], bytes, 4_600),
  'get{Aux}BlockchainBlockHeaderByHeight': view('0xbd0c1fff', [uint32], bytes, 5_000),
  'get{Aux}BlockchainParentBlockHeaderByHash': view('0xe0236724', [bytes32], bytes, 4_900),

  // pegin-methods.ts
  'register{Aux}Transaction': write('0x43dc0656', [bytes, int32, bytes], nothing, 22_000),
  'is{Aux}TxHashAlreadyProcessed': localView('0x248a982d', [string], bool, 23_000),
  'get{Aux}TxHashProcessedHeight': localView('0x97fcca7d', [string], int64, 22_000),
  'register{Aux}CoinbaseTransaction': write(
    '0xccf417ae',
    [bytes, bytes32, bytes, bytes32, bytes32],
    nothing,
    10_000,
  ),
  'has{Aux}BlockCoinbaseTransactionInformation': view('0x253b944b', [bytes32], bool, 5_000),
  // The amounts come from the reference node; the notes (node-chain) do not give them.
  'get{Aux}TransactionConfirmations': view(
    '0x5b644587',
    [bytes32, bytes32, uint32, arrayOf(bytes32)],
    int256,
    ([, block, , branch], storage) => {
      const chain = new HeaderChain(storage)
      const header = chain.byHash(toHash(block))
      const depth = header && chain.depthOf(header)
      if (depth === undefined || depth > MAX_BLOCK_DEPTH) return 27_000
      return 27_000 + 315 * Number(depth) + 144 * branch.length
    },
  ),
  'registerFastBridge{Aux}Transaction': write(
    '0x6adc0133',
    [bytes, uint32, bytes, bytes32, bytes, address, bytes, bool],
    int256,
    25_000,
  ),

  // pegout-methods.ts
  'release{Aux}': payable('0x80af2871', [], nothing, 23_000),
  updateCollections: memberWrite('0x0c5a9990', [], nothing, 48_000),
  addSignature: write('0xf10b9c59', [bytes, arrayOf(bytes), bytes], nothing, 70_000),
  getQueuedPegoutsCount: view('0xf4e4f963', [], uint256, 3_000),
  getNextPegoutCreationBlockNumber: view('0xe34f834f', [], uint256, 3_000),
  getEstimatedFeesForNextPegOutEvent: view('0x7817d854', [], uint256, 10_000),
  getEstimatedFeesForPegOutAmount: view('0xd2b712f4', [uint256], uint256, 10_000),

  // state-methods.ts
  'getStateFor{Aux}ReleaseClient': localView('0xc4fbca20', [], bytes, 4_000),
  getStateForSvpClient: localView('0x4c723e89', [], bytes, 4_000),
  getStateForDebugging: localView('0x0d0cee93', [], bytes, 3_000_000),

  // governance-methods.ts: fees and limits
  getFeePerKb: localView('0x724ec886', [], int256, 2_000),
  voteFeePerKbChange: write('0x0461313e', [int256], int256, 10_000),
  getLockingCap: localView('0x3f9db977', [], int256, 3_000),
  increaseLockingCap: write('0x2910aeb2', [int256], bool, 8_000),
  getMinimumLockTxValue: localView('0x2f8d158f', [], int256, 2_000),

  // governance-methods.ts: the lock whitelist
  addOneOffLockWhitelistAddress: write('0x848206d9', [string, int256], int256, 25_000),
  addUnlimitedLockWhitelistAddress: write('0xb906c938', [string], int256, 25_000),
  removeLockWhitelistAddress: write('0xfcdeb46f', [string], int256, 24_000),
  setLockWhitelistDisableBlockDelay: write('0xc1cc54f5', [int256], int256, 24_000),
  getLockWhitelistSize: localView('0xe9e658dc', [], int256, 16_000),
  getLockWhitelistAddress: localView('0x93988b76', [int32], string, 16_000),
  getLockWhitelistEntryByAddress: localView('0x251c5f7b', [string], int256, 16_000),

  // federation-methods.ts: properties of federations
  getFederationAddress: localView('0x6923fa85', [], string, 11_000),
  getFederationCreationBlockNumber: localView('0x1b2045ee', [], int256, 10_000),
  getFederationCreationTime: localView('0x5e2db9d4', [], int256, 10_000),
  getFederationSize: localView('0x802ad4b6', [], int256, 10_000),
  getFederationThreshold: localView('0x0fd47456', [], int256, 11_000),
  getRetiringFederationAddress: localView('0x47227286', [], string, 3_000),
  getRetiringFederationCreationBlockNumber: localView('0xd905153f', [], int256, 3_000),
  getRetiringFederationCreationTime: localView('0x3f0ce9b1', [], int256, 3_000),
  getRetiringFederationSize: localView('0xd970b0fd', [], int256, 3_000),
  getRetiringFederationThreshold: localView('0x07bbdfc4', [], int256, 3_000),
  getProposedFederationAddress: localView('0x956d9713', [], string, 3_000),
  getProposedFederationSize: localView('0x06ebeb8c', [], int256, 3_000),
  getProposedFederationCreationTime: localView('0xfa2df78c', [], int256, 3_000),
  getProposedFederationCreationBlockNumber: localView('0x2b169b23', [], int256, 3_000),
  getFederatorPublicKeyOfType: localView('0x549cfd1c', [int32, string], bytes, 10_000),
  getRetiringFederatorPublicKeyOfType: localView('0x68bc2b2b', [int32, string], bytes, 3_000),
  getProposedFederatorPublicKeyOfType: localView('0xe3228fab', [int32, string], bytes, 3_000),
  getPendingFederatorPublicKeyOfType: localView('0xc61295d9', [int32, string], bytes, 3_000),
  getPendingFederationHash: localView('0x6ce0ed5a', [], bytes, 3_000),
  getPendingFederationSize: localView('0x3ac72b38', [], int256, 3_000),
  getActivePegRedeemScript: view('0x1d73d5dd', [], bytes, 30_000),
  getActiveFederationCreationBlockHeight: view('0x177d6e18', [], uint256, 3_000),

  // federation-methods.ts: votes
  createFederation: write('0x1183d5d1', [], int256, 11_000),
  addFederatorPublicKeyMultikey: write('0x444ff9da', [bytes, bytes, bytes], int256, 13_000),
  commitFederation: write('0x1533330f', [bytes], int256, 38_000),
  rollbackFederation: write('0x8dec3d32', [], int256, 12_000),

  // union-methods.ts
  setUnionBridgeContractAddressForTestnet: write('0xcc55d66f', [address], int256, 8_000),
  getUnionBridgeContractAddress: view('0xd3af747c', [], address, 3_000),
  getUnionBridgeLockingCap: view('0x33e08fed', [], uint256, 3_000),
  increaseUnionBridgeLockingCap: write('0xa57a0ada', [uint256], int256, 8_000),
  requestUnionBridgeCoin: write('0x5521647a', [uint256], int256, 8_000),
  releaseUnionBridgeCoin: payable('0x430462a8', [], int256, 8_000),
  setUnionBridgeTransferPermissions: write('0x5fcc6d24', [bool, bool], int256, 8_000),

  getSuperEvent: view('0xf8cfda8e', [], bytes, 3_000),
  setSuperEvent: write('0x99961ea5', [bytes], nothing, 8_000),
  clearSuperEvent: write('0xd2ba1e45', [], nothing, 8_000),
  getBaseEvent: view('0xa25b94cb', [], bytes, 3_000),
  setBaseEvent: write('0xfe43e2f8', [bytes], nothing, 8_000),
  clearBaseEvent: write('0x93e7a33b', [], nothing, 8_000),
}

export type BridgeMethodName = keyof typeof TABLE

export type InputsOf<Name extends BridgeMethodName> = (typeof TABLE)[Name]['inputs']

export type OutputOf<Name extends BridgeMethodName> =
  (typeof TABLE)[Name]['output'] extends AbiType<infer Value> ? Value : never

export const METHOD_TABLE: {
  readonly [Name in BridgeMethodName]: BridgeDeclaration<InputsOf<Name>, OutputOf<Name>>
} = TABLE
