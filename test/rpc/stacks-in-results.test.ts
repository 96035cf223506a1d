/** Results that tell of failed executions have the Solidity stack, if the contracts are known. */

import { describe, expect, test } from '@jest/globals'
import { HDNodeWallet } from 'ethers'
import type { OptionsInput } from '../../lib/modules/options.ts'
import type { RequestLogEntry } from '../../lib/config/request-log.ts'
import { hardhat2 } from '../support/artifact-projects.ts'
import { answerOf } from '../support/server.ts'
import { lineOf, plain, withShop } from '../support/shop.ts'
import type { Scene } from '../support/shop.ts'

const gas = '0x7a120'

/** Phrase of the accounts of the preset `ethereum`. */
const PHRASE = 'test test test test test test test test test test test junk'

/** The place of each entry of a stack. */
const places = (stack: readonly any[] | undefined) =>
  stack?.map(({ contract, function: name, line }) => `${contract}.${name}:${line}`)

const TOO_POOR = [
  `Token._move:${lineOf('revert TooPoor')}`,
  `Token.transferFrom:${lineOf('_move(from, to, value);')}`,
  `Shop.buy:${lineOf('require(token.transferFrom')}`,
]

/** A failure of a call that depends on the calls before it. */
const SOLD_OUT = [`Shop.open:${lineOf('sold out')}`, `Shop.buy:${lineOf('function buy')}`]

/** A purchase of one thing costs 100 of 1000; the shop sells until three are sold. */
async function purchase({ shop, buyer }: Scene, count: number) {
  const [to, data] = [await shop.getAddress(), shop.interface.encodeFunctionData('buy', [count])]
  return { from: buyer, to, data, gas }
}

/** Runs a test on a node that knows the shop. */
const inShop = (run: (scene: Scene) => Promise<void>, options: OptionsInput = {}) =>
  withShop(hardhat2(plain), run, options)

/** Calls of which the second and the fourth fail, the fourth only because the third has succeeded. */
const calls = async (scene: Scene) => [
  await purchase(scene, 1),
  await purchase(scene, 30),
  await purchase(scene, 9),
  await purchase(scene, 1),
]

/** The error of each call; undefined after a success. */
type Errors = readonly { readonly solidityStack?: readonly any[] | undefined }[]

const ASKED: readonly [string, (scene: Scene) => Promise<{ errors: Errors; answer: any }>][] = [
  [
    'eth_simulateV1',
    async (scene) => {
      const [first, ...others] = await calls(scene)
      const blockStateCalls = [{ calls: [first] }, { calls: others }]
      const answer = await answerOf(scene.url, 'eth_simulateV1', [{ blockStateCalls, traceTransfers: true }])
      return {
        answer,
        errors: answer.result.flatMap((block: any) => block.calls).map(({ error = {} }: any) => error),
      }
    },
  ],
]

describe.each(ASKED)('%s', (_method, ask) => {
  test('has the stack of each call that failed', async () => {
    await inShop(async (scene) => {
      const { errors } = await ask(scene)
      expect(errors.map(({ solidityStack }) => places(solidityStack))).toEqual([
        undefined,
        TOO_POOR,
        undefined,
        SOLD_OUT,
      ])
    })
  })

  test('answers the same without stacks', async () => {
    const answers: unknown[] = []
    for (const solidityStacks of [true, false]) {
      await inShop(
        async (scene) => {
          await answerOf(scene.url, 'evm_setTime', [2_000_000_000])
          const { answer, errors } = await ask(scene)
          expect(errors.filter((error) => 'solidityStack' in error)).toHaveLength(solidityStacks ? 2 : 0)
          for (const error of errors) delete (error as any).solidityStack
          answers.push(answer)
        },
        { solidityStacks, frozenTime: true },
      )
    }
    expect(answers[0]).toEqual(answers[1])
  })

  test('has the message of Hardhat for a reason that is inferred', async () => {
    await inShop(
      async (scene) => {
        const unknown = { from: scene.buyer, to: await scene.token.getAddress(), data: '0x12345678', gas }
        const { result } = await answerOf(scene.url, 'eth_simulateV1', [
          { blockStateCalls: [{ calls: [unknown] }] },
        ])
        expect(result[0].calls[0].error.message).toMatch('function selector was not recognized')
      },
      { dialect: 'hardhat' },
    )
  })
})

test('the log has the stacks of simulated calls', async () => {
  const requests: RequestLogEntry[] = []
  const hooks = { onRequest: (entry: RequestLogEntry) => requests.push(entry) }
  await withShop(hardhat2(plain), async (scene) => expect(await ASKED[0]![1](scene)).toBeDefined(), {}, hooks)
  const { failed = [] } = requests.at(-1)!
  expect(failed.map(({ solidityStack }) => places(solidityStack))).toEqual([TOO_POOR, SOLD_OUT])
})

describe('the receipt of eth_sendRawTransactionSync', () => {
  async function signedPurchase(scene: Scene, count: number): Promise<string> {
    const { from, ...fields } = await purchase(scene, count)
    const { result: nonce } = await answerOf(scene.url, 'eth_getTransactionCount', [from])
    const { result: chainId } = await answerOf(scene.url, 'eth_chainId', [])
    const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n }
    const { gas: gasLimit, ...others } = fields
    return HDNodeWallet.fromPhrase(PHRASE).signTransaction({
      ...others,
      ...fees,
      nonce: Number(nonce),
      chainId,
      gasLimit,
    })
  }

  test.each(['node33', 'hardhat', 'ethereum'] as const)(
    'has the stack in the dialect %s',
    async (dialect) => {
      await inShop(
        async (scene) => {
          const { result } = await answerOf(scene.url, 'eth_sendRawTransactionSync', [
            await signedPurchase(scene, 30),
          ])
          const { solidityStack, ...receipt } = result
          expect(places(solidityStack)).toEqual(TOO_POOR)
          const again = await answerOf(scene.url, 'eth_getTransactionReceipt', [receipt.transactionHash])
          expect(again.result).toEqual(receipt)
        },
        { dialect },
      )
    },
  )

  test('has the stack of a transaction that another request mined', async () => {
    await inShop(async (scene) => {
      await answerOf(scene.url, 'evm_setAutomine', [false])
      const sent = answerOf(scene.url, 'eth_sendRawTransactionSync', [await signedPurchase(scene, 30)])
      const pending = async () => (await answerOf(scene.url, 'eth_pendingTransactions', [])).result
      while ((await pending()).length === 0) continue
      await answerOf(scene.url, 'evm_mine', [])
      expect(places((await sent).result.solidityStack)).toEqual(TOO_POOR)
    })
  })

  test.each([
    ['a success', 1, {}],
    ['a failure with --no-solidity-stacks', 30, { solidityStacks: false }],
  ])('has none after %s', async (_case, count, options) => {
    await inShop(async (scene) => {
      const { result } = await answerOf(scene.url, 'eth_sendRawTransactionSync', [
        await signedPurchase(scene, count),
      ])
      expect(result.blockNumber).toMatch(/^0x/)
      expect(result).not.toHaveProperty('solidityStack')
    }, options)
  })

  test('has the stack beside the error of a transaction whose gas cannot be estimated', async () => {
    await inShop(async (scene) => {
      const request = { ...(await purchase(scene, 30)), gas: undefined }
      const { error, result } = await answerOf(scene.url, 'eth_sendTransactionSync', [request])
      expect(places((error ?? result).solidityStack)).toEqual(TOO_POOR)
    })
  })
})
