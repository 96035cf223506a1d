/** What the table of EIPs says beside lib/config/eips.ts: EIPs of older hard forks, EIPs outside of the node, and proposals of network 33. */

/** An EIP that is part of the rules of every Ethereum network here, because it is older than London. */
export interface EarlierEip {
  readonly eip: number
  readonly title: string
  readonly hardfork: string
}

const earlier = (hardfork: string, eips: Readonly<Record<number, string>>): readonly EarlierEip[] =>
  Object.entries(eips).map(([eip, title]) => ({ eip: Number(eip), title, hardfork }))

/** EIPs of the hard forks before London that change the rules of execution. */
export const EARLIER_EIPS: readonly EarlierEip[] = [
  ...earlier('homestead', {
    2: 'a creation costs 53,000 gas; signatures have a low s',
    7: 'instruction `DELEGATECALL`',
  }),
  ...earlier('tangerine whistle', {
    150: 'higher prices of reads and calls; a call gets at most 63/64 of the gas',
  }),
  ...earlier('spurious dragon', {
    155: 'signatures name the chain id',
    160: '`EXP` costs 50 gas per byte of the exponent',
    161: 'empty accounts are removed',
    170: 'code has at most 24,576 bytes',
  }),
  ...earlier('byzantium', {
    140: 'instruction `REVERT`',
    196: 'addition and multiplication on BN254',
    197: 'pairing on BN254',
    198: 'modular exponentiation',
    211: 'instructions `RETURNDATASIZE`, `RETURNDATACOPY`',
    214: 'instruction `STATICCALL`',
    658: 'receipts have a status',
  }),
  ...earlier('constantinople', {
    145: 'instructions `SHL`, `SHR`, `SAR`',
    1014: 'instruction `CREATE2`',
    1052: 'instruction `EXTCODEHASH`',
  }),
  ...earlier('istanbul', {
    152: 'precompile for rounds of BLAKE2',
    1108: 'lower prices of BN254',
    1344: 'instruction `CHAINID`',
    1884: 'instruction `SELFBALANCE`; higher prices of reads',
    2028: 'a byte of call data costs 16 gas',
    2200: 'price of `SSTORE` by the original value',
  }),
  ...earlier('berlin', {
    2565: 'lower price of modexp',
    2718: 'transactions have types',
    2929: 'prices of the first access in a transaction',
  }),
  ...earlier('london', { 3529: 'refunds are at most a fifth of the gas' }),
  ...earlier('all, in retrospect', {
    684: 'a creation fails at an address in use',
    2681: 'a nonce is below 2^64 - 1',
    3607: 'accounts with code send nothing',
  }),
]

/** What a development chain leaves out of an EIP. */
export const LEFT_OUT: Readonly<Record<number, string>> = {
  1559: 'requests can set the base fee of the next block',
  4399: 'no beacon chain: the node makes the value, and requests can set it',
  4788: 'no beacon chain: the node makes the roots',
  4844: 'no peers: blobs stay on this node',
  4895: 'no validators: withdrawals are those that a request names',
  6110: 'no validators: the header has the hash of the requests, and nothing comes of them',
  7002: 'no validators: the header has the hash of the requests, and nothing comes of them',
  7251: 'no validators: the header has the hash of the requests, and nothing comes of them',
  7594: 'no peers: nobody samples cells',
  7708: 'as in the test release, with logs of burns',
  7843: 'no beacon chain: the number is one more with each block',
  7892: 'only the schedule of amsterdam: a network file sets its EIPs for all its blocks',
  7928: 'the node makes the blocks: the gas limit does not limit the number of entries',
  7954: 'the sizes of the test release; later drafts have 65,536 and 131,072 bytes',
  8037: 'as in the test release, 1174 gas for a byte; later drafts charge elsewhere, and 1530',
}

/** Folders of public tests whose names do not contain the number of their EIP. */
export const VECTOR_FOLDERS: Readonly<Record<number, readonly string[]>> = {
  2: ['TransactionTests/ttSignature', 'TransactionTests/ttRSValue'],
  7: ['GeneralStateTests/stCallDelegateCodesHomestead'],
  140: ['GeneralStateTests/stRevertTest'],
  145: ['GeneralStateTests/stShift'],
  150: ['GeneralStateTests/stMemExpandingEIP150Calls'],
  155: ['TransactionTests/ttVValue'],
  170: ['GeneralStateTests/stCodeSizeLimit'],
  196: ['GeneralStateTests/stZeroKnowledge'],
  197: ['GeneralStateTests/stZeroKnowledge'],
  211: ['GeneralStateTests/stReturnDataTest'],
  214: ['GeneralStateTests/stStaticCall', 'GeneralStateTests/stStaticFlagEnabled'],
  1014: ['GeneralStateTests/stCreate2'],
  1052: ['GeneralStateTests/stExtCodeHash'],
  2200: ['GeneralStateTests/stSStoreTest'],
  2681: ['TransactionTests/ttNonce'],
  3529: ['GeneralStateTests/stRefundTest'],
  3860: ['GeneralStateTests/stInitCodeTest'],
}

/** EIPs of hard forks that have no effect here, with the reason. */
export const OUTSIDE: readonly (readonly [hardfork: string, eips: readonly number[], reason: string])[] = [
  ['homestead', [8], 'messages between peers'],
  ['DAO fork', [779], 'a change of the state of one network'],
  ['spurious dragon', [158], 'replaced by EIP-161'],
  [
    'byzantium',
    [100, 649],
    'difficulty and rewards of proof of work: the node makes blocks without proof of work, and rewards nobody',
  ],
  ['constantinople', [1234], 'difficulty and rewards of proof of work'],
  ['constantinople', [1283], 'removed by EIP-1716, replaced by EIP-2200'],
  ['muir glacier', [2384], 'difficulty of proof of work'],
  ['london', [3554], 'difficulty of proof of work'],
  ['arrow glacier, gray glacier', [4345, 5133], 'difficulty of proof of work'],
  [
    'paris',
    [3675],
    'the move of a network to proof of stake: a network here has or has not moved from its first block on',
  ],
  ['shanghai', [6049], 'a notice without a change'],
  ['cancun', [7044, 7045, 7514], 'rules of the beacon chain'],
  ['prague', [7549], 'rules of the beacon chain'],
  ['prague', [7840], 'a member of the configuration files of clients'],
  ['osaka', [7642], 'messages between peers'],
  ['osaka', [7917], 'rules of the beacon chain'],
  [
    'osaka',
    [7934],
    'a limit on the bytes of a block between peers; the gas limit of a block is the limit here',
  ],
  ['osaka', [7935], 'a recommended gas limit: `--block-gas-limit` sets it'],
  ['amsterdam', [7688, 7732, 8045, 8061], 'rules of the beacon chain'],
  ['amsterdam', [7975, 8070, 8136, 8159, 8189], 'messages between peers'],
  ['amsterdam', [7904, 8261], 'notices without a change'],
]

/** EIPs that are scheduled for amsterdam, and of which its rules here have nothing: the test release does not have them. */
export const NOT_COVERED: Readonly<Record<number, string>> = {
  2780: 'lower intrinsic gas of a transaction',
  7997: 'a factory of contracts in the genesis',
  8038: 'higher prices of accesses to state',
  8246: '`SELFDESTRUCT` burns nothing',
  8282: 'requests of builders',
}

/** A proposal of network 33. */
export interface Proposal {
  readonly number: number
  readonly title: string
  /** Test files. */
  readonly tests: readonly string[]
}

const MERGED_MINING = 'test/modules/network-33/consensus'
const NETWORK_33 = 'test/modules/network-33/precompiles'

/** Proposals of network 33 that code here cites. Those of instructions are in the table of EIPs. */
export const PROPOSALS: readonly Proposal[] = [
  { number: 85, title: 'shares and minimum of paid fees', tests: [`${NETWORK_33}/fee-distribution.test.ts`] },
  {
    number: 90,
    title: 'precompiled contracts have a byte of code',
    tests: ['test/evm/machine/network-33.test.ts'],
  },
  {
    number: 92,
    title: 'the block hash leaves out the proof of work',
    tests: [`${MERGED_MINING}/header.test.ts`],
  },
  {
    number: 106,
    title: 'contract with tools of HD wallets',
    tests: [`${NETWORK_33}/hd-wallet-utils.test.ts`],
  },
  {
    number: 110,
    title: 'the hash for merged mining shows forks',
    tests: [`${MERGED_MINING}/fork-detection.test.ts`],
  },
  { number: 119, title: 'contract with properties of blocks', tests: [`${NETWORK_33}/block-header.test.ts`] },
  { number: 144, title: 'parallel lists of transactions', tests: ['test/chain/gas-by-list.test.ts'] },
  { number: 180, title: 'bound of the proof of merged mining', tests: [`${MERGED_MINING}/proof.test.ts`] },
  { number: 197, title: 'gas of a precompile that fails', tests: ['test/clients/native-contracts.test.ts'] },
  { number: 203, title: 'contract with the depth of a call', tests: [`${NETWORK_33}/environment.test.ts`] },
  { number: 218, title: 'share of the developers', tests: [`${NETWORK_33}/fee-distribution.test.ts`] },
  { number: 252, title: 'highest gas price', tests: [`${MERGED_MINING}/admit.test.ts`] },
  { number: 351, title: 'headers with compressed blooms', tests: [`${MERGED_MINING}/header.test.ts`] },
  {
    number: 516,
    title: 'additions and multiplications on secp256k1',
    tests: [`${NETWORK_33}/secp256k1.test.ts`],
  },
  { number: 535, title: 'headers with a base event', tests: [`${MERGED_MINING}/header.test.ts`] },
  { number: 536, title: 'more properties of blocks', tests: [`${NETWORK_33}/block-header.test.ts`] },
]
