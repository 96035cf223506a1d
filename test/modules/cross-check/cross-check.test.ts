/** Cross-checks of whole nodes: what both executions agree on, and what a request gets when they do not. */

import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { toHex, toQuantity, toWord } from '../../../lib/base/hex.ts'
import { LIBRARY_HARDFORKS } from '../../support/machine-runs.ts'
import type { Hardfork } from '../../../lib/config/eips.ts'
import { NodeError } from '../../../lib/base/errors.ts'
import type { OptionsInput } from '../../../lib/modules/options.ts'
import type { Node } from '../../../lib/node/node.ts'
import { loadContracts } from '../../support/contracts.ts'
import { SENDER } from '../../support/machine-runs.ts'
import type { Sent, World } from '../../support/machine-runs.ts'
import { call, freshNode } from '../../support/node.ts'
import { anyScene } from '../../support/random-programs.ts'
import { Playground, anyTransaction, runs } from '../../support/transaction-steps.ts'

const contracts = await loadContracts()

const checkedNode = (options: OptionsInput): Promise<Node> => freshNode({ crossCheck: true, ...options })

/** Runs steps with transactions of all types, in blocks of several. */
async function runSteps(options: OptionsInput): Promise<Node> {
  const node = await checkedNode(options)
  const program = fc.array(anyTransaction(), { minLength: 20, maxLength: 50, size: 'max' })
  await fc.assert(
    fc.asyncProperty(program, async (steps) => {
      const playground = await Playground.on(node, contracts)
      for await (const block of playground.blocks(steps)) expect(block.receipts).toBeDefined()
    }),
    runs(1),
  )
  return node
}

/** Puts the contracts of a scene into the state and sends its message. */
async function play(node: Node, world: World, { to, data, value, gas }: Sent): Promise<void> {
  for (const [address, given] of world) {
    await call(node, 'hardhat_setBalance', [address, toQuantity(given.balance ?? 0n)])
    await call(node, 'hardhat_setCode', [address, toHex(given.code ?? new Uint8Array(0))])
    for (const [slot, word] of given.storage ?? [])
      await call(node, 'hardhat_setStorageAt', [address, toQuantity(slot), toWord(word)])
  }
  const intrinsic = 53_000n + 40n * BigInt(data.length) + 10_000n
  const request = { from: SENDER, to, data: toHex(data), value: toQuantity(value) }
  try {
    await call(node, 'eth_sendTransaction', [{ ...request, gas: toQuantity(BigInt(gas) + intrinsic) }])
  } catch (error) {
    if (!(error instanceof NodeError) || error.kind === 'crossCheckFailed') throw error
  }
}

describe('both executions agree', () => {
  test.each(LIBRARY_HARDFORKS)('on random transactions on %s', async (hardfork) => {
    const crossChecks = await call(await runSteps({ network: 'ethereum', hardfork }), 'dev_crossChecks')
    expect(crossChecks.failures).toBe(0)
    expect(crossChecks.transactions).toBeGreaterThan(20)
  })

  test('on a contract that is created again in the block that deleted it', async () => {
    const node = await checkedNode({ network: 'ethereum', hardfork: 'cancun' })
    const from = node.funded[0]!.address
    const factory = `0x${'fa'.repeat(20)}`
    // CREATE2 with the call data, whose address is stored in the slot of the value.
    await call(node, 'hardhat_setCode', [factory, '0x365f5f375f365f5ff5345500'])
    await call(node, 'evm_setAutomine', [false])
    // CALLER, SELFDESTRUCT
    for (const value of ['0x1', '0x2'])
      await call(node, 'eth_sendTransaction', [{ from, to: factory, value, data: '0x33ff', gas: '0x40000' }])
    await call(node, 'evm_mine')
    const created = await Promise.all(
      ['0x1', '0x2'].map((slot) => call(node, 'eth_getStorageAt', [factory, slot])),
    )
    expect(BigInt(created[0])).toBeGreaterThan(0n)
    expect(created[1]).toBe(created[0])
  })

  test('on random transactions on network 33', async () => {
    const crossChecks = await call(await runSteps({}), 'dev_crossChecks')
    expect(crossChecks.failures).toBe(0)
    expect(crossChecks.transactions).toBeGreaterThan(20)
  })

  // The laws of the machine, the fuzzer and all slow tests run more of them.
  test.each<readonly [Hardfork, number]>([
    ['london', 10],
    ['shanghai', 10],
    ['cancun', 20],
    ['prague', 20],
    ['osaka', 40],
  ])('on generated programs on %s: %i', async (hardfork, count) => {
    const node = await checkedNode({ network: 'ethereum', hardfork, autoImpersonate: true })
    await call(node, 'hardhat_setBalance', [SENDER, toQuantity(10n ** 30n)])
    const scenes = fc.asyncProperty(anyScene(hardfork), ({ world, sent }) => play(node, world, sent))
    await fc.assert(scenes, runs(count))
    const crossChecks = await call(node, 'dev_crossChecks')
    expect(crossChecks.failures).toBe(0)
    expect(crossChecks.transactions).toBeGreaterThan(0)
  })
})
