/** Expressions at a step: values, and calls of functions on the state that the execution had there. */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { lineAt, startMarket } from './market.ts'
import { call, refusal } from '../../support/node.ts'

let scene: Awaited<ReturnType<typeof startMarket>>
beforeAll(async () => {
  scene = await startMarket()
  await scene.send('fill', [50])
})
afterAll(() => scene.end())

const counted = async () => {
  const loop = await scene.record('count', [5])
  return { loop, step: await loop.stepAt({ ...lineAt('sum += i'), hitCondition: '4' }) }
}

describe('an expression', () => {
  test.each([
    ['i', '3'],
    ['sum + i * 2', '9'],
    ['i > 2 && times == 5', 'true'],
    ['uint8(sum) << 2', '12'],
    ['msg.sender == owner', 'true'],
    ['FEE', '3'],
    ['this.factorial(times)', '120'],
    ['paid[msg.sender] == this.paid(msg.sender)', 'true'],
  ])('%s is %s', async (expression, expected) => {
    const { loop, step } = await counted()
    expect(await loop.evaluate(step, expression)).toBe(expected)
  })

  test('has the values of a caller in its frame', async () => {
    const recursion = await scene.record('factorialPaid', [3])
    const step = await recursion.stepAt({ ...lineAt('if (n < 2)'), hitCondition: '3' })
    const values = [3, 2, 1].map((frame) => recursion.ask('dev_debugEvaluate', step, frame, 'n'))
    expect((await Promise.all(values)).map(({ value }) => value)).toEqual(['1', '2', '3'])
  })
})

describe('a call', () => {
  test('sees the storage as it is at the step', async () => {
    const sale = await scene.record('sell', [10])
    const before = Number(await sale.evaluate(sale.summary.first, 'this.total()'))
    const after = await sale.stepAt(lineAt('emit Sold'))
    expect(Number(await sale.evaluate(after, 'this.total()'))).toBe(before + 13)
    expect(Number(await call(scene.node, 'eth_call', [{ to: scene.market, data: '0x2ddbd13a' }]))).toBe(
      before + 13,
    )
  })

  test('finds a contract that was created before the step, with its balance', async () => {
    const filled = await scene.record('fill', [7], { value: '0x5' })
    const step = await filled.stepAt(lineAt('purse.take(1)'))
    expect(await filled.evaluate(step, 'purse.left()')).toBe('7')
    expect(await filled.evaluate(step, 'address(purse).balance')).toBe('5')
    expect(await filled.evaluate(filled.summary.first, 'address(this).balance')).toBe('5')
    expect(await filled.evaluate(step, 'address(this).balance')).toBe('0')
  })

  test('changes nothing', async () => {
    const { loop, step } = await counted()
    const before = await loop.evaluate(step, 'total')
    await loop.evaluate(step, 'this.count(9)')
    expect(await loop.evaluate(step, 'total')).toBe(before)
    expect(await loop.evaluate(step, 'this.total()')).toBe(before)
  })

  test.each([
    ['purse.take(1000)', /the call of take\(uint256\) fails: .*TooPoor|the call of take\(uint256\) fails/],
    ['this.nothing()', /Market has no external function nothing with this number of arguments: 0/],
    ['this.factorial()', /Market has no external function factorial with this number of arguments: 0/],
    ['this.factorial("a")', /expected the arguments of factorial\(uint256\), got "a" \(string memory\)/],
    ['nothing', /nothing/],
    ['i +', /expected|unexpected/i],
  ])('%s is refused with what is wrong', async (expression, problem) => {
    const { loop, step } = await counted()
    const refused = await refusal(scene.node, 'dev_debugEvaluate', [
      loop.summary.session,
      step,
      0,
      expression,
    ])
    expect(refused.kind).toBe('invalidParams')
    expect(refused.message).toMatch(problem)
  })
})
