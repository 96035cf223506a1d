/** Variables of running functions, by scope and by path. */

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Interface } from 'ethers'
import { compileProject, hardhat2, writeProject } from '../../support/artifact-projects.ts'
import { lineAt, startMarket, withoutSettings } from './market.ts'
import { call, freshNode, refusal } from '../../support/node.ts'

let scene: Awaited<ReturnType<typeof startMarket>>
beforeAll(async () => {
  scene = await startMarket()
  await scene.send('fill', [50])
})
afterAll(() => scene.end())

test('no value is shown of code whose compiler may have optimized it', async () => {
  const { record, end } = await startMarket({}, withoutSettings())
  try {
    const sale = await record('sell', [10])
    const step = await sale.stepAt(lineAt('emit Sold'))
    const reason = 'the files of the compiler do not say whether it has optimized the code'
    expect(await sale.values(step, ['locals'])).toMatchObject({ price: reason, whole: reason })
    expect(await sale.values(step, ['state'])).toMatchObject({ total: expect.stringMatching(/optimizer/) })
  } finally {
    await end()
  }
})

describe('local variables', () => {
  test('are parameters, return variables and those that are declared before', async () => {
    const sale = await scene.record('sell', [10])
    const total = (await sale.evaluate(sale.summary.first, 'total')) || ''
    const early = await sale.values(await sale.stepAt(lineAt('withFee(price)')), ['locals'])
    expect(Object.keys(early)).toEqual(['price', 'id', 'order'])
    const late = await sale.stepAt(lineAt('emit Sold'))
    expect(await sale.values(late, ['locals'])).toMatchObject({ price: '10', id: '0', whole: '13' })
    expect(await sale.values(late, ['locals', 'order'])).toEqual({ id: total, buyer: expect.any(String) })
  })

  test('are those of a caller in its frame', async () => {
    const sale = await scene.record('sell', [10])
    const step = await sale.stepAt(lineAt('sum = a + b'))
    expect(await sale.values(step, ['locals'], 1)).toMatchObject({ b: '13', sum: '0' })
    expect(await sale.values(step, ['locals'], 0)).toMatchObject({ price: '10', id: '0', whole: '13' })
  })

  test('have what a function returned, after the statement that called it', async () => {
    const sale = await scene.record('sell', [10])
    const after = await sale.stepAt(lineAt('total.plus(whole)'))
    expect(await sale.values(after, ['locals'])).toMatchObject({ 'withFee returned': '13' })
    const before = await sale.stepAt(lineAt('withFee(price)'))
    expect(Object.keys(await sale.values(before, ['locals']))).not.toContain('withFee returned')
  })
})

describe('state variables', () => {
  test('have their values at the step, also those of base contracts', async () => {
    const sale = await scene.record('sell', [10])
    const before = await sale.values(sale.summary.first, ['state'])
    const after = await sale.values(sale.summary.last, ['state'])
    expect(before['title']).toBe('"market"')
    expect(Number(after['rank'])).toBe(Number(before['rank']) + 1)
    expect(Number(after['total'])).toBe(Number(before['total']) + 13)
  })

  test('have constants and immutable variables', async () => {
    const sale = await scene.record('sell', [10])
    const state = await sale.values(sale.summary.first, ['state'])
    expect(state['FEE']).toBe('3')
    expect(state['owner']!.toLowerCase()).toBe(scene.user)
  })

  test('have no immutable variables while the contract is created', async () => {
    const creation = await scene.open({ transaction: scene.created })
    const state = await creation.values(creation.summary.first, ['state'])
    expect(state['FEE']).toBe('3')
    expect(Object.keys(state)).not.toContain('owner')
  })

  test('are those of the proxy on whose account code runs', async () => {
    const proxy = await scene.deploy('Proxy', [scene.market])
    const sale = await scene.record('sell', [10], { to: proxy })
    const step = await sale.stepAt(lineAt('emit Sold'))
    expect(await sale.values(step, ['state'])).toMatchObject({ total: '13', rank: '0', title: '""' })
  })

  test('are as before after a failed call', async () => {
    const caught = await scene.record('tryTake', [100])
    const left = await caught.evaluate(caught.summary.first, 'purse.left()')
    const inside = await caught.stepAt(lineAt('revert TooPoor'))
    expect(await caught.values(inside, ['state'])).toMatchObject({ left: '99' })
    const outside = await caught.stepAt(lineAt('total = reason.length'))
    expect(await caught.evaluate(outside, 'purse.left()')).toBe(left)
  })
})

describe('the other scopes', () => {
  test('are the message, the storage, the memory and the stack', async () => {
    const filled = await scene.record('fill', [7], { value: '0x5' })
    const step = filled.summary.first
    expect(await filled.values(step, ['message', 'msg'])).toMatchObject({ value: '5' })
    expect((await filled.values(step, ['message']))['this']!.toLowerCase()).toBe(scene.market)
    expect(Object.keys(await filled.values(step, ['message', 'block']))).toContain('timestamp')
    expect(await filled.values(step, ['memory'])).toMatchObject({ '0x40': `0x${'00'.repeat(31)}80` })
    const stack = await filled.values(step, ['stack'])
    expect(Object.values(stack)).toContain(`0x${'00'.repeat(31)}07`)
    expect(await filled.values(step, ['storage'])).toEqual({})
    const slots = await filled.values(filled.summary.last, ['storage'])
    expect(Object.keys(slots)).toEqual([`0x${'00'.repeat(31)}03`])
  })

  test('have the creator of a contract as sender, and the value that it gave', async () => {
    const filled = await scene.record('fill', [7], { value: '0x5' })
    const step = await filled.stepAt(lineAt('left = first'))
    const message = await filled.values(step, ['message', 'msg'])
    expect(message['sender']!.toLowerCase()).toBe(scene.market)
    expect(message['value']).toBe('5')
    expect(await filled.values(step, ['message', 'tx'])).toMatchObject({
      origin: expect.stringMatching(new RegExp(scene.user, 'i')),
    })
  })

  test('refuse a name that they do not have', async () => {
    const sale = await scene.record('sell', [10])
    const { session, first } = sale.summary
    const refused = (path: readonly string[]) =>
      refusal(scene.node, 'dev_debugVariables', [session, first, 0, path])
    expect(await refused(['locals', 'nothing'])).toMatchObject({ message: 'there is no variable nothing' })
    expect(await refused(['rooms'])).toMatchObject({
      message: 'expected one of locals, state, message, storage, memory, stack, got rooms',
    })
  })
})

test('a struct in the storage is not shown where the optimizer may have moved its writes', async () => {
  const source =
    'contract Pair { struct P { uint128 x; int64 y; } P public p; uint256 public total; ' +
    'function set(uint128 a, int64 b) external { p = P(a, b);\n total += a;\n if (b < 0) revert(); } }'
  const path = 'contracts/Pair.sol'
  const compiled = compileProject({ [path]: source }, { viaIR: true, optimizer: { enabled: true } })
  const folder = await writeProject(hardhat2(compiled))
  const node = await freshNode({ network: 'ethereum', artifacts: [join(folder, 'artifacts')] })
  const ask = (method: string, ...params: readonly unknown[]): Promise<any> => call(node, method, params)
  const [from] = await ask('eth_accounts')
  const { abi, evm } = compiled.output.contracts[path]!['Pair']!
  const created = await ask('eth_sendTransaction', { from, data: `0x${evm.bytecode.object}` })
  const { contractAddress: to } = await ask('eth_getTransactionReceipt', created)
  const data = new Interface(abi as never).encodeFunctionData('set', [100, -5])
  const { session, failure } = await ask('dev_debugOpen', { call: { from, to, data } })
  const [p] = await ask('dev_debugVariables', session, failure, 0, ['state'])
  const members = await ask('dev_debugVariables', session, failure, 0, ['state', 'p'])
  const unknown = 'the optimizer has rearranged the writes of this line'
  expect(p).toMatchObject({ name: 'p', value: '', unknown, parts: 2 })
  expect(members).toMatchObject([
    { name: 'x', unknown },
    { name: 'y', unknown },
  ])
  await node.close()
  await rm(folder, { recursive: true })
})
