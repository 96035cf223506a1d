/** Errors of failed executions have the Solidity stack, if the contracts are known. */

import { rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import type { OptionsInput } from '../../lib/modules/options.ts'
import type { BlockLogEntry, RequestLogEntry } from '../../lib/config/request-log.ts'
import { FailureExplainer } from '../../lib/insight/explain/failure-explainer.ts'
import { createNode } from '../../lib/index.ts'
import { hardhat2, writeProject } from '../support/artifact-projects.ts'
import { dispatcherOf, freshNode } from '../support/node.ts'
import { answerOf, rpc } from '../support/server.ts'
import { PATH, lineOf, plain, withShop } from '../support/shop.ts'
import type { Scene } from '../support/shop.ts'

const gas = '0x7a120'

/** The place of each entry of a stack. */
const places = (stack: readonly any[] | undefined) =>
  stack?.map(({ contract, function: name, line }) => `${contract}.${name}:${line}`)

const OF_BUY = [
  `Token._move:${lineOf('revert TooPoor')}`,
  `Token.transferFrom:${lineOf('_move(from, to, value);')}`,
  `Shop.buy:${lineOf('require(token.transferFrom')}`,
]

/** The request of a purchase that fails. */
async function purchase({ shop, buyer }: Scene, count = 30) {
  const [to, data] = [await shop.getAddress(), shop.interface.encodeFunctionData('buy', [count])]
  return { from: buyer, to, data, gas }
}

/** Runs a test on a node that knows the shop. */
const inShop = (run: (scene: Scene) => Promise<void>, options: OptionsInput = {}) =>
  withShop(hardhat2(plain), run, options)

describe.each(['node33', 'hardhat', 'ethereum'] as const)('in the dialect %s', (dialect) => {
  test.each(['eth_call', 'eth_estimateGas'])('%s has the stack of the explanation', async (method) => {
    await inShop(
      async (scene) => {
        const request = await purchase(scene)
        const { error } = await answerOf(scene.url, method, [request])
        expect(places(error.solidityStack)).toEqual(OF_BUY)
        const explained = await scene.explainCall(request)
        expect(error.solidityStack).toEqual(explained.stack)
      },
      { dialect },
    )
  })

  test('other members are as without explanations', async () => {
    const errors: object[] = []
    for (const solidityStacks of [true, false]) {
      await inShop(
        async (scene) => {
          const { error } = await answerOf(scene.url, 'eth_call', [await purchase(scene)])
          expect('solidityStack' in error).toBe(solidityStacks)
          delete error.solidityStack
          delete error.explain
          errors.push({ ...error, message: error.message.replace(/, at .*/, '') })
        },
        { dialect, solidityStacks },
      )
    }
    expect(errors[0]).toEqual(errors[1])
  })
})

test('in the dialect ethereum the message names the custom error, the place and the command', async () => {
  await inShop(
    async (scene) => {
      const { error } = await answerOf(scene.url, 'eth_call', [await purchase(scene)])
      expect(error.message).toBe(
        `execution reverted: custom error TooPoor(${scene.buyer}, 1000, 3000), at Token._move (${PATH}:${lineOf('revert TooPoor')}:37); npx dev-node explain 1`,
      )
      const failed = await scene.shop['buy']!.staticCall(30).catch((thrown: unknown) => thrown)
      expect(failed).toMatchObject({ code: 'CALL_EXCEPTION', data: error.data })
    },
    { dialect: 'ethereum' },
  )
})

test('a mined transaction has the beginning of its hash in the command', async () => {
  await inShop(async (scene) => {
    const { error } = await answerOf(scene.url, 'eth_sendTransaction', [await purchase(scene)])
    expect(error.explain).toBe(`npx dev-node explain ${error.txHash.slice(0, 10)}`)
    const hashes = await answerOf(scene.url, 'dev_findTransactions', [error.txHash.slice(0, 10)])
    expect(hashes.result).toEqual([error.txHash])
  })
})

test('a node that ends with its run names no command', async () => {
  await withShop(
    hardhat2(plain),
    async (scene) => {
      const { error } = await answerOf(scene.url, 'eth_sendTransaction', [await purchase(scene)])
      expect(places(error.solidityStack)).toEqual(OF_BUY)
      expect(error.explain).toBeUndefined()
    },
    {},
    { endsWithRun: true },
  )
})

test.each(['node33', 'hardhat'] as const)(
  'the error of a mined transaction has the stack and the hash, in the dialect %s',
  async (dialect) => {
    await inShop(
      async (scene) => {
        const { error } = await answerOf(scene.url, 'eth_sendTransaction', [await purchase(scene)])
        expect(places(error.solidityStack)).toEqual(OF_BUY)
        const explained = await scene.explain(Promise.resolve({ hash: error.txHash }))
        expect(error.solidityStack).toEqual(explained.stack)
      },
      { dialect },
    )
  },
)

test('a failed access list has the stack beside its error', async () => {
  await inShop(async (scene) => {
    const { result } = await answerOf(scene.url, 'eth_createAccessList', [await purchase(scene)])
    expect(places(result.solidityStack)).toEqual(OF_BUY)
  })
})

test('the error of a node in the same process has the stack', async () => {
  const folder = await writeProject(hardhat2(plain))
  await using node = await createNode({ artifacts: [folder] })
  const { bytecode } = plain.output.contracts[PATH]!['Shop']!.evm
  const creation = { from: node.accounts[0]!.address, data: `0x${bytecode.object}`, gas } as const
  const failing = node.provider.request({ method: 'eth_call', params: [creation] })
  await expect(failing).rejects.toMatchObject({
    solidityStack: [{ contract: 'Shop', function: 'constructor' }],
  })
})

describe('an explanation that fails', () => {
  /** The errors of a failed call and a failed transaction, and what the log has of faults, after damage to the build info. */
  async function failuresAfter(damage: (buildInfo: string) => Promise<void>, options: OptionsInput = {}) {
    const [faults, errors]: [unknown[], Record<string, unknown>[]] = [[], []]
    await withShop(
      hardhat2(plain),
      async (scene) => {
        await damage(join(scene.artifacts, 'build-info/a1.json'))
        const request = await purchase(scene)
        for (const method of ['eth_call', 'eth_sendTransaction'])
          errors.push((await answerOf(scene.url, method, [request])).error)
      },
      { dialect: 'hardhat', ...options },
      { onFault: (fault) => faults.push(fault) },
    )
    return { faults: faults.map(String), errors }
  }

  const unexplained = async () => (await failuresAfter(async () => {}, { solidityStacks: false })).errors

  test('in part, because a file was cut short, leaves out lines only, and is reported once', async () => {
    const { faults, errors } = await failuresAfter((buildInfo) => truncate(buildInfo, 5000))
    const stacks = errors.map(({ solidityStack }) => solidityStack as object[])
    expect(stacks.flat().filter((entry) => 'line' in entry)).toEqual([])
    const others = errors.map(({ solidityStack: _, explain: __, ...error }) => error)
    expect(others).toEqual(await unexplained())
    expect(faults).toEqual([expect.stringMatching(/a1\.json: .*JSON at position 5000/)])
  })

  test('entirely, changes no error, and is reported once', async () => {
    const folder = await writeProject(hardhat2(plain))
    const node = await freshNode({ artifacts: [folder] })
    // As after an update of the package under a running node, which loads its code for explanations late.
    const loadExplainer = () => import(join(folder, 'missing.js')) as Promise<never>
    const startTimer = () => ({})
    const { contractCatalog } = node
    const failureExplainer = new FailureExplainer({
      isEnabled: true,
      contractCatalog,
      loadExplainer,
      withSources: undefined,
      startTimer,
    })
    const faults: unknown[] = []
    const request = rpc('eth_call', [{ data: '0x60006000fd' }])
    const [expected, answer] = [
      await dispatcherOf(node).answer(request, 'hardhat'),
      await dispatcherOf({ ...node, failureExplainer }, { onFault: (fault) => faults.push(fault) }).answer(
        request,
        'hardhat',
      ),
    ]
    expect(answer).toBe(expected)
    expect(JSON.parse(answer!).error.code).toBe(3)
    expect(faults.map(String)).toEqual([expect.stringMatching(/missing\.js/)])
    await rm(folder, { recursive: true })
  })
})

describe('the log', () => {
  /** The entries of the requests and of the blocks that a test causes. */
  async function logOf(
    options: OptionsInput,
    run: (scene: Scene, blocks: readonly BlockLogEntry[]) => Promise<void>,
  ) {
    const requests: RequestLogEntry[] = []
    const blocks: BlockLogEntry[] = []
    const hooks = {
      onRequest: (entry: RequestLogEntry) => requests.push(entry),
      onBlock: (entry: BlockLogEntry) => blocks.push(entry),
    }
    await withShop(hardhat2(plain), (scene) => run(scene, blocks), options, hooks)
    return { requests, blocks }
  }

  const stacksOf = ({ failed = [] }: Pick<BlockLogEntry, 'failed'>) =>
    failed.map(({ solidityStack }) => places(solidityStack))

  test('has the stack of a transaction whose hash was returned', async () => {
    const { requests } = await logOf({ dialect: 'ethereum' }, async (scene) => {
      const { result } = await answerOf(scene.url, 'eth_sendTransaction', [await purchase(scene)])
      expect(result).toMatch(/^0x/)
    })
    expect(places(requests.at(-1)?.transaction?.solidityStack)).toEqual(OF_BUY)
  })

  test('has the stacks of all transactions that a request mined', async () => {
    const { requests } = await logOf({}, async (scene) => {
      await answerOf(scene.url, 'evm_setAutomine', [false])
      for (const count of [30, 1, 40]) {
        await answerOf(scene.url, 'eth_sendTransaction', [await purchase(scene, count)])
      }
      await answerOf(scene.url, 'evm_mine', [])
    })
    // The purchase of one thing succeeds.
    expect(stacksOf(requests.at(-1)!)).toEqual([OF_BUY, OF_BUY])
  })

  test('has the stack of a transaction that a timer mined', async () => {
    const { blocks } = await logOf({}, async (scene, reported) => {
      await answerOf(scene.url, 'evm_setAutomine', [false])
      await answerOf(scene.url, 'eth_sendTransaction', [await purchase(scene)])
      await answerOf(scene.url, 'evm_setIntervalMining', [1])
      while (reported.length === 0) await answerOf(scene.url, 'eth_blockNumber', [])
    })
    expect(blocks.flatMap(stacksOf)).toEqual([OF_BUY])
  })
})
