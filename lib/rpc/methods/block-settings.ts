/** Methods that set header fields of later blocks, with the names and params of other development nodes. */

import { PHRASES } from '../../config/phrases.ts'
import { NodeError, invalidParams } from '../../base/errors.ts'
import { checkCarriesWithdrawals } from '../../networks/consensus/withdrawals.ts'
import { MAX_CHAIN_ID, MAX_GAS } from '../../config/values.ts'
import { flag } from '../../schema/results.ts'
import { withdrawal } from '../../schema/simulation.ts'
import { address, hash, quantity, quantity64, seconds, strippable } from '../../schema/wire.ts'
import { command, confirmed, control } from '../../kernel/control.ts'
import { param, writeMethod } from '../../kernel/method.ts'
import { COW1 } from './params.ts'
import type { Node } from '../../node/node.ts'

type MinedChain = Pick<Node, 'consensus' | 'mempool' | 'miner' | 'network'>

const MS_PER_SECOND = 1000n

const BLOCK_GAS = `expected an amount of gas of up to ${MAX_GAS}, more than 0`

const blockGas = quantity64
  .refine((gas) => gas <= MAX_GAS, BLOCK_GAS)
  .refine((gas) => gas > 0n, {
    error: BLOCK_GAS,
    params: { phrases: PHRASES.blockWithoutGas() },
  })

export const setBlockGasLimit = confirmed({
  name: 'evm_setBlockGasLimit',
  aliases: ['anvil_setBlockGasLimit', 'hardhat_setBlockGasLimit', 'miner_setGasLimit'],
  summary: 'Sets the gas limit of every later block.',
  params: [param('gasLimit', blockGas, 'Gas.')],
  example: { params: ['0x989680'], result: true },
  run: ({ gasLimit }, { miner }: MinedChain) => miner.settings.setLater({ gasLimit }),
})

export const setCoinbase = control({
  name: 'hardhat_setCoinbase',
  aliases: ['anvil_setCoinbase', 'dev_setFeeRecipient', 'ganache_setCoinbase', 'miner_setEtherbase'],
  summary: 'Sets the miner of every later block.',
  params: [param('address', address, 'Miner.')],
  example: { params: [COW1], result: true },
  run: ({ address: coinbase }, { miner }: MinedChain) => miner.settings.setLater({ coinbase }),
})

const newChainId = strippable(quantity).refine(
  (id) => id > 0n && id <= MAX_CHAIN_ID,
  `expected a chain id of up to ${MAX_CHAIN_ID}, more than 0`,
)

export const setChainId = command({
  name: 'anvil_setChainId',
  summary: 'Sets the chain id for later transactions. Drops pooled transactions with another; blocks stay.',
  params: [
    param('chainId', newChainId, 'Chain id; also the network id, if the network uses one number for both.'),
  ],
  example: { params: [1], result: null },
  run: ({ chainId }, { mempool, miner }: MinedChain) => {
    miner.settings.setLater({ chainId })
    const dead = [...mempool.all()].filter(({ transaction: { chainId: own = chainId } }) => own !== chainId)
    mempool.remove(dead.map(({ transaction }) => transaction.hash))
  },
})

export const setNextBaseFee = control({
  name: 'hardhat_setNextBlockBaseFeePerGas',
  aliases: ['anvil_setNextBlockBaseFeePerGas', 'ganache_setNextBlockBaseFeePerGas'],
  summary: 'Sets the base fee of the next block, where blocks have one.',
  params: [param('baseFeePerGas', strippable(quantity), 'Wei per gas.')],
  errors: ['invalidParams'],
  example: { params: ['0x3b9aca00'], refusal: 'invalidParams' },
  run: ({ baseFeePerGas }, { network, miner }: MinedChain) => {
    if (network.baseFee === false) {
      throw invalidParams(
        `params[0] (baseFeePerGas): blocks of ${network.name} have no base fee; hardhat_setMinGasPrice sets their minimum gas price`,
      )
    }
    miner.settings.setNext({ baseFeePerGas })
  },
})

export const setMinGasPrice = control({
  name: 'hardhat_setMinGasPrice',
  aliases: ['anvil_setMinGasPrice', 'ganache_setMinGasPrice', 'miner_setGasPrice'],
  summary: 'Sets the minimum gas price of every later block, where blocks have one.',
  params: [param('gasPrice', strippable(quantity), 'Wei per gas.')],
  errors: ['invalidParams'],
  example: { params: ['0x0'], result: true },
  run: ({ gasPrice }, { consensus, network, miner }: MinedChain) => {
    if (!consensus.hasMinimumGasPrice) {
      throw new NodeError(
        'invalidParams',
        `params[0] (gasPrice): blocks of ${network.name} have a base fee and no minimum gas price; hardhat_setNextBlockBaseFeePerGas sets it`,
        { isInput: true, phrases: PHRASES.noMinimumGasPrice() },
      )
    }
    miner.settings.setLater({ minimumGasPrice: gasPrice })
  },
})

export const setPrevRandao = control({
  name: 'hardhat_setPrevRandao',
  aliases: ['anvil_setNextBlockPrevRandao'],
  summary: 'Sets the value of PREVRANDAO in the next block, if the hard fork has it.',
  params: [param('prevRandao', hash, 'Word of 32 bytes.')],
  example: { params: [`0x${'11'.repeat(32)}`], result: true },
  run: ({ prevRandao }, { miner }: MinedChain) => miner.settings.setNext({ mixHash: prevRandao }),
})

export const addWithdrawal = command({
  name: 'dev_addWithdrawal',
  summary:
    'Adds a withdrawal to the next block, which credits gwei to an account, if blocks have withdrawals. The param is that of geth in developer mode; unlike geth no block is mined.',
  params: [
    param(
      'withdrawal',
      withdrawal,
      '{index, validatorIndex, address, amount} in gwei; the indexes default to 0.',
    ),
  ],
  errors: ['invalidParams', 'limitExceeded'],
  example: {
    params: [{ index: '0x0', validatorIndex: '0x1', address: COW1, amount: '0x3b9aca00' }],
    refusal: 'invalidParams',
  },
  run: ({ withdrawal: added }, { network, miner }: MinedChain) => {
    checkCarriesWithdrawals(network, 'params[0] (withdrawal)')
    miner.settings.addWithdrawal(added)
  },
})

export const setTimestampInterval = command({
  name: 'anvil_setBlockTimestampInterval',
  aliases: ['ganache_setBlockTimestampInterval'],
  summary: 'Sets the time between every later block and its parent.',
  params: [param('seconds', seconds, 'Seconds between a block and the next.')],
  example: { params: ['0xa'], result: null },
  run: ({ seconds: gapSeconds }, { miner }: MinedChain) => miner.settings.setLater({ gapSeconds }),
})

export const setTimestampIntervalMs = command({
  name: 'hardhat_setBlockTimestampInterval',
  summary: 'As anvil_setBlockTimestampInterval, in milliseconds as in Hardhat; whole seconds count.',
  params: [param('milliseconds', quantity64, 'Milliseconds between a block and the next.')],
  example: { params: [10_000], result: null },
  run: ({ milliseconds }, { miner }: MinedChain) =>
    miner.settings.setLater({ gapSeconds: milliseconds / MS_PER_SECOND }),
})

export const removeTimestampInterval = writeMethod({
  name: 'anvil_removeBlockTimestampInterval',
  aliases: ['hardhat_removeBlockTimestampInterval', 'ganache_removeBlockTimestampInterval'],
  summary: 'Lets blocks use the time of the clock again; false if they already did.',
  result: flag,
  example: { params: [], result: false },
  run: (_, { miner }: MinedChain) => {
    const wasSet = miner.settings.value.later.gapSeconds !== undefined
    miner.settings.setLater({ gapSeconds: undefined })
    return wasSet
  },
})
