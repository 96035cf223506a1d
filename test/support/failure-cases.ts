/** How each call of the contracts of fixtures/failures fails, written down from the sources. */

import { toFunctionSelector } from 'viem'
import type { FailingCall } from './failure-runs.ts'

/** A call, the reason, and the stack: innermost first, with names of lines. */
export interface FailureCase extends FailingCall {
  readonly title: string
  readonly reason: string
  readonly stack: readonly string[]
  /** Only since solc 0.8. */
  readonly isNew?: boolean
}

const text = (reason: string): string => `reverted with reason string '${reason}'`
const BARE = 'reverted without a reason string'
const MAX = 2n ** 256n - 1n
const EMPTY = '0x00000000000000000000000000000000000000ee'

const panic = (code: string, meaning: string): string => `reverted with panic code ${code} (${meaning})`
const OVERFLOW = panic('0x11', 'Arithmetic operation overflowed outside of an unchecked block')

/** Cases of one contract. Functions of the contract itself stand without its name in the stack. */
const casesOf =
  (contract: string, more: Pick<FailureCase, 'isNew'> = {}) =>
  (
    title: string,
    call: string,
    args: readonly unknown[],
    reason: string,
    stack: readonly string[],
  ): FailureCase => ({
    title,
    contract,
    call,
    args,
    reason,
    stack: stack.map((one) => (/^(?:[A-Z]|free:)/.test(one) ? one : `${contract}.${one}`)),
    ...more,
  })

const inFailures = casesOf('Failures')
const sinceSolc08 = casesOf('Failures', { isNew: true })
const inErrors = casesOf('CustomErrors', { isNew: true })
const fromCaller = casesOf('Caller')
const inTwins = casesOf('Twins')

export const FAILURES: readonly FailureCase[] = [
  inFailures('require with a text', 'requireText', [3n], text('too small'), ['requireText:require-text']),
  inFailures('require without a text', 'requireBare', [3n], BARE, ['requireBare:require-bare']),
  inFailures('revert with a text', 'revertText', [9n], text('too large'), ['revertText:revert-text']),
  inFailures('revert without a text', 'revertBare', [9n], BARE, ['revertBare:revert-bare']),
  inFailures('internal functions', 'nested', [8n], text('eight'), [
    'inner:inner',
    'outer:outer',
    'nested:nested',
  ]),
  inFailures('first of two calls', 'sameLineTwice', [8n, 2n], text('eight'), [
    'inner:inner',
    'outer:outer',
    'sameLineTwice:twice-first',
  ]),
  inFailures('second of two calls', 'sameLineTwice', [2n, 8n], text('eight'), [
    'inner:inner',
    'outer:outer',
    'sameLineTwice:twice-second',
  ]),
  inFailures('recursion', 'recursive', [2n], text('bottom'), [
    'recursive:recursive-bottom',
    'recursive:recursive',
    'recursive:recursive',
  ]),
  inFailures('free function in a loop', 'afterLoop', [7n], text('four'), ['free:free', 'afterLoop:loop']),
  inFailures('modifier', 'inModifier', [], text('not the owner'), [
    'onlyOwner:modifier',
    'inModifier:in-modifier',
  ]),
  inFailures('body behind a modifier', 'behindModifier', [6n], text('six in the body'), [
    'behindModifier:modified-body',
  ]),
  inFailures('end of a modifier', 'behindModifier', [4n], text('four at the end'), [
    'checked:modifier-end',
    'behindModifier:behind-modifier',
  ]),
  inFailures('function called by a modifier', 'behindModifier', [5n], text('three'), [
    'check:modifier-callee',
    'checked:modifier-call',
    'behindModifier:behind-modifier',
  ]),
  inFailures('modifier of a function that calls super', 'callsGuarded', [5n], text('three'), [
    'check:modifier-callee',
    'checked:modifier-call',
    'guarded:guarded',
    'callsGuarded:to-guarded',
  ]),
  inFailures('overloaded function, number', 'overloaded(uint256)', [1n], text('number'), [
    'pick:pick-number',
    'overloaded:overload-number',
  ]),
  inFailures(
    'overloaded function, address',
    'overloaded(address)',
    ['0x0000000000000000000000000000000000000001'],
    text('address'),
    ['pick:pick-address', 'overloaded:overload-address'],
  ),
  inFailures('implementation of an abstract function', 'template', [21n], text('hooked'), [
    'hook:hook',
    'Ancestor.template:template',
  ]),
  inFailures('super', 'callsOverridden', [77n], text('base refuses'), [
    'Ancestor.overridden:super',
    'overridden:to-super',
    'callsOverridden:overridden',
  ]),
  inFailures('internal library', 'libraryInternal', [12n], text('not small'), [
    'Numbers.small:library-internal',
    'libraryInternal:to-library-internal',
  ]),
  inFailures('external library', 'libraryExternal', [12n], text('not large'), [
    'Numbers.large:library-external',
    'libraryExternal:to-library-external',
  ]),
  inFailures('function pointer', 'pointer', [21n], text('hooked'), ['hook:hook', 'pointer:pointer']),
  inFailures(
    'slice that ends after the data',
    'slice',
    ['0x0102', 3n],
    'slice of call data is out of bounds',
    ['slice:slice-end'],
  ),
  inFailures('inline assembly', 'inAssembly', [9n], BARE, ['inAssembly:assembly']),
  inFailures('function of inline assembly', 'yulFunction', [9n], BARE, ['refuse:yul', 'yulFunction:to-yul']),
  sinceSolc08('overflow', 'overflow', [9n], OVERFLOW, ['overflow:overflow']),
  sinceSolc08('overflow in an internal function', 'nestedOverflow', [9n], OVERFLOW, [
    'subtract:subtract',
    'nestedOverflow:to-subtract',
  ]),
  sinceSolc08('division by zero', 'divide', [0n], panic('0x12', 'Division or modulo division by zero'), [
    'divide:divide',
  ]),
  sinceSolc08('index', 'index', [5n], panic('0x32', 'Array accessed at an out-of-bounds or negative index'), [
    'index:index',
  ]),
  sinceSolc08('pop', 'popEmpty', [], panic('0x31', '.pop() was called on an empty array'), ['popEmpty:pop']),
  sinceSolc08('assert', 'asserts', [9n], panic('0x1', 'Assertion error'), ['asserts:assert']),
  inErrors('custom error', 'custom', [9n], 'reverted with custom error \'Refused(9, "large")\'', [
    'custom:custom',
  ]),
  inErrors(
    'custom error of an internal function',
    'customNested',
    [9n],
    "reverted with custom error 'Empty()'",
    ['refuse:custom-inner', 'customNested:to-custom'],
  ),
  inErrors(
    'enum',
    'enumOf',
    [7n],
    panic('0x21', 'Tried to convert a value into an enum, but the value was too big or negative'),
    ['enumOf:enum'],
  ),
  inErrors(
    'memory',
    'allocate',
    [2n ** 80n],
    panic('0x41', 'Too much memory was allocated, or an array was created that is too large'),
    ['allocate:allocate'],
  ),
  inErrors(
    'uninitialized function',
    'uninitialized',
    [],
    panic('0x51', 'Called a zero-initialized variable of internal function type'),
    ['uninitialized:uninitialized'],
  ),
  inErrors('overflow after an unchecked block', 'unchecked_', [9n], OVERFLOW, ['unchecked_:after-unchecked']),
  inErrors(
    'panic after a caught one',
    'afterPanic',
    [0n],
    panic('0x12', 'Division or modulo division by zero'),
    ['afterPanic:after-panic'],
  ),
  inErrors('custom error after an equal one', 'afterError', [], "reverted with custom error 'Empty()'", [
    'afterError:after-error',
  ]),
  {
    title: 'constructor',
    contract: 'Failures',
    args: [14n],
    reason: text('fourteen'),
    stack: ['Failures.constructor:constructor'],
  },
  {
    title: 'function called by a constructor',
    contract: 'Failures',
    args: [15n],
    reason: text('fifteen'),
    stack: ['Failures.step:constructor-inner', 'Failures.constructor:constructor-call'],
  },
  {
    title: 'constructor of a base contract',
    contract: 'Failures',
    args: [13n],
    reason: text('unlucky'),
    stack: ['Ancestor.constructor:base-constructor'],
  },
  {
    title: 'first value of a variable',
    contract: 'BrokenVariable',
    reason: text('one'),
    stack: ['BrokenVariable.guarded:initial-value', 'BrokenVariable.first:variable'],
  },
  {
    title: 'value for a constructor',
    contract: 'Failures',
    value: 666n,
    args: [1n],
    reason: 'non-payable function was called with value 666',
    stack: ['Failures.constructor:constructor-head'],
  },
  {
    title: 'value for a function',
    contract: 'Failures',
    call: 'requireText',
    args: [9n],
    value: 3n,
    reason: 'non-payable function was called with value 3',
    stack: ['Failures.requireText:require-text-head'],
  },
  {
    title: 'short call data',
    contract: 'Failures',
    data: `${toFunctionSelector('requireText(uint256)')}00000000` as const,
    reason: 'function was called with incorrect parameters',
    stack: ['Failures.requireText:require-text-head'],
  },
  {
    title: 'unknown function',
    contract: 'NoFallback',
    data: '0x12345678' as const,
    reason: "function selector was not recognized and there's no fallback function",
    stack: ['NoFallback:no-fallback'],
  },
  {
    title: 'no receive function',
    contract: 'NoFallback',
    data: '0x' as const,
    value: 1n,
    reason: "function selector was not recognized and there's no fallback nor receive function",
    stack: ['NoFallback:no-fallback'],
  },
  {
    title: 'value for a fallback',
    contract: 'PlainFallback',
    data: '0x12345678' as const,
    value: 1n,
    reason: 'fallback function is not payable and was called with value 1',
    stack: ['PlainFallback.fallback:fallback'],
  },
  {
    title: 'receive',
    contract: 'RefusesEther',
    data: '0x',
    value: 1n,
    reason: text('no ether'),
    stack: ['RefusesEther.receive:receive'],
  },
  {
    title: 'fallback',
    contract: 'RefusesEther',
    data: '0x1234',
    reason: text('no data'),
    stack: ['RefusesEther.fallback:fallback-body'],
  },
  {
    title: 'getter',
    contract: 'Failures',
    call: 'list',
    args: [3n],
    reason: BARE,
    stack: ['Failures.list:getter'],
  },
  fromCaller('call of a contract', 'direct', [5n], text('reply refuses'), [
    'Replies.set:reply',
    'direct:direct',
  ]),
  fromCaller('calls of contracts', 'deeper', [5n], text('reply refuses'), [
    'Replies.set:reply',
    'direct:direct',
    'deeper:deeper',
  ]),
  fromCaller('call by an internal function', 'inside', [5n], text('reply refuses'), [
    'Replies.set:reply',
    'through:through',
    'inside:inside',
  ]),
  fromCaller('address without code', 'noCode', [EMPTY], 'function call to a non-contract account', [
    'noCode:no-code',
  ]),
  fromCaller(
    'address without code, with a result',
    'noCodeWithResult',
    [EMPTY],
    'function call to a non-contract account',
    ['noCodeWithResult:no-code-result'],
  ),
  fromCaller(
    'short return data',
    'shortResult',
    [],
    'function returned an unexpected amount of data (32 bytes)',
    ['shortResult:short-result'],
  ),
  fromCaller(
    'wrong return data',
    'wrongResult',
    [],
    'function returned an unexpected amount of data (32 bytes)',
    ['wrongResult:wrong-result'],
  ),
  fromCaller(
    'unknown function of another contract',
    'unknownFunction',
    ['NoFallback'],
    "function selector was not recognized and there's no fallback function",
    ['NoFallback:no-fallback', 'unknownFunction:unknown-function'],
  ),
  fromCaller('failure after a caught one', 'caught', [5n], text('after the catch'), ['caught:after-catch']),
  fromCaller('failure after a caught one with the same text', 'caughtEqual', [5n], text('reply refuses'), [
    'caughtEqual:after-equal',
  ]),
  fromCaller('failed low-level call with a text', 'lowLevel', [5n], text('low level'), [
    'lowLevel:low-level',
  ]),
  fromCaller('failed low-level call without a text', 'lowLevelBare', [5n], BARE, [
    'lowLevelBare:low-level-bare',
  ]),
  fromCaller('revert passed on in assembly', 'bubbled', [5n], text('reply refuses'), [
    'Replies.set:reply',
    'bubbled:bubble-call',
  ]),
  fromCaller('constructor of a created contract', 'creates', [], text('never'), [
    'BrokenConstructor.constructor:broken-constructor',
    'creates:creates',
  ]),
  fromCaller(
    'created contract too large',
    'createsTooLarge',
    [],
    'trying to deploy a contract whose code is too large (max code size exceeded: code size 30000, limit 24576 (--allow-unlimited-contract-size lifts the limit))',
    ['TooLarge.constructor:too-large', 'createsTooLarge:creates-too-large'],
  ),
  fromCaller(
    'created code begins with 0xef',
    'createsEf',
    [],
    'trying to deploy code that begins with the byte 0xef (EIP-3541)',
    ['BeginsWithEf.constructor:begins-with-ef', 'createsEf:creates-ef'],
  ),
  fromCaller('transfer refused', 'sends', ['RefusesEther'], text('no ether'), [
    'RefusesEther.receive:receive',
    'sends:sends',
  ]),
  ...[1n, 2n, 3n].flatMap((x) => [
    inTwins(`equal require, place ${x}`, 'sameText', [x], text('same'), [`sameText:same-${x}`]),
    inTwins(`equal require without a text, place ${x}`, 'sameBare', [x], BARE, [`sameBare:bare-${x}`]),
  ]),
  inTwins('equal external functions, first', 'left', [5n], text('five'), ['left:left']),
  inTwins('equal external functions, second', 'right', [5n], text('five'), ['right:right']),
  inTwins('equal internal functions, first', 'toTwins', [7n], text('small'), [
    'first:first',
    'toTwins:to-first',
  ]),
  inTwins('equal internal functions, second', 'toTwins', [8n], text('small'), [
    'second:second',
    'toTwins:to-second',
  ]),
  inTwins('one of three ways, first', 'twoWays', [50n], text('fifty'), [
    'shared:shared',
    'twoWays:ways-direct',
  ]),
  inTwins('one of three ways, second', 'twoWays', [49n], text('fifty'), [
    'shared:shared',
    'between:between',
    'twoWays:ways-between',
  ]),
  inTwins('one of three ways, third', 'twoWays', [48n], text('fifty'), [
    'shared:shared',
    'twoWays:ways-again',
  ]),
  ...[
    [MAX, 0n],
    [0n, MAX - 1n],
    [2n ** 255n, 2n ** 255n],
    [2n ** 200n, 2n ** 254n],
  ].map((args, index) =>
    casesOf('Twins', { isNew: true })(`one of four sums, ${index + 1}`, 'sums', args, OVERFLOW, [
      `sums:sum-${index + 1}`,
    ]),
  ),
  inTwins('join of branches', 'joined', [2n], text('joined'), ['joined:joined']),
  inTwins('branch before a join', 'joined', [3n], text('other'), ['joined:joined-other']),
  inTwins('end of a branch, first', 'tails', [5n], text('tail'), ['tails:tail-1']),
  inTwins('end of a branch, second', 'tails', [15n], text('tail'), ['tails:tail-2']),
  inTwins('equal ends of branches, first', 'equalTails', [5n, 5n], text('equal'), ['equalTails:equal-1']),
  inTwins('equal ends of branches, second', 'equalTails', [15n, 5n], text('equal'), ['equalTails:equal-2']),
  inTwins('chain of functions', 'chain', [0n], text('a three'), ['a3:a3', 'a2:a2', 'a1:a1', 'chain:chain']),
  inTwins('statement of many lines', 'multiline', [9n], text('many lines'), ['multiline:multiline']),
  inTwins('own function, first', 'called', [5n], text('five'), ['left:left', 'called:called-left']),
  inTwins('own function, second', 'called', [4n], text('five'), ['right:right', 'called:called-right']),
  inTwins('text that is computed', 'messages', [1n], text('one'), ['messages:messages']),
  inTwins('text that is computed and equals a literal', 'messages', [2n], text('two'), ['messages:messages']),
  inTwins('text that equals a computed one', 'messages', [4n], text('two'), ['messages:messages-literal']),
]
