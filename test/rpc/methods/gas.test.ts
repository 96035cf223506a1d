import { describe, expect, test } from '@jest/globals'
import { call, freshNode, refusal } from '../../support/node.ts'

const [from, to] = ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', `0x${'aa'.repeat(20)}`]
const ROW = '| transfer of value |     1 |      0 | 21000 | 21000 |  21000 | 21000 |'

describe('dev_gasReport', () => {
  test('answers JSON, or Markdown if it is asked for', async () => {
    const node = await freshNode({ network: 'ethereum', gasReport: true })
    await call(node, 'eth_sendTransaction', [{ from, to, value: '0x1' }])
    expect(await call(node, 'dev_gasReport')).toEqual(await call(node, 'dev_gasReport', ['json']))
    expect(await call(node, 'dev_gasReport', ['markdown'])).toContain(ROW)
    expect((await refusal(node, 'dev_gasReport', ['html'])).message).toContain(
      'expected one of json, markdown',
    )
  })

  test('is null, and dev_resetGasReport false, without --gas-report', async () => {
    const node = await freshNode({ network: 'ethereum' })
    expect(await call(node, 'dev_gasReport')).toBeNull()
    expect(await call(node, 'dev_resetGasReport')).toBe(false)
  })

  test('is empty after dev_resetGasReport', async () => {
    const node = await freshNode({ network: 'ethereum', gasReport: true })
    await call(node, 'eth_sendTransaction', [{ from, to, value: '0x1' }])
    expect(await call(node, 'dev_resetGasReport')).toBe(true)
    expect(await call(node, 'dev_gasReport')).toEqual({ version: 1, contracts: [] })
  })
})
