import { describe, expect, test } from '@jest/globals'
import { CONSOLE_ADDRESS, ConsoleSink } from '../../lib/evm/outcome.ts'
import { call, freshNode } from '../support/node.ts'
import { COW } from '../support/signing.ts'

/** An address with as many zero bytes as the console's, because they cost less. */
const OTHER = `0x${'00'.repeat(9)}${'5c'.repeat(11)}`

describe.each(['network-33', 'ethereum'])('a call of the console on %s', (network) => {
  /** Calls an address by each of the four instructions; returns stack, memory and gas after each. */
  const program = (to: string) => {
    const target = `73${to.slice(2)}`
    const [withValue, without] = [`5f5f60045f5f${target}61ffff`, `5f5f60045f${target}61ffff`]
    const results = [`${withValue}f1`, `${withValue}f2`, `${without}f4`, `${without}fa`]
    const stored = results.map(
      (code, index) => `${code}3d0160${(index * 32).toString(16).padStart(2, '0')}52`,
    )
    return `0x${stored.join('')}5a60805260a05ff3`.replaceAll('5f', '6000')
  }

  test('returns and costs the same as a call of an address without code', async () => {
    const node = await freshNode({ network })
    const run = (to: string) => call(node, 'eth_call', [{ from: COW, data: program(to), gas: '0x100000' }])
    const said = await run(CONSOLE_ADDRESS)
    expect(said).toBe(await run(OTHER))
    expect(said.slice(0, 66)).toBe(`0x${'1'.padStart(64, '0')}`)
  })

  test('by a transaction leaves the same gas and the same account', async () => {
    const node = await freshNode({ network })
    const [from] = await call(node, 'eth_accounts')
    const send = async (to: string) => {
      const sending = { from, to, value: '0x7', data: '0x51973ec9', gas: '0x100000' }
      const hash = await call(node, 'eth_sendTransaction', [sending])
      const { gasUsed } = await call(node, 'eth_getTransactionReceipt', [hash])
      return [gasUsed, await call(node, 'eth_getBalance', [to])]
    }
    expect(await send(CONSOLE_ADDRESS)).toEqual(await send(OTHER))
  })
})

describe('the sink', () => {
  test('keeps copies', () => {
    const sink = new ConsoleSink()
    const input = Uint8Array.of(1, 2)
    sink.add(input)
    input[0] = 9
    expect(sink.inputs).toEqual([Uint8Array.of(1, 2)])
  })

  test('counts and drops lines above the limit', () => {
    const sink = new ConsoleSink()
    for (let count = 0; count < 10_000; count++) sink.add(new Uint8Array(1000))
    expect(sink.inputs.length).toBeLessThan(300)
    expect(sink.omitted).toBe(10_000 - sink.inputs.length)
  })
})
