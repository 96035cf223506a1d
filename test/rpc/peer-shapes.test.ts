/** Every control of other development nodes by each of its names, with the params that the clients of that node send. */

import { describe, expect, test } from '@jest/globals'
import type { Node } from '../../lib/node/node.ts'
import { call, freshNode } from '../support/node.ts'
import { COW, COW1 } from '../support/signing.ts'

const STRANGER = `0x${'77'.repeat(20)}`
const WORD = `0x${'00'.repeat(31)}2a`
const TRANSFER = { from: COW, to: COW1, value: '0x1', gas: '0x5208' }

/** The request that checks the effect, and its result. */
type Seen = readonly [method: string, params: readonly unknown[], answer: unknown]
type Row = readonly [params: readonly unknown[], seen: Seen]

const balance = (answer: string): Seen => ['eth_getBalance', [STRANGER], answer]
const code = (answer: string): Seen => ['eth_getCode', [STRANGER], answer]
const nonce = (answer: string): Seen => ['eth_getTransactionCount', [STRANGER], answer]
const slot = (position: string): Seen => ['eth_getStorageAt', [STRANGER, position], WORD]
const height = (answer: string): Seen => ['eth_blockNumber', [], answer]
const automine = (answer: boolean): Seen => ['hardhat_getAutomine', [], answer]
const interval = (answer: number | null): Seen => ['anvil_getIntervalMining', [], answer]
const nextBlock = (answer: object): Seen => ['evm_mine_detailed', [], [expect.objectContaining(answer)]]
const empty: Seen = ['txpool_status', [], { pending: 0, queued: 0 }]

/** Rows of the same shape under several prefixes. */
const under = (prefixes: readonly string[], name: string, rows: readonly Row[]) =>
  prefixes.flatMap((prefix) => rows.map(([params, seen]) => ({ method: `${prefix}_${name}`, params, seen })))

const viem = ['hardhat', 'anvil', 'ganache']
const both = ['hardhat', 'anvil']

const accounts = [
  ...under([...viem, 'tenderly'], 'setBalance', [
    [[STRANGER, '0x64'], balance('0x64')],
    [[STRANGER, '100'], balance('0x64')],
    [[STRANGER, 100], balance('0x64')],
    // As of helpers that strip zeros.
    [[STRANGER, '0x'], balance('0x0')],
  ]),
  ...under(['evm'], 'setAccountBalance', [[[STRANGER, '0x64'], balance('0x64')]]),
  ...under([...both, 'tenderly'], 'addBalance', [[[STRANGER, '0x64'], balance('0x64')]]),
  ...under(viem, 'setCode', [[[STRANGER, '0x6000'], code('0x6000')]]),
  ...under(['evm'], 'setAccountCode', [[[STRANGER, '0x6000'], code('0x6000')]]),
  ...under(viem, 'setNonce', [
    [[STRANGER, '0x7'], nonce('0x7')],
    [[STRANGER, 7], nonce('0x7')],
  ]),
  ...under(['evm'], 'setAccountNonce', [[[STRANGER, '0x7'], nonce('0x7')]]),
  ...under(viem, 'setStorageAt', [
    [[STRANGER, '0x1', WORD], slot('0x1')],
    [[STRANGER, 1, WORD], slot('0x1')],
    [[STRANGER, WORD, WORD], slot('0x2a')],
  ]),
  // Ganache takes a value of any length.
  ...under(['evm'], 'setAccountStorageAt', [[[STRANGER, '0x1', '0x2a'], slot('0x1')]]),
]

const blocks = [
  ...under(both, 'mine', [
    [[], height('0x1')],
    [['0x3'], height('0x3')],
    [['0x3', '0x3c'], height('0x3')],
    [['0x3', null], height('0x3')],
    [[3, 60], height('0x3')],
  ]),
  ...under(['evm', 'ganache'], 'mine', [
    [[], height('0x1')],
    [[4_000_000_000], ['eth_getBlockByNumber', ['latest', false], hasTime('0xee6b2800')]],
    [['0xee6b2800'], ['eth_getBlockByNumber', ['latest', false], hasTime('0xee6b2800')]],
    [[{ blocks: 3 }], height('0x3')],
    [[{ blocks: '0x3' }], height('0x3')],
    [[{ timestamp: 4_000_000_000, blocks: 2 }], height('0x2')],
    // As of alloy and Ape.
    [[{ timestamp: null, blocks: 2 }], height('0x2')],
    [[null], height('0x1')],
  ]),
  ...under(['evm', 'anvil'], 'mine_detailed', [[[], height('0x1')]]),
  ...under([...both, 'evm'], 'setAutomine', [[[false], automine(false)]]),
  ...under(['miner'], 'stop', [[[], automine(false)]]),
  ...under(['miner'], 'start', [
    [[], automine(true)],
    [[1], automine(true)],
  ]),
  ...under(['evm', 'hardhat'], 'setIntervalMining', [
    [[5000], interval(5)],
    [['0x1388'], interval(5)],
    [[0], interval(null)],
  ]),
  ...under(['anvil'], 'setIntervalMining', [[[5], interval(5)]]),
  ...under([...both, 'evm'], 'setBlockGasLimit', [
    [['0x989680'], nextBlock({ gasLimit: '0x989680' })],
    [[10_000_000], nextBlock({ gasLimit: '0x989680' })],
  ]),
  ...under(viem, 'setCoinbase', [[[STRANGER], nextBlock({ miner: STRANGER })]]),
  ...under(['miner'], 'setEtherbase', [[[STRANGER], nextBlock({ miner: STRANGER })]]),
  ...under(viem, 'setMinGasPrice', [[['0x4d'], nextBlock({ minimumGasPrice: '0x4d' })]]),
  ...under(['miner'], 'setGasPrice', [[['0x4d'], nextBlock({ minimumGasPrice: '0x4d' })]]),
  ...under(['hardhat'], 'setPrevRandao', [[[WORD], height('0x0')]]),
  ...under(['anvil'], 'setNextBlockPrevRandao', [[[WORD], height('0x0')]]),
]

function hasTime(timestamp: string): object {
  return expect.objectContaining({ timestamp })
}

const time = [
  ...under([...viem, 'evm'], 'increaseTime', [
    [[60], ['evm_increaseTime', [0], '0x3c']],
    [['0x3c'], ['evm_increaseTime', [0], '0x3c']],
    [['60'], ['evm_increaseTime', [0], '0x3c']],
  ]),
  ...under(['evm', 'anvil'], 'setNextBlockTimestamp', [
    [[4_000_000_000], nextBlock({ timestamp: '0xee6b2800' })],
    [['0xee6b2800'], nextBlock({ timestamp: '0xee6b2800' })],
    [['4000000000'], nextBlock({ timestamp: '0xee6b2800' })],
  ]),
  ...under(['evm', 'anvil'], 'setTime', [
    [[4_000_000_000], nextBlock({ timestamp: '0xee6b2800' })],
    [[4_000_000_000_000], nextBlock({ timestamp: '0xee6b2800' })],
  ]),
  ...under(['anvil', 'ganache'], 'setBlockTimestampInterval', [[[60], height('0x0')]]),
  ...under(['hardhat'], 'setBlockTimestampInterval', [[[60_000], height('0x0')]]),
  ...under(viem, 'removeBlockTimestampInterval', [[[], height('0x0')]]),
]

const RECOVERED = `0x${'00'.repeat(12)}${STRANGER.slice(2)}`
const recovers: Seen = [
  'eth_call',
  [
    {
      to: `0x${'0'.repeat(39)}1`,
      data: `0x${WORD.slice(2)}${'00'.repeat(31)}1b${'11'.repeat(64)}`,
    },
  ],
  RECOVERED,
]

const rest = [
  // Anvil 1.7 wants both in a list.
  ...under(['anvil'], 'impersonateSignature', [
    [[`0x${'11'.repeat(64)}1b`, STRANGER], recovers],
    [[[`0x${'11'.repeat(64)}1b`, STRANGER]], recovers],
  ]),
  ...under(viem, 'reset', [
    [[], height('0x0')],
    [[{}], height('0x0')],
    [[null], height('0x0')],
    [[{ forking: {} }], height('0x0')],
  ]),
  ...under(viem, 'setLoggingEnabled', [[[false], height('0x0')]]),
  ...under(both, 'dropAllTransactions', [[[], empty]]),
  ...under(['anvil'], 'removePoolTransactions', [[[COW], empty]]),
  ...under(['evm', 'anvil'], 'snapshot', [[[], ['evm_revert', ['0x1'], true]]]),
  ...under(['anvil'], 'rollback', [
    [[0], height('0x0')],
    [['0x0'], height('0x0')],
  ]),
  ...under(['anvil'], 'reorg', [
    [[0, []], height('0x0')],
    [[{ depth: 0, tx_block_pairs: [] }], height('0x0')],
  ]),
  ...under(both, 'metadata', [[[], height('0x0')]]),
  ...under(['eth'], 'networkId', [[[], ['net_version', [], '33']]]),
  ...under(['anvil'], 'nodeInfo', [[[], height('0x0')]]),
  ...under(['anvil'], 'getGenesisTime', [[[], height('0x0')]]),
  ...under(viem, 'getAutomine', [[[], height('0x0')]]),
  ...under(['eth'], 'requestAccounts', [[[], height('0x0')]]),
]

describe('each control takes the params of clients under each of its names', () => {
  test.each([...accounts, ...blocks, ...time, ...rest])(
    '$method $params',
    async ({ method, params, seen }) => {
      const node = await freshNode({ frozenTime: true })
      await call(node, method, params)
      const [question, asked, answer] = seen
      expect(await call(node, question, asked)).toEqual(answer)
    },
  )
})

describe('an account without a key', () => {
  const sent = { ...TRANSFER, from: STRANGER }

  async function withStranger(): Promise<Node> {
    const node = await freshNode()
    await call(node, 'hardhat_setBalance', [STRANGER, '0xde0b6b3a7640000'])
    return node
  }

  const starts: readonly (readonly [method: string, params: readonly unknown[], stop: string | undefined])[] =
    [
      ...viem.map(
        (prefix) =>
          [`${prefix}_impersonateAccount`, [STRANGER], `${prefix}_stopImpersonatingAccount`] as const,
      ),
      ...both.map((prefix) => [`${prefix}_autoImpersonateAccount`, [true], undefined] as const),
    ]

  test.each(starts)('sends after %s until it is stopped', async (method, params, stop) => {
    const node = await withStranger()
    await call(node, method, params)
    expect(await call(node, 'eth_sendTransaction', [sent])).toMatch(/^0x/)
    await call(node, stop ?? method, stop === undefined ? [false] : params)
    await expect(call(node, 'eth_sendTransaction', [sent])).rejects.toThrow('unknown account')
  })

  test('sends by eth_sendUnsignedTransaction', async () => {
    expect(await call(await withStranger(), 'eth_sendUnsignedTransaction', [sent])).toMatch(/^0x/)
  })
})

describe('a pooled transaction', () => {
  test.each(viem.map((prefix) => `${prefix}_dropTransaction`))('is removed by %s', async (method) => {
    const node = await freshNode({ mining: false })
    const hash = await call(node, 'eth_sendTransaction', [TRANSFER])
    await call(node, method, [hash])
    expect(await call(node, 'txpool_status')).toEqual({ pending: 0, queued: 0 })
  })

  test('is listed by txpool_content and txpool_inspect', async () => {
    const node = await freshNode({ mining: false })
    const hash = await call(node, 'eth_sendTransaction', [TRANSFER])
    const told = async (name: string) => (await call(node, name, [], 'hardhat')).pending[COW]['0']
    expect(await told('txpool_content')).toMatchObject({ hash })
    expect(await told('txpool_inspect')).toEqual(expect.any(String))
  })
})

describe('a dumped state', () => {
  test.each(viem)('of %s_dumpState is loaded under the same prefix', async (prefix) => {
    const node = await freshNode()
    await call(node, 'hardhat_setBalance', [STRANGER, '0x64'])
    const dump = await call(node, `${prefix}_dumpState`)
    await call(node, 'hardhat_setBalance', [STRANGER, '0x65'])
    await call(node, `${prefix}_loadState`, [dump])
    expect(await call(node, 'eth_getBalance', [STRANGER])).toBe('0x64')
  })
})

describe('requests by which clients recognize the node', () => {
  const asked: readonly (readonly [client: string, method: string, answer: unknown])[] = [
    ["Hardhat's network helpers", 'web3_clientVersion', expect.stringMatching(/^hardhat(network)?/i)],
    ["OpenZeppelin's upgrades", 'web3_clientVersion', expect.stringMatching(/^HardhatNetwork\//)],
    [
      'hardhat-ethers and hardhat-viem',
      'hardhat_metadata',
      expect.objectContaining({ chainId: expect.any(Number) }),
    ],
    [
      "OpenZeppelin's upgrades",
      'anvil_metadata',
      expect.objectContaining({ instanceId: expect.any(String) }),
    ],
    ['hardhat-viem and cast', 'anvil_nodeInfo', expect.objectContaining({ environment: expect.any(Object) })],
    ['hardhat-ignition', 'hardhat_getAutomine', true],
  ]

  test.each(asked)('%s: %s', async (_client, method, answer) => {
    for (const network of ['network-33', 'ethereum']) {
      expect(await call(await freshNode({ network }), method)).toEqual(answer)
    }
  })

  const probes: readonly (readonly [method: string, params: readonly unknown[]])[] = [
    ['eth_feeHistory', ['0xa', 'latest', [20, 50, 80]]],
    ['eth_getAccountInfo', [COW, 'latest']],
    ['eth_getStorageAt', [COW, '0x0', 'latest']],
    ['eth_getProof', [COW, ['0x0'], 'latest']],
    ['eth_createAccessList', [TRANSFER, 'latest']],
  ]

  test.each(probes)('cast and forge: %s', async (method, params) => {
    for (const network of ['network-33', 'ethereum']) {
      const node = await freshNode({ network })
      await call(node, 'hardhat_setBalance', [COW, '0xde0b6b3a7640000'])
      expect(await call(node, method, params, 'ethereum')).not.toBeNull()
    }
  })
})
