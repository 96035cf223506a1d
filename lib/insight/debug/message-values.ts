/** The values that Solidity has by name in every function: `this`, `msg`, `tx`. */

import { toHex } from '../../base/hex.ts'
import type { Address } from '../../base/hex.ts'
import type { RecordedFrame, Recording } from './recording.ts'
import type { MachineView, Part, Value } from './values/value.ts'

/** The values of a frame, by name. */
export function messageValues(
  { frames }: Recording,
  { account, caller, value, input }: RecordedFrame,
  { calldata }: MachineView,
): readonly Part[] {
  const data = toHex(calldata)
  const message: readonly Part[] = [
    ['sender', addressValue(caller)],
    ['value', numberValue(value)],
    [
      'sig',
      {
        type: 'bytes4',
        encoding: 'bytes4',
        text: toHex(input.subarray(0, 4)),
        word: leftWord(input.subarray(0, 4)),
      },
    ],
    ['data', { type: 'bytes calldata', text: data, content: calldata, count: calldata.length }],
  ]
  const origin = frames[0]?.from
  return [
    ['this', addressValue(account)],
    ['msg', group('msg', message)],
    ...(origin === undefined ? [] : [['tx', group('tx', [['origin', addressValue(origin)]])] as const]),
  ]
}

const group = (type: string, parts: readonly Part[]): Value => ({
  type,
  text: '',
  parts: () => parts,
  count: parts.length,
})

const addressValue = (address: Address): Value => ({
  type: 'address',
  encoding: 'address',
  text: address,
  word: BigInt(address),
})

const numberValue = (value: bigint): Value => ({
  type: 'uint256',
  encoding: 'uint256',
  text: value.toString(),
  word: value,
})

const leftWord = (bytes: Uint8Array): bigint =>
  BigInt(`0x${Buffer.from(bytes).toString('hex').padEnd(64, '0')}`)
