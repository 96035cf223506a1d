/** The values that Solidity has by name in every function: `this`, `msg`, `tx`, `block`. */

import { addressValue, contentValue, convertValue, uintValue } from './expressions/typed-values.ts'
import type { RecordedFrame } from './recording.ts'
import type { SteppedExecution } from './stepped-execution.ts'
import type { MachineView, Part, Value } from './values/value.ts'

/** The values of a frame, by name. */
export function messageValues(
  { recording: { frames }, context }: SteppedExecution,
  { account, caller, value, input }: RecordedFrame,
  { calldata }: MachineView,
): readonly Part[] {
  const origin = frames[0]?.from ?? caller
  return [
    ['this', addressValue(BigInt(account))],
    [
      'msg',
      group('msg', [
        ['sender', addressValue(BigInt(caller))],
        ['value', uintValue(value)],
        [
          'sig',
          convertValue('bytes4', contentValue('bytes', input.subarray(0, 4))) ?? { unknown: 'no call data' },
        ],
        ['data', contentValue('bytes', calldata)],
      ]),
    ],
    ['tx', group('tx', [['origin', addressValue(BigInt(origin))]])],
    [
      'block',
      group('block', [
        ['number', uintValue(context.number)],
        ['timestamp', uintValue(context.timestamp)],
        ['coinbase', addressValue(BigInt(context.coinbase))],
        ['gaslimit', uintValue(context.gasLimit)],
        ['basefee', uintValue(context.baseFeePerGas)],
        ['chainid', uintValue(context.chainId)],
      ]),
    ],
  ]
}

const group = (type: string, parts: readonly Part[]): Value => ({
  type,
  text: '',
  parts: () => parts,
  count: parts.length,
})
