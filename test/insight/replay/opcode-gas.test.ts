import { expect, test } from '@jest/globals'
import { call } from '../../support/node.ts'
import { EVERYTHING, tracedNode } from '../../support/tracing.ts'

test('counts are those of struct logs, and the gas of all is that of the outermost frame', async () => {
  const { node, send, trace } = await tracedNode({ network: 'ethereum' })
  for (const [name, args, value] of EVERYTHING) {
    const hash = await send(name, args, value)
    const { opcodeGas } = await trace(hash, { tracer: 'opcodeGasTracer' })
    const { structLogs } = await trace(hash)
    const counts: Record<string, number> = {}
    for (const { op } of structLogs) counts[op] = (counts[op] ?? 0) + 1
    expect(Object.fromEntries(opcodeGas.map((one: any) => [one.opcode, one.count]))).toEqual(counts)
    const sum = opcodeGas.reduce((total: number, { gasUsed }: { gasUsed: number }) => total + gasUsed, 0)
    const script = `{ first: 0, fault: function () {}, step: function (log) { this.first = this.first || log.getGas() }, result: function () { return this.first } }`
    const given = await trace(hash, { tracer: script })
    const last = structLogs.at(-1)
    const left = last.op === 'INVALID' || last.error !== undefined ? 0 : last.gas - last.gasCost
    expect([name, sum]).toEqual([name, given - left])
    const transaction = await call(node, 'trace_transactionOpcodeGas', [hash])
    expect(transaction).toEqual({ transactionHash: hash, opcodeGas })
    const block = await call(node, 'trace_blockOpcodeGas', ['latest'])
    expect(block.transactions).toEqual([transaction])
  }
})
