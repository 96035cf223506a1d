/** Repeats both executions of a report of a cross-check, from the report alone. */

import { createBlock } from '@ethereumjs/block'
import type { HeaderData } from '@ethereumjs/block'
import { MerkleStateManager } from '@ethereumjs/statemanager'
import { createTxFromRLP } from '@ethereumjs/tx'
import { Address as LibraryAddress, createAccount, unpadBytes } from '@ethereumjs/util'
import { createVM, runTx } from '@ethereumjs/vm'
import { asAddress, asHash, fromHex } from '../../../lib/base/hex.ts'
import { runAtOnce } from '../../../lib/base/routine.ts'
import { libraryRules } from '../../../lib/modules/cross-check/ethereumjs/ethereumjs.ts'
import type { CrossCheckReport } from '../../../lib/modules/cross-check/results.ts'
import type { Hardfork } from '../../../lib/config/eips.ts'
import type { BlockContext } from '../../../lib/evm/block-context.ts'
import type { Engine } from '../../../lib/evm/engine.ts'
import type { Transaction } from '../../../lib/evm/transaction.ts'
import { State } from '../../../lib/state/state.ts'
import { StateRoot } from '../../../lib/state/state-root.ts'

/** Gas of each transaction by an engine of the node. */
export function repeatWithEngine(
  { block, blockHashes, network, preState, transactions }: CrossCheckReport,
  engine: Engine,
  decode: (raw: Uint8Array) => Transaction,
): readonly bigint[] {
  const state = new State(StateRoot.empty)
  for (const [address, { nonce, balance, code, storage }] of Object.entries(preState)) {
    const key = asAddress(address)
    state.putAccount(key, { nonce: BigInt(nonce), balance: BigInt(balance) })
    state.putCode(key, fromHex(code))
    for (const [slot, word] of Object.entries(storage)) state.putStorage(key, asHash(slot), fromHex(word))
  }
  const context: BlockContext = {
    number: BigInt(block.number),
    chainId: BigInt(network.chainId),
    timestamp: BigInt(block.timestamp),
    coinbase: asAddress(block.miner),
    gasLimit: BigInt(block.gasLimit),
    baseFeePerGas: BigInt(block.baseFeePerGas ?? 0),
    difficulty: BigInt(block.difficulty),
    mixHash: asHash(block.mixHash),
    minimumGasPrice: 0n,
    excessBlobGas: block.excessBlobGas === undefined ? undefined : BigInt(block.excessBlobGas),
    blockHash: (number) => {
      const hash = blockHashes[`0x${number.toString(16)}`]
      return hash === undefined ? undefined : asHash(hash)
    },
    ancestor: () => undefined,
  }
  const running = engine.open(context)
  return transactions.map(
    ({ raw }) => runAtOnce(engine.execute(state, running, decode(fromHex(raw)))).gasUsed,
  )
}

/** Gas of each transaction by @ethereumjs/vm with a state manager of its own. */
export async function repeatWithLibrary(report: CrossCheckReport): Promise<readonly bigint[]> {
  const { block, blockHashes, network, preState, transactions } = report
  const hardfork = network.hardfork as Hardfork
  const common = libraryRules({ hardfork, eips: [...network.eips] }, BigInt(network.chainId))
  const stateManager = new MerkleStateManager({ common })
  for (const [address, { nonce, balance, code, storage }] of Object.entries(preState)) {
    const key = new LibraryAddress(fromHex(address))
    await stateManager.putAccount(key, createAccount({ nonce: BigInt(nonce), balance: BigInt(balance) }))
    if (code !== '0x') await stateManager.putCode(key, fromHex(code))
    for (const [slot, word] of Object.entries(storage))
      await stateManager.putStorage(key, fromHex(slot), unpadBytes(fromHex(word)))
  }
  stateManager.originalStorageCache.clear()
  const header = { ...block, coinbase: block.miner } as HeaderData
  const form = createBlock({ header }, { common, skipConsensusFormatValidation: true })
  const blockchain = {
    getBlock: async (number: number) => ({ hash: () => fromHex(blockHashes[`0x${number.toString(16)}`]!) }),
    putBlock: async () => undefined,
    shallowCopy: () => blockchain,
  }
  const vm = await createVM({ common, stateManager, blockchain })
  const gas: bigint[] = []
  for (const { raw } of transactions) {
    const tx = createTxFromRLP(fromHex(raw), { common })
    gas.push((await runTx(vm, { tx, block: form, skipHardForkValidation: true })).totalGasSpent)
  }
  return gas
}
