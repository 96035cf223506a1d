import { describe, expect, test } from '@jest/globals'
import { Contract, JsonRpcProvider } from 'ethers'
import type { RpcMethods } from '../../../lib/embed/rpc-types.ts'
import { hardhat2 } from '../../support/artifact-projects.ts'
import { failed, lineOf, plain, withShop } from '../../support/shop.ts'
import type { Explained, Scene } from '../../support/shop.ts'
import { call, freshNode, refusal } from '../../support/node.ts'
import { COW } from '../../support/signing.ts'

type Failure = RpcMethods['dev_failures']['result'][number]

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Requests to the node of a shop. */
const askerOf =
  ({ shop }: Pick<Scene, 'shop'>) =>
  (method: string, ...params: readonly unknown[]): Promise<any> =>
    (shop.runner!.provider as JsonRpcProvider).send(method, [...params])

const short = ({ kind, contract, function: name, place, removedAt }: Failure) => [
  kind,
  `${contract}.${name}`,
  place?.line,
  removedAt !== undefined,
]

const BUY = ['Shop.buy(uint256)', lineOf('revert TooPoor')]

describe('failures of a chain with known contracts', () => {
  test('a transaction, a call and an estimate stay after evm_revert, newest first', async () => {
    await withShop(hardhat2(plain), async (scene) => {
      const ask = askerOf(scene)
      const { shop, buyer } = scene
      const id = await ask('evm_snapshot')
      const { hash } = await failed(shop, 'buy', 30)
      await shop['buy']!.staticCall(40).catch(() => undefined)
      await shop['buy']!.estimateGas(50).catch(() => undefined)
      const before: readonly Failure[] = await ask('dev_failures')
      expect(before.map(({ removedAt }) => removedAt)).toEqual([undefined, undefined, undefined])
      await ask('evm_revert', id)
      const listed: readonly Failure[] = await ask('dev_failures')
      expect(listed.map(short)).toEqual([
        ['estimate', ...BUY, false],
        ['call', ...BUY, false],
        ['transaction', ...BUY, true],
      ])
      const [estimate, , transaction] = listed
      expect(transaction).toMatchObject({
        id: 1,
        hash,
        world: null,
        time: expect.stringMatching(TIME),
        removedAt: expect.stringMatching(TIME),
        reason: `reverted with custom error 'TooPoor(${buyer}, 1000, 3000)'`,
        arguments: [{ name: 'count', type: 'uint256', value: '30' }],
      })
      expect(await ask('dev_failures', 1)).toEqual([estimate])
    })
  })

  test('after the revert the whole explanation is that of before', async () => {
    await withShop(hardhat2(plain), async (scene) => {
      const ask = askerOf(scene)
      const id = await ask('evm_snapshot')
      await scene.shop['buy']!(1)
      const { hash } = await failed(scene.shop, 'buy', 30)
      await scene.shop['buy']!.staticCall(40).catch(() => undefined)
      const before: readonly Explained[] = [
        await ask('dev_explainTransaction', hash),
        await ask('dev_explainFailure', 2),
      ]
      expect(before.map(({ call: { arguments: given } }) => given?.[0]?.value)).toEqual(['30', '40'])
      await ask('evm_revert', id)
      await ask('evm_mine')
      expect(await ask('dev_explainTransaction', hash)).toBeNull()
      const { removedAt, ...transaction } = await ask('dev_explainFailure', hash)
      expect(removedAt).toMatch(TIME)
      expect([transaction, await ask('dev_explainFailure', 2)]).toEqual(before)
      const { removedAt: same, ...byId } = await ask('dev_explainFailure', 1)
      expect([same, byId]).toEqual([removedAt, transaction])
    })
  })

  test('the same transaction on the chain again is not removed, its first run is', async () => {
    await withShop(hardhat2(plain), async (scene) => {
      const ask = askerOf(scene)
      const id = await ask('evm_snapshot')
      const { hash } = await failed(scene.shop, 'buy', 30)
      await ask('evm_revert', id)
      const again = await failed(scene.shop, 'buy', 30)
      expect(again.hash).toBe(hash)
      const listed: readonly Failure[] = await ask('dev_failures')
      expect(listed.map(({ removedAt }) => removedAt !== undefined)).toEqual([false, true])
      expect((await ask('dev_explainFailure', hash)).removedAt).toBeUndefined()
    })
  })

  test('a transaction is found by the beginning of its hash, also after a revert', async () => {
    await withShop(hardhat2(plain), async (scene) => {
      const ask = askerOf(scene)
      const id = await ask('evm_snapshot')
      const { hash: good } = (await scene.shop['buy']!(1)) as { hash: string }
      const { hash } = await failed(scene.shop, 'buy', 30)
      expect(await ask('dev_findTransactions', hash.slice(0, 10).toUpperCase().replace('X', 'x'))).toEqual([
        hash,
      ])
      await ask('evm_revert', id)
      expect(await ask('dev_findTransactions', hash.slice(0, 10))).toEqual([hash])
      expect(await ask('dev_findTransactions', good.slice(0, 10))).toEqual([good])
      await expect(ask('dev_explainFailure', good)).rejects.toThrow(
        /transaction 0x\w{64} was removed by a revert at \d{4}-/,
      )
    })
  })

  test('those of a world are in the list of the world and of the default chain, also when it is deleted', async () => {
    await withShop(hardhat2(plain), async (scene) => {
      const ask = askerOf(scene)
      const world = new JsonRpcProvider(`${scene.url}/w/one`, undefined, {
        staticNetwork: true,
        batchMaxCount: 1,
      })
      const shop = new Contract(await scene.shop.getAddress(), scene.shop.interface, await world.getSigner(0))
      const { hash } = await failed(shop, 'buy', 30)
      await failed(scene.shop, 'buy', 31)
      expect((await world.send('dev_failures', [])).map((one: Failure) => one.world)).toEqual(['one'])
      world.destroy()
      await ask('dev_deleteWorld', 'one')
      const listed: readonly Failure[] = await ask('dev_failures')
      expect(listed.map((one) => [one.world, ...short(one).slice(0, 3)])).toEqual([
        [null, 'transaction', ...BUY],
        ['one', 'transaction', ...BUY],
      ])
      expect(await ask('dev_explainFailure', hash)).toMatchObject({ call: { contract: 'Shop' } })
    })
  })
})

/** Init code that reverts with the hash of the block before. */
const REVERTS_WITH_BLOCKHASH = '0x600143034060005260206000fd'

describe('failures without artifacts', () => {
  test('a call sees the blocks before it also after they were removed', async () => {
    const node = await freshNode({ network: 'ethereum' })
    const id = await call(node, 'evm_snapshot')
    for (let count = 0; count < 3; count++) await call(node, 'evm_mine')
    const { hash } = await call(node, 'eth_getBlockByNumber', ['0x2', false])
    await refusal(node, 'eth_call', [{ from: COW, data: REVERTS_WITH_BLOCKHASH }, '0x3'])
    await call(node, 'evm_revert', [id])
    const { call: explained } = await call(node, 'dev_explainFailure', [1])
    expect(explained.output).toBe(hash)
    await node.close()
  })

  test('the newest thousand are kept', async () => {
    const node = await freshNode({ network: 'ethereum' })
    for (let count = 0; count < 1005; count++) await refusal(node, 'eth_call', [{ from: COW, data: '0xfe' }])
    expect(await call(node, 'dev_explainFailure', [5])).toBeNull()
    expect(await call(node, 'dev_explainFailure', [6])).toMatchObject({ status: 'failed' })
    const [newest] = await call(node, 'dev_failures', [1])
    expect(newest).toMatchObject({ id: 1005, kind: 'call', reason: expect.stringContaining('invalid') })
    await node.close()
  })

  test('fewer are kept if they hold much input, or a long chain that was removed', async () => {
    const node = await freshNode({ network: 'ethereum' })
    await call(node, 'hardhat_setCode', [COW, '0xfe'])
    const data = `0x${'00'.repeat(1_000_000)}`
    for (let count = 0; count < 70; count++) await refusal(node, 'eth_call', [{ from: COW, to: COW, data }])
    expect(node.failures.all.length).toBe(67)
    const id = await call(node, 'evm_snapshot')
    for (let count = 0; count < 9000; count++) await call(node, 'evm_mine')
    await refusal(node, 'eth_call', [{ from: COW, to: COW }])
    await call(node, 'evm_revert', [id])
    expect(node.failures.all).toEqual([])
    await node.close()
  })

  test.each([
    [['dev_failures', [0]], 'expected a whole number from 1 to 100'],
    [['dev_explainFailure', ['0x1']], 'expected the id of a failure'],
    [['dev_findTransactions', ['0x']], 'expected 0x and from 1 to 64 digits'],
  ] as const)('refuses %j', async ([method, params], expected) => {
    const node = await freshNode()
    expect((await refusal(node, method, params)).message).toContain(expected)
    await node.close()
  })
})
