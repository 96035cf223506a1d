/** Blob transactions of the Ethereum Foundation's state tests: what is executed, and what is refused when it is read. */

import { readdirSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { asAddress, asHash, fromHex, stripZeros, toHex, toWord } from '../../lib/base/hex.ts'
import { encodeRlp } from '../../lib/base/rlp.ts'
import { keccak256 } from '../../lib/crypto/keccak.ts'
import type { BlockContext } from '../../lib/evm/block-context.ts'
import { TransactionCodec } from '../../lib/evm/codec.ts'
import { Engine } from '../../lib/evm/engine.ts'
import { createLibraryCommon } from '../../lib/evm/library-common.ts'
import { ethereumContracts } from '../../lib/evm/precompiles/ethereum.ts'
import { ethereumRules } from '../../lib/evm/rules/ethereum.ts'
import { StateRoot } from '../../lib/state/state-root.ts'
import { State } from '../../lib/state/state.ts'
import { readVectors } from '../support/vectors.ts'

const FOLDER = 'GeneralStateTests/stEIP4844-blobtransactions'

const files = readdirSync(new URL(`../../fixtures/vectors/${FOLDER}`, import.meta.url))
const cases = files.flatMap((file) => readVectors(`${FOLDER}/${file}`))
const [executed, refused] = [false, true].map((isRefused) =>
  cases.filter(([, { post }]) => (post.Cancun[0].expectException !== undefined) === isRefused),
)

const network = {
  chainId: 1n,
  hardfork: 'cancun',
  eips: [],
  kind: 'ethereum',
  transactionTypes: [3],
} as const
const codec = new TransactionCodec(createLibraryCommon(network), network)
const natives = ethereumContracts('cancun')
const engine = new Engine(ethereumRules({ ...network, natives, allowUnlimitedContractSize: false }))

function stateOf(accounts: Record<string, any>): State {
  const state = new State(StateRoot.empty)
  for (const [key, { balance, nonce, code, storage }] of Object.entries(accounts)) {
    const address = asAddress(key)
    state.putAccount(address, { nonce: BigInt(nonce), balance: BigInt(balance) })
    if (code !== '0x') state.putCode(address, fromHex(code))
    for (const [slot, value] of Object.entries<string>(storage)) {
      state.putStorage(address, toWord(BigInt(slot)), stripZeros(fromHex(toWord(BigInt(value)))))
    }
  }
  return state
}

function contextOf(env: Record<string, string>): BlockContext {
  return {
    number: BigInt(env['currentNumber']!),
    timestamp: BigInt(env['currentTimestamp']!),
    coinbase: asAddress(env['currentCoinbase']!),
    gasLimit: BigInt(env['currentGasLimit']!),
    baseFeePerGas: BigInt(env['currentBaseFee']!),
    difficulty: 0n,
    mixHash: asHash(env['currentRandom']!),
    minimumGasPrice: 0n,
    excessBlobGas: BigInt(env['currentExcessBlobGas']!),
    blockHash: () => undefined,
    ancestor: () => undefined,
  }
}

describe('blob transactions of the state tests', () => {
  test.each(executed!)('%s ends in the state that is expected', (_name, { pre, env, post }) => {
    const [{ hash, logs, txbytes }] = post.Cancun
    const state = stateOf(pre)
    state.seal()
    const outcome = engine.execute(state, engine.open(contextOf(env)), codec.decode(fromHex(txbytes)))
    expect(state.seal().hash).toBe(hash)
    const items = outcome.logs.map((log) => [fromHex(log.address), log.topics.map(fromHex), log.data])
    expect(toHex(keccak256(encodeRlp(items)))).toBe(logs)
  })

  test.each(refused!)('%s cannot be read', (_name, { post }) => {
    const [{ txbytes, expectException }] = post.Cancun
    const words: Record<string, RegExp> = {
      'TransactionException.TYPE_3_TX_BLOB_COUNT_EXCEEDED':
        /too many blobs in transaction: have 7, permitted 6/,
      'TransactionException.TYPE_3_TX_CONTRACT_CREATION': /blob transaction of type create/,
      'TransactionException.TYPE_3_TX_ZERO_BLOBS': /blob transaction missing blob hashes/,
      'TransactionException.TYPE_3_TX_INVALID_BLOB_VERSIONED_HASH': /blob \d has invalid hash version/,
    }
    expect(() => codec.decode(fromHex(txbytes))).toThrow(words[expectException])
  })
})
