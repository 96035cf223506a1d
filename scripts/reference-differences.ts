/** What differs between this node and the reference node of network 33: the tables of docs/specification.md, and what the replay test allows. */

/** Places of recorded differences. What is absent fits everything. */
export interface Place {
  /** Names of methods, or a pattern for them; `raw` is a request that is no call of a method. */
  readonly methods?: readonly string[] | RegExp
  /** Path in the answer, such as `.error.message` or `.result[0].output`; `http` is the status, `head` the height of the head. */
  readonly path?: RegExp
  /** The value of the reference node, and that of this node, as JSON; `absent` if there is none. */
  readonly recorded?: RegExp
  readonly own?: RegExp
}

/** One row of the table. */
export interface Row {
  /** Short and stable, as in `time-adds-up`. */
  readonly id: string
  readonly subject: string
  /** What the reference node does. */
  readonly reference: string
  /** What this node does instead. */
  readonly here: string
  readonly why: string
  /** Whether `--faithful` removes the difference. */
  readonly isGoneWithFaithful: boolean
  /** Whether another row hides the difference by default, so that only `--faithful` shows it. */
  readonly isHiddenByDefault?: boolean
  /** The recorded differences that belong to the row. */
  readonly where: readonly Place[]
  /** Why no recording has it; absent if one does. */
  readonly unrecorded?: string
}

const MESSAGE = /^\.error\.message$/
const CODE = /^\.error\.code$/
const CALLS = ['eth_call', 'eth_estimateGas']
const SENDS = /^(eth|personal)_send/
const NO_SENDS = /^(?!(eth|personal)_send)/
const NO_VALUE = /^absent$/

/** Differences of the default. With `--faithful` this node answers as the reference node. */
const DEFAULT_ROWS: readonly Omit<Row, 'isGoneWithFaithful'>[] = [
  {
    id: 'http-status',
    subject: 'HTTP status of a JSON-RPC error',
    reference: '400 for -32600, -32602 and -32700',
    here: '200',
    why: 'Client libraries drop the body of a 400, and the reason with it.',
    where: [{ path: /^http$/ }],
  },
  {
    id: 'batches',
    subject: 'batches',
    reference:
      'at most 50 requests; `[]` for an empty batch, batches in batches, `[null]` for a notification, the text `"null"` as the id of what is no request',
    here: 'as JSON-RPC 2.0 says, with more requests (`--batch-limit`)',
    why: 'Client libraries batch more, and read the answers by that standard.',
    where: [{ methods: ['raw'], path: /^(\[\d\].*)?$/ }],
  },
  {
    id: 'more-members',
    subject: 'members of transactions and logs',
    reference: 'only its own',
    here: 'also `blockTimestamp`, `chainId`, `removed` and `_id`',
    why: 'Clients expect them from every node.',
    where: [{ path: /\.(blockTimestamp|removed|chainId|_id)$/, recorded: NO_VALUE }],
  },
  {
    id: 'error-members',
    subject: 'members of the error of a failed transaction, call or estimate',
    reference: '`code`, `message`, and the data of a revert',
    here: 'also `data: "0x"` without a revert, the `txHash` of a mined transaction, and `cause` in the form of geth',
    why: 'Libraries find the transaction and decode the reason.',
    where: [
      { methods: SENDS, path: /^\.error\.(data|txHash|cause)$/, recorded: NO_VALUE },
      { methods: CALLS, path: /^\.error\.(data|cause)$/, recorded: NO_VALUE },
    ],
  },
  {
    id: 'failed-sends',
    subject: 'transaction that fails without a revert',
    reference: '`transaction reverted`',
    here: 'the reason, such as `invalid opcode`',
    why: 'The reason is what the developer looks for.',
    where: [{ methods: SENDS, path: MESSAGE, recorded: /transaction reverted/ }],
  },
  {
    id: 'failed-calls',
    subject: '`eth_call` that fails without a revert',
    reference: '`"0x"`, and no error',
    here: '-32015 with the reason',
    why: 'Libraries take `"0x"` for a contract without the function.',
    where: [
      { methods: ['eth_call'], path: /^\.result$/, recorded: /^"0x"$/, own: /"code":-320(15|10)/ },
      { methods: ['eth_call'], path: /^\.error\./, own: /intrinsic gas|-32010/ },
    ],
  },
  {
    id: 'failed-estimates',
    subject: '`eth_estimateGas` of such a call',
    reference: 'the bound, 6,800,000 gas, or the gas of a failed precompile',
    here: 'an error with the reason',
    why: 'A transaction with this gas fails.',
    where: [
      { methods: ['eth_estimateGas'], path: /^\.result$/, own: /"code":-320(00|15|10)/ },
      { methods: ['eth_estimateGas'], path: /^\.error\./, recorded: /Internal server error|-32603/ },
    ],
  },
  {
    id: 'estimates',
    subject: 'estimate of a creation, or of a call with a value or an inner creation',
    reference: 'the result of one run, which can be the bound, or too low',
    here: 'the least gas with which the transaction succeeds',
    why: 'The transaction succeeds with it, and a block has room for it.',
    where: [{ methods: ['eth_estimateGas'], path: /^\.result$/, own: /^"0x/ }],
  },
  {
    id: 'pending-block',
    subject: 'pending block and its transactions',
    reference:
      '`number` and `miner` null, `nonce` zeros, `totalDifficulty` 0; no transaction of the fees; transactions have positions',
    here: 'the number and the miner that the block will have, `nonce` null, the total difficulty; positions are null',
    why: 'ethers 5 and 6 refuse a block without a number. A position is known when the block is mined. `cast block pending` also needs the bloom: `?dialect=ethereum`.',
    where: [
      { methods: ['eth_getBlockByNumber'], path: /^\.result\.(number|miner|nonce|totalDifficulty)$/ },
      {
        methods: ['eth_getBlockByNumber', 'eth_getTransactionByBlockNumberAndIndex'],
        path: /\.(blockHash|blockNumber|transactionIndex)$/,
        own: /^null$/,
      },
      { methods: ['eth_getBlockTransactionCountByNumber'], path: /^\.result$/ },
      { methods: ['eth_getTransactionByBlockNumberAndIndex'], path: /^\.result$/, recorded: /^null$/ },
      { methods: ['eth_getBlockByNumber'], path: /^\.result\.transactions\.(length|extra)$/ },
    ],
  },
  {
    id: 'filter-polls',
    subject: '`eth_getFilterChanges` with instant mining',
    reference: 'mines a block',
    here: 'mines nothing',
    why: 'A poll must not change the chain.',
    where: [{ methods: ['eth_getFilterChanges'], path: /^head$/ }],
  },
  {
    id: 'filter-blocks',
    subject: 'filter of logs with an open range, and its id',
    reference: 'knows only the logs of the newest block; the id is the hex of a random UUID',
    here: 'has the logs of all blocks since the last poll; the ids count up',
    why: 'A listener would miss events.',
    where: [
      { methods: /^eth_getFilter/, path: /^\.result/ },
      {
        methods: ['eth_getFilterChanges', 'eth_getFilterLogs'],
        path: /^\.error$/,
        recorded: /filter not found/,
      },
      { methods: ['eth_uninstallFilter'], path: /^\.result$/, own: /^true$/ },
    ],
  },
  {
    id: 'notifications',
    subject: 'notifications of `newHeads` and `logs`; refused subscriptions',
    reference:
      'headers without the members of mining, with `baseEvent`; indexes of logs within their transaction; `"0x00"` for no data; -32601 for what it does not know',
    here: 'the members of blocks and logs; -32602 with the reason',
    why: 'Clients read notifications as they read blocks and logs.',
    where: [],
    unrecorded: 'no session has a WebSocket; the row follows node-rpc 9',
  },
  {
    id: 'stop-mining',
    subject: '`evm_stopMining`, then a transaction',
    reference: 'mines it, and `eth_mining` stays true',
    here: 'keeps it until `evm_mine`, and `eth_mining` is false',
    why: 'The name promises it.',
    where: [
      { methods: ['eth_mining'], path: /^\.result$/ },
      { methods: ['eth_sendTransaction'], path: /^head$/ },
      { methods: ['txpool_status'], path: /^\.result\.pending$/ },
    ],
  },
  {
    id: 'increase-time',
    subject: '`evm_increaseTime`',
    reference: 'adds up only until the next block, which uses the seconds up',
    here: 'adds up for ever: every later block keeps the distance to the clock',
    why: 'Ganache and Hardhat do it so, and suites rely on it.',
    where: [{ methods: ['evm_increaseTime'], path: /^\.(result|error)$/ }],
  },
  {
    id: 'snapshot-ids',
    subject: 'ids of snapshots after `evm_revert`',
    reference: 'are given again',
    here: 'never',
    why: 'An old id would restore another state than the test meant.',
    where: [{ methods: ['evm_snapshot'], path: /^\.result$/ }],
  },
  {
    id: 'nonce-gap',
    subject: 'transaction with a gap before its nonce, with instant mining',
    reference:
      "mines an empty block and answers -32009, `transaction wasn't mined`, although it keeps the transaction",
    here: 'the hash',
    why: 'The transaction is accepted.',
    where: [
      {
        methods: ['eth_sendRawTransaction'],
        path: /^\.error(\.message|\.code)?$/,
        recorded: /-32009|wasn't mined/,
      },
      { methods: ['eth_sendRawTransaction'], path: /^head$/ },
    ],
  },
  {
    id: 'gas-quota',
    subject: 'gas quota of senders',
    reference: '-32010 `account exceeds quota`, for a second large deployment within seconds',
    here: 'none',
    why: 'A suite deploys many contracts in a second.',
    where: [
      { methods: SENDS, path: /^\.error$/, recorded: /account exceeds quota/ },
      { methods: ['debug_accountTransactionQuota'], path: /^\.result/ },
    ],
  },
  {
    id: 'default-gas',
    subject: 'creation without `gas`',
    reference: '90,000 gas, which is too little',
    here: 'an estimate',
    why: 'The first deployment of a new user must work.',
    where: [{ methods: ['eth_sendTransaction'], path: /^\.error$/, recorded: /basic cost/ }],
  },
  {
    id: 'log-limits',
    subject: 'limits of `eth_getLogs`',
    reference: '5,000 blocks, 20,000 logs',
    here: '2,000 blocks, or 10,000 logs in any range; both can be set',
    why: 'The service specification says so.',
    where: [{ methods: ['eth_getLogs'], path: /^\.error/, recorded: /-32012|more than/ }],
  },
  {
    id: 'log-topics',
    subject: '`topics` with `null` at the end, in `eth_getLogs`',
    reference: 'matches logs with fewer topics',
    here: 'needs a log with as many topics',
    why: 'geth does it so.',
    where: [{ methods: ['eth_getLogs'], path: /^\.result(\.length|\[\d+\])/ }],
  },
  {
    id: 'debug-traces',
    subject: '`debug_traceTransaction`, `debug_traceBlock...`',
    reference:
      'its own form: `initStorage`, `contractAddress`, words without prefix, depths from 0; `output` of callTracer is a number',
    here: "geth's form",
    why: 'Tools read that form.',
    where: [{ methods: /^debug_trace/, path: /^\.result/ }],
  },
  {
    id: 'txpool-content',
    subject: 'transactions of `txpool_content`',
    reference: 'no `v`, `r`, `s`, `type`; quantities with leading zeros, such as `"0x0a"`',
    here: 'all members; quantities as everywhere',
    why: 'Clients read them as transactions.',
    where: [
      { methods: ['txpool_content'], path: /\.(gasPrice|value)$/, recorded: /^"0x0/ },
      { methods: ['txpool_content'], path: /\.(v|r|s|type)$/, recorded: NO_VALUE },
    ],
  },
  {
    id: 'queued-transaction',
    subject: '`eth_getTransactionByHash` of a queued transaction',
    reference: 'null',
    here: 'the transaction',
    why: 'Its sender waits for it.',
    where: [{ methods: ['eth_getTransactionByHash'], path: /^\.result$/, recorded: /^null$/ }],
  },
  {
    id: 'accounts',
    subject: '`eth_accounts`',
    reference: "also the miner's account; keys that no curve has",
    here: 'the ten accounts and what was added',
    why: 'Suites take accounts by position.',
    where: [{ methods: ['eth_accounts', 'personal_listAccounts'], path: /^\.result/ }],
  },
  {
    id: 'price-zero',
    subject: 'hash and signature of `eth_sendTransaction` with price 0',
    reference: 'signs the price as the byte 0',
    here: 'signs it as an empty number, as RLP says',
    why: 'Libraries compute the same hash.',
    where: [
      { methods: ['eth_sendTransaction'], path: /^\.result$/, own: /^"0x[0-9a-f]{64}"$/ },
      { methods: /^eth_get(Block|Transaction)By/, path: /\.[rsv]$/ },
    ],
  },
  {
    id: 'modules',
    subject: '`rpc_modules`',
    reference: 'its own modules',
    here: 'also `dev`, `hardhat`, `anvil` and `ots`, not `miner`',
    why: 'These are the modules that the node has.',
    where: [{ methods: ['rpc_modules'], path: /^\.result\./ }],
  },
  {
    id: 'other-methods',
    subject:
      'methods of clients and of other nodes, such as `eth_getProof`, and the text for unknown methods',
    reference: '-32601 `method not found`; the params are checked first',
    here: 'answers them; unknown ones get -32601 `the method ... does not exist/is not available`',
    why: 'Clients and tools call them.',
    where: [
      { path: /^\.error/, recorded: /-32601|^"method not found"$|does not exist/ },
      { path: /^\.(result|error)/, own: /-32601|does not exist\/is not available/ },
    ],
  },
  {
    id: 'accounts-and-keys',
    subject: 'unknown or locked account, wrong passphrase',
    reference: '`Could not find account for address`, `Account not found`, `Internal server error`, `false`',
    here: 'the reason, such as `authentication needed` or `could not decrypt key`; params are checked first',
    why: 'The message says what to do.',
    where: [
      { methods: SENDS, path: /^\.error/, recorded: /Could not find account|-32602/ },
      { methods: ['eth_sign'], path: MESSAGE, recorded: /Account not found/ },
      { methods: /^personal_/, path: /^\.(error|result)/ },
    ],
  },
  {
    id: 'typed-transactions',
    subject: 'raw transactions of types 1 and 2, or with numbers that are not canonical',
    reference: '-32603 `Internal server error`, or the sender that another hash recovers',
    here: '-32602 with the reason',
    why: 'A wallet that sends them must learn why they fail.',
    where: [
      {
        methods: ['eth_sendRawTransaction'],
        path: MESSAGE,
        own: /not supported|leading zeros|has \d+ bytes|canonical/,
      },
    ],
  },
  {
    id: 'accepted-params',
    subject:
      'params in other forms: decimal numbers, `safe`, `finalized`, `LATEST`, hashes, missing optional params',
    reference: 'refuses them',
    here: 'accepts them',
    why: 'Clients send them.',
    where: [{ methods: NO_SENDS, path: /^\.error$/, recorded: /-32602|-32603|-32700|-32600/ }],
  },
  {
    id: 'refused-params',
    subject:
      'params that are no values: texts for numbers, hashes and addresses without prefix, texts for objects',
    reference: 'accepts them, often as null or 0',
    here: '-32602 with the name of the param',
    why: 'A slip would pass unnoticed.',
    where: [{ methods: NO_SENDS, path: /^\.result$/, own: /"code":-32(602|600|700)/ }],
  },
  {
    id: 'param-errors',
    subject: 'texts and codes of refused requests',
    reference: 'many, among them `Internal server error` and `method parameters invalid`',
    here: '-32602 with the name of the param and what is expected',
    why: 'The message says what to change.',
    where: [
      {
        path: MESSAGE,
        own: /^"(params\[|invalid|JSON parse error|Block|unknown account|filter not found|Invalid)/,
      },
      { path: CODE, own: /-32(602|600|700)/ },
      { path: /^\.id$/, recorded: /^"null"$/ },
    ],
  },
  {
    id: 'unknown-code',
    subject: '`eth_getCode` at an unknown block',
    reference: 'null',
    here: 'an error',
    why: 'Null looks like an account without code.',
    where: [{ methods: ['eth_getCode'], path: /^\.result$/, recorded: /^null$/ }],
  },
  {
    id: 'moved-precompiles',
    subject: '`movePrecompileToAddress` in the state overrides of `eth_call`',
    reference: '-32603 `Internal server error`',
    here: '-32602 `movePrecompileToAddress is not supported`',
    why: 'The message says what to change.',
    where: [
      {
        methods: ['eth_call'],
        path: /^(http|\.error\.(code|message))$/,
        own: /movePrecompile|-32602|400/,
        recorded: /Internal|-32603|200/,
      },
    ],
  },
  {
    id: 'aux-submissions',
    subject: 'refused blocks of `mnr_submitAux...`',
    reference: '`Invalid block supplied by miner` with two hashes, `Internal server error`',
    here: 'the same with the reason, or what is wrong with the bytes',
    why: 'A miner under test needs the reason.',
    where: [{ methods: /^mnr_submitAux/, path: MESSAGE }],
  },
]

/** Differences of both modes. */
const COMMON_ROWS: readonly Omit<Row, 'isGoneWithFaithful'>[] = [
  {
    id: 'hashes',
    subject: 'hashes of blocks, state roots, sizes of blocks, and what contains them',
    reference:
      'genesis `0x8ea789fabef0dd4946ed53f001e7b6f8a8d0c22a612a6099fc7f93c990af68fe`, from a binary trie and headers with their proof of work',
    here: 'others: a Merkle Patricia trie, and no proof of work',
    why: 'Known debt: nothing that a contract or a suite computes depends on them.',
    where: [],
    unrecorded:
      'the replay pairs hashes by their positions, and compares only the shape of what derives from a trie',
  },
  {
    id: 'times',
    subject: 'times',
    reference: 'those of the recording',
    here: 'those of the replay',
    why: 'By nature. The federation keeps the time of its creation, which a call returns.',
    where: [
      {
        methods: ['eth_call'],
        path: /^\.result$/,
        recorded: /^"0x0{56}6b0[0-9a-f]{5}"$/,
        own: /^"0x0{56}6[0-9a-f]{7}"$/,
      },
    ],
  },
  {
    id: 'own-aux-headers',
    subject: 'aux header of an own block, as the precompile returns it',
    reference: 'one with proof of work',
    here: 'the constant header of a block without work',
    why: 'Blocks are mined at once.',
    where: [
      {
        methods: ['eth_call'],
        path: /^\.result$/,
        recorded: /^"0x0{62}200{62}50/,
        own: /^"0x0{62}200{62}50/,
      },
    ],
  },
  {
    id: 'client-name',
    subject: '`web3_clientVersion`',
    reference: 'its own name',
    here: '`HardhatNetwork/compatible/...` with the name and version of this node and its release of the rules',
    why: 'Plugins of Hardhat refuse other names, and a report of a fault must name the node that answered.',
    where: [{ methods: ['web3_clientVersion'], path: /^\.result$/ }],
  },
  {
    id: 'compilers',
    subject: '`eth_getCompilers`',
    reference: '`["solidity"]`, although it compiles nothing',
    here: '-32601',
    why: 'The service specification does not support it.',
    where: [{ methods: ['eth_getCompilers'], path: /^\.result$/ }],
  },
  {
    id: 'parallel-lists',
    subject: '`nodePteEdges` of a block, `cumulativeGasUsed` of a receipt',
    reference:
      'lists of transactions that can run in parallel, and one for the others and the fees: edges such as `[1]`, gas from 0 in each list',
    here: 'one list: no edges, gas of the whole block',
    why: 'Known debt: the lists depend on the state that each transaction reads and writes; no contract can see them.',
    where: [
      { path: /nodePteEdges\.length$/, recorded: /^[12]$/ },
      { methods: ['eth_getTransactionReceipt'], path: /cumulativeGasUsed$/ },
    ],
  },
  {
    id: 'fee-slots',
    subject: 'storage of the fee contract',
    reference: 'slots at hashes of names',
    here: 'the balance of the fees at slot 0',
    why: 'Known debt: no contract can read them.',
    where: [{ methods: ['eth_getStorageAt'], path: /^\.result$/, recorded: /^"0x0{64}"$/ }],
  },
  {
    id: 'pending-order',
    subject: 'pending transactions of many senders that do not fit into one block',
    reference: 'its own order, with which the pending block and its balances begin',
    here: 'the order of the next block',
    why: 'Known debt: the order of mined blocks is the same.',
    where: [
      { methods: ['eth_pendingTransactions'], path: /^\.result\.order$/ },
      {
        methods: ['eth_getTransactionByBlockNumberAndIndex'],
        path: /^\.result\.\w+$/,
        own: /^"/,
        recorded: /^"/,
      },
      { methods: ['eth_getBalance'], path: /^\.result$/, own: /^"/ },
    ],
  },
  {
    id: 'uncle-transactions',
    subject: '`transactions` of an uncle',
    reference: 'the transactions of the block that became the uncle',
    here: '`[]`',
    why: 'A header has no transactions, and only headers of uncles are kept.',
    where: [{ methods: /^eth_getUncleBy/, path: /^\.result\.transactions\.length$/ }],
  },
  {
    id: 'inner-hashes',
    subject: 'text of an error in an inner call, in `trace_...`',
    reference: 'names a hash of the inner transaction',
    here: 'names the hash of the transaction',
    why: 'Inner transactions have no hash that a user could look up.',
    where: [{ methods: /^trace_/, path: /^\.result\[\d+\]\.error$/, recorded: /tx\[0x/, own: /tx\[0x/ }],
  },
  {
    id: 'trace-time',
    subject: '`trace_filter` over thousands of blocks',
    reference: '-32011 `Execution has got timeout out.` after some seconds',
    here: 'the traces',
    why: 'It takes less time, and `--call-timeout` is another limit.',
    where: [{ methods: ['trace_filter'], path: /^\.error$/, recorded: /-32011/ }],
  },
  {
    id: 'key-zero',
    subject: 'the private key 0 in `personal_importRawKey`',
    reference: 'imports it',
    here: '-32602',
    why: 'Nobody can verify its signatures.',
    where: [
      { methods: ['personal_importRawKey'], path: /^\.result$/, own: /order of secp256k1/ },
      { methods: ['personal_importRawKey'], path: /^http$/, recorded: /^200$/ },
    ],
  },
  {
    id: 'account-order',
    subject: 'order of accounts with a passphrase in `eth_accounts`',
    reference: 'that of a hash table, with the account of the miner among them',
    here: 'the account of the miner, then those accounts in the order in which they were added',
    why: 'The addresses of new accounts are random, and so is their order in the reference.',
    where: [{ methods: ['eth_accounts', 'personal_listAccounts'], path: /^\.result\[1\d\]$/, own: /^"0x/ }],
  },
  {
    id: 'wide-gas',
    subject: '`gas` of more than 64 bits',
    reference: 'is above the gas limit of the block',
    here: '-32602: expected up to 64 bits',
    why: 'No transaction can have it.',
    where: [
      { methods: ['eth_sendTransaction'], path: MESSAGE, own: /up to 64 bits/ },
      { methods: ['eth_sendTransaction'], path: CODE, recorded: /-32010/, own: /-32602/ },
      { methods: ['eth_sendTransaction'], path: /^http$/, recorded: /^200$/ },
    ],
  },
  {
    id: 'node-methods',
    subject: '`node_flush`, `node_getStorageBytesAt`',
    reference: 'has them',
    here: '-32601',
    why: 'The service specification does not list them.',
    where: [{ methods: ['node_flush', 'node_getStorageBytesAt'], path: /^\.(result|error)/ }],
  },
  {
    id: 'bridge-state',
    subject: '`eth_bridgeState` while a peg-out is queued',
    reference: '-32603 `Internal server error`',
    here: 'the state',
    why: 'The error tells nothing that a test could use.',
    where: [{ methods: ['eth_bridgeState'], path: /^\.error$/, recorded: /-32603/ }],
  },
  {
    id: 'price-encoding',
    subject: 'raw transaction whose price has a leading zero',
    reference: "recovers another sender: `the sender account doesn't exist`",
    here: 'accepts it',
    why: 'Known debt: no library writes such a price.',
    where: [
      { methods: ['eth_sendRawTransaction'], path: /^\.error$/, recorded: /sender account/, own: /^"0x/ },
    ],
  },
  {
    id: 'quota-of-receivers',
    isHiddenByDefault: true,
    subject: 'gas quota of an account that another account funded',
    reference: '0.06% less, some milliseconds long',
    here: 'what its formula gives',
    why: 'Known debt: no transaction is refused because of it.',
    where: [
      {
        methods: ['debug_accountTransactionQuota'],
        path: /^\.result\.availableVirtualGas$/,
        recorded: /^1[45]\d{6}\.\d/,
      },
    ],
  },
  {
    id: 'malformed-transactions',
    subject: 'raw transaction that no library makes: a wrong length of an item, a `v` of no chain',
    reference: 'reads it in part and then refuses it, each with a text of its own',
    here: 'refuses its encoding',
    why: 'It is refused here and there.',
    where: [
      {
        methods: ['eth_sendRawTransaction'],
        path: /^(http|\.error\.(code|message))$/,
        own: /Internal server error|-32603|-32602|has \d+ bytes|canonical|RLP byte array|^[24]00$/,
      },
    ],
  },
  {
    id: 'estimates-at-limits',
    subject:
      '`eth_estimateGas` of a creation above the size limit, and of a precompile that runs out of gas on a huge length',
    reference: 'an amount for the one, `Internal server error` for the other',
    here: 'an error with the reason for the one, the bound for the other',
    why: 'Neither transaction can succeed.',
    where: [
      { methods: ['eth_estimateGas'], path: /^\.result$/, own: /max initcode size/ },
      { methods: ['eth_estimateGas'], path: /^\.error$/, recorded: /-32603/, own: /^"0x67c280"$/ },
    ],
  },
  {
    id: 'subscriptions',
    subject: 'subscriptions beside their notifications',
    reference:
      'any connection ends any subscription; side blocks are notified of; `syncing` without a sync has no event; `null` among topics closes the connection',
    here: 'a connection ends its own; only blocks of the chain; `false` once; `null` matches any topic',
    why: 'No recording proves these accidents, and a suite that depends on them would fail at random.',
    where: [],
    unrecorded: 'no session has a WebSocket; the row follows node-rpc 9',
  },
  {
    id: 'envelopes',
    subject:
      'requests that are no JSON-RPC 2.0 over HTTP: trailing text, other versions, huge ids, other verbs, hosts and content types',
    reference:
      'as its libraries happen to answer: statuses 413, 415 and 501 without a body, `jsonrpc` repeated, ids cut to 32 bits',
    here: 'as JSON-RPC 2.0 says; transport faults have statuses and a reason',
    why: 'No client sends them on purpose.',
    where: [
      { methods: ['raw'], path: /^(http|\.jsonrpc|\.id)$/ },
      { methods: ['raw'], recorded: /^""$/ },
      { methods: ['raw'], path: /^\.result$/, own: /-32700/ },
    ],
  },
]

/** All rows; the first one that fits a difference explains it. */
export const ROWS: readonly Row[] = [
  ...COMMON_ROWS.map((row) => ({ ...row, isGoneWithFaithful: false })),
  ...DEFAULT_ROWS.map((row) => ({ ...row, isGoneWithFaithful: true })),
]
