/** Params and results of every method on the wire. `npm run docs` writes this file from the declarations. */

/** Access list of a transaction (EIP-2930). */
export type AccessList = readonly { readonly address: string; readonly storageKeys: readonly string[] }[]

/** Any reference to a block. */
export type BlockReference =
  | string
  | number
  | {
      readonly blockHash?: string | undefined
      readonly blockNumber?: string | number | undefined
      readonly requireCanonical?: boolean | 'true' | 'false' | undefined
    }

/** A transaction before it is signed, or a call. */
export type CallRequest = {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly gas?: string | number | undefined
  readonly gasLimit?: string | number | undefined
  readonly gasPrice?: string | number | undefined
  readonly maxFeePerGas?: string | number | undefined
  readonly maxPriorityFeePerGas?: string | number | undefined
  readonly value?: string | number | undefined
  readonly data?: string | undefined
  readonly input?: string | undefined
  readonly nonce?: string | number | undefined
  readonly chainId?: string | number | undefined
  readonly type?: string | number | undefined
  readonly accessList?: AccessList | undefined
  readonly authorizationList?:
    | readonly {
        readonly chainId: string | number
        readonly address: string
        readonly nonce: string | number
        readonly yParity: string | number
        readonly r: string | number
        readonly s: string | number
      }[]
    | undefined
  readonly maxFeePerBlobGas?: string | number | undefined
  readonly blobVersionedHashes?: readonly string[] | undefined
  readonly blobs?: readonly string[] | undefined
  readonly commitments?: readonly string[] | undefined
  readonly proofs?: readonly string[] | undefined
}

/** A log filter. */
export type LogRequest = {
  readonly fromBlock?: string | number | undefined
  readonly toBlock?: string | number | undefined
  readonly blockHash?: string | undefined
  readonly address?: string | readonly string[] | undefined
  readonly topics?: readonly (null | string | readonly (null | string)[])[] | undefined
}

/** A tracer and its settings. */
export type TraceRequest = {
  readonly tracer?: unknown
  readonly tracerConfig?: unknown
  readonly disableMemory?: unknown
  readonly disableStack?: unknown
  readonly disableStorage?: unknown
  readonly disableCode?: unknown
  readonly enableMemory?: unknown
  readonly enableReturnData?: unknown
  readonly limit?: unknown
  readonly onlyTopCall?: unknown
  readonly withLog?: unknown
  readonly diffMode?: unknown
  readonly includeEmpty?: unknown
  readonly includePrecompiles?: unknown
  readonly [name: string]: unknown
}

/** A tracer and its settings for a call, with overrides. */
export type CallTraceRequest = {
  readonly tracer?: unknown
  readonly tracerConfig?: unknown
  readonly disableMemory?: unknown
  readonly disableStack?: unknown
  readonly disableStorage?: unknown
  readonly disableCode?: unknown
  readonly enableMemory?: unknown
  readonly enableReturnData?: unknown
  readonly limit?: unknown
  readonly onlyTopCall?: unknown
  readonly withLog?: unknown
  readonly diffMode?: unknown
  readonly includeEmpty?: unknown
  readonly includePrecompiles?: unknown
  readonly stateOverrides?: unknown
  readonly blockOverrides?:
    | {
        readonly number?: string | number | undefined
        readonly time?: string | number | undefined
        readonly gasLimit?: string | number | undefined
        readonly feeRecipient?: string | undefined
        readonly prevRandao?: string | number | undefined
        readonly difficulty?: string | number | undefined
        readonly baseFeePerGas?: string | number | undefined
        readonly blobBaseFee?: string | number | undefined
        readonly coinbase?: string | undefined
        readonly blockHash?: unknown
        readonly beaconRoot?: unknown
        readonly withdrawals?: unknown
      }
    | undefined
}

/** Params of eth_simulateV1. */
export type SimulationRequest = {
  readonly blockStateCalls: readonly {
    readonly blockOverrides?:
      | {
          readonly number?: string | number | undefined
          readonly time?: string | number | undefined
          readonly gasLimit?: string | number | undefined
          readonly feeRecipient?: string | undefined
          readonly prevRandao?: string | number | undefined
          readonly difficulty?: string | number | undefined
          readonly baseFeePerGas?: string | number | undefined
          readonly blobBaseFee?: string | number | undefined
          readonly withdrawals?:
            | readonly {
                readonly index: string | number
                readonly validatorIndex: string | number
                readonly address: string
                readonly amount: string | number
              }[]
            | undefined
        }
      | undefined
    readonly stateOverrides?: unknown
    readonly calls?: readonly CallRequest[] | undefined
  }[]
  readonly traceTransfers?: boolean | undefined
  readonly validation?: boolean | undefined
  readonly returnFullTransactions?: boolean | undefined
}

/** An event. */
export type LogObject = {
  readonly removed: boolean
  readonly logIndex: string | null
  readonly transactionIndex: string | null
  readonly transactionHash: string | null
  readonly blockHash: string | null
  readonly blockNumber: string | null
  readonly blockTimestamp: string | null
  readonly address: string
  readonly data: string
  readonly topics: readonly string[]
}

/** A transaction. */
export type TransactionObject = {
  readonly hash: string
  readonly nonce: string
  readonly blockHash: string | null
  readonly blockNumber: string | null
  readonly blockTimestamp: string | null
  readonly transactionIndex: string | null
  readonly from: string
  readonly to: string | null
  readonly gas: string
  readonly gasPrice: string
  readonly value: string
  readonly input: string
  readonly v: string
  readonly r: string
  readonly s: string
  readonly type: string
  readonly chainId?: string | undefined
  readonly accessList?: AccessList | undefined
  readonly maxFeePerGas?: string | undefined
  readonly maxPriorityFeePerGas?: string | undefined
  readonly yParity?: string | undefined
  readonly authorizationList?:
    | readonly {
        readonly chainId: string
        readonly address: string
        readonly nonce: string
        readonly yParity: string
        readonly r: string
        readonly s: string
      }[]
    | undefined
  readonly maxFeePerBlobGas?: string | undefined
  readonly blobVersionedHashes?: readonly string[] | undefined
  readonly _id?: string | undefined
}

/** A signed transaction that was not sent. */
export type SignedTransactionObject = { readonly raw: string; readonly tx: TransactionObject }

/** The receipt of a transaction. */
export type ReceiptObject = {
  readonly transactionHash: string
  readonly transactionIndex: string
  readonly blockHash: string
  readonly blockNumber: string
  readonly cumulativeGasUsed: string
  readonly gasUsed: string
  readonly contractAddress: string | null
  readonly logs: readonly LogObject[]
  readonly from: string
  readonly to: string | null
  readonly status?: string | undefined
  readonly root?: string | undefined
  readonly logsBloom: string
  readonly type: string
  readonly effectiveGasPrice: string
  readonly blobGasUsed?: string | undefined
  readonly blobGasPrice?: string | undefined
}

/** A block. */
export type BlockObject = {
  readonly number: string
  readonly hash: string | null
  readonly parentHash: string
  readonly mixHash: string
  readonly nonce: string | null
  readonly sha3Uncles: string
  readonly logsBloom: string
  readonly transactionsRoot: string
  readonly stateRoot: string
  readonly receiptsRoot: string
  readonly miner: string
  readonly difficulty: string
  readonly totalDifficulty: string
  readonly extraData: string
  readonly size: string
  readonly gasLimit: string
  readonly gasUsed: string
  readonly timestamp: string
  readonly transactions: readonly (string | TransactionObject)[]
  readonly uncles: readonly string[]
  readonly minimumGasPrice?: string | undefined
  readonly auxMergedMiningHeader?: string | undefined
  readonly auxMergedMiningCoinbaseTransaction?: string | undefined
  readonly auxMergedMiningMerkleProof?: string | undefined
  readonly hashForMergedMining?: string | undefined
  readonly paidFees?: string | undefined
  readonly cumulativeDifficulty?: string | undefined
  readonly nodePteEdges?: readonly number[] | null | undefined
  readonly baseEvent?: string | null | undefined
  readonly baseFeePerGas?: string | undefined
  readonly withdrawals?:
    | readonly {
        readonly index: string
        readonly validatorIndex: string
        readonly address: string
        readonly amount: string
      }[]
    | undefined
  readonly withdrawalsRoot?: string | undefined
  readonly blobGasUsed?: string | undefined
  readonly excessBlobGas?: string | undefined
  readonly parentBeaconBlockRoot?: string | undefined
  readonly requestsHash?: string | undefined
}

/** A block of eth_simulateV1. */
export type SimulatedBlock = {
  readonly number: string
  readonly hash: string | null
  readonly parentHash: string
  readonly mixHash: string
  readonly nonce: string | null
  readonly sha3Uncles: string
  readonly logsBloom: string
  readonly transactionsRoot: string
  readonly stateRoot: string
  readonly receiptsRoot: string
  readonly miner: string
  readonly difficulty: string
  readonly totalDifficulty: string
  readonly extraData: string
  readonly size: string
  readonly gasLimit: string
  readonly gasUsed: string
  readonly timestamp: string
  readonly transactions: readonly (string | TransactionObject)[]
  readonly uncles: readonly string[]
  readonly minimumGasPrice?: string | undefined
  readonly auxMergedMiningHeader?: string | undefined
  readonly auxMergedMiningCoinbaseTransaction?: string | undefined
  readonly auxMergedMiningMerkleProof?: string | undefined
  readonly hashForMergedMining?: string | undefined
  readonly paidFees?: string | undefined
  readonly cumulativeDifficulty?: string | undefined
  readonly nodePteEdges?: readonly number[] | null | undefined
  readonly baseEvent?: string | null | undefined
  readonly baseFeePerGas?: string | undefined
  readonly withdrawals?:
    | readonly {
        readonly index: string
        readonly validatorIndex: string
        readonly address: string
        readonly amount: string
      }[]
    | undefined
  readonly withdrawalsRoot?: string | undefined
  readonly blobGasUsed?: string | undefined
  readonly excessBlobGas?: string | undefined
  readonly parentBeaconBlockRoot?: string | undefined
  readonly requestsHash?: string | undefined
  readonly calls: readonly {
    readonly returnData: string
    readonly logs: readonly LogObject[]
    readonly gasUsed: string
    readonly status: string
    readonly error?:
      | {
          readonly code: number
          readonly message: string
          readonly data?: string | undefined
          readonly solidityStack?:
            | readonly {
                readonly address: string
                readonly contract?: string | undefined
                readonly function?: string | undefined
                readonly file?: string | undefined
                readonly line?: number | undefined
                readonly column?: number | undefined
                readonly excerpt?: string | undefined
              }[]
            | undefined
        }
      | undefined
  }[]
}

/** An account and values of its storage slots with their proofs (EIP-1186). */
export type ProofObject = {
  readonly address: string
  readonly accountProof: readonly string[]
  readonly balance: string
  readonly codeHash: string
  readonly nonce: string
  readonly storageHash: string
  readonly storageProof: readonly {
    readonly key: string
    readonly value: string
    readonly proof: readonly string[]
  }[]
}

/** The result of a tracer. */
export type TraceResult =
  | {
      readonly structLogs: readonly {
        readonly pc: number
        readonly op: string
        readonly gas: number
        readonly gasCost: number
        readonly depth: number
        readonly stack?: readonly string[] | undefined
        readonly memory?: readonly string[] | undefined
        readonly returnData?: string | undefined
        readonly storage?: { readonly [name: string]: string } | undefined
        readonly refund?: number | undefined
        readonly error?: string | undefined
        readonly reason?: string | undefined
      }[]
      readonly gas: number
      readonly failed: boolean
      readonly returnValue: string
    }
  | {
      readonly initStorage: { readonly [name: string]: string }
      readonly structLogs: readonly {
        readonly op: string | null
        readonly depth: number
        readonly pc: number
        readonly gas: number
        readonly gasCost: number
        readonly memory?: readonly string[] | undefined
        readonly stack?: readonly string[] | undefined
        readonly storage?: { readonly [name: string]: string } | undefined
      }[]
      readonly contractAddress: string
      readonly result: string
      readonly error: string
      readonly reverted: boolean
      readonly storageSize: number
      readonly currentStorage: { readonly [name: string]: string }
    }
  | CallTrace
  | readonly {
      readonly action:
        | {
            readonly callType: 'call' | 'callcode' | 'delegatecall' | 'staticcall'
            readonly from: string
            readonly to: string
            readonly gas: string
            readonly input: string
            readonly value: string
          }
        | {
            readonly from: string
            readonly gas: string
            readonly init: string
            readonly creationMethod?: 'create' | 'create2' | undefined
            readonly value: string
          }
        | { readonly address: string; readonly refundAddress: string; readonly balance: string }
      readonly transactionHash?: string | undefined
      readonly type: 'call' | 'create' | 'suicide'
      readonly subtraces: number
      readonly traceAddress: readonly number[]
      readonly result:
        | { readonly gasUsed: string; readonly output: string }
        | { readonly gasUsed: string; readonly code: string; readonly address: string }
        | null
      readonly error?: string | undefined
    }[]
  | {
      readonly pre: {
        readonly [name: string]: {
          readonly balance?: string | undefined
          readonly nonce?: number | undefined
          readonly code?: string | undefined
          readonly storage?: { readonly [name: string]: string } | undefined
        }
      }
      readonly post: {
        readonly [name: string]: {
          readonly balance?: string | undefined
          readonly nonce?: number | undefined
          readonly code?: string | undefined
          readonly storage?: { readonly [name: string]: string } | undefined
        }
      }
    }
  | {
      readonly [name: string]: {
        readonly balance?: string | undefined
        readonly nonce?: number | undefined
        readonly code?: string | undefined
        readonly storage?: { readonly [name: string]: string } | undefined
      }
    }
  | { readonly [name: string]: number }
  | { readonly [name: string]: unknown }

/** A call of a flat list. */
export type FlatTrace = {
  readonly action:
    | {
        readonly callType: 'call' | 'callcode' | 'delegatecall' | 'staticcall'
        readonly from: string
        readonly to: string
        readonly gas: string
        readonly input: string
        readonly value: string
      }
    | {
        readonly from: string
        readonly gas: string
        readonly init: string
        readonly creationMethod?: 'create' | 'create2' | undefined
        readonly value: string
      }
    | { readonly address: string; readonly refundAddress: string; readonly balance: string }
  readonly blockHash: string
  readonly blockNumber: number
  readonly transactionHash: string
  readonly transactionPosition: number
  readonly type: 'call' | 'create' | 'suicide'
  readonly subtraces: number
  readonly traceAddress: readonly number[]
  readonly result:
    | { readonly gasUsed: string; readonly output: string }
    | { readonly gasUsed: string; readonly code: string; readonly address: string }
    | null
  readonly error?: string | undefined
}

export type CallTrace = {
  readonly from: string
  readonly gas: string
  readonly gasUsed: string
  readonly to?: string | undefined
  readonly input: string
  readonly output?: string | undefined
  readonly error?: string | undefined
  readonly revertReason?: string | undefined
  readonly calls?: readonly CallTrace[] | undefined
  readonly logs?:
    | readonly {
        readonly address: string
        readonly topics: readonly string[]
        readonly data: string
        readonly index: string
        readonly position: string
      }[]
    | undefined
  readonly value?: string | undefined
  readonly type: string
}

export type ExplainedCall = {
  readonly kind: string
  readonly from: string
  readonly to: string
  readonly contract?: string | undefined
  readonly implementation?: string | undefined
  readonly function?: string | undefined
  readonly arguments?: readonly NamedValue[] | undefined
  readonly results?: readonly NamedValue[] | undefined
  readonly input: string
  readonly output: string
  readonly value: string
  readonly gas: string
  readonly gasUsed: string
  readonly status: 'success' | 'reverted' | 'failed'
  readonly reason?: { readonly kind: string; readonly message: string } | undefined
  readonly isCaught?: true | undefined
  readonly omittedSteps?: number | undefined
  readonly steps: readonly (
    | { readonly call: ExplainedCall }
    | {
        readonly event: {
          readonly address: string
          readonly event?: string | undefined
          readonly values?: readonly NamedValue[] | undefined
          readonly topics: readonly string[]
          readonly data: string
        }
      }
    | { readonly console: string }
  )[]
}

export type NamedValue = { readonly name: string; readonly type: string; readonly value: DecodedValue }

export type DecodedValue = string | boolean | readonly (DecodedValue | NamedValue)[]

/** The params of every method, by position and by name, and its result. */

export interface RpcMethods {
  /** Adds to the balance of an account. The newest block keeps its header and hash; reads of its state and later blocks see the change. */
  readonly anvil_addBalance: {
    readonly params: readonly [address: string, amount: string | number]
    readonly named: { readonly address: string; readonly amount: string | number }
    readonly result: boolean | null
  }
  readonly hardhat_addBalance: RpcMethods['anvil_addBalance']
  readonly tenderly_addBalance: RpcMethods['anvil_addBalance']
  /** Lets every account send without a key, or only those that were named. */
  readonly anvil_autoImpersonateAccount: {
    readonly params: readonly [isEnabled: boolean]
    readonly named: { readonly isEnabled: boolean }
    readonly result: boolean | null
  }
  readonly hardhat_autoImpersonateAccount: RpcMethods['anvil_autoImpersonateAccount']
  /** Sets the token balance of an account (ERC-20). The total supply does not change, and no event is logged. */
  readonly anvil_dealERC20: {
    readonly params: readonly [address: string, token: string, balance: string | number]
    readonly named: { readonly address: string; readonly token: string; readonly balance: string | number }
    readonly result: null
  }
  readonly hardhat_dealERC20: RpcMethods['anvil_dealERC20']
  readonly anvil_setERC20Balance: RpcMethods['anvil_dealERC20']
  /** Removes every transaction from the mempool. */
  readonly anvil_dropAllTransactions: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: null
  }
  readonly hardhat_dropAllTransactions: RpcMethods['anvil_dropAllTransactions']
  readonly debug_clearTxpool: RpcMethods['anvil_dropAllTransactions']
  /** As hardhat_dropTransaction; returns the hash, or null if the transaction is not pooled. */
  readonly anvil_dropTransaction: {
    readonly params: readonly [hash: string]
    readonly named: { readonly hash: string }
    readonly result: string | null
  }
  /** The blob with a versioned hash, of a transaction in a block or in the pool, or null. */
  readonly anvil_getBlobByHash: {
    readonly params: readonly [versionedHash: string]
    readonly named: { readonly versionedHash: string }
    readonly result: string | null
  }
  /** The blobs of a transaction in a block or in the pool; null if the transaction is unknown, has no blobs, or has blobs that were dropped, because the node keeps the newest 1024. */
  readonly anvil_getBlobsByTransactionHash: {
    readonly params: readonly [hash: string]
    readonly named: { readonly hash: string }
    readonly result: readonly string[] | null
  }
  /** Time of the genesis, in seconds since the epoch. */
  readonly anvil_getGenesisTime: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: number
  }
  /** Seconds between blocks; null without interval mining. */
  readonly anvil_getIntervalMining: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: number | null
  }
  /** Makes ecrecover return an account for a signature of any hash. It holds from the state after the newest block on, so that a revert or a reset undoes it. */
  readonly anvil_impersonateSignature: {
    readonly params: readonly [
      signature: string | readonly [string, string],
      address?: string | null | undefined,
    ]
    readonly named: {
      readonly signature: string | readonly [string, string]
      readonly address?: string | null | undefined
    }
    readonly result: null
  }
  /** As hardhat_metadata; with the number and hash of the block of every snapshot. */
  readonly anvil_metadata: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: {
      readonly clientVersion: string
      readonly chainId: number
      readonly instanceId: string
      readonly latestBlockNumber: number
      readonly latestBlockHash: string
      readonly forkedNetwork: {
        readonly chainId: number
        readonly forkBlockNumber: number
        readonly forkBlockHash: string
      } | null
      readonly snapshots: { readonly [name: string]: readonly [number, string] }
    }
  }
  /** What Foundry and Hardhat ask of Anvil: the newest block and what the next one starts from. */
  readonly anvil_nodeInfo: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: {
      readonly currentBlockNumber: string
      readonly currentBlockTimestamp: number
      readonly currentBlockHash: string
      readonly hardFork: string
      readonly transactionOrder: string
      readonly environment: {
        readonly baseFee: string
        readonly chainId: number
        readonly gasLimit: string
        readonly gasPrice: string
      }
      readonly forkConfig: {
        readonly forkUrl: string | null
        readonly forkBlockNumber: number | null
        readonly forkRetryBackoff: number | null
      }
    }
  }
  /** Lets blocks use the time of the clock again; false if they already did. */
  readonly anvil_removeBlockTimestampInterval: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: boolean
  }
  readonly hardhat_removeBlockTimestampInterval: RpcMethods['anvil_removeBlockTimestampInterval']
  readonly ganache_removeBlockTimestampInterval: RpcMethods['anvil_removeBlockTimestampInterval']
  /** Removes every transaction of a sender from the mempool. */
  readonly anvil_removePoolTransactions: {
    readonly params: readonly [address: string]
    readonly named: { readonly address: string }
    readonly result: null
  }
  /** Replaces the newest blocks by as many others, empty or with the given transactions. Transactions of the old blocks are not pooled again. */
  readonly anvil_reorg: {
    readonly params: readonly [
      depth:
        | string
        | number
        | {
            readonly depth: string | number
            readonly tx_block_pairs?:
              readonly (readonly [string | CallRequest, string | number])[] | undefined
          },
      tx_block_pairs?: readonly (readonly [string | CallRequest, string | number])[] | null | undefined,
    ]
    readonly named: {
      readonly depth:
        | string
        | number
        | {
            readonly depth: string | number
            readonly tx_block_pairs?:
              readonly (readonly [string | CallRequest, string | number])[] | undefined
          }
      readonly tx_block_pairs?:
        readonly (readonly [string | CallRequest, string | number])[] | null | undefined
    }
    readonly result: null
  }
  /** Removes the newest blocks. Their transactions are not pooled again, and the time does not go back. */
  readonly anvil_rollback: {
    readonly params: readonly [depth?: string | number | null | undefined]
    readonly named: { readonly depth?: string | number | null | undefined }
    readonly result: null
  }
  /** Sets the time between every later block and its parent. */
  readonly anvil_setBlockTimestampInterval: {
    readonly params: readonly [seconds: string | number]
    readonly named: { readonly seconds: string | number }
    readonly result: null
  }
  readonly ganache_setBlockTimestampInterval: RpcMethods['anvil_setBlockTimestampInterval']
  /** Sets the chain id for later transactions. Pooled transactions with another chain id are dropped; existing blocks do not change. */
  readonly anvil_setChainId: {
    readonly params: readonly [chainId: string | number]
    readonly named: { readonly chainId: string | number }
    readonly result: null
  }
  /** Sets the token allowance of a spender (ERC-20). No event is logged. */
  readonly anvil_setERC20Allowance: {
    readonly params: readonly [owner: string, spender: string, token: string, amount: string | number]
    readonly named: {
      readonly owner: string
      readonly spender: string
      readonly token: string
      readonly amount: string | number
    }
    readonly result: null
  }
  /** As evm_setIntervalMining in Anvil: in seconds, in every dialect. */
  readonly anvil_setIntervalMining: {
    readonly params: readonly [seconds: string | number]
    readonly named: { readonly seconds: string | number }
    readonly result: null
  }
  /** Sets the nonce of an account, which may go down. The newest block keeps its header and hash; reads of its state and later blocks see the change. */
  readonly anvil_setNonce: {
    readonly params: readonly [address: string, nonce: string | number]
    readonly named: { readonly address: string; readonly nonce: string | number }
    readonly result: boolean | null
  }
  readonly ganache_setNonce: RpcMethods['anvil_setNonce']
  readonly evm_setAccountNonce: RpcMethods['anvil_setNonce']
  /** Refused: the remote of a fork is not changed. hardhat_reset continues another remote. */
  readonly anvil_setRpcUrl: {
    readonly params: readonly [url: string]
    readonly named: { readonly url: string }
    readonly result: null
  }
  readonly hardhat_setRpcUrl: RpcMethods['anvil_setRpcUrl']
  readonly ganache_setRpcUrl: RpcMethods['anvil_setRpcUrl']
  /** Gas that an account could still send at once to a mempool with a gas quota per sender, as of its last transaction; null if it has sent none. Computed from the chain and the mempool; this node enforces no quota. */
  readonly debug_accountTransactionQuota: {
    readonly params: readonly [address: string]
    readonly named: { readonly address: string }
    readonly result: { readonly timestamp: number; readonly availableVirtualGas: number } | null
  }
  /** The code with a hash, if an account has it after a block, or null. Searches every account. */
  readonly debug_codeByHash: {
    readonly params: readonly [hash: string, block?: BlockReference | null | undefined]
    readonly named: { readonly hash: string; readonly block?: BlockReference | null | undefined }
    readonly result: string | null
  }
  /** Blocks that were refused as invalid: always none, as the submission of an invalid block is an error. */
  readonly debug_getBadBlocks: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: readonly { readonly block: BlockObject; readonly hash: string; readonly rlp: string }[]
  }
  /** The RLP of a block: header, transactions, uncles and, where there are any, withdrawals. */
  readonly debug_getRawBlock: {
    readonly params: readonly [block: BlockReference]
    readonly named: { readonly block: BlockReference }
    readonly result: string
  }
  /** The RLP of the header of a block. Its hash is that of the block on Ethereum networks; on merged-mining networks that is the hash of a shorter encoding. */
  readonly debug_getRawHeader: {
    readonly params: readonly [block: BlockReference]
    readonly named: { readonly block: BlockReference }
    readonly result: string
  }
  /** The receipts of a block, each as it stands in the receipt trie of the block. */
  readonly debug_getRawReceipts: {
    readonly params: readonly [block: BlockReference]
    readonly named: { readonly block: BlockReference }
    readonly result: readonly string[]
  }
  /** The signed bytes of a mined or pooled transaction, or null. While a blob transaction is pooled its blobs are among them. */
  readonly debug_getRawTransaction: {
    readonly params: readonly [hash: string]
    readonly named: { readonly hash: string }
    readonly result: string | null
  }
  readonly eth_getRawTransactionByHash: RpcMethods['debug_getRawTransaction']
  /** The signed bytes of the transactions of a block. */
  readonly debug_getRawTransactions: {
    readonly params: readonly [block: BlockReference]
    readonly named: { readonly block: BlockReference }
    readonly result: readonly string[]
  }
  /** Storage of a contract before a transaction of a block, ordered by the hashes of the slots. */
  readonly debug_storageRangeAt: {
    readonly params: readonly [
      block: string | number,
      txIndex: string | number,
      address: string,
      startKey: string,
      limit: string | number,
    ]
    readonly named: {
      readonly block: string | number
      readonly txIndex: string | number
      readonly address: string
      readonly startKey: string
      readonly limit: string | number
    }
    readonly result: {
      readonly storage: { readonly [name: string]: { readonly key: string; readonly value: string } }
      readonly nextKey: string | null
    }
  }
  /** The traces of every transaction of a block; null when it is unknown. */
  readonly debug_traceBlockByHash: {
    readonly params: readonly [blockHash: string, options?: TraceRequest | null | undefined]
    readonly named: { readonly blockHash: string; readonly options?: TraceRequest | null | undefined }
    readonly result: readonly { readonly txHash: string; readonly result: TraceResult }[] | null
  }
  /** The traces of every transaction of a block; null when it is unknown. */
  readonly debug_traceBlockByNumber: {
    readonly params: readonly [block: string | number, options?: TraceRequest | null | undefined]
    readonly named: { readonly block: string | number; readonly options?: TraceRequest | null | undefined }
    readonly result: readonly { readonly txHash: string; readonly result: TraceResult }[] | null
  }
  /** Trace of a call, which is not sent. */
  readonly debug_traceCall: {
    readonly params: readonly [
      transaction: CallRequest,
      block?: BlockReference | null | undefined,
      options?: CallTraceRequest | null | undefined,
    ]
    readonly named: {
      readonly transaction: CallRequest
      readonly block?: BlockReference | null | undefined
      readonly options?: CallTraceRequest | null | undefined
    }
    readonly result: TraceResult
  }
  /** Trace of a mined transaction, step by step or by a tracer; null if the transaction is unknown. */
  readonly debug_traceTransaction: {
    readonly params: readonly [hash: string, options?: TraceRequest | null | undefined]
    readonly named: { readonly hash: string; readonly options?: TraceRequest | null | undefined }
    readonly result: TraceResult | null
  }
  /** Number of queued messages of peers: always 0, as the node has no peers. */
  readonly debug_wireProtocolQueueSize: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: string
  }
  /** Adds a withdrawal to the next block, which credits gwei to an account, if blocks have withdrawals. The param is that of geth in developer mode; unlike geth no block is mined. */
  readonly dev_addWithdrawal: {
    readonly params: readonly [
      withdrawal: {
        readonly index: string | number
        readonly validatorIndex: string | number
        readonly address: string
        readonly amount: string | number
      },
    ]
    readonly named: {
      readonly withdrawal: {
        readonly index: string | number
        readonly validatorIndex: string | number
        readonly address: string
        readonly amount: string | number
      }
    }
    readonly result: null
  }
  /** Addresses of the accounts of this node, including locked ones and those of evm_addAccount, which have no key. */
  readonly eth_accounts: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: readonly string[]
  }
  readonly eth_requestAccounts: RpcMethods['eth_accounts']
  /** Base fee per gas in wei of the next block; zero if the network has none. */
  readonly eth_baseFee: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: string
  }
  /** Price of blob gas in wei in the next block; zero if blocks have no blobs. */
  readonly eth_blobBaseFee: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: string
  }
  /** Number of the newest block. */
  readonly eth_blockNumber: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: string
  }
  /** Height of the auxiliary chain in the Bridge, and hashes, without 0x, of the transactions whose peg-outs need signatures. */
  readonly eth_bridgeState: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: {
      readonly auxBlockchainBestChainHeight: number
      readonly nodeTxsWaitingForSignatures: readonly string[]
    }
  }
  /** Executes a call on the state after a block and returns its return data. */
  readonly eth_call: {
    readonly params: readonly [
      transaction: CallRequest,
      block?: BlockReference | null | undefined,
      overrides?: unknown,
      blockOverrides?:
        | {
            readonly number?: string | number | undefined
            readonly time?: string | number | undefined
            readonly gasLimit?: string | number | undefined
            readonly feeRecipient?: string | undefined
            readonly prevRandao?: string | number | undefined
            readonly difficulty?: string | number | undefined
            readonly baseFeePerGas?: string | number | undefined
            readonly blobBaseFee?: string | number | undefined
            readonly coinbase?: string | undefined
            readonly blockHash?: unknown
            readonly beaconRoot?: unknown
            readonly withdrawals?: unknown
          }
        | null
        | undefined,
    ]
    readonly named: {
      readonly transaction: CallRequest
      readonly block?: BlockReference | null | undefined
      readonly overrides?: unknown
      readonly blockOverrides?:
        | {
            readonly number?: string | number | undefined
            readonly time?: string | number | undefined
            readonly gasLimit?: string | number | undefined
            readonly feeRecipient?: string | undefined
            readonly prevRandao?: string | number | undefined
            readonly difficulty?: string | number | undefined
            readonly baseFeePerGas?: string | number | undefined
            readonly blobBaseFee?: string | number | undefined
            readonly coinbase?: string | undefined
            readonly blockHash?: unknown
            readonly beaconRoot?: unknown
            readonly withdrawals?: unknown
          }
        | null
        | undefined
    }
    readonly result: string
  }
  /** Runs bundles of calls. Each call sees the changes of the calls before it. Returns the return data or the failure of each. The first bundle runs in the block itself, each later one a block and 12 seconds later. */
  readonly eth_callMany: {
    readonly params: readonly [
      bundles: readonly {
        readonly transactions: readonly CallRequest[]
        readonly blockOverride?:
          | {
              readonly number?: string | number | undefined
              readonly time?: string | number | undefined
              readonly gasLimit?: string | number | undefined
              readonly feeRecipient?: string | undefined
              readonly prevRandao?: string | number | undefined
              readonly difficulty?: string | number | undefined
              readonly baseFeePerGas?: string | number | undefined
              readonly blobBaseFee?: string | number | undefined
              readonly coinbase?: string | undefined
              readonly blockHash?: unknown
              readonly beaconRoot?: unknown
              readonly withdrawals?: unknown
            }
          | undefined
      }[],
      stateContext?:
        | {
            readonly blockNumber?: BlockReference | undefined
            readonly transactionIndex?: -1 | string | number | undefined
          }
        | null
        | undefined,
      stateOverride?: unknown,
    ]
    readonly named: {
      readonly bundles: readonly {
        readonly transactions: readonly CallRequest[]
        readonly blockOverride?:
          | {
              readonly number?: string | number | undefined
              readonly time?: string | number | undefined
              readonly gasLimit?: string | number | undefined
              readonly feeRecipient?: string | undefined
              readonly prevRandao?: string | number | undefined
              readonly difficulty?: string | number | undefined
              readonly baseFeePerGas?: string | number | undefined
              readonly blobBaseFee?: string | number | undefined
              readonly coinbase?: string | undefined
              readonly blockHash?: unknown
              readonly beaconRoot?: unknown
              readonly withdrawals?: unknown
            }
          | undefined
      }[]
      readonly stateContext?:
        | {
            readonly blockNumber?: BlockReference | undefined
            readonly transactionIndex?: -1 | string | number | undefined
          }
        | null
        | undefined
      readonly stateOverride?: unknown
    }
    readonly result: readonly (readonly (
      | { readonly value: string }
      | {
          readonly error: string
          readonly solidityStack?:
            | readonly {
                readonly address: string
                readonly contract?: string | undefined
                readonly function?: string | undefined
                readonly file?: string | undefined
                readonly line?: number | undefined
                readonly column?: number | undefined
                readonly excerpt?: string | undefined
              }[]
            | undefined
        }
    )[])[]
  }
  /** The first block of each kind of data that this node has (execution-apis): block 0 for all, as nothing is deleted. */
  readonly eth_capabilities: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: {
      readonly head: { readonly number: string; readonly hash: string }
      readonly state: { readonly disabled: boolean; readonly oldestBlock: string }
      readonly tx: { readonly disabled: boolean; readonly oldestBlock: string }
      readonly logs: { readonly disabled: boolean; readonly oldestBlock: string }
      readonly receipts: { readonly disabled: boolean; readonly oldestBlock: string }
      readonly blocks: { readonly disabled: boolean; readonly oldestBlock: string }
      readonly stateproofs: { readonly disabled: boolean; readonly oldestBlock: string }
    }
  }
  /** Chain id that transactions are signed for. */
  readonly eth_chainId: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: string
  }
  /** Coinbase of the next block. */
  readonly eth_coinbase: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: string
  }
  /** The configuration of the hard fork (EIP-7910), which is active from block 0 on. `next` and `last` are null, as no fork follows. */
  readonly eth_config: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: {
      readonly current: {
        readonly activationTime: number
        readonly blobSchedule: {
          readonly baseFeeUpdateFraction: number
          readonly max: number
          readonly target: number
        } | null
        readonly chainId: string
        readonly forkId: string
        readonly precompiles: { readonly [name: string]: string }
        readonly systemContracts: { readonly [name: string]: string }
      }
      readonly next: null
      readonly last: null
    }
  }
  /** The accounts and slots that a transaction accesses, and the gas it uses with that list (EIP-2930). Slots of the called contract are in the list, although fewer than 24 of them save no gas. */
  readonly eth_createAccessList: {
    readonly params: readonly [
      transaction: CallRequest,
      block?: BlockReference | null | undefined,
      overrides?: unknown,
    ]
    readonly named: {
      readonly transaction: CallRequest
      readonly block?: BlockReference | null | undefined
      readonly overrides?: unknown
    }
    readonly result: {
      readonly accessList: AccessList
      readonly gasUsed: string
      readonly error?: string | undefined
      readonly solidityStack?:
        | readonly {
            readonly address: string
            readonly contract?: string | undefined
            readonly function?: string | undefined
            readonly file?: string | undefined
            readonly line?: number | undefined
            readonly column?: number | undefined
            readonly excerpt?: string | undefined
          }[]
        | undefined
    }
  }
  /** The minimum gas with which a transaction succeeds. A revert gives the error of eth_call, with its data; any other failure is -32000. */
  readonly eth_estimateGas: {
    readonly params: readonly [
      transaction: CallRequest,
      block?: BlockReference | null | undefined,
      overrides?: unknown,
      blockOverrides?:
        | {
            readonly number?: string | number | undefined
            readonly time?: string | number | undefined
            readonly gasLimit?: string | number | undefined
            readonly feeRecipient?: string | undefined
            readonly prevRandao?: string | number | undefined
            readonly difficulty?: string | number | undefined
            readonly baseFeePerGas?: string | number | undefined
            readonly blobBaseFee?: string | number | undefined
            readonly coinbase?: string | undefined
            readonly blockHash?: unknown
            readonly beaconRoot?: unknown
            readonly withdrawals?: unknown
          }
        | null
        | undefined,
    ]
    readonly named: {
      readonly transaction: CallRequest
      readonly block?: BlockReference | null | undefined
      readonly overrides?: unknown
      readonly blockOverrides?:
        | {
            readonly number?: string | number | undefined
            readonly time?: string | number | undefined
            readonly gasLimit?: string | number | undefined
            readonly feeRecipient?: string | undefined
            readonly prevRandao?: string | number | undefined
            readonly difficulty?: string | number | undefined
            readonly baseFeePerGas?: string | number | undefined
            readonly blobBaseFee?: string | number | undefined
            readonly coinbase?: string | undefined
            readonly blockHash?: unknown
            readonly beaconRoot?: unknown
            readonly withdrawals?: unknown
          }
        | null
        | undefined
    }
    readonly result: string
  }
  /** Base fees, gas use and tips of up to 1024 blocks, oldest first. The last base fee is that of the block after them. */
  readonly eth_feeHistory: {
    readonly params: readonly [
      blockCount: string | number,
      newestBlock: string | number,
      percentiles?: readonly number[] | null | undefined,
    ]
    readonly named: {
      readonly blockCount: string | number
      readonly newestBlock: string | number
      readonly percentiles?: readonly number[] | null | undefined
    }
    readonly result: {
      readonly oldestBlock: string
      readonly baseFeePerGas: readonly string[]
      readonly gasUsedRatio: readonly number[]
      readonly baseFeePerBlobGas: readonly string[]
      readonly blobGasUsedRatio: readonly number[]
      readonly reward?: readonly (readonly string[])[] | undefined
    }
  }
  /** Fills in what a transaction leaves out: nonce, fees, type, and the gas it is estimated to need. Nothing is signed. */
  readonly eth_fillTransaction: {
    readonly params: readonly [transaction: CallRequest]
    readonly named: { readonly transaction: CallRequest }
    readonly result: SignedTransactionObject
  }
  /** Price per gas in wei that is enough to be mined: a tenth above the minimum gas price, or the base fee plus the default tip. */
  readonly eth_gasPrice: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: string
  }
  /** An account as the state trie has it: nonce, balance, storage root and code hash. */
  readonly eth_getAccount: {
    readonly params: readonly [address: string, block?: BlockReference | null | undefined]
    readonly named: { readonly address: string; readonly block?: BlockReference | null | undefined }
    readonly result: {
      readonly nonce: string
      readonly balance: string
      readonly storageRoot: string
      readonly codeHash: string
    }
  }
  /** Balance, nonce and code of an account in one result. */
  readonly eth_getAccountInfo: {
    readonly params: readonly [address: string, block?: BlockReference | null | undefined]
    readonly named: { readonly address: string; readonly block?: BlockReference | null | undefined }
    readonly result: { readonly balance: string; readonly nonce: string; readonly code: string }
  }
  /** Balance of an account, in wei. */
  readonly eth_getBalance: {
    readonly params: readonly [address: string, block?: BlockReference | null | undefined]
    readonly named: { readonly address: string; readonly block?: BlockReference | null | undefined }
    readonly result: string
  }
  /** The block with a hash, or null. */
  readonly eth_getBlockByHash: {
    readonly params: readonly [hash: string, full?: boolean | null | undefined]
    readonly named: { readonly hash: string; readonly full?: boolean | null | undefined }
    readonly result: BlockObject | null
  }
  /** The block with a number or tag, or null. `pending` is the block that would be mined now; it has no hash, and in dialect node33 no nonce. */
  readonly eth_getBlockByNumber: {
    readonly params: readonly [block: string | number, full?: boolean | null | undefined]
    readonly named: { readonly block: string | number; readonly full?: boolean | null | undefined }
    readonly result: BlockObject | null
  }
  /** The receipts of a block, or null. A pending block has none yet. */
  readonly eth_getBlockReceipts: {
    readonly params: readonly [block: BlockReference]
    readonly named: { readonly block: BlockReference }
    readonly result: readonly ReceiptObject[] | null
  }
  /** Number of transactions in the block with a hash, or null. */
  readonly eth_getBlockTransactionCountByHash: {
    readonly params: readonly [hash: string]
    readonly named: { readonly hash: string }
    readonly result: string | null
  }
  /** Number of transactions in the block with a number or tag. */
  readonly eth_getBlockTransactionCountByNumber: {
    readonly params: readonly [block: string | number]
    readonly named: { readonly block: string | number }
    readonly result: string
  }
  /** Every known block at a height. A block that evm_revert removed is unknown. */
  readonly eth_getBlocksByNumber: {
    readonly params: readonly [number: string | number]
    readonly named: { readonly number: string | number }
    readonly result: readonly {
      readonly hash: string
      readonly totalDifficulty: string
      readonly inMainChain: boolean
    }[]
  }
  /** Code of an account; 0x if it has none. */
  readonly eth_getCode: {
    readonly params: readonly [address: string, block?: BlockReference | null | undefined]
    readonly named: { readonly address: string; readonly block?: BlockReference | null | undefined }
    readonly result: string
  }
  /** Hashes or logs that a filter collected since the last poll. A log that a revert removed is returned again with `removed: true`. Each log of the pending block is returned once, and again when it is mined if the filter includes mined logs. */
  readonly eth_getFilterChanges: {
    readonly params: readonly [id: string | number]
    readonly named: { readonly id: string | number }
    readonly result: readonly (string | LogObject)[]
  }
  /** Every log that an installed log filter matches, from its lower bound or its creation on, with those of the pending block if the filter includes them. */
  readonly eth_getFilterLogs: {
    readonly params: readonly [id: string | number]
    readonly named: { readonly id: string | number }
    readonly result: readonly LogObject[]
  }
  /** The header of the block with a hash, or null. */
  readonly eth_getHeaderByHash: {
    readonly params: readonly [hash: string]
    readonly named: { readonly hash: string }
    readonly result: {
      readonly number: string
      readonly hash: string | null
      readonly parentHash: string
      readonly mixHash: string
      readonly nonce: string | null
      readonly sha3Uncles: string
      readonly logsBloom: string
      readonly transactionsRoot: string
      readonly stateRoot: string
      readonly receiptsRoot: string
      readonly miner: string
      readonly difficulty: string
      readonly totalDifficulty: string
      readonly extraData: string
      readonly gasLimit: string
      readonly gasUsed: string
      readonly timestamp: string
      readonly minimumGasPrice?: string | undefined
      readonly auxMergedMiningHeader?: string | undefined
      readonly auxMergedMiningCoinbaseTransaction?: string | undefined
      readonly auxMergedMiningMerkleProof?: string | undefined
      readonly hashForMergedMining?: string | undefined
      readonly paidFees?: string | undefined
      readonly cumulativeDifficulty?: string | undefined
      readonly nodePteEdges?: readonly number[] | null | undefined
      readonly baseEvent?: string | null | undefined
      readonly baseFeePerGas?: string | undefined
      readonly withdrawalsRoot?: string | undefined
      readonly blobGasUsed?: string | undefined
      readonly excessBlobGas?: string | undefined
      readonly parentBeaconBlockRoot?: string | undefined
      readonly requestsHash?: string | undefined
    } | null
  }
  /** The header of the block with a number or tag, or null. */
  readonly eth_getHeaderByNumber: {
    readonly params: readonly [block: string | number]
    readonly named: { readonly block: string | number }
    readonly result: {
      readonly number: string
      readonly hash: string | null
      readonly parentHash: string
      readonly mixHash: string
      readonly nonce: string | null
      readonly sha3Uncles: string
      readonly logsBloom: string
      readonly transactionsRoot: string
      readonly stateRoot: string
      readonly receiptsRoot: string
      readonly miner: string
      readonly difficulty: string
      readonly totalDifficulty: string
      readonly extraData: string
      readonly gasLimit: string
      readonly gasUsed: string
      readonly timestamp: string
      readonly minimumGasPrice?: string | undefined
      readonly auxMergedMiningHeader?: string | undefined
      readonly auxMergedMiningCoinbaseTransaction?: string | undefined
      readonly auxMergedMiningMerkleProof?: string | undefined
      readonly hashForMergedMining?: string | undefined
      readonly paidFees?: string | undefined
      readonly cumulativeDifficulty?: string | undefined
      readonly nodePteEdges?: readonly number[] | null | undefined
      readonly baseEvent?: string | null | undefined
      readonly baseFeePerGas?: string | undefined
      readonly withdrawalsRoot?: string | undefined
      readonly blobGasUsed?: string | undefined
      readonly excessBlobGas?: string | undefined
      readonly parentBeaconBlockRoot?: string | undefined
      readonly requestsHash?: string | undefined
    } | null
  }
  readonly erigon_getHeaderByNumber: RpcMethods['eth_getHeaderByNumber']
  readonly ots_getHeaderByNumber: RpcMethods['eth_getHeaderByNumber']
  /** Logs that match a filter, oldest first; none for an unknown blockHash or a range that ends before it begins. Without bounds those of the newest block. With `pending` as the end, those of the pending block follow; in dialect node33 their block and index are null. */
  readonly eth_getLogs: {
    readonly params: readonly [filter: LogRequest]
    readonly named: { readonly filter: LogRequest }
    readonly result: readonly LogObject[]
  }
  /** An account and values of its storage slots with their Merkle proofs (EIP-1186). The proofs begin at the root of the Merkle Patricia trie, which is the stateRoot of the block unless the preset sets stateTrie "binary". */
  readonly eth_getProof: {
    readonly params: readonly [
      address: string,
      storageKeys: readonly (string | number)[],
      block?: BlockReference | null | undefined,
    ]
    readonly named: {
      readonly address: string
      readonly storageKeys: readonly (string | number)[]
      readonly block?: BlockReference | null | undefined
    }
    readonly result: ProofObject
  }
  /** The signed bytes of a transaction by its position in the block with a hash, or null. */
  readonly eth_getRawTransactionByBlockHashAndIndex: {
    readonly params: readonly [blockHash: string, index: string | number]
    readonly named: { readonly blockHash: string; readonly index: string | number }
    readonly result: string | null
  }
  /** The signed bytes of a transaction by its position in the block with a number or tag, or null. */
  readonly eth_getRawTransactionByBlockNumberAndIndex: {
    readonly params: readonly [block: string | number, index: string | number]
    readonly named: { readonly block: string | number; readonly index: string | number }
    readonly result: string | null
  }
  /** The value of a storage slot of a contract; zero if nothing was stored. */
  readonly eth_getStorageAt: {
    readonly params: readonly [
      address: string,
      position: string | number,
      block?: BlockReference | null | undefined,
    ]
    readonly named: {
      readonly address: string
      readonly position: string | number
      readonly block?: BlockReference | null | undefined
    }
    readonly result: string
  }
  /** Values of storage slots of several contracts in one result: a list for each address, in the order of the slots. */
  readonly eth_getStorageValues: {
    readonly params: readonly [slots: unknown, block?: BlockReference | null | undefined]
    readonly named: { readonly slots: unknown; readonly block?: BlockReference | null | undefined }
    readonly result: { readonly [name: string]: readonly string[] }
  }
  /** A transaction by its position in the block with a hash, or null. */
  readonly eth_getTransactionByBlockHashAndIndex: {
    readonly params: readonly [blockHash: string, index: string | number]
    readonly named: { readonly blockHash: string; readonly index: string | number }
    readonly result: TransactionObject | null
  }
  /** A transaction by its position in the block with a number or tag, or null. */
  readonly eth_getTransactionByBlockNumberAndIndex: {
    readonly params: readonly [block: string | number, index: string | number]
    readonly named: { readonly block: string | number; readonly index: string | number }
    readonly result: TransactionObject | null
  }
  /** A mined or pooled transaction, or null. */
  readonly eth_getTransactionByHash: {
    readonly params: readonly [hash: string]
    readonly named: { readonly hash: string }
    readonly result: TransactionObject | null
  }
  /** The mined or pooled transaction of a sender with a nonce, or null. */
  readonly eth_getTransactionBySenderAndNonce: {
    readonly params: readonly [sender: string, nonce: string | number]
    readonly named: { readonly sender: string; readonly nonce: string | number }
    readonly result: TransactionObject | null
  }
  /** Nonce of the next transaction of an account. With `pending`, pooled transactions count. */
  readonly eth_getTransactionCount: {
    readonly params: readonly [address: string, block?: BlockReference | null | undefined]
    readonly named: { readonly address: string; readonly block?: BlockReference | null | undefined }
    readonly result: string
  }
  /** The receipt of a mined transaction, or null. */
  readonly eth_getTransactionReceipt: {
    readonly params: readonly [hash: string]
    readonly named: { readonly hash: string }
    readonly result: ReceiptObject | null
  }
  /** An uncle by its position in the block with a hash, or null. */
  readonly eth_getUncleByBlockHashAndIndex: {
    readonly params: readonly [hash: string, index: string | number]
    readonly named: { readonly hash: string; readonly index: string | number }
    readonly result: BlockObject | null
  }
  /** An uncle by its position in the block with a number or tag, or null. */
  readonly eth_getUncleByBlockNumberAndIndex: {
    readonly params: readonly [block: string | number, index: string | number]
    readonly named: { readonly block: string | number; readonly index: string | number }
    readonly result: BlockObject | null
  }
  /** Number of uncles of the block with a hash. */
  readonly eth_getUncleCountByBlockHash: {
    readonly params: readonly [hash: string]
    readonly named: { readonly hash: string }
    readonly result: string
  }
  /** Number of uncles of the block with a number or tag. */
  readonly eth_getUncleCountByBlockNumber: {
    readonly params: readonly [block: string | number]
    readonly named: { readonly block: string | number }
    readonly result: string
  }
  /** Work for the pending block: the hash of its header without the seal, the seed of its epoch, and the target. */
  readonly eth_getWork: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: readonly [string, string, string]
  }
  /** Hashes per second of this node: the work in its blocks of the last hour, and the reports of eth_submitHashrate. */
  readonly eth_hashrate: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: string
  }
  /** Tip per gas in wei that is enough to be mined: eth_gasPrice without the base fee. */
  readonly eth_maxPriorityFeePerGas: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: string
  }
  /** Whether the node mines by itself: for each transaction or at an interval. */
  readonly eth_mining: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: boolean
  }
  /** Hashes per second of the network: the work in the blocks of the last hour, as a JSON integer. */
  readonly eth_netHashrate: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: number
  }
  /** Installs a filter that collects the hashes of new blocks. */
  readonly eth_newBlockFilter: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: string
  }
  /** Installs a filter that collects matching logs from now on; with `pending` as the end, also those of the pending block. */
  readonly eth_newFilter: {
    readonly params: readonly [filter: LogRequest]
    readonly named: { readonly filter: LogRequest }
    readonly result: string
  }
  /** Installs a filter that collects the hashes of transactions that enter the pool. */
  readonly eth_newPendingTransactionFilter: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: string
  }
  /** Pooled transactions that the next blocks can take, of accounts whose keys this node holds and of impersonated accounts. */
  readonly eth_pendingTransactions: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: readonly TransactionObject[]
  }
  /** Version of the protocol between nodes. */
  readonly eth_protocolVersion: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: string
  }
  /** Replaces a pooled transaction by one with another gas price or gas limit, signed with a key of this node. The pool wants a higher price than before. */
  readonly eth_resend: {
    readonly params: readonly [
      transaction: CallRequest,
      gasPrice?: string | number | null | undefined,
      gasLimit?: string | number | null | undefined,
    ]
    readonly named: {
      readonly transaction: CallRequest
      readonly gasPrice?: string | number | null | undefined
      readonly gasLimit?: string | number | null | undefined
    }
    readonly result: string
  }
  /** Sends a signed transaction. A mined transaction that reverts gives the error of the revert with its hash in `txHash`. */
  readonly eth_sendRawTransaction: {
    readonly params: readonly [data: string]
    readonly named: { readonly data: string }
    readonly result: string
  }
  /** Sends a signed transaction and returns its receipt as soon as it is mined, also if it failed (EIP-7966). If it is not mined in time it stays pooled, and its hash is the data of the error. Later requests of the same WebSocket, local socket or batch wait for the answer: mine from another connection. */
  readonly eth_sendRawTransactionSync: {
    readonly params: readonly [data: string, timeout?: string | number | null | undefined]
    readonly named: { readonly data: string; readonly timeout?: string | number | null | undefined }
    readonly result: {
      readonly transactionHash: string
      readonly transactionIndex: string
      readonly blockHash: string
      readonly blockNumber: string
      readonly cumulativeGasUsed: string
      readonly gasUsed: string
      readonly contractAddress: string | null
      readonly logs: readonly LogObject[]
      readonly from: string
      readonly to: string | null
      readonly status?: string | undefined
      readonly root?: string | undefined
      readonly logsBloom: string
      readonly type: string
      readonly effectiveGasPrice: string
      readonly blobGasUsed?: string | undefined
      readonly blobGasPrice?: string | undefined
      readonly solidityStack?:
        | readonly {
            readonly address: string
            readonly contract?: string | undefined
            readonly function?: string | undefined
            readonly file?: string | undefined
            readonly line?: number | undefined
            readonly column?: number | undefined
            readonly excerpt?: string | undefined
          }[]
        | undefined
    }
  }
  /** Signs a transaction with a key of this node, or for an impersonated account with none, and sends it. A mined transaction that reverts gives the error of the revert with its hash in `txHash`. */
  readonly eth_sendTransaction: {
    readonly params: readonly [transaction: CallRequest]
    readonly named: { readonly transaction: CallRequest }
    readonly result: string
  }
  /** As eth_sendRawTransactionSync, signed with a key of this node. */
  readonly eth_sendTransactionSync: {
    readonly params: readonly [transaction: CallRequest, timeout?: string | number | null | undefined]
    readonly named: {
      readonly transaction: CallRequest
      readonly timeout?: string | number | null | undefined
    }
    readonly result: {
      readonly transactionHash: string
      readonly transactionIndex: string
      readonly blockHash: string
      readonly blockNumber: string
      readonly cumulativeGasUsed: string
      readonly gasUsed: string
      readonly contractAddress: string | null
      readonly logs: readonly LogObject[]
      readonly from: string
      readonly to: string | null
      readonly status?: string | undefined
      readonly root?: string | undefined
      readonly logsBloom: string
      readonly type: string
      readonly effectiveGasPrice: string
      readonly blobGasUsed?: string | undefined
      readonly blobGasPrice?: string | undefined
      readonly solidityStack?:
        | readonly {
            readonly address: string
            readonly contract?: string | undefined
            readonly function?: string | undefined
            readonly file?: string | undefined
            readonly line?: number | undefined
            readonly column?: number | undefined
            readonly excerpt?: string | undefined
          }[]
        | undefined
    }
  }
  /** Sends a transaction of any account, without a key and without impersonating it first. */
  readonly eth_sendUnsignedTransaction: {
    readonly params: readonly [transaction: CallRequest]
    readonly named: { readonly transaction: CallRequest }
    readonly result: string
  }
  /** Signs a message with the prefix of EIP-191. The last byte is 27 or 28. */
  readonly eth_sign: {
    readonly params: readonly [address: string, data: string]
    readonly named: { readonly address: string; readonly data: string }
    readonly result: string
  }
  /** Signs a transaction with a key of this node and does not send it. In dialect node33 returns the signed bytes and the fields, as geth does; in the others only the signed bytes, which ethers and viem expect. */
  readonly eth_signTransaction: {
    readonly params: readonly [transaction: CallRequest]
    readonly named: { readonly transaction: CallRequest }
    readonly result: SignedTransactionObject | string
  }
  /** Signs structured data (EIP-712); all names follow version 4. The last byte is 27 or 28. */
  readonly eth_signTypedData_v4: {
    readonly params: readonly [
      address: string,
      typedData: {
        readonly types: unknown
        readonly primaryType: string
        readonly domain: unknown
        readonly message: unknown
      },
    ]
    readonly named: {
      readonly address: string
      readonly typedData: {
        readonly types: unknown
        readonly primaryType: string
        readonly domain: unknown
        readonly message: unknown
      }
    }
    readonly result: string
  }
  readonly eth_signTypedData: RpcMethods['eth_signTypedData_v4']
  readonly eth_signTypedData_v3: RpcMethods['eth_signTypedData_v4']
  /** Runs blocks of calls on top of a block, each with overrides of the block and of accounts, and returns the blocks with the result of each call. Without `validation` nonces, fees and code of senders are not checked; with `traceTransfers` transfers of the native coin are among the logs. */
  readonly eth_simulateV1: {
    readonly params: readonly [simulation: SimulationRequest, block?: BlockReference | null | undefined]
    readonly named: {
      readonly simulation: SimulationRequest
      readonly block?: BlockReference | null | undefined
    }
    readonly result: readonly SimulatedBlock[]
  }
  /** Reports the hashes per second of a miner. The report counts for ten seconds. */
  readonly eth_submitHashrate: {
    readonly params: readonly [hashrate: string, id: string]
    readonly named: { readonly hashrate: string; readonly id: string }
    readonly result: boolean
  }
  /** Makes a block from work of eth_getWork; false if the work is unknown or not solved, or if the block does not become the head. Work is solved if ethash's final hash, of the nonce and the claimed mix digest, reaches the target; the mix digest itself is not checked. On merged-mining networks the auxiliary header that the node makes with this nonce must reach the target. */
  readonly eth_submitWork: {
    readonly params: readonly [nonce: string, headerHash: string, mixDigest: string]
    readonly named: { readonly nonce: string; readonly headerHash: string; readonly mixDigest: string }
    readonly result: boolean
  }
  /** Pushes events to this connection, a WebSocket or a local socket, as eth_subscription notifications: newHeads, logs, newPendingTransactions, syncing, chainReverted. */
  readonly eth_subscribe: {
    readonly params: readonly [
      kind: 'newHeads' | 'logs' | 'newPendingTransactions' | 'syncing' | 'chainReverted',
      options?: boolean | LogRequest | null | undefined,
    ]
    readonly named: {
      readonly kind: 'newHeads' | 'logs' | 'newPendingTransactions' | 'syncing' | 'chainReverted'
      readonly options?: boolean | LogRequest | null | undefined
    }
    readonly result: string
  }
  /** Whether the node is syncing: always false, as it has no peers. */
  readonly eth_syncing: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: false
  }
  /** Removes a filter; false if the filter does not exist. */
  readonly eth_uninstallFilter: {
    readonly params: readonly [id: string | number]
    readonly named: { readonly id: string | number }
    readonly result: boolean
  }
  /** Ends a subscription of this connection; false if it has none with this id. */
  readonly eth_unsubscribe: {
    readonly params: readonly [id: string]
    readonly named: { readonly id: string }
    readonly result: boolean
  }
  /** Adds an account without a key, locked behind a passphrase, as Ganache does: personal_unlockAccount or personal_sendTransaction lets it send. False when the account is here already. */
  readonly evm_addAccount: {
    readonly params: readonly [address: string, passphrase: string]
    readonly named: { readonly address: string; readonly passphrase: string }
    readonly result: boolean
  }
  /** Moves time forward for every later block; returns the seconds moved by so far: a quantity, with the dialects hardhat and ethereum the decimal string and the number of Hardhat and Anvil. */
  readonly evm_increaseTime: {
    readonly params: readonly [seconds: string | number]
    readonly named: { readonly seconds: string | number }
    readonly result: string | number
  }
  readonly anvil_increaseTime: RpcMethods['evm_increaseTime']
  readonly hardhat_increaseTime: RpcMethods['evm_increaseTime']
  readonly ganache_increaseTime: RpcMethods['evm_increaseTime']
  /** Mines a block of the pooled transactions, also an empty one; or several. Refused where mining is external. Returns null, with the dialects hardhat and ethereum the `0` and `0x0` of Hardhat and Anvil. */
  readonly evm_mine: {
    readonly params: readonly [
      options?:
        | string
        | number
        | { readonly timestamp?: string | number | undefined; readonly blocks?: string | number | undefined }
        | null
        | undefined,
    ]
    readonly named: {
      readonly options?:
        | string
        | number
        | { readonly timestamp?: string | number | undefined; readonly blocks?: string | number | undefined }
        | null
        | undefined
    }
    readonly result: '0' | '0x0' | null
  }
  readonly ganache_mine: RpcMethods['evm_mine']
  /** As evm_mine, but returns the blocks with their transactions, the output of each, and the reason of failures. */
  readonly evm_mine_detailed: {
    readonly params: readonly [
      options?:
        | string
        | number
        | { readonly timestamp?: string | number | undefined; readonly blocks?: string | number | undefined }
        | null
        | undefined,
    ]
    readonly named: {
      readonly options?:
        | string
        | number
        | { readonly timestamp?: string | number | undefined; readonly blocks?: string | number | undefined }
        | null
        | undefined
    }
    readonly result: readonly {
      readonly number: string
      readonly hash: string | null
      readonly parentHash: string
      readonly mixHash: string
      readonly nonce: string | null
      readonly sha3Uncles: string
      readonly logsBloom: string
      readonly transactionsRoot: string
      readonly stateRoot: string
      readonly receiptsRoot: string
      readonly miner: string
      readonly difficulty: string
      readonly totalDifficulty: string
      readonly extraData: string
      readonly size: string
      readonly gasLimit: string
      readonly gasUsed: string
      readonly timestamp: string
      readonly transactions: readonly {
        readonly hash: string
        readonly nonce: string
        readonly blockHash: string | null
        readonly blockNumber: string | null
        readonly blockTimestamp: string | null
        readonly transactionIndex: string | null
        readonly from: string
        readonly to: string | null
        readonly gas: string
        readonly gasPrice: string
        readonly value: string
        readonly input: string
        readonly v: string
        readonly r: string
        readonly s: string
        readonly type: string
        readonly chainId?: string | undefined
        readonly accessList?: AccessList | undefined
        readonly maxFeePerGas?: string | undefined
        readonly maxPriorityFeePerGas?: string | undefined
        readonly yParity?: string | undefined
        readonly authorizationList?:
          | readonly {
              readonly chainId: string
              readonly address: string
              readonly nonce: string
              readonly yParity: string
              readonly r: string
              readonly s: string
            }[]
          | undefined
        readonly maxFeePerBlobGas?: string | undefined
        readonly blobVersionedHashes?: readonly string[] | undefined
        readonly _id?: string | undefined
        readonly output: string
        readonly revertReason?: string | undefined
      }[]
      readonly uncles: readonly string[]
      readonly minimumGasPrice?: string | undefined
      readonly auxMergedMiningHeader?: string | undefined
      readonly auxMergedMiningCoinbaseTransaction?: string | undefined
      readonly auxMergedMiningMerkleProof?: string | undefined
      readonly hashForMergedMining?: string | undefined
      readonly paidFees?: string | undefined
      readonly cumulativeDifficulty?: string | undefined
      readonly nodePteEdges?: readonly number[] | null | undefined
      readonly baseEvent?: string | null | undefined
      readonly baseFeePerGas?: string | undefined
      readonly withdrawals?:
        | readonly {
            readonly index: string
            readonly validatorIndex: string
            readonly address: string
            readonly amount: string
          }[]
        | undefined
      readonly withdrawalsRoot?: string | undefined
      readonly blobGasUsed?: string | undefined
      readonly excessBlobGas?: string | undefined
      readonly parentBeaconBlockRoot?: string | undefined
      readonly requestsHash?: string | undefined
    }[]
  }
  readonly anvil_mine_detailed: RpcMethods['evm_mine_detailed']
  /** Forgets an account, as Ganache does; false when it is not here. Its keystore file, if it has one, stays for the next start. */
  readonly evm_removeAccount: {
    readonly params: readonly [address: string, passphrase: string]
    readonly named: { readonly address: string; readonly passphrase: string }
    readonly result: boolean
  }
  /** Puts the chain back to what it began with (its genesis, the block that --fork-url names, or the block that its world began with), or makes it continue a remote chain, and forgets every snapshot. Chain id, hard fork and accounts stay those of the node. */
  readonly evm_reset: {
    readonly params: readonly [
      options?:
        | {
            readonly forking?:
              | {
                  readonly jsonRpcUrl?: unknown
                  readonly blockNumber?: unknown
                  readonly httpHeaders?: unknown
                }
              | null
              | undefined
          }
        | null
        | undefined,
    ]
    readonly named: {
      readonly options?:
        | {
            readonly forking?:
              | {
                  readonly jsonRpcUrl?: unknown
                  readonly blockNumber?: unknown
                  readonly httpHeaders?: unknown
                }
              | null
              | undefined
          }
        | null
        | undefined
    }
    readonly result: null
  }
  /** Puts the chain back to a snapshot; false if the snapshot does not exist, or an error with --strict-revert. It stays valid; those taken later are dropped unless they are kept. */
  readonly evm_revert: {
    readonly params: readonly [
      snapshot: string | number,
      options?: { readonly keep?: boolean | undefined } | null | undefined,
    ]
    readonly named: {
      readonly snapshot: string | number
      readonly options?: { readonly keep?: boolean | undefined } | null | undefined
    }
    readonly result: boolean
  }
  readonly anvil_revert: RpcMethods['evm_revert']
  /** Turns automine on or off: a block for each transaction at once, pooled ones included. Interval mining continues; in dialect ethereum automine ends it, as in Anvil. */
  readonly evm_setAutomine: {
    readonly params: readonly [isEnabled: boolean]
    readonly named: { readonly isEnabled: boolean }
    readonly result: boolean | null
  }
  readonly anvil_setAutomine: RpcMethods['evm_setAutomine']
  readonly hardhat_setAutomine: RpcMethods['evm_setAutomine']
  /** Sets the gas limit of every later block. */
  readonly evm_setBlockGasLimit: {
    readonly params: readonly [gasLimit: string | number]
    readonly named: { readonly gasLimit: string | number }
    readonly result: boolean
  }
  readonly anvil_setBlockGasLimit: RpcMethods['evm_setBlockGasLimit']
  readonly hardhat_setBlockGasLimit: RpcMethods['evm_setBlockGasLimit']
  readonly miner_setGasLimit: RpcMethods['evm_setBlockGasLimit']
  /** Mines a block at intervals; 0 ends that. The interval is in milliseconds and automine stays as it is, as in Hardhat. In dialect ethereum it is in seconds and ends automine, as in Anvil. */
  readonly evm_setIntervalMining: {
    readonly params: readonly [interval: string | number | readonly [string | number, string | number]]
    readonly named: { readonly interval: string | number | readonly [string | number, string | number] }
    readonly result: boolean | null
  }
  /** Sets the time of the next block; time continues from there. */
  readonly evm_setNextBlockTimestamp: {
    readonly params: readonly [timestamp: string | number]
    readonly named: { readonly timestamp: string | number }
    readonly result: null
  }
  readonly anvil_setNextBlockTimestamp: RpcMethods['evm_setNextBlockTimestamp']
  /** Sets the time, which continues from there; returns the seconds it moved by, negative if back. */
  readonly evm_setTime: {
    readonly params: readonly [time: string | number]
    readonly named: { readonly time: string | number }
    readonly result: number
  }
  readonly anvil_setTime: RpcMethods['evm_setTime']
  /** Captures the chain as it is; returns the id to revert to. */
  readonly evm_snapshot: {
    readonly params: readonly [options?: { readonly name?: string | undefined } | null | undefined]
    readonly named: { readonly options?: { readonly name?: string | undefined } | null | undefined }
    readonly result: string
  }
  readonly anvil_snapshot: RpcMethods['evm_snapshot']
  /** Restores the mining mode of the start. If that was manual mining, automine is turned on and pooled transactions are mined. */
  readonly evm_startMining: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: null
  }
  /** Stops automine and interval mining; evm_mine still mines. Changes nothing where mining is external. */
  readonly evm_stopMining: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: null
  }
  /** Removes a transaction from the mempool; false if it is not pooled. */
  readonly hardhat_dropTransaction: {
    readonly params: readonly [hash: string]
    readonly named: { readonly hash: string }
    readonly result: boolean
  }
  readonly ganache_dropTransaction: RpcMethods['hardhat_dropTransaction']
  /** Whether a block is mined for each transaction at once. */
  readonly hardhat_getAutomine: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: boolean
  }
  readonly anvil_getAutomine: RpcMethods['hardhat_getAutomine']
  readonly ganache_getAutomine: RpcMethods['hardhat_getAutomine']
  /** How many stack traces could not be made. None: this node makes none, debug_traceTransaction shows calls. */
  readonly hardhat_getStackTraceFailuresCount: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: number
  }
  /** Lets an account send by eth_sendTransaction without a key, a contract too. */
  readonly hardhat_impersonateAccount: {
    readonly params: readonly [address: string]
    readonly named: { readonly address: string }
    readonly result: boolean | null
  }
  readonly anvil_impersonateAccount: RpcMethods['hardhat_impersonateAccount']
  readonly ganache_impersonateAccount: RpcMethods['hardhat_impersonateAccount']
  /** The metadata that Hardhat requests: client version, chain id, id of the chain instance, the newest block, and the block that a fork continues. */
  readonly hardhat_metadata: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: {
      readonly clientVersion: string
      readonly chainId: number
      readonly instanceId: string
      readonly latestBlockNumber: number
      readonly latestBlockHash: string
      readonly forkedNetwork?:
        | { readonly chainId: number; readonly forkBlockNumber: number; readonly forkBlockHash: string }
        | undefined
    }
  }
  /** Mines several blocks, some seconds apart. */
  readonly hardhat_mine: {
    readonly params: readonly [
      blocks?: string | number | null | undefined,
      interval?: string | number | null | undefined,
    ]
    readonly named: {
      readonly blocks?: string | number | null | undefined
      readonly interval?: string | number | null | undefined
    }
    readonly result: boolean | null
  }
  readonly anvil_mine: RpcMethods['hardhat_mine']
  /** Puts the chain back to what it began with (its genesis, the block that --fork-url names, or the block that its world began with), or makes it continue a remote chain, and forgets every snapshot. Chain id, hard fork and accounts stay those of the node. */
  readonly hardhat_reset: {
    readonly params: readonly [
      options?:
        | {
            readonly forking?:
              | {
                  readonly jsonRpcUrl?: unknown
                  readonly blockNumber?: unknown
                  readonly httpHeaders?: unknown
                }
              | null
              | undefined
          }
        | null
        | undefined,
    ]
    readonly named: {
      readonly options?:
        | {
            readonly forking?:
              | {
                  readonly jsonRpcUrl?: unknown
                  readonly blockNumber?: unknown
                  readonly httpHeaders?: unknown
                }
              | null
              | undefined
          }
        | null
        | undefined
    }
    readonly result: boolean | null
  }
  readonly anvil_reset: RpcMethods['hardhat_reset']
  readonly ganache_reset: RpcMethods['hardhat_reset']
  /** Sets the balance of an account. The newest block keeps its header and hash; reads of its state and later blocks see the change. */
  readonly hardhat_setBalance: {
    readonly params: readonly [address: string, balance: string | number]
    readonly named: { readonly address: string; readonly balance: string | number }
    readonly result: boolean | null
  }
  readonly anvil_setBalance: RpcMethods['hardhat_setBalance']
  readonly ganache_setBalance: RpcMethods['hardhat_setBalance']
  readonly evm_setAccountBalance: RpcMethods['hardhat_setBalance']
  readonly tenderly_setBalance: RpcMethods['hardhat_setBalance']
  /** As anvil_setBlockTimestampInterval, in milliseconds, as clients of Hardhat send it; whole seconds count. */
  readonly hardhat_setBlockTimestampInterval: {
    readonly params: readonly [milliseconds: string | number]
    readonly named: { readonly milliseconds: string | number }
    readonly result: null
  }
  /** Sets the code of an account. The newest block keeps its header and hash; reads of its state and later blocks see the change. */
  readonly hardhat_setCode: {
    readonly params: readonly [address: string, code: string]
    readonly named: { readonly address: string; readonly code: string }
    readonly result: boolean | null
  }
  readonly anvil_setCode: RpcMethods['hardhat_setCode']
  readonly ganache_setCode: RpcMethods['hardhat_setCode']
  readonly evm_setAccountCode: RpcMethods['hardhat_setCode']
  /** Sets the miner of every later block. */
  readonly hardhat_setCoinbase: {
    readonly params: readonly [address: string]
    readonly named: { readonly address: string }
    readonly result: boolean | null
  }
  readonly anvil_setCoinbase: RpcMethods['hardhat_setCoinbase']
  readonly dev_setFeeRecipient: RpcMethods['hardhat_setCoinbase']
  readonly ganache_setCoinbase: RpcMethods['hardhat_setCoinbase']
  readonly miner_setEtherbase: RpcMethods['hardhat_setCoinbase']
  /** As evm_setIntervalMining in Hardhat: in milliseconds, in every dialect. */
  readonly hardhat_setIntervalMining: {
    readonly params: readonly [milliseconds: string | number | readonly [string | number, string | number]]
    readonly named: { readonly milliseconds: string | number | readonly [string | number, string | number] }
    readonly result: boolean
  }
  /** Switches the log of requests on or off. */
  readonly hardhat_setLoggingEnabled: {
    readonly params: readonly [isEnabled: boolean]
    readonly named: { readonly isEnabled: boolean }
    readonly result: boolean | null
  }
  readonly anvil_setLoggingEnabled: RpcMethods['hardhat_setLoggingEnabled']
  readonly ganache_setLoggingEnabled: RpcMethods['hardhat_setLoggingEnabled']
  /** Sets the minimum gas price of every later block, where blocks have one. */
  readonly hardhat_setMinGasPrice: {
    readonly params: readonly [gasPrice: string | number]
    readonly named: { readonly gasPrice: string | number }
    readonly result: boolean | null
  }
  readonly anvil_setMinGasPrice: RpcMethods['hardhat_setMinGasPrice']
  readonly ganache_setMinGasPrice: RpcMethods['hardhat_setMinGasPrice']
  readonly miner_setGasPrice: RpcMethods['hardhat_setMinGasPrice']
  /** Sets the base fee of the next block, where blocks have one. */
  readonly hardhat_setNextBlockBaseFeePerGas: {
    readonly params: readonly [baseFeePerGas: string | number]
    readonly named: { readonly baseFeePerGas: string | number }
    readonly result: boolean | null
  }
  readonly anvil_setNextBlockBaseFeePerGas: RpcMethods['hardhat_setNextBlockBaseFeePerGas']
  readonly ganache_setNextBlockBaseFeePerGas: RpcMethods['hardhat_setNextBlockBaseFeePerGas']
  /** Sets the nonce of an account, which with the dialect hardhat may not go down. The newest block keeps its header and hash; reads of its state and later blocks see the change. */
  readonly hardhat_setNonce: {
    readonly params: readonly [address: string, nonce: string | number]
    readonly named: { readonly address: string; readonly nonce: string | number }
    readonly result: boolean | null
  }
  /** Sets the value of PREVRANDAO in the next block, if the hard fork has it. */
  readonly hardhat_setPrevRandao: {
    readonly params: readonly [prevRandao: string]
    readonly named: { readonly prevRandao: string }
    readonly result: boolean | null
  }
  readonly anvil_setNextBlockPrevRandao: RpcMethods['hardhat_setPrevRandao']
  /** Sets a word of storage of an account. The newest block keeps its header and hash; reads of its state and later blocks see the change. */
  readonly hardhat_setStorageAt: {
    readonly params: readonly [address: string, position: string | number, value: string]
    readonly named: { readonly address: string; readonly position: string | number; readonly value: string }
    readonly result: boolean
  }
  readonly anvil_setStorageAt: RpcMethods['hardhat_setStorageAt']
  readonly ganache_setStorageAt: RpcMethods['hardhat_setStorageAt']
  readonly evm_setAccountStorageAt: RpcMethods['hardhat_setStorageAt']
  /** Ends what hardhat_impersonateAccount began; false when it had not. */
  readonly hardhat_stopImpersonatingAccount: {
    readonly params: readonly [address: string]
    readonly named: { readonly address: string }
    readonly result: boolean | null
  }
  readonly anvil_stopImpersonatingAccount: RpcMethods['hardhat_stopImpersonatingAccount']
  readonly ganache_stopImpersonatingAccount: RpcMethods['hardhat_stopImpersonatingAccount']
  /** Mines a block for each transaction at once, pooled ones included. */
  readonly miner_start: {
    readonly params: readonly [threads?: string | number | null | undefined]
    readonly named: { readonly threads?: string | number | null | undefined }
    readonly result: boolean
  }
  /** Stops automine and interval mining; evm_mine still mines. */
  readonly miner_stop: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: boolean
  }
  /** Work for the pending block. `notify` is true once for each parent, and again when fees rise by more than a tenth. */
  readonly mnr_getWork: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: {
      readonly blockHashForMergedMining: string
      readonly target: string
      readonly feesPaidToMiner: string
      readonly notify: boolean
      readonly parentBlockHash: string
    }
  }
  /** Submits a block of the auxiliary chain whose coinbase contains a hash of mnr_getWork. */
  readonly mnr_submitAuxBlock: {
    readonly params: readonly [block: string]
    readonly named: { readonly block: string }
    readonly result: {
      readonly blockImportedResult: string
      readonly blockHash: string
      readonly blockIncludedHeight: string
    }
  }
  /** Submits a block of the auxiliary chain as its header, its coinbase and the Merkle branch of the coinbase. */
  readonly mnr_submitAuxBlockPartialMerkle: {
    readonly params: readonly [
      blockHash: string,
      header: string,
      coinbase: string,
      merkleHashes: string,
      transactionCount: string,
    ]
    readonly named: {
      readonly blockHash: string
      readonly header: string
      readonly coinbase: string
      readonly merkleHashes: string
      readonly transactionCount: string
    }
    readonly result: {
      readonly blockImportedResult: string
      readonly blockHash: string
      readonly blockIncludedHeight: string
    }
  }
  /** Submits a block of the auxiliary chain as its header, its coinbase and the ids of its transactions. */
  readonly mnr_submitAuxBlockTransactions: {
    readonly params: readonly [blockHash: string, header: string, coinbase: string, transactionHashes: string]
    readonly named: {
      readonly blockHash: string
      readonly header: string
      readonly coinbase: string
      readonly transactionHashes: string
    }
    readonly result: {
      readonly blockImportedResult: string
      readonly blockHash: string
      readonly blockIncludedHeight: string
    }
  }
  /** Whether the node accepts connections; always true while it answers. */
  readonly net_listening: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: boolean
  }
  /** Number of connected peers: none, the chain is local. */
  readonly net_peerCount: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: string
  }
  /** Known peers with id and address: none, the chain is local. */
  readonly net_peerList: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: readonly string[]
  }
  /** Network id as a decimal string. */
  readonly net_version: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: string
  }
  readonly eth_networkId: RpcMethods['net_version']
  /** Names the contract at an address, and gives its ABI: the log and the errors of the node then have the names of its custom errors. A revert keeps the name; a later call replaces it. */
  readonly node_addContract: {
    readonly params: readonly [
      address: string,
      contract: {
        readonly name: string
        readonly abi: readonly { readonly type: string; readonly [name: string]: unknown }[]
      },
    ]
    readonly named: {
      readonly address: string
      readonly contract: {
        readonly name: string
        readonly abi: readonly { readonly type: string; readonly [name: string]: unknown }[]
      }
    }
    readonly result: null
  }
  /** The mined transactions of which an address is the sender, the receiver or the created contract, newest first, with status, gasUsed and contractAddress of their receipts. The node has an index of them, which it builds at the first call and extends at later ones. Transactions that reach the address by a call of another contract are left out: ots_searchTransactionsBefore runs the blocks to find them. On a fork the remote's transactions are left out. */
  readonly node_addressTransactions: {
    readonly params: readonly [
      address: string,
      range?:
        | {
            readonly before?:
              | {
                  readonly blockNumber: string | number
                  readonly transactionIndex?: string | number | undefined
                }
              | undefined
            readonly after?:
              | {
                  readonly blockNumber: string | number
                  readonly transactionIndex?: string | number | undefined
                }
              | undefined
          }
        | null
        | undefined,
      count?: string | number | null | undefined,
    ]
    readonly named: {
      readonly address: string
      readonly range?:
        | {
            readonly before?:
              | {
                  readonly blockNumber: string | number
                  readonly transactionIndex?: string | number | undefined
                }
              | undefined
            readonly after?:
              | {
                  readonly blockNumber: string | number
                  readonly transactionIndex?: string | number | undefined
                }
              | undefined
          }
        | null
        | undefined
      readonly count?: string | number | null | undefined
    }
    readonly result: {
      readonly transactions: readonly {
        readonly hash: string
        readonly nonce: string
        readonly blockHash: string | null
        readonly blockNumber: string | null
        readonly blockTimestamp: string | null
        readonly transactionIndex: string | null
        readonly from: string
        readonly to: string | null
        readonly gas: string
        readonly gasPrice: string
        readonly value: string
        readonly input: string
        readonly v: string
        readonly r: string
        readonly s: string
        readonly type: string
        readonly chainId?: string | undefined
        readonly accessList?: AccessList | undefined
        readonly maxFeePerGas?: string | undefined
        readonly maxPriorityFeePerGas?: string | undefined
        readonly yParity?: string | undefined
        readonly authorizationList?:
          | readonly {
              readonly chainId: string
              readonly address: string
              readonly nonce: string
              readonly yParity: string
              readonly r: string
              readonly s: string
            }[]
          | undefined
        readonly maxFeePerBlobGas?: string | undefined
        readonly blobVersionedHashes?: readonly string[] | undefined
        readonly _id?: string | undefined
        readonly status: string
        readonly gasUsed: string
        readonly contractAddress: string | null
      }[]
      readonly total: number
      readonly firstBlock: string
      readonly older: { readonly blockNumber: string; readonly transactionIndex: string } | null
      readonly newer: { readonly blockNumber: string; readonly transactionIndex: string } | null
    }
  }
  readonly dev_addressTransactions: RpcMethods['node_addressTransactions']
  /** Sources of the contract at an address, from the artifacts, its own file first; of a proxy or a clone also those of the contract that it runs. Null if none is known. Texts beyond 8,000,000 characters are left out. */
  readonly node_contractSources: {
    readonly params: readonly [address: string, block?: BlockReference | null | undefined]
    readonly named: { readonly address: string; readonly block?: BlockReference | null | undefined }
    readonly result:
      readonly { readonly id: string; readonly path: string; readonly content?: string | undefined }[] | null
  }
  readonly dev_contractSources: RpcMethods['node_contractSources']
  /** How often the Solidity sources of the artifacts were executed on all chains of the node: shares by file, and counts in the format of Istanbul. */
  readonly node_coverage: {
    readonly params: readonly [
      outputs?:
        { readonly lcov?: boolean | undefined; readonly write?: boolean | undefined } | null | undefined,
    ]
    readonly named: {
      readonly outputs?:
        { readonly lcov?: boolean | undefined; readonly write?: boolean | undefined } | null | undefined
    }
    readonly result: {
      readonly summary: readonly {
        readonly path: string
        readonly lines: { readonly total: number; readonly covered: number }
        readonly statements: { readonly total: number; readonly covered: number }
        readonly functions: { readonly total: number; readonly covered: number }
        readonly branches: { readonly total: number; readonly covered: number }
      }[]
      readonly unknownCodes: number
      readonly istanbul: {
        readonly [name: string]: {
          readonly path: string
          readonly statementMap: {
            readonly [name: string]: {
              readonly start: { readonly line: number; readonly column: number }
              readonly end: { readonly line: number; readonly column: number }
            }
          }
          readonly fnMap: {
            readonly [name: string]: {
              readonly name: string
              readonly decl: {
                readonly start: { readonly line: number; readonly column: number }
                readonly end: { readonly line: number; readonly column: number }
              }
              readonly loc: {
                readonly start: { readonly line: number; readonly column: number }
                readonly end: { readonly line: number; readonly column: number }
              }
              readonly line: number
            }
          }
          readonly branchMap: {
            readonly [name: string]: {
              readonly type: string
              readonly line: number
              readonly loc: {
                readonly start: { readonly line: number; readonly column: number }
                readonly end: { readonly line: number; readonly column: number }
              }
              readonly locations: readonly {
                readonly start: { readonly line: number; readonly column: number }
                readonly end: { readonly line: number; readonly column: number }
              }[]
            }
          }
          readonly s: { readonly [name: string]: number }
          readonly f: { readonly [name: string]: number }
          readonly b: { readonly [name: string]: readonly number[] }
        }
      }
      readonly lcov?: string | undefined
    }
  }
  readonly dev_coverage: RpcMethods['node_coverage']
  /** Creates an isolated chain at /w/<id> from the head of the default chain, from one of its snapshots, or from a remote chain with the chain id and the hard fork of that chain; at whichever path it is called. The first call to an unknown world creates it too. */
  readonly node_createWorld: {
    readonly params: readonly [
      world?:
        | {
            readonly id?: string | undefined
            readonly from?: string | number | undefined
            readonly fork?:
              | {
                  readonly url?: unknown
                  readonly blockNumber?: unknown
                  readonly transaction?: string | undefined
                  readonly headers?: unknown
                }
              | undefined
          }
        | null
        | undefined,
    ]
    readonly named: {
      readonly world?:
        | {
            readonly id?: string | undefined
            readonly from?: string | number | undefined
            readonly fork?:
              | {
                  readonly url?: unknown
                  readonly blockNumber?: unknown
                  readonly transaction?: string | undefined
                  readonly headers?: unknown
                }
              | undefined
          }
        | null
        | undefined
    }
    readonly result: {
      readonly id: string
      readonly path: string
      readonly blockNumber: string
      readonly blockHash: string
      readonly time: string
      readonly visitors: number
    }
  }
  /** How many blocks and transactions of all chains of the node were run a second time under the option crossCheck, how many blocks differed, and reports of the newest 20 of them, newest first. A report has what is needed to repeat both executions: state before the block, transactions, and both outcomes. */
  readonly node_crossChecks: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: {
      readonly blocks: number
      readonly transactions: number
      readonly failures: number
      readonly reports: readonly {
        readonly secondOpinion: string
        readonly network: {
          readonly hardfork: string
          readonly chainId: string
          readonly eips: readonly number[]
        }
        readonly block: {
          readonly hash: string
          readonly number: string
          readonly parentHash: string
          readonly timestamp: string
          readonly miner: string
          readonly gasLimit: string
          readonly difficulty: string
          readonly mixHash: string
          readonly baseFeePerGas?: string | undefined
          readonly excessBlobGas?: string | undefined
          readonly parentBeaconBlockRoot?: string | undefined
        }
        readonly blockHashes: { readonly [name: string]: string }
        readonly transactions: readonly {
          readonly hash: string
          readonly from: string
          readonly raw: string
        }[]
        readonly preState: {
          readonly [name: string]: {
            readonly nonce: string
            readonly balance: string
            readonly code: string
            readonly storage: { readonly [name: string]: string }
          }
        }
        readonly differences: readonly {
          readonly kind: string
          readonly transaction?: string | undefined
          readonly address?: string | undefined
          readonly slot?: string | undefined
          readonly node: string
          readonly secondOpinion: string
        }[]
      }[]
    }
  }
  readonly dev_crossChecks: RpcMethods['node_crossChecks']
  /** Deletes an isolated chain and closes its sockets; false if the chain does not exist. */
  readonly node_deleteWorld: {
    readonly params: readonly [id: string]
    readonly named: { readonly id: string }
    readonly result: boolean
  }
  /** Forgets a snapshot; false if the snapshot does not exist. Snapshots taken after it stay. */
  readonly node_dropSnapshot: {
    readonly params: readonly [snapshot: string | number]
    readonly named: { readonly snapshot: string | number }
    readonly result: boolean
  }
  /** The whole chain as the bytes of a state file: blocks, state, pool, clock, snapshots. */
  readonly node_dumpState: {
    readonly params: readonly [
      parts?:
        | {
            readonly blocks?: boolean | undefined
            readonly transactions?: boolean | undefined
            readonly receipts?: boolean | undefined
            readonly snapshots?: boolean | undefined
            readonly keystore?: boolean | undefined
            readonly format?: 'dev-node' | 'anvil' | undefined
          }
        | boolean
        | null
        | undefined,
    ]
    readonly named: {
      readonly parts?:
        | {
            readonly blocks?: boolean | undefined
            readonly transactions?: boolean | undefined
            readonly receipts?: boolean | undefined
            readonly snapshots?: boolean | undefined
            readonly keystore?: boolean | undefined
            readonly format?: 'dev-node' | 'anvil' | undefined
          }
        | boolean
        | null
        | undefined
    }
    readonly result: string
  }
  readonly anvil_dumpState: RpcMethods['node_dumpState']
  readonly hardhat_dumpState: RpcMethods['node_dumpState']
  readonly ganache_dumpState: RpcMethods['node_dumpState']
  /** What a call does, which is not sent: as node_explainTransaction for a mined transaction. */
  readonly node_explainCall: {
    readonly params: readonly [
      transaction: CallRequest,
      block?: BlockReference | null | undefined,
      overrides?: unknown,
    ]
    readonly named: {
      readonly transaction: CallRequest
      readonly block?: BlockReference | null | undefined
      readonly overrides?: unknown
    }
    readonly result: {
      readonly status: 'success' | 'reverted' | 'failed'
      readonly gasUsed: string
      readonly reason?: { readonly kind: string; readonly message: string } | undefined
      readonly gasSpent?:
        | readonly {
            readonly address: string
            readonly contract?: string | undefined
            readonly function?: string | undefined
            readonly gas: string
          }[]
        | undefined
      readonly stack?:
        | readonly {
            readonly address: string
            readonly contract?: string | undefined
            readonly function?: string | undefined
            readonly file?: string | undefined
            readonly line?: number | undefined
            readonly column?: number | undefined
            readonly excerpt?: string | undefined
          }[]
        | undefined
      readonly call: ExplainedCall
      readonly storage: readonly {
        readonly address: string
        readonly slot: string
        readonly variable?: string | undefined
        readonly type?: string | undefined
        readonly before: string
        readonly after: string
      }[]
      readonly balances: readonly {
        readonly address: string
        readonly before: string
        readonly after: string
      }[]
      readonly tokens: readonly {
        readonly token: string
        readonly from: string
        readonly to: string
        readonly id?: string | undefined
        readonly amount: string
      }[]
    }
  }
  readonly dev_explainCall: RpcMethods['node_explainCall']
  /** What a mined transaction did, with names from the artifacts: reason of a failure, Solidity stack, calls, events, changes; null if it is unknown. */
  readonly node_explainTransaction: {
    readonly params: readonly [hash: string]
    readonly named: { readonly hash: string }
    readonly result: {
      readonly status: 'success' | 'reverted' | 'failed'
      readonly gasUsed: string
      readonly reason?: { readonly kind: string; readonly message: string } | undefined
      readonly gasSpent?:
        | readonly {
            readonly address: string
            readonly contract?: string | undefined
            readonly function?: string | undefined
            readonly gas: string
          }[]
        | undefined
      readonly stack?:
        | readonly {
            readonly address: string
            readonly contract?: string | undefined
            readonly function?: string | undefined
            readonly file?: string | undefined
            readonly line?: number | undefined
            readonly column?: number | undefined
            readonly excerpt?: string | undefined
          }[]
        | undefined
      readonly call: ExplainedCall
      readonly storage: readonly {
        readonly address: string
        readonly slot: string
        readonly variable?: string | undefined
        readonly type?: string | undefined
        readonly before: string
        readonly after: string
      }[]
      readonly balances: readonly {
        readonly address: string
        readonly before: string
        readonly after: string
      }[]
      readonly tokens: readonly {
        readonly token: string
        readonly from: string
        readonly to: string
        readonly id?: string | undefined
        readonly amount: string
      }[]
    } | null
  }
  readonly dev_explainTransaction: RpcMethods['node_explainTransaction']
  /** Contracts of the newest block whose name, or the name of one of whose functions, contains a text, in upper or lower case; at most 100. On a fork those that differ from the forked chain. */
  readonly node_findContracts: {
    readonly params: readonly [text: string]
    readonly named: { readonly text: string }
    readonly result: {
      readonly contracts: readonly {
        readonly address: string
        readonly name: string
        readonly functions: readonly string[]
      }[]
      readonly hasMore: boolean
    }
  }
  readonly dev_findContracts: RpcMethods['node_findContracts']
  /** Searches the instructions of a mined transaction from one of them, forwards or backwards, and returns the index of the first that fits, or null. Goals: call (a call or a creation), log, failure, over (an instruction of the same frame or of a calling one, so that calls are skipped), out (an instruction of a calling frame). */
  readonly node_findStep: {
    readonly params: readonly [
      hash: string,
      from: number,
      goal: 'call' | 'log' | 'failure' | 'over' | 'out',
      direction?: 'forwards' | 'backwards' | null | undefined,
    ]
    readonly named: {
      readonly hash: string
      readonly from: number
      readonly goal: 'call' | 'log' | 'failure' | 'over' | 'out'
      readonly direction?: 'forwards' | 'backwards' | null | undefined
    }
    readonly result: number | null
  }
  readonly dev_findStep: RpcMethods['node_findStep']
  /** Gas of the transactions and calls of all worlds by contract and function: number, least, mean, median, most; null without --gas-report. */
  readonly node_gasReport: {
    readonly params: readonly [format?: 'json' | 'markdown' | null | undefined]
    readonly named: { readonly format?: 'json' | 'markdown' | null | undefined }
    readonly result:
      | {
          readonly version: 1
          readonly contracts: readonly {
            readonly contract: string
            readonly deployments?:
              | {
                  readonly count: number
                  readonly failed: number
                  readonly least?: number | undefined
                  readonly mean?: number | undefined
                  readonly median?: number | undefined
                  readonly most?: number | undefined
                  readonly codeSize?: number | undefined
                }
              | undefined
            readonly functions: readonly {
              readonly function: string
              readonly transactions?:
                | {
                    readonly count: number
                    readonly failed: number
                    readonly least?: number | undefined
                    readonly mean?: number | undefined
                    readonly median?: number | undefined
                    readonly most?: number | undefined
                  }
                | undefined
              readonly calls?:
                | {
                    readonly count: number
                    readonly least: number
                    readonly mean: number
                    readonly median: number
                    readonly most: number
                  }
                | undefined
            }[]
          }[]
        }
      | string
      | null
  }
  readonly dev_gasReport: RpcMethods['node_gasReport']
  /** What is known of the contract at an address, from the artifacts or from node_addContract: name, source, ABI; of a proxy or a clone also the contract that it runs. A contract that is part of the node has `isNative`; on network 33 it has an ABI, and in `bySelector` the items whose selector or topic is not the hash of their signature. Null if nothing is known. */
  readonly node_getContract: {
    readonly params: readonly [address: string, block?: BlockReference | null | undefined]
    readonly named: { readonly address: string; readonly block?: BlockReference | null | undefined }
    readonly result: {
      readonly address: string
      readonly name?: string | undefined
      readonly file?: string | undefined
      readonly compiler?: string | undefined
      readonly abi: readonly { readonly type: string; readonly [name: string]: unknown }[]
      readonly implementation?:
        | {
            readonly address: string
            readonly name?: string | undefined
            readonly file?: string | undefined
            readonly compiler?: string | undefined
            readonly abi: readonly { readonly type: string; readonly [name: string]: unknown }[]
          }
        | undefined
      readonly isNative?: true | undefined
      readonly bySelector?:
        | readonly { readonly type: string; readonly selector: string; readonly [name: string]: unknown }[]
        | undefined
    } | null
  }
  readonly dev_getContract: RpcMethods['node_getContract']
  /** The execution requests of a block as engine_getPayloadV4 lists them, or null: for each type that has some, its byte (0 deposits, 1 withdrawal requests, 2 consolidation requests) and the encoded requests. Empty where blocks have none. */
  readonly node_getExecutionRequests: {
    readonly params: readonly [block: BlockReference]
    readonly named: { readonly block: BlockReference }
    readonly result: readonly string[] | null
  }
  /** The whole header of a block, or null. Its hash is that of the block on Ethereum networks; on merged-mining networks that is the hash of a shorter encoding. */
  readonly node_getRawBlockHeaderByHash: {
    readonly params: readonly [hash: string]
    readonly named: { readonly hash: string }
    readonly result: string | null
  }
  /** The whole header of a block, or null. Its hash is that of the block on Ethereum networks; on merged-mining networks that is the hash of a shorter encoding. */
  readonly node_getRawBlockHeaderByNumber: {
    readonly params: readonly [block: string | number]
    readonly named: { readonly block: string | number }
    readonly result: string | null
  }
  /** The receipt of a transaction as encoded in the receipt trie of its block, or null. */
  readonly node_getRawTransactionReceiptByHash: {
    readonly params: readonly [hash: string]
    readonly named: { readonly hash: string }
    readonly result: string | null
  }
  /** Nodes of the receipt trie from the leaf of a transaction up to the root, whose hash is the receiptsRoot of the block; null if the transaction is not in the block. */
  readonly node_getTransactionReceiptNodesByHash: {
    readonly params: readonly [blockHash: string, transactionHash: string]
    readonly named: { readonly blockHash: string; readonly transactionHash: string }
    readonly result: readonly string[] | null
  }
  /** Names of the 256 instructions by opcode under the rules of the chain, null for an undefined one. The data that an instruction pushes follows it in the code. */
  readonly node_instructions: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: readonly (string | null)[]
  }
  readonly dev_instructions: RpcMethods['node_instructions']
  /** Replaces the chain by a dumped one. Snapshots in the dump replace those of the node; a dump without snapshots keeps them. */
  readonly node_loadState: {
    readonly params: readonly [state: string]
    readonly named: { readonly state: string }
    readonly result: boolean
  }
  readonly anvil_loadState: RpcMethods['node_loadState']
  readonly hardhat_loadState: RpcMethods['node_loadState']
  readonly ganache_loadState: RpcMethods['node_loadState']
  /** Bytes of memory by kind, for the default chain and all worlds together. Those of the chains are estimates; those of the process are measured. limit is --max-memory. */
  readonly node_memory: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: {
      readonly states: number
      readonly blocks: number
      readonly receipts: number
      readonly indexes: number
      readonly pool: number
      readonly snapshots: number
      readonly caches: number
      readonly worlds: number
      readonly sum: number
      readonly limit: number
      readonly process: { readonly heap: number; readonly external: number; readonly rss: number }
    }
  }
  readonly dev_memory: RpcMethods['node_memory']
  /** Gas of a mined transaction by line of the sources, and by call path in the form that flame graphs read; null if it is unknown. */
  readonly node_profile: {
    readonly params: readonly [hash: string]
    readonly named: { readonly hash: string }
    readonly result: {
      readonly gasUsed: number
      readonly intrinsicGas: number
      readonly refund: number
      readonly floorGas: number
      readonly lines: readonly {
        readonly file?: string | undefined
        readonly line?: number | undefined
        readonly excerpt?: string | undefined
        readonly title?: string | undefined
        readonly gas: number
      }[]
      readonly folded: string
    } | null
  }
  readonly dev_profile: RpcMethods['node_profile']
  /** Version of the protocol between nodes. */
  readonly node_protocolVersion: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: string
  }
  /** The newest requests of all chains, oldest first, at most 1000. The node keeps them from the first call on, until none comes for 5 minutes. Passphrases and keys are not shown; requests whose id is a text that begins with explorer- are left out. */
  readonly node_requests: {
    readonly params: readonly [
      filter?:
        | {
            readonly after?: number | undefined
            readonly method?: string | undefined
            readonly world?: string | undefined
          }
        | null
        | undefined,
    ]
    readonly named: {
      readonly filter?:
        | {
            readonly after?: number | undefined
            readonly method?: string | undefined
            readonly world?: string | undefined
          }
        | null
        | undefined
    }
    readonly result: {
      readonly requests: readonly {
        readonly number: number
        readonly time: string
        readonly method: string
        readonly world: string | null
        readonly durationMs: number
        readonly params: { readonly text: string; readonly length: number }
        readonly result?: { readonly text: string; readonly length: number } | undefined
        readonly error?: { readonly code: number; readonly message: string } | undefined
      }[]
      readonly last: number
    }
  }
  readonly dev_requests: RpcMethods['node_requests']
  /** Sets all counts of the coverage to zero. */
  readonly node_resetCoverage: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: null
  }
  readonly dev_resetCoverage: RpcMethods['node_resetCoverage']
  /** Begins the gas report anew; false without --gas-report. */
  readonly node_resetGasReport: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: boolean
  }
  readonly dev_resetGasReport: RpcMethods['node_resetGasReport']
  /** Writes the state file of the options state and dump-state now. When it is answered, the file is on the disk and a killed node continues from there. */
  readonly node_saveState: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: { readonly path: string; readonly blockNumber: string; readonly blockHash: string }
  }
  readonly dev_saveState: RpcMethods['node_saveState']
  /** Scripts a method of the Bridge: every call, with any sender and arguments, returns the given data or reverts with it, for the gas of the method. The script is part of the state after the newest block, so evm_revert and resets remove it. */
  readonly node_setBridgeResponse: {
    readonly params: readonly [method: string, response: string | { readonly revert: string } | null]
    readonly named: {
      readonly method: string
      readonly response: string | { readonly revert: string } | null
    }
    readonly result: null
  }
  /** Snapshots that can be reverted to, oldest first. */
  readonly node_snapshots: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: readonly {
      readonly id: string
      readonly name: string | null
      readonly blockNumber: string
      readonly blockHash: string
      readonly time: string
      readonly parent: string | null
    }[]
  }
  /** Counts the executions of all chains of the node from now on. Counts that exist stay. */
  readonly node_startCoverage: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: null
  }
  readonly dev_startCoverage: RpcMethods['node_startCoverage']
  /** State variables of the contract at an address with their values, by the layout of its storage in the artifacts; those of a proxy or a clone by the layout of the contract that it runs. Null if the layout is not known. Mappings have no list of their keys: their values are read at given ones. `isWhole` is false if something is left out: there are at most 2,000 values, 100 items of a list and 4,096 bytes of a text, and 1,024 values of mappings are tried. */
  readonly node_storageVariables: {
    readonly params: readonly [
      address: string,
      block?: BlockReference | null | undefined,
      keys?: readonly string[] | null | undefined,
    ]
    readonly named: {
      readonly address: string
      readonly block?: BlockReference | null | undefined
      readonly keys?: readonly string[] | null | undefined
    }
    readonly result: {
      readonly variables: readonly {
        readonly variable: string
        readonly type: string
        readonly slot: string
        readonly offset: number
        readonly value?: string | undefined
      }[]
      readonly isWhole: boolean
    } | null
  }
  readonly dev_storageVariables: RpcMethods['node_storageVariables']
  /** Some instructions of a mined transaction, each with gas, the upper 64 words of the stack, the first 4,096 bytes of memory if they changed, the slot that it reads or writes, and its place in the sources; null if the transaction is unknown. */
  readonly node_traceSteps: {
    readonly params: readonly [
      hash: string,
      from?: number | null | undefined,
      count?: number | null | undefined,
    ]
    readonly named: {
      readonly hash: string
      readonly from?: number | null | undefined
      readonly count?: number | null | undefined
    }
    readonly result: {
      readonly total: number
      readonly from: number
      readonly touched: readonly { readonly address: string; readonly slot: string; readonly value: string }[]
      readonly steps: readonly {
        readonly pc: number
        readonly op: string
        readonly depth: number
        readonly gas: number
        readonly gasCost: number
        readonly address: string
        readonly stack: readonly string[]
        readonly stackSize: number
        readonly memory?: string | undefined
        readonly memorySize: number
        readonly storage?:
          { readonly slot: string; readonly value: string; readonly written?: string | undefined } | undefined
        readonly source?:
          | {
              readonly id: string
              readonly path: string
              readonly start: number
              readonly end: number
              readonly line?: number | undefined
            }
          | undefined
        readonly error?: string | undefined
      }[]
    } | null
  }
  readonly dev_traceSteps: RpcMethods['node_traceSteps']
  /** Sources of the contracts that a mined transaction ran, with the ids that its instructions name; null if it is unknown. Texts beyond 8,000,000 characters are left out. */
  readonly node_transactionSources: {
    readonly params: readonly [hash: string]
    readonly named: { readonly hash: string }
    readonly result:
      readonly { readonly id: string; readonly path: string; readonly content?: string | undefined }[] | null
  }
  readonly dev_transactionSources: RpcMethods['node_transactionSources']
  /** The isolated chains, oldest first. */
  readonly node_worlds: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: readonly {
      readonly id: string
      readonly path: string
      readonly blockNumber: string
      readonly blockHash: string
      readonly time: string
      readonly visitors: number
    }[]
  }
  /** Version of the interface for Otterscan. */
  readonly ots_getApiLevel: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: number
  }
  /** A block without its transactions, with their number and total fees. */
  readonly ots_getBlockDetails: {
    readonly params: readonly [block: string | number]
    readonly named: { readonly block: string | number }
    readonly result: {
      readonly block: {
        readonly number: string
        readonly hash: string | null
        readonly parentHash: string
        readonly mixHash: string
        readonly nonce: string | null
        readonly sha3Uncles: string
        readonly logsBloom: string
        readonly transactionsRoot: string
        readonly stateRoot: string
        readonly receiptsRoot: string
        readonly miner: string
        readonly difficulty: string
        readonly totalDifficulty: string
        readonly extraData: string
        readonly size: string
        readonly gasLimit: string
        readonly gasUsed: string
        readonly timestamp: string
        readonly uncles: readonly string[]
        readonly minimumGasPrice?: string | undefined
        readonly auxMergedMiningHeader?: string | undefined
        readonly auxMergedMiningCoinbaseTransaction?: string | undefined
        readonly auxMergedMiningMerkleProof?: string | undefined
        readonly hashForMergedMining?: string | undefined
        readonly paidFees?: string | undefined
        readonly cumulativeDifficulty?: string | undefined
        readonly nodePteEdges?: readonly number[] | null | undefined
        readonly baseEvent?: string | null | undefined
        readonly baseFeePerGas?: string | undefined
        readonly withdrawals?:
          | readonly {
              readonly index: string
              readonly validatorIndex: string
              readonly address: string
              readonly amount: string
            }[]
          | undefined
        readonly withdrawalsRoot?: string | undefined
        readonly blobGasUsed?: string | undefined
        readonly excessBlobGas?: string | undefined
        readonly parentBeaconBlockRoot?: string | undefined
        readonly requestsHash?: string | undefined
        readonly transactionCount: number
      }
      readonly issuance: {
        readonly blockReward: string
        readonly uncleReward: string
        readonly issuance: string
      }
      readonly totalFees: string
    }
  }
  /** As ots_getBlockDetails, by the hash of the block. */
  readonly ots_getBlockDetailsByHash: {
    readonly params: readonly [hash: string]
    readonly named: { readonly hash: string }
    readonly result: {
      readonly block: {
        readonly number: string
        readonly hash: string | null
        readonly parentHash: string
        readonly mixHash: string
        readonly nonce: string | null
        readonly sha3Uncles: string
        readonly logsBloom: string
        readonly transactionsRoot: string
        readonly stateRoot: string
        readonly receiptsRoot: string
        readonly miner: string
        readonly difficulty: string
        readonly totalDifficulty: string
        readonly extraData: string
        readonly size: string
        readonly gasLimit: string
        readonly gasUsed: string
        readonly timestamp: string
        readonly uncles: readonly string[]
        readonly minimumGasPrice?: string | undefined
        readonly auxMergedMiningHeader?: string | undefined
        readonly auxMergedMiningCoinbaseTransaction?: string | undefined
        readonly auxMergedMiningMerkleProof?: string | undefined
        readonly hashForMergedMining?: string | undefined
        readonly paidFees?: string | undefined
        readonly cumulativeDifficulty?: string | undefined
        readonly nodePteEdges?: readonly number[] | null | undefined
        readonly baseEvent?: string | null | undefined
        readonly baseFeePerGas?: string | undefined
        readonly withdrawals?:
          | readonly {
              readonly index: string
              readonly validatorIndex: string
              readonly address: string
              readonly amount: string
            }[]
          | undefined
        readonly withdrawalsRoot?: string | undefined
        readonly blobGasUsed?: string | undefined
        readonly excessBlobGas?: string | undefined
        readonly parentBeaconBlockRoot?: string | undefined
        readonly requestsHash?: string | undefined
        readonly transactionCount: number
      }
      readonly issuance: {
        readonly blockReward: string
        readonly uncleReward: string
        readonly issuance: string
      }
      readonly totalFees: string
    }
  }
  /** A page of the transactions of a block with their receipts. Pages are counted from the end of the block. */
  readonly ots_getBlockTransactions: {
    readonly params: readonly [block: string | number, page: string | number, pageSize: string | number]
    readonly named: {
      readonly block: string | number
      readonly page: string | number
      readonly pageSize: string | number
    }
    readonly result: {
      readonly fullblock: {
        readonly number: string
        readonly hash: string | null
        readonly parentHash: string
        readonly mixHash: string
        readonly nonce: string | null
        readonly sha3Uncles: string
        readonly logsBloom: string
        readonly transactionsRoot: string
        readonly stateRoot: string
        readonly receiptsRoot: string
        readonly miner: string
        readonly difficulty: string
        readonly totalDifficulty: string
        readonly extraData: string
        readonly size: string
        readonly gasLimit: string
        readonly gasUsed: string
        readonly timestamp: string
        readonly transactions: readonly (string | TransactionObject)[]
        readonly uncles: readonly string[]
        readonly minimumGasPrice?: string | undefined
        readonly auxMergedMiningHeader?: string | undefined
        readonly auxMergedMiningCoinbaseTransaction?: string | undefined
        readonly auxMergedMiningMerkleProof?: string | undefined
        readonly hashForMergedMining?: string | undefined
        readonly paidFees?: string | undefined
        readonly cumulativeDifficulty?: string | undefined
        readonly nodePteEdges?: readonly number[] | null | undefined
        readonly baseEvent?: string | null | undefined
        readonly baseFeePerGas?: string | undefined
        readonly withdrawals?:
          | readonly {
              readonly index: string
              readonly validatorIndex: string
              readonly address: string
              readonly amount: string
            }[]
          | undefined
        readonly withdrawalsRoot?: string | undefined
        readonly blobGasUsed?: string | undefined
        readonly excessBlobGas?: string | undefined
        readonly parentBeaconBlockRoot?: string | undefined
        readonly requestsHash?: string | undefined
        readonly transactionCount: number
      }
      readonly receipts: readonly ReceiptObject[]
    }
  }
  /** Creator of the contract at an address, and the transaction; null if there is no contract, or no transaction created it. */
  readonly ots_getContractCreator: {
    readonly params: readonly [address: string]
    readonly named: { readonly address: string }
    readonly result: { readonly hash: string; readonly creator: string } | null
  }
  /** Transfers, creations and self-destructions by inner calls of a mined transaction: type 0 to 3 for transfer, SELFDESTRUCT, CREATE, CREATE2. Null if the transaction is unknown. */
  readonly ots_getInternalOperations: {
    readonly params: readonly [hash: string]
    readonly named: { readonly hash: string }
    readonly result:
      | readonly {
          readonly type: number
          readonly from: string
          readonly to: string
          readonly value: string
        }[]
      | null
  }
  /** Hash of the mined transaction of a sender with a nonce, or null. */
  readonly ots_getTransactionBySenderAndNonce: {
    readonly params: readonly [sender: string, nonce: string | number]
    readonly named: { readonly sender: string; readonly nonce: string | number }
    readonly result: string | null
  }
  /** Revert data of a mined transaction; 0x if it did not revert, null if it is unknown. */
  readonly ots_getTransactionError: {
    readonly params: readonly [hash: string]
    readonly named: { readonly hash: string }
    readonly result: string | null
  }
  /** Whether there is code at an address. */
  readonly ots_hasCode: {
    readonly params: readonly [address: string, block: string | number]
    readonly named: { readonly address: string; readonly block: string | number }
    readonly result: boolean
  }
  /** The transactions that touched an account in the blocks above a number, newest first. */
  readonly ots_searchTransactionsAfter: {
    readonly params: readonly [address: string, block: string | number, pageSize: string | number]
    readonly named: {
      readonly address: string
      readonly block: string | number
      readonly pageSize: string | number
    }
    readonly result: {
      readonly txs: readonly TransactionObject[]
      readonly receipts: readonly {
        readonly transactionHash: string
        readonly transactionIndex: string
        readonly blockHash: string
        readonly blockNumber: string
        readonly cumulativeGasUsed: string
        readonly gasUsed: string
        readonly contractAddress: string | null
        readonly logs: readonly LogObject[]
        readonly from: string
        readonly to: string | null
        readonly status?: string | undefined
        readonly root?: string | undefined
        readonly logsBloom: string
        readonly type: string
        readonly effectiveGasPrice: string
        readonly blobGasUsed?: string | undefined
        readonly blobGasPrice?: string | undefined
        readonly timestamp: string
      }[]
      readonly firstPage: boolean
      readonly lastPage: boolean
    }
  }
  /** The transactions that touched an account in the blocks below a number, newest first. */
  readonly ots_searchTransactionsBefore: {
    readonly params: readonly [address: string, block: string | number, pageSize: string | number]
    readonly named: {
      readonly address: string
      readonly block: string | number
      readonly pageSize: string | number
    }
    readonly result: {
      readonly txs: readonly TransactionObject[]
      readonly receipts: readonly {
        readonly transactionHash: string
        readonly transactionIndex: string
        readonly blockHash: string
        readonly blockNumber: string
        readonly cumulativeGasUsed: string
        readonly gasUsed: string
        readonly contractAddress: string | null
        readonly logs: readonly LogObject[]
        readonly from: string
        readonly to: string | null
        readonly status?: string | undefined
        readonly root?: string | undefined
        readonly logsBloom: string
        readonly type: string
        readonly effectiveGasPrice: string
        readonly blobGasUsed?: string | undefined
        readonly blobGasPrice?: string | undefined
        readonly timestamp: string
      }[]
      readonly firstPage: boolean
      readonly lastPage: boolean
    }
  }
  /** The calls of a mined transaction with their depth, callers first; null when it is unknown. */
  readonly ots_traceTransaction: {
    readonly params: readonly [hash: string]
    readonly named: { readonly hash: string }
    readonly result:
      | readonly {
          readonly type: string
          readonly depth: number
          readonly from: string
          readonly to: string | null
          readonly value: string | null
          readonly input: string
          readonly output: string
        }[]
      | null
  }
  /** The private key of an unlocked account. */
  readonly personal_dumpRawKey: {
    readonly params: readonly [address: string]
    readonly named: { readonly address: string }
    readonly result: string
  }
  /** The account that signed a message with the prefix of EIP-191. */
  readonly personal_ecRecover: {
    readonly params: readonly [data: string, signature: string]
    readonly named: { readonly data: string; readonly signature: string }
    readonly result: string
  }
  /** Adds an account by its key, encrypted with a passphrase and unlocked for 30 minutes. An account that is here already gets the new passphrase. */
  readonly personal_importRawKey: {
    readonly params: readonly [key: string, passphrase: string]
    readonly named: { readonly key: string; readonly passphrase: string }
    readonly result: string
  }
  /** Addresses of all accounts, locked ones too: those of the network first, then as they were added. */
  readonly personal_listAccounts: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: readonly string[]
  }
  /** Locks an account; false when it was locked already. */
  readonly personal_lockAccount: {
    readonly params: readonly [address: string]
    readonly named: { readonly address: string }
    readonly result: boolean
  }
  /** Makes an account with a random key, encrypted with a passphrase and unlocked for 30 minutes. */
  readonly personal_newAccount: {
    readonly params: readonly [passphrase: string]
    readonly named: { readonly passphrase: string }
    readonly result: string
  }
  /** Creates or restores the account whose key is keccak-256 of a seed, unlocked until it is locked. It has no passphrase and is not kept in a file. */
  readonly personal_newAccountWithSeed: {
    readonly params: readonly [seed: string]
    readonly named: { readonly seed: string }
    readonly result: string
  }
  /** Signs a transaction with a passphrase and sends it as eth_sendTransaction does. The account may be locked, and stays as it is. */
  readonly personal_sendTransaction: {
    readonly params: readonly [transaction: CallRequest, passphrase: string]
    readonly named: { readonly transaction: CallRequest; readonly passphrase: string }
    readonly result: string
  }
  /** Signs a message with the prefix of EIP-191, as eth_sign with its params in reverse order; either order is accepted. */
  readonly personal_sign: {
    readonly params: readonly [data: string, address: string, passphrase?: string | null | undefined]
    readonly named: {
      readonly data: string
      readonly address: string
      readonly passphrase?: string | null | undefined
    }
    readonly result: string
  }
  /** Signs a transaction with a passphrase and does not send it. */
  readonly personal_signTransaction: {
    readonly params: readonly [transaction: CallRequest, passphrase: string]
    readonly named: { readonly transaction: CallRequest; readonly passphrase: string }
    readonly result: SignedTransactionObject
  }
  /** Unlocks an account for a time; false if it has no passphrase, as accounts of the network and of seeds. */
  readonly personal_unlockAccount: {
    readonly params: readonly [
      address: string,
      passphrase: string,
      duration?: number | string | null | undefined,
    ]
    readonly named: {
      readonly address: string
      readonly passphrase: string
      readonly duration?: number | string | null | undefined
    }
    readonly result: boolean
  }
  /** Modules of methods and their versions. */
  readonly rpc_modules: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: { readonly [name: string]: string }
  }
  /** Bans peers at an address from now on, also after a revert. */
  readonly sco_banAddress: {
    readonly params: readonly [address: string]
    readonly named: { readonly address: string }
    readonly result: null
  }
  /** Banned addresses, as they were given. */
  readonly sco_bannedAddresses: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: readonly string[]
  }
  /** Deletes the reputation of a peer, and returns the new sco_peerList. */
  readonly sco_clearPeerScoring: {
    readonly params: readonly [id: string]
    readonly named: { readonly id: string }
    readonly result: readonly ({ readonly [name: string]: number } & {
      readonly id: string
      readonly type: 'node' | 'address'
      readonly score: number
      readonly punishments: number
      readonly goodReputation: boolean
      readonly punishedUntil: number
    })[]
  }
  /** Every known peer and its reputation: none, the chain is local. */
  readonly sco_peerList: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: readonly ({ readonly [name: string]: number } & {
      readonly id: string
      readonly type: 'node' | 'address'
      readonly score: number
      readonly punishments: number
      readonly goodReputation: boolean
      readonly punishedUntil: number
    })[]
  }
  /** Sums of the reputation of all peers. */
  readonly sco_reputationSummary: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: { readonly [name: string]: number }
  }
  /** Ends the ban of an address. */
  readonly sco_unbanAddress: {
    readonly params: readonly [address: string]
    readonly named: { readonly address: string }
    readonly result: null
  }
  /** The calls of every transaction of a block, callers first; null when it is unknown. */
  readonly trace_block: {
    readonly params: readonly [block: unknown]
    readonly named: { readonly block: unknown }
    readonly result: readonly FlatTrace[] | null
  }
  /** The calls of the transactions in a range of blocks, by sender and receiver of the transaction; `after` is the number of calls to skip, `count` the maximum to return. */
  readonly trace_filter: {
    readonly params: readonly [
      filter: {
        readonly fromBlock?: string | number | undefined
        readonly toBlock?: string | number | undefined
        readonly fromAddress?: readonly string[] | undefined
        readonly toAddress?: readonly string[] | undefined
        readonly after?: number | string | undefined
        readonly count?: number | string | undefined
      },
    ]
    readonly named: {
      readonly filter: {
        readonly fromBlock?: string | number | undefined
        readonly toBlock?: string | number | undefined
        readonly fromAddress?: readonly string[] | undefined
        readonly toAddress?: readonly string[] | undefined
        readonly after?: number | string | undefined
        readonly count?: number | string | undefined
      }
    }
    readonly result: readonly FlatTrace[]
  }
  /** One call of a mined transaction by its position in the flat list; null when the transaction is unknown. */
  readonly trace_get: {
    readonly params: readonly [hash: string, positions: readonly (string | number)[]]
    readonly named: { readonly hash: string; readonly positions: readonly (string | number)[] }
    readonly result: FlatTrace | null
  }
  /** The calls of a mined transaction, callers first; null when it is unknown. Networks of the merged-mining kind leave out calls that ran no code. */
  readonly trace_transaction: {
    readonly params: readonly [hash: string]
    readonly named: { readonly hash: string }
    readonly result: readonly FlatTrace[] | null
  }
  /** The pooled transactions by sender and nonce. In dialect node33 senders are without `0x`, and each nonce has a list. */
  readonly txpool_content: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result:
      | {
          readonly pending: { readonly [name: string]: { readonly [name: string]: TransactionObject } }
          readonly queued: { readonly [name: string]: { readonly [name: string]: TransactionObject } }
        }
      | {
          readonly pending: {
            readonly [name: string]: { readonly [name: string]: readonly TransactionObject[] }
          }
          readonly queued: {
            readonly [name: string]: { readonly [name: string]: readonly TransactionObject[] }
          }
        }
  }
  /** The pooled transactions of a sender by nonce. In dialect node33 each nonce has a list. */
  readonly txpool_contentFrom: {
    readonly params: readonly [address: string]
    readonly named: { readonly address: string }
    readonly result: {
      readonly pending: { readonly [name: string]: TransactionObject | readonly TransactionObject[] }
      readonly queued: { readonly [name: string]: TransactionObject | readonly TransactionObject[] }
    }
  }
  /** The pooled transactions by sender and nonce, each as a line of text. */
  readonly txpool_inspect: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result:
      | {
          readonly pending: { readonly [name: string]: { readonly [name: string]: string } }
          readonly queued: { readonly [name: string]: { readonly [name: string]: string } }
        }
      | {
          readonly pending: { readonly [name: string]: { readonly [name: string]: readonly string[] } }
          readonly queued: { readonly [name: string]: { readonly [name: string]: readonly string[] } }
        }
  }
  /** Number of transactions that the next blocks can take, and of those behind a gap in the nonces. JSON integers in dialect node33, quantities in the others. */
  readonly txpool_status: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: { readonly pending: string | number; readonly queued: string | number }
  }
  /** Name and version of this node, and the release of the reference it follows (--release). Helpers of Hardhat accept it as one of theirs. */
  readonly web3_clientVersion: {
    readonly params: readonly []
    readonly named: Readonly<Record<string, never>>
    readonly result: string
  }
  /** keccak-256 of bytes (not the standardized SHA3-256). */
  readonly web3_sha3: {
    readonly params: readonly [data: string]
    readonly named: { readonly data: string }
    readonly result: string
  }
}
