/** Schemas of results, for documents and tests. The node does not validate its results with them. */

import * as z from 'zod'

const pattern = (expression: RegExp, description: string) =>
  z.string().regex(expression).meta({ description })

export const quantityText = pattern(/^0x(0|[1-9a-f][0-9a-f]*)$/, 'QUANTITY')
export const dataText = pattern(/^0x([0-9a-f]{2})*$/, 'DATA')
export const addressText = pattern(/^0x[0-9a-f]{40}$/, 'DATA, 20 bytes')
export const hashText = pattern(/^0x[0-9a-f]{64}$/, 'DATA, 32 bytes')
export const bloomText = pattern(/^0x[0-9a-f]{512}$/, 'DATA, 256 bytes')
export const nothing = z.null()
export const flag = z.boolean()
export const text = z.string()
export const count = z.int().nonnegative()

/** An array that is not changed. */
export const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly()

/** An event; the position fields are null while its block is pending. */
export const logObject = z.strictObject({
  removed: z.boolean(),
  logIndex: quantityText.nullable(),
  transactionIndex: quantityText.nullable(),
  transactionHash: hashText.nullable(),
  blockHash: hashText.nullable(),
  blockNumber: quantityText.nullable(),
  blockTimestamp: quantityText.nullable(),
  address: addressText,
  data: dataText,
  topics: list(hashText),
})

/** Access list of a transaction (EIP-2930). */
export const accessList = list(z.strictObject({ address: addressText, storageKeys: list(hashText) }))

const authorizationList = list(
  z.strictObject({
    chainId: quantityText,
    address: addressText,
    nonce: quantityText,
    yParity: quantityText,
    r: quantityText,
    s: quantityText,
  }),
)

/** A transaction; the position fields are null while it is pending. */
export const transactionObject = z.strictObject({
  hash: hashText,
  nonce: quantityText,
  blockHash: hashText.nullable(),
  blockNumber: quantityText.nullable(),
  blockTimestamp: quantityText.nullable(),
  transactionIndex: quantityText.nullable(),
  from: addressText,
  to: addressText.nullable(),
  gas: quantityText,
  gasPrice: quantityText,
  value: quantityText,
  input: dataText,
  v: quantityText,
  r: quantityText,
  s: quantityText,
  type: quantityText,
  chainId: quantityText.optional(),
  accessList: accessList.optional(),
  maxFeePerGas: quantityText.optional(),
  maxPriorityFeePerGas: quantityText.optional(),
  yParity: quantityText.optional(),
  authorizationList: authorizationList.optional(),
  maxFeePerBlobGas: quantityText.optional(),
  blobVersionedHashes: list(hashText).optional(),
  /** In deposits of the OP Stack. */
  mint: quantityText.optional(),
  /** In look-ups by position only (service spec, "Transaction object"). */
  _id: text.optional(),
})

export const receiptObject = z.strictObject({
  transactionHash: hashText,
  transactionIndex: quantityText,
  blockHash: hashText,
  blockNumber: quantityText,
  cumulativeGasUsed: quantityText,
  gasUsed: quantityText,
  contractAddress: addressText.nullable(),
  logs: list(logObject),
  from: addressText,
  to: addressText.nullable(),
  /** Absent in receipts from before Byzantium, which have a state root instead (EIP-658). */
  status: quantityText.optional(),
  root: hashText.optional(),
  logsBloom: bloomText,
  type: quantityText,
  effectiveGasPrice: quantityText,
  blobGasUsed: quantityText.optional(),
  blobGasPrice: quantityText.optional(),
})

/** A withdrawal in a block (EIP-4895); the amount is in gwei. */
const withdrawalObject = z.strictObject({
  index: quantityText,
  validatorIndex: quantityText,
  address: addressText,
  amount: quantityText,
})

/** A block. Fields that only some hard forks or kinds of network have are optional. */
export const blockObject = z.strictObject({
  number: quantityText,
  hash: hashText.nullable(),
  parentHash: hashText,
  mixHash: hashText,
  nonce: dataText.nullable(),
  sha3Uncles: hashText,
  logsBloom: bloomText.nullable(),
  transactionsRoot: hashText,
  stateRoot: hashText,
  receiptsRoot: hashText,
  miner: addressText,
  difficulty: quantityText,
  totalDifficulty: quantityText,
  extraData: dataText,
  size: quantityText,
  gasLimit: quantityText,
  gasUsed: quantityText,
  timestamp: quantityText,
  transactions: list(z.union([hashText, transactionObject])),
  uncles: list(hashText),
  minimumGasPrice: quantityText.optional(),
  auxMergedMiningHeader: dataText.optional(),
  auxMergedMiningCoinbaseTransaction: dataText.optional(),
  auxMergedMiningMerkleProof: dataText.optional(),
  hashForMergedMining: hashText.optional(),
  paidFees: quantityText.optional(),
  cumulativeDifficulty: quantityText.optional(),
  nodePteEdges: list(z.number().int()).nullable().optional(),
  baseEvent: dataText.nullable().optional(),
  baseFeePerGas: quantityText.optional(),
  withdrawals: list(withdrawalObject).optional(),
  withdrawalsRoot: hashText.optional(),
  blobGasUsed: quantityText.optional(),
  excessBlobGas: quantityText.optional(),
  parentBeaconBlockRoot: hashText.optional(),
  requestsHash: hashText.optional(),
  blockAccessListHash: hashText.optional(),
  slotNumber: quantityText.optional(),
})

/** The header of a block: the block without the fields of its body. */
export const headerObject = blockObject.omit({
  size: true,
  transactions: true,
  uncles: true,
  withdrawals: true,
})

const valueChange = z.strictObject({ index: quantityText, value: quantityText })

/** What a block accesses and changes of an account (EIP-7928). */
export const accessListObject = z.strictObject({
  address: addressText,
  storageChanges: list(
    z.strictObject({
      key: hashText,
      changes: list(z.strictObject({ index: quantityText, value: hashText })),
    }),
  ),
  storageReads: list(hashText),
  balanceChanges: list(valueChange),
  nonceChanges: list(valueChange),
  codeChanges: list(z.strictObject({ index: quantityText, code: dataText })),
})

/** An account and values of its storage slots with their proofs (EIP-1186). */
export const proofObject = z.strictObject({
  address: addressText,
  accountProof: list(dataText),
  balance: quantityText,
  codeHash: hashText,
  nonce: quantityText,
  storageHash: hashText,
  storageProof: list(
    z.strictObject({ key: z.union([quantityText, hashText]), value: quantityText, proof: list(dataText) }),
  ),
})
