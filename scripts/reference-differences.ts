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
  /** The recorded differences that belong to the row. */
  readonly where: readonly Place[]
  /** Why no recording has it; absent if one does. */
  readonly unrecorded?: string
}

const MESSAGE = /^\.error\.message$/
const CALLS = ['eth_call', 'eth_estimateGas']
const SENDS = /^(eth|personal)_send/
const FILTER_ANSWERS = /^eth_getFilter/
const TRACES = /^debug_trace/

/** Differences of the default. With `--faithful` this node answers as the reference node. */
const DEFAULT_ROWS: readonly Omit<Row, 'isGoneWithFaithful'>[] = [
  {
    id: 'http-status',
    subject: 'HTTP status of a JSON-RPC error',
    reference: '400 for -32600, -32602 and -32700',
    here: '200',
    why: 'client libraries drop the body of a 400, and with it the reason',
    where: [{ path: /^http$/ }],
  },
  {
    id: 'block-timestamps',
    subject: 'members beyond those of the reference',
    reference: 'absent',
    here: '`blockTimestamp` and `chainId` of transactions, `blockTimestamp` and `removed` of logs',
    why: 'clients expect them of every node',
    where: [{ path: /\.(blockTimestamp|removed|chainId)$/, recorded: /^absent$/ }],
  },
  {
    id: 'error-members',
    subject: 'failed transactions, calls and estimates',
    reference: 'only `code`, `message` and the data of a revert',
    here: 'also `data: "0x"`, `txHash` of a mined transaction, and `cause` in the form of geth',
    why: 'libraries find the transaction and decode the reason',
    where: [
      { methods: SENDS, path: /^\.error\.(data|txHash|cause)$/, recorded: /^absent$/ },
      { methods: CALLS, path: /^\.error\.(data|cause)$/, recorded: /^absent$/ },
    ],
  },
  {
    id: 'failed-sends',
    subject: 'transaction that fails without a revert',
    reference: '`transaction reverted`',
    here: 'the reason, such as `invalid opcode`',
    why: 'the reason is what the developer looks for',
    where: [{ methods: SENDS, path: MESSAGE, recorded: /transaction reverted/ }],
  },
  {
    id: 'failed-calls',
    subject: '`eth_call` that fails without a revert',
    reference: '`"0x"`, and no error',
    here: '-32015 with the reason',
    why: 'libraries decode `"0x"` as a contract without the function',
    where: [{ methods: ['eth_call'], path: /^\.result$/, recorded: /^"0x"$/, own: /"code":-32015/ }],
  },
  {
    id: 'failed-estimates',
    subject: '`eth_estimateGas` of such a call',
    reference: 'the bound, 6,800,000 gas, or the gas of a failed precompile',
    here: 'an error with the reason',
    why: 'a transaction with this gas fails',
    where: [
      { methods: ['eth_estimateGas'], path: /^\.result$/, own: /"code":-320(00|15|10)/ },
      {
        methods: ['eth_estimateGas'],
        path: /^\.error\.(message|code)$/,
        recorded: /Internal server error|-32603/,
      },
    ],
  },
  {
    id: 'estimates',
    subject: 'estimate of a creation, or of a call with a value or an inner creation',
    reference: 'one run, whose result can be the bound or too low',
    here: 'the least gas with which the transaction succeeds',
    why: 'the transaction succeeds with it, and fits into a block',
    where: [{ methods: ['eth_estimateGas'], path: /^\.result$/, own: /^"0x/ }],
  },
  {
    id: 'pending-block',
    subject: 'pending block and its transactions',
    reference: '`number` and `miner` null, `nonce` zeros, `totalDifficulty` 0, transactions with positions',
    here: '`number` and `miner`, `nonce` null, the total difficulty, positions null',
    why: 'ethers 5 and 6 refuse a block without a number; a position is known only after mining',
    where: [
      { methods: ['eth_getBlockByNumber'], path: /^\.result\.(number|miner|nonce|totalDifficulty)$/ },
      {
        methods: ['eth_getBlockByNumber', 'eth_getTransactionByBlockNumberAndIndex'],
        path: /\.(blockHash|blockNumber|transactionIndex)$/,
        own: /^null$/,
      },
    ],
  },
  {
    id: 'filter-polls',
    subject: '`eth_getFilterChanges` with instant mining',
    reference: 'mines a block',
    here: 'does not',
    why: 'a poll must not change the chain',
    where: [{ methods: ['eth_getFilterChanges', 'eth_newFilter'], path: /^head$/ }],
  },
  {
    id: 'filter-blocks',
    subject: 'filter of logs whose range is open',
    reference: 'its changes are the logs of the newest block, its logs those of the newest block',
    here: 'the logs of all blocks since the last poll, and of all blocks of the range',
    why: 'a listener misses events otherwise',
    where: [{ methods: FILTER_ANSWERS, path: /^\.result/ }],
  },
  {
    id: 'stop-mining',
    subject: '`evm_stopMining`, then a transaction',
    reference: 'is mined, and `eth_mining` stays true',
    here: 'waits for `evm_mine`; `eth_mining` is false',
    why: 'what the method promises',
    where: [
      { methods: ['eth_mining'], path: /^\.result$/ },
      { methods: ['eth_sendTransaction'], path: /^head$/ },
      { methods: ['txpool_status'], path: /^\.result\.pending$/ },
    ],
  },
  {
    id: 'increase-time',
    subject: '`evm_increaseTime`',
    reference: 'answers the seconds since the newest block, which one block consumes',
    here: 'answers the sum of all increases, which every later block keeps',
    why: 'as Ganache and Hardhat, whose suites add them up',
    where: [{ methods: ['evm_increaseTime'], path: /^\.(result|error)$/ }],
  },
  {
    id: 'nonce-gap',
    subject: 'transaction with a gap before its nonce, with instant mining',
    reference: "an empty block and -32009, `transaction wasn't mined`, though it is queued",
    here: 'its hash',
    why: 'it is accepted',
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
    reference: '-32010 `account exceeds quota` for a second large deployment within seconds',
    here: 'none',
    why: 'a suite deploys many contracts',
    where: [
      { methods: SENDS, path: /^\.error$/, recorded: /account exceeds quota/ },
      { methods: ['debug_accountTransactionQuota'] },
    ],
  },
  {
    id: 'log-limits',
    subject: 'limits of `eth_getLogs`',
    reference: '5,000 blocks, 20,000 logs',
    here: '2,000 blocks, or 10,000 logs over any range, both settable',
    why: 'as the specification says',
    where: [{ methods: ['eth_getLogs'], path: /^\.error/, recorded: /-32012|more than|-32011/ }],
  },
  {
    id: 'debug-traces',
    subject: '`debug_traceTransaction` and its kin',
    reference:
      'an own form: `initStorage`, `contractAddress`, words without prefix, depth from 0, calls without code in `transferInvoke`; `output` of callTracer as a number',
    here: "geth's form",
    why: 'tools read that form',
    where: [{ methods: TRACES, path: /^\.result/ }],
  },
  {
    id: 'txpool-content',
    subject: 'transactions of `txpool_content`',
    reference: 'no `v`, `r`, `s`, `type`; quantities with leading zeros, such as `"0x0a"`',
    here: 'all members, quantities as everywhere',
    why: 'clients parse them as transactions',
    where: [
      { methods: ['txpool_content'], path: /\.(gasPrice|value)$/, recorded: /^"0x0/ },
      { methods: ['txpool_content'], path: /\.(v|r|s|type)$/, recorded: /^absent$/ },
    ],
  },
  {
    id: 'queued-transaction',
    subject: '`eth_getTransactionByHash` of a queued transaction',
    reference: 'null',
    here: 'the transaction',
    why: 'its sender looks for it',
    where: [{ methods: ['eth_getTransactionByHash'], path: /^\.result$/, recorded: /^null$/ }],
  },
  {
    id: 'accounts',
    subject: '`eth_accounts`',
    reference: 'also the account of the miner',
    here: 'the ten accounts',
    why: 'a suite takes them by position',
    where: [{ methods: ['eth_accounts', 'personal_listAccounts'], path: /^\.result/ }],
  },
  {
    id: 'modules',
    subject: '`rpc_modules`',
    reference: 'its own modules',
    here: 'also `dev`, `hardhat`, `anvil` and `ots`, not `miner`',
    why: 'the node has their methods',
    where: [{ methods: ['rpc_modules'], path: /^\.result\./ }],
  },
  {
    id: 'other-methods',
    subject: 'methods of other nodes, such as `eth_getProof`',
    reference: '-32601',
    here: 'answered',
    why: 'clients and tools call them',
    where: [
      { path: /^\.error$/, recorded: /-32601/ },
      { path: MESSAGE, recorded: /^"method not found"$/ },
      { path: /^\.error\.code$/, recorded: /-32601/ },
    ],
  },
  {
    id: 'accepted-params',
    subject:
      'params in other forms: decimal numbers, `safe`, `finalized`, blocks by hash, missing optional params',
    reference: 'refused',
    here: 'accepted',
    why: 'clients send them',
    where: [{ path: /^\.error$/, recorded: /-32602|-32603|-32700|-32600/ }],
  },
  {
    id: 'refused-params',
    subject: 'params that are no values: text as a number, hashes without prefix, objects as text',
    reference: 'accepted, often as null or 0',
    here: '-32602 with the name of the param',
    why: 'a slip would pass unnoticed',
    where: [{ path: /^\.result$/, own: /"code":-32(602|600|700)/ }],
  },
  {
    id: 'param-errors',
    subject: 'refused requests',
    reference: 'many texts, among them `Internal server error` and `method parameters invalid`, and codes',
    here: '-32602 with the name of the param and what is expected',
    why: 'the message says what to change',
    where: [
      {
        path: MESSAGE,
        own: /^"(params\[|invalid request|JSON parse error|Block|unknown account|invalid transaction|invalid signature|filter not found)/,
      },
      { path: /^\.error\.code$/, own: /-32(602|600|700)/ },
      { path: /^\.id$/, recorded: /^"null"$/ },
    ],
  },
  {
    id: 'envelopes',
    subject:
      'envelopes: empty batches, batches in batches, other versions of JSON-RPC, notifications, batches above 50',
    reference: 'accepted or refused by accident',
    here: 'as JSON-RPC 2.0 says, up to 1000 requests in a batch',
    why: 'libraries rely on it',
    where: [{ methods: ['raw'] }],
  },
  {
    id: 'unknown-code',
    subject: '`eth_getCode` and others at an unknown block',
    reference: 'null',
    here: 'an error',
    why: 'null has no code',
    where: [{ methods: ['eth_getCode'], path: /^\.result$/, recorded: /^null$/ }],
  },
]

/** Differences of both modes. */
const COMMON_ROWS: readonly Omit<Row, 'isGoneWithFaithful'>[] = [
  {
    id: 'client-name',
    subject: '`web3_clientVersion`',
    reference: 'its own name',
    here: '`HardhatNetwork/...`',
    why: 'plugins of Hardhat refuse other names',
    where: [{ methods: ['web3_clientVersion'], path: /^\.result$/ }],
  },
]

/** All rows; the first one that fits a difference explains it. */
export const ROWS: readonly Row[] = [
  ...COMMON_ROWS.map((row) => ({ ...row, isGoneWithFaithful: false })),
  ...DEFAULT_ROWS.map((row) => ({ ...row, isGoneWithFaithful: true })),
]
