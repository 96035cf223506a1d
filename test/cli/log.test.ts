import { describe, expect, test } from '@jest/globals'
import { Chalk } from 'chalk'
import { RequestLog } from '../../lib/cli/log.ts'
import type { RequestLogEntry, SentTransaction } from '../../lib/config/request-log.ts'
import { request } from './fake-server.ts'

const UP = '\u001B[1A\u001B[2K'

/** What the log has written after each entry, and at the end. */
function logged(
  entries: readonly RequestLogEntry[],
  style: { isTty?: boolean; isVerbose?: boolean } = {},
): string {
  let text = ''
  const write = (more: string): void => void (text += more)
  const log = new RequestLog({
    write,
    isTty: false,
    isVerbose: false,
    paint: new Chalk({ level: 0 }),
    ...style,
  })
  for (const entry of entries) log.add(entry)
  log.flush()
  return text
}

const sent: SentTransaction = {
  hash: '0xaa',
  from: '0x01',
  to: '0x02',
  contractAddress: null,
  gasUsed: 21_000n,
  gasLimit: 90_000n,
  blockNumber: 5n,
  status: 'success',
}

describe('repeats', () => {
  const twice = [request('eth_chainId'), request('eth_blockNumber'), request('eth_blockNumber')]

  test('are folded into one line', () => {
    expect(logged([...twice, request('eth_chainId')])).toBe('eth_chainId\neth_blockNumber x2\neth_chainId\n')
  })

  test('count up in place on a terminal', () => {
    expect(logged(twice, { isTty: true })).toBe(`eth_chainId\neth_blockNumber\n${UP}eth_blockNumber x2\n`)
  })

  test('of the same error fold, another error does not', () => {
    const failed = (message: string): RequestLogEntry =>
      request('eth_call', { error: { code: -32015, message } })
    expect(logged([failed('no'), failed('no'), failed('never')])).toBe(
      'eth_call error -32015: no x2\neth_call error -32015: never\n',
    )
  })

  test('in another world do not fold, and name the world', () => {
    const inWorld = request('eth_chainId', { world: 'worker-1' })
    expect(logged([request('eth_chainId'), inWorld, inWorld])).toBe(
      'eth_chainId\neth_chainId in world worker-1 x2\n',
    )
  })

  test('of a send are never folded', () => {
    const send = request('eth_sendTransaction', { transaction: sent })
    expect(logged([send, send]).match(/eth_sendTransaction/g)).toHaveLength(2)
  })
})

describe('a send', () => {
  test('is told by names where they are known', () => {
    const transaction = { ...sent, action: 'Vault.deposit(12 MTK) from account 1' }
    expect(logged([request('eth_sendTransaction', { transaction })])).toContain(
      '\n  Vault.deposit(12 MTK) from account 1\n  0xaa\n',
    )
  })

  test('is shown with hash, gas and block', () => {
    expect(logged([request('eth_sendTransaction', { transaction: sent })])).toBe(
      'eth_sendTransaction\n  from 0x01 to 0x02\n  0xaa\n  gas 21000 of 90000, block 5\n',
    )
  })

  test.each([
    ['a creation', { to: null, contractAddress: '0x03' }, '  from 0x01 to new contract 0x03\n'],
    ['a failed creation', { to: null }, '  from 0x01 to a new contract\n'],
    ['a revert', { status: 'reverted', reason: 'not yours' }, '  reverted: not yours\n'],
    ['a revert without reason', { status: 'reverted' }, '  reverted\n'],
  ] as const)('that is %s is marked', (_case, more, line) => {
    expect(logged([request('eth_sendTransaction', { transaction: { ...sent, ...more } })])).toContain(line)
  })
})

describe('details', () => {
  test('are params, result and time', () => {
    expect(logged([request('eth_call', { params: ['0x1', 5n] })], { isVerbose: true })).toBe(
      'eth_call\n  params ["0x1",5]\n  result "0x1"\n  took 1.3 ms\n',
    )
  })

  test('show the data of an error', () => {
    const error = { code: 3, message: 'reverted', data: '0x08c379a0' }
    expect(logged([request('eth_call', { error })], { isVerbose: true })).toContain('result "0x08c379a0"')
  })

  test('are shortened', () => {
    const text = logged([request('eth_call', { params: ['f'.repeat(5000)] })], { isVerbose: true })
    expect(text).toContain('... (5004 characters)')
    expect(text.length).toBeLessThan(500)
  })
})

test('a client cannot control the terminal', () => {
  const error = { code: -32601, message: 'line\nbreak' }
  expect(logged([request('evil\u001B[2J', { error })])).toBe(
    'evil\\u001b[2J error -32601: line\\u000abreak\n',
  )
})

describe('console output of contracts', () => {
  const said = (...lines: readonly string[]) => [{ kind: 'call', to: '0x02', lines } as const]

  test('is printed below the request, with the method', () => {
    const outputs = [
      ...said('one', 'two'),
      { kind: 'transaction', hash: '0xaa', to: '0x02', lines: [''] } as const,
    ]
    expect(logged([request('evm_mine', { console: outputs })])).toBe(
      'evm_mine\n  console.log of call to 0x02\n    one\n    two\n  console.log of transaction 0xaa\n    \n',
    )
  })

  test('is printed below a block of the mining timer', () => {
    let text = ''
    const write = (more: string): void => void (text += more)
    const log = new RequestLog({ write, isTty: false, isVerbose: false, paint: new Chalk({ level: 0 }) })
    log.add(request('eth_chainId'))
    log.addBlock({ blockNumber: 7n, console: [{ kind: 'estimate', to: null, lines: ['x'] }] })
    expect(text).toBe('eth_chainId\nblock 7\n  console.log of estimate of a new contract\n    x\n')
  })

  test('names the failed transactions of the block', () => {
    let text = ''
    const write = (more: string): void => void (text += more)
    const log = new RequestLog({ write, isTty: false, isVerbose: false, paint: new Chalk({ level: 0 }) })
    const failed = [{ kind: 'transaction', hash: '0x01', to: '0x02', reason: 'no\n' }] as const
    log.addBlock({ blockNumber: 7n, console: [], failed })
    expect(text).toBe('block 7\n  transaction 0x01 reverted: no\\u000a\n')
  })

  test('cannot control the terminal, and stays indented', () => {
    const text = logged([request('eth_call', { console: said('\u001B[2Ja\rb\neth_chainId\u202E') })])
    expect(text).toBe(
      'eth_call\n  console.log of call to 0x02\n    \\u001b[2Ja\\u000db\n    eth_chainId\\u202e\n',
    )
  })
})

test('a failed transaction with a successful response is printed below the request', () => {
  const failed = [
    { kind: 'call', to: '0x02', reason: 'custom error Refused(5)' },
    { kind: 'estimate', to: null, reason: 'out of gas' },
  ] as const
  expect(logged([request('eth_simulateV1', { failed })])).toBe(
    'eth_simulateV1\n  call to 0x02 reverted: custom error Refused(5)\n  estimate of a new contract reverted: out of gas\n',
  )
})

test('the reason of a failed call is printed where the message lacks it', () => {
  const failed = (message: string, reason: string) =>
    request('eth_call', { error: { code: -32015, message }, reason })
  expect(logged([failed('transaction reverted', 'panic')])).toBe(
    'eth_call error -32015: transaction reverted (panic)\n',
  )
  expect(logged([failed('revert no', 'no')])).toBe('eth_call error -32015: revert no\n')
})

test('the reason of a reverted send is printed once', () => {
  const transaction: SentTransaction = { ...sent, status: 'reverted', reason: 'panic' }
  const below = '  from 0x01 to 0x02\n  0xaa\n  gas 21000 of 90000, block 5\n  reverted'
  const answered = request('eth_sendTransaction', { transaction })
  expect(logged([answered])).toBe(`eth_sendTransaction\n${below}: panic\n`)
  const withError = (message: string, reason?: string) =>
    request('eth_sendTransaction', { error: { code: -32015, message }, transaction, reason })
  expect(logged([withError('transaction reverted', 'panic')])).toBe(
    `eth_sendTransaction error -32015: transaction reverted (panic)\n${below}\n`,
  )
  expect(logged([withError('reverted with panic code 0x12')])).toBe(
    `eth_sendTransaction error -32015: reverted with panic code 0x12\n${below}\n`,
  )
})

describe('a Solidity stack', () => {
  const address = '0xab'
  const inner = {
    address,
    contract: 'Token',
    function: '_move',
    file: 'a.sol',
    line: 3,
    column: 5,
    excerpt: 'revert();',
  }
  const solidityStack = [inner, { address, contract: 'Shop', file: 'a.sol' }]
  const error = { code: 3, message: 'no', solidityStack }
  const failed = request('eth_call', { error })
  const block = ['  at Token._move (a.sol:3:5)', '     revert();', '  at Shop (a.sol)'].join('\n')

  test('is below the request', () => {
    expect(logged([failed])).toBe(`eth_call error 3: no\n${block}\n`)
  })

  test('is counted with the same request', () => {
    expect(logged([failed, failed, request('eth_chainId')])).toBe(
      `eth_call error 3: no x2\n${block}\neth_chainId\n`,
    )
  })

  test('is not repeated below another request', () => {
    const estimated = request('eth_estimateGas', { error })
    expect(logged([failed, request('eth_chainId'), estimated])).toBe(
      `eth_call error 3: no\n${block}\neth_chainId\n` +
        'eth_estimateGas error 3: no\n  at Token._move (a.sol:3:5), as above\n',
    )
  })

  test('of a sent transaction is below its block, once', () => {
    const transaction: SentTransaction = { ...sent, status: 'reverted', solidityStack }
    const lines = logged([request('eth_sendTransaction', { error, transaction })]).split('\n')
    expect(lines.slice(4)).toEqual(['  reverted', ...block.split('\n'), ''])
  })

  test('of another failure is below it', () => {
    const run = { kind: 'transaction', hash: '0xaa', to: '0x02', reason: 'no', solidityStack } as const
    expect(logged([request('evm_mine', { failed: [run] })])).toBe(
      `evm_mine\n  transaction 0xaa reverted: no\n${block.replace(/^/gm, '  ')}\n`,
    )
  })

  test('has no control characters', () => {
    const hostile = { ...error, solidityStack: [{ ...inner, file: 'a\u001B[2J.sol', excerpt: 'x\ny' }] }
    expect(logged([request('eth_call', { error: hostile })])).not.toMatch(/\u001B|x\ny/)
  })
})
