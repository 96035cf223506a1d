/** How the machine runs on any network: pauses, depth, time and memory. */

import { describe, expect, test } from '@jest/globals'
import type { ExitEvent, Observer, Step } from '../../../lib/evm/observer.ts'
import { assembler } from '../../support/assembler.ts'
import { SENDER, contextOf, execute, machineOf, rulesOf, stateOf } from '../../support/machine-runs.ts'
import { addressOf } from '../../support/transactions.ts'

const CONTRACT = addressOf(0x1001)
const rules = rulesOf('prague')
const assemble = assembler(rules)
const NO_DATA = new Uint8Array(0)

function prepared(source: string, observer?: Observer) {
  const state = stateOf(new Map([[CONTRACT, { code: assemble(source), nonce: 1n }]]))
  return contextOf(rules, state, { warmAddresses: [SENDER, CONTRACT], observer })
}

const run = (source: string, gas: number, observer?: Observer) =>
  execute(prepared(source, observer), { to: CONTRACT, data: NO_DATA, value: 0n, gas })

/** A step is valid until its hook returns. */
function copyOf(step: Step): Step {
  const { pc, opcode, name, inputs, gasLeft, cost, refund, depth, stack, height, memory, address } = step
  const word = (below: number): bigint => stack.at(-1 - below) ?? 0n
  return {
    pc,
    opcode,
    name,
    inputs,
    gasLeft,
    cost,
    refund,
    depth,
    stack,
    height,
    word,
    memory: memory.slice(),
    address,
  }
}

const SELF_CALL = '0 0 0 0 0 ADDRESS GAS CALL'

describe('depth', () => {
  test('calls nest up to depth 1024', () => {
    // The call depth of 1024 needs this much gas, because every caller keeps a 64th.
    expect(run(`0 0 LOG0 ${SELF_CALL}`, 2 ** 44).logs).toHaveLength(1025)
  })

  test.each([
    ['as deep as they go', `${SELF_CALL} POP ${SELF_CALL}`],
    ['in a loop of each frame', `JUMPDEST ${SELF_CALL} POP 0 JUMP`],
  ])('ten million gas of nested calls, %s, take less than three seconds', (_how, source) => {
    // Of the processor, and the best of three, because the machine may be busy otherwise.
    const seconds = [1, 2, 3].map(() => {
      const before = process.cpuUsage()
      run(source, 10_000_000)
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1e6
    })
    expect(Math.min(...seconds)).toBeLessThan(3)
  })
})

describe('an observer', () => {
  const SOURCE = '1 2 ADD 0 MSTORE 32 0 0 0 0 4 100 CALL STOP'

  test('pauses the machine before an instruction, which then runs once', async () => {
    const steps: (string | undefined)[] = []
    const onOpcode = (step: Step) => {
      steps.push(step.name)
      return step.name === 'ADD' || step.name === 'CALL' ? Promise.resolve() : undefined
    }
    const machine = machineOf(prepared(SOURCE, { onOpcode }), {
      to: CONTRACT,
      value: 0n,
      data: NO_DATA,
      gas: 50_000,
    })
    let pauses = 0
    for (let pause = machine.run(); pause !== undefined; pause = machine.run()) {
      pauses++
      await pause
    }
    expect(pauses).toBe(2)
    expect(steps.filter((name) => name === 'ADD')).toHaveLength(1)
    expect(machine.result).toMatchObject({ status: 'success', gasLeft: run(SOURCE, 50_000).gasLeft })
  })

  test('does not change the execution', () => {
    const source = `1 0 SSTORE ${SELF_CALL}`
    const { gasLeft, status } = run(source, 200_000)
    expect(run(source, 200_000, { onOpcode: () => undefined })).toMatchObject({ gasLeft, status })
  })

  test('gets the cost, the stack and the gas of an instruction before it is charged', () => {
    const steps: Step[] = []
    run('7 0 MSTORE 0 0 0 0 0x4444 100 STATICCALL', 50_000, {
      onOpcode: (step) => void steps.push(copyOf(step)),
    })
    const [, , store] = steps
    expect(store).toMatchObject({
      pc: 4,
      name: 'MSTORE',
      gasLeft: 49_994n,
      cost: 6n,
      stack: [7n, 0n],
      depth: 0,
    })
    expect(store?.memory).toHaveLength(0)
    expect(steps.at(-1)).toMatchObject({ name: 'STATICCALL', cost: 2600n + 100n })
  })

  test('ends the execution by throwing', () => {
    const onOpcode = () => {
      throw new Error('enough')
    }
    expect(() => run(SOURCE, 50_000, { onOpcode })).toThrow('enough')
  })

  test('is notified of faults: an undefined instruction, a stack underflow', () => {
    const seen = (source: Uint8Array) => {
      const steps: Step[] = []
      const ends: ExitEvent[] = []
      const observer = {
        onOpcode: (step: Step) => void steps.push(copyOf(step)),
        onExit: (end: ExitEvent) => void ends.push(end),
      }
      const state = stateOf(new Map([[CONTRACT, { code: source }]]))
      const context = contextOf(rules, state, { warmAddresses: [CONTRACT], observer })
      execute(context, { to: CONTRACT, data: NO_DATA, value: 0n, gas: 100 })
      return { steps, end: ends[0] }
    }
    const none = seen(Uint8Array.of(0x0c))
    expect(none.steps).toMatchObject([{ name: undefined, opcode: 0x0c, cost: 0n }])
    expect(none.end).toMatchObject({ exception: 'invalid opcode', gasUsed: 100n, ranCode: true })
    expect(seen(Uint8Array.of(0x01))).toMatchObject({
      steps: [{ name: 'ADD' }],
      end: { exception: 'stack underflow' },
    })
  })
})

describe('a frame that fails', () => {
  test.each([
    ['ADD', 'stack underflow'],
    ['JUMPDEST 1 0 JUMP', 'stack overflow'],
    ['5 JUMP', 'invalid JUMP'],
    // To a byte 0x5b that PUSH1 pushes: beyond what was searched for destinations, and within it.
    ['4 JUMP 91 STOP', 'invalid JUMP'],
    ['5 JUMP 91 JUMPDEST 4 JUMP', 'invalid JUMP'],
    ['INVALID', 'invalid opcode'],
    ['0 0 0 4 100 STATICCALL', 'stack underflow'],
    ['JUMPDEST 0 JUMP', 'out of gas'],
    ['0 0x10000000000000000 MSTORE', 'out of gas'],
    ['1 0 0 RETURNDATACOPY', 'return data out of bounds'],
  ])('%s: %s', (source, exception) => {
    expect(run(source, 100_000)).toMatchObject({ status: 'failed', exception, gasLeft: 0 })
  })

  test('reverts warm addresses, logs, transient storage and records', () => {
    const inner = '0 0 LOG0 1 0 TSTORE 0xaa BALANCE POP 0 0 REVERT'
    const callee = addressOf(0x1002)
    const source = `0 0 0 0 0 ${BigInt(callee)} 50000 CALL POP GAS 0xaa BALANCE POP GAS SWAP1 SUB 0 MSTORE 32 0 RETURN`
    const state = stateOf(
      new Map([
        [CONTRACT, { code: assemble(source) }],
        [callee, { code: assemble(inner) }],
      ]),
    )
    const context = contextOf(rules, state, { warmAddresses: [CONTRACT, callee] })
    const ran = execute(context, { to: CONTRACT, data: NO_DATA, value: 0n, gas: 100_000 })
    expect(ran.logs).toEqual([])
    // PUSH, BALANCE of a cold account, POP, GAS.
    expect(BigInt(`0x${Buffer.from(ran.output).toString('hex')}`)).toBe(3n + 2600n + 2n + 2n)
  })
})
