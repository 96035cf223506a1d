/** How each call of the contracts of fixtures/failures fails, written down from the sources. */

import type { FailingCall } from './failure-runs.ts'

/** A call, the reason, and the stack: innermost first, with names of lines. */
export interface FailureCase extends FailingCall {
  readonly title: string
  readonly reason: string
  readonly stack: readonly string[]
  /** Only since solc 0.8. */
  readonly isNew: boolean
}

/**
 * A case per line: title | call | reason | stack. Arguments follow the function; a name of a contract stands for its address.
 * A reason in quotes is the text of a revert. Functions of the called contract stand without its name in the stack.
 */
const EVERY_VERSION = `
  require with a text | Failures.requireText 3 | 'too small' | requireText:require-text
  require without a text | Failures.requireBare 3 | bare | requireBare:require-bare
  revert with a text | Failures.revertText 9 | 'too large' | revertText:revert-text
  revert without a text | Failures.revertBare 9 | bare | revertBare:revert-bare
  internal functions | Failures.nested 8 | 'eight' | inner:inner outer:outer nested:nested
  first of two calls | Failures.sameLineTwice 8 2 | 'eight' | inner:inner outer:outer sameLineTwice:twice-first
  second of two calls | Failures.sameLineTwice 2 8 | 'eight' | inner:inner outer:outer sameLineTwice:twice-second
  recursion | Failures.recursive 2 | 'bottom' | recursive:recursive-bottom recursive:recursive recursive:recursive
  free function in a loop | Failures.afterLoop 7 | 'four' | free:free afterLoop:loop
  modifier | Failures.inModifier | 'not the owner' | onlyOwner:modifier inModifier:in-modifier
  body behind a modifier | Failures.behindModifier 6 | 'six in the body' | behindModifier:modified-body
  end of a modifier | Failures.behindModifier 4 | 'four at the end' | checked:modifier-end behindModifier:behind-modifier
  function called by a modifier | Failures.behindModifier 5 | 'three' | check:modifier-callee checked:modifier-call behindModifier:behind-modifier
  modifier of a function that calls super | Failures.callsGuarded 5 | 'three' | check:modifier-callee checked:modifier-call guarded:guarded callsGuarded:to-guarded
  overloaded function, number | Failures.overloaded(uint256) 1 | 'number' | pick:pick-number overloaded:overload-number
  overloaded function, address | Failures.overloaded(address) 0x0000000000000000000000000000000000000001 | 'address' | pick:pick-address overloaded:overload-address
  implementation of an abstract function | Failures.template 21 | 'hooked' | hook:hook Ancestor.template:template
  super | Failures.callsOverridden 77 | 'base refuses' | Ancestor.overridden:super overridden:to-super callsOverridden:overridden
  internal library | Failures.libraryInternal 12 | 'not small' | Numbers.small:library-internal libraryInternal:to-library-internal
  external library | Failures.libraryExternal 12 | 'not large' | Numbers.large:library-external libraryExternal:to-library-external
  function pointer | Failures.pointer 21 | 'hooked' | hook:hook pointer:pointer
  slice that ends after the data | Failures.slice 0x0102 3 | slice of call data is out of bounds | slice:slice-end
  inline assembly | Failures.inAssembly 9 | bare | inAssembly:assembly
  function of inline assembly | Failures.yulFunction 9 | bare | refuse:yul yulFunction:to-yul
  constructor | new Failures 14 | 'fourteen' | constructor:constructor
  function called by a constructor | new Failures 15 | 'fifteen' | step:constructor-inner constructor:constructor-call
  constructor of a base contract | new Failures 13 | 'unlucky' | Ancestor.constructor:base-constructor
  first value of a variable | new BrokenVariable | 'one' | guarded:initial-value first:variable
  value for a constructor | new Failures 1 value=666 | non-payable function was called with value 666 | constructor:constructor-head
  value for a function | Failures.requireText 9 value=3 | non-payable function was called with value 3 | requireText:require-text-head
  short call data | Failures data=0xe3d7e2aa00000000 | function was called with incorrect parameters | requireText:require-text-head
  unknown function | NoFallback data=0x12345678 | function selector was not recognized and there's no fallback function | NoFallback:no-fallback
  no receive function | NoFallback data=0x value=1 | function selector was not recognized and there's no fallback nor receive function | NoFallback:no-fallback
  value for a fallback | PlainFallback data=0x12345678 value=1 | fallback function is not payable and was called with value 1 | fallback:fallback
  receive | RefusesEther data=0x value=1 | 'no ether' | receive:receive
  fallback | RefusesEther data=0x1234 | 'no data' | fallback:fallback-body
  getter | Failures.list 3 | bare | list:getter
  call of a contract | Caller.direct 5 | 'reply refuses' | Replies.set:reply direct:direct
  calls of contracts | Caller.deeper 5 | 'reply refuses' | Replies.set:reply direct:direct deeper:deeper
  call by an internal function | Caller.inside 5 | 'reply refuses' | Replies.set:reply through:through inside:inside
  address without code | Caller.noCode 0x00000000000000000000000000000000000000ee | function call to a non-contract account | noCode:no-code
  address without code, with a result | Caller.noCodeWithResult 0x00000000000000000000000000000000000000ee | function call to a non-contract account | noCodeWithResult:no-code-result
  short return data | Caller.shortResult | function returned an unexpected amount of data (32 bytes) | shortResult:short-result
  wrong return data | Caller.wrongResult | function returned an unexpected amount of data (32 bytes) | wrongResult:wrong-result
  unknown function of another contract | Caller.unknownFunction NoFallback | function selector was not recognized and there's no fallback function | NoFallback:no-fallback unknownFunction:unknown-function
  failure after a caught one | Caller.caught 5 | 'after the catch' | caught:after-catch
  failure after a caught one with the same text | Caller.caughtEqual 5 | 'reply refuses' | caughtEqual:after-equal
  failed low-level call with a text | Caller.lowLevel 5 | 'low level' | lowLevel:low-level
  failed low-level call without a text | Caller.lowLevelBare 5 | bare | lowLevelBare:low-level-bare
  revert passed on in assembly | Caller.bubbled 5 | 'reply refuses' | Replies.set:reply bubbled:bubble-call
  constructor of a created contract | Caller.creates | 'never' | BrokenConstructor.constructor:broken-constructor creates:creates
  created contract too large | Caller.createsTooLarge | trying to deploy a contract whose code is too large (max code size exceeded: code size 30000, limit 24576 (--allow-unlimited-contract-size lifts the limit)) | TooLarge.constructor:too-large createsTooLarge:creates-too-large
  created code begins with 0xef | Caller.createsEf | trying to deploy code that begins with the byte 0xef (EIP-3541) | BeginsWithEf.constructor:begins-with-ef createsEf:creates-ef
  transfer refused | Caller.sends RefusesEther | 'no ether' | RefusesEther.receive:receive sends:sends
  equal require, place 1 | Twins.sameText 1 | 'same' | sameText:same-1
  equal require without a text, place 1 | Twins.sameBare 1 | bare | sameBare:bare-1
  equal require, place 2 | Twins.sameText 2 | 'same' | sameText:same-2
  equal require without a text, place 2 | Twins.sameBare 2 | bare | sameBare:bare-2
  equal require, place 3 | Twins.sameText 3 | 'same' | sameText:same-3
  equal require without a text, place 3 | Twins.sameBare 3 | bare | sameBare:bare-3
  equal external functions, first | Twins.left 5 | 'five' | left:left
  equal external functions, second | Twins.right 5 | 'five' | right:right
  equal internal functions, first | Twins.toTwins 7 | 'small' | first:first toTwins:to-first
  equal internal functions, second | Twins.toTwins 8 | 'small' | second:second toTwins:to-second
  one of three ways, first | Twins.twoWays 50 | 'fifty' | shared:shared twoWays:ways-direct
  one of three ways, second | Twins.twoWays 49 | 'fifty' | shared:shared between:between twoWays:ways-between
  one of three ways, third | Twins.twoWays 48 | 'fifty' | shared:shared twoWays:ways-again
  join of branches | Twins.joined 2 | 'joined' | joined:joined
  branch before a join | Twins.joined 3 | 'other' | joined:joined-other
  end of a branch, first | Twins.tails 5 | 'tail' | tails:tail-1
  end of a branch, second | Twins.tails 15 | 'tail' | tails:tail-2
  equal ends of branches, first | Twins.equalTails 5 5 | 'equal' | equalTails:equal-1
  equal ends of branches, second | Twins.equalTails 15 5 | 'equal' | equalTails:equal-2
  chain of functions | Twins.chain 0 | 'a three' | a3:a3 a2:a2 a1:a1 chain:chain
  statement of many lines | Twins.multiline 9 | 'many lines' | multiline:multiline
  own function, first | Twins.called 5 | 'five' | left:left called:called-left
  own function, second | Twins.called 4 | 'five' | right:right called:called-right
  text that is computed | Twins.messages 1 | 'one' | messages:messages
  text that is computed and equals a literal | Twins.messages 2 | 'two' | messages:messages
  text that equals a computed one | Twins.messages 4 | 'two' | messages:messages-literal
`

/** Checked arithmetic, panics and custom errors. */
const SINCE_0_8 = `
  overflow | Failures.overflow 9 | panic 0x11 | overflow:overflow
  overflow in an internal function | Failures.nestedOverflow 9 | panic 0x11 | subtract:subtract nestedOverflow:to-subtract
  division by zero | Failures.divide 0 | panic 0x12 | divide:divide
  index | Failures.index 5 | panic 0x32 | index:index
  pop | Failures.popEmpty | panic 0x31 | popEmpty:pop
  assert | Failures.asserts 9 | panic 0x1 | asserts:assert
  custom error | CustomErrors.custom 9 | reverted with custom error 'Refused(9, "large")' | custom:custom
  custom error of an internal function | CustomErrors.customNested 9 | reverted with custom error 'Empty()' | refuse:custom-inner customNested:to-custom
  enum | CustomErrors.enumOf 7 | panic 0x21 | enumOf:enum
  memory | CustomErrors.allocate 2^80 | panic 0x41 | allocate:allocate
  uninitialized function | CustomErrors.uninitialized | panic 0x51 | uninitialized:uninitialized
  overflow after an unchecked block | CustomErrors.unchecked_ 9 | panic 0x11 | unchecked_:after-unchecked
  panic after a caught one | CustomErrors.afterPanic 0 | panic 0x12 | afterPanic:after-panic
  custom error after an equal one | CustomErrors.afterError | reverted with custom error 'Empty()' | afterError:after-error
  one of four sums, 1 | Twins.sums 2^256-1 0 | panic 0x11 | sums:sum-1
  one of four sums, 2 | Twins.sums 0 2^256-2 | panic 0x11 | sums:sum-2
  one of four sums, 3 | Twins.sums 2^255 2^255 | panic 0x11 | sums:sum-3
  one of four sums, 4 | Twins.sums 2^200 2^254 | panic 0x11 | sums:sum-4
`

const PANICS: Readonly<Record<string, string>> = {
  '0x1': 'Assertion error',
  '0x11': 'Arithmetic operation overflowed outside of an unchecked block',
  '0x12': 'Division or modulo division by zero',
  '0x21': 'Tried to convert a value into an enum, but the value was too big or negative',
  '0x31': '.pop() was called on an empty array',
  '0x32': 'Array accessed at an out-of-bounds or negative index',
  '0x41': 'Too much memory was allocated, or an array was created that is too large',
  '0x51': 'Called a zero-initialized variable of internal function type',
}

function reasonOf(text: string): string {
  if (text.startsWith("'")) return `reverted with reason string ${text}`
  if (text === 'bare') return 'reverted without a reason string'
  const [, code = ''] = /^panic (.*)/.exec(text) ?? []
  return code === '' ? text : `reverted with panic code ${code} (${PANICS[code]})`
}

/** A number such as `2^256-1`, or the text. */
function argumentOf(text: string): bigint | string {
  if (!/^\d+(\^|-|$)/.test(text)) return text
  const [, base = '0', exponent = '1', less = '0'] = /^(\d+)(?:\^(\d+))?(?:-(\d+))?$/.exec(text) ?? []
  return BigInt(base) ** BigInt(exponent) - BigInt(less)
}

const casesIn = (table: string, isNew: boolean): readonly FailureCase[] =>
  table
    .trim()
    .split('\n')
    .map((line): FailureCase => {
      const [title = '', called = '', reason = '', stack = ''] = line.trim().split(' | ')
      const [first = '', ...args] = called.replace(/^new /, '').split(' ')
      const [contract = '', call] = first.split('.')
      const [, data] = /data=(0x\S*)/.exec(called) ?? []
      const [, value] = /value=(\d+)/.exec(called) ?? []
      return {
        title,
        contract,
        ...(call !== undefined && { call }),
        ...(data !== undefined && { data: data as `0x${string}` }),
        ...(value !== undefined && { value: BigInt(value) }),
        args: args.filter((arg) => !arg.includes('=')).map(argumentOf),
        reason: reasonOf(reason),
        stack: stack
          .split(' ')
          .map((entry) => (/^([A-Z]|free:)/.test(entry) ? entry : `${contract}.${entry}`)),
        isNew,
      }
    })

export const FAILURES = [...casesIn(EVERY_VERSION, false), ...casesIn(SINCE_0_8, true)]
