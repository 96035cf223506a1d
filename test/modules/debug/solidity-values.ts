/** A contract with values of all types in storage, memory and call data, and the machine at a place of its execution. */

import { Interface } from 'ethers'
import { asAddress, fromHex } from '../../../lib/base/hex.ts'
import { isAstNode, nodesIn, textAt } from '../../../lib/insight/artifacts/ast-node.ts'
import { typesOf } from '../../../lib/insight/artifacts/storage-layout.ts'
import type { StorageType } from '../../../lib/insight/artifacts/storage-layout.ts'
import {
  isUnknown,
  type UnknownValue,
  type Value,
  type MachineView,
} from '../../../lib/modules/debug/values/value.ts'
import { compileProject } from '../../support/artifact-projects.ts'
import { call, freshNode } from '../../support/node.ts'
import { compiledContract } from '../../insight/support/storage-layouts.ts'

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;
type Price is uint96;
enum Status { None, Paid, Sent }
interface Token { function move(uint256 to) external; }
contract Values {
    struct Point { int64 x; int64 y; }
    struct Order {
        uint256 id; address buyer; Status status; string note; Point at; uint16[] sizes; Point[2] way; bytes data;
    }
    struct Hook { uint8 tag; function(uint256) external run; }
    struct Account { uint128 amount; mapping(address => bool) trusted; }
    uint8 small; int16 negative; bool flag; address owner; bytes4 tag; Status status; Price price; Token token;
    string short; string long; bytes data; bytes empty;
    uint64[] numbers; uint256[3] fixedList; uint8[5][2] grid; Order order; Order[] orders;
    mapping(address => uint256) balances;
    mapping(string => uint8) named;
    mapping(bytes4 => mapping(int256 => Point)) nested;
    mapping(Status => Account) accounts;
    function(uint256) external hook;
    function(uint256) internal callback;

    function fill(Order calldata given) external {
        (small, negative, flag, owner, tag, status) = (7, -2, true, given.buyer, 0x12345678, Status.Sent);
        (price, token) = (Price.wrap(5), Token(given.buyer));
        (short, long, data) = ("Coin", "a text of more than thirty-one bytes, so that it has a place of its own", hex"00ff");
        numbers = [1, 2, 3, 4, 5];
        fixedList = [7, 8, 9];
        grid[1][4] = 6;
        order = given;
        orders.push(given);
        balances[given.buyer] = 100;
        named["gold"] = 3;
        nested[0x12345678][-5] = Point(1, -1);
        accounts[Status.Paid].amount = 4;
        accounts[Status.Sent].trusted[given.buyer] = true;
        (hook, callback) = (Token(given.buyer).move, inner);
        log(given);
    }
    function inner(uint256) internal {}
    function log(Order memory copied) internal {
        int8[] memory list = new int8[](3);
        list[1] = -3;
        string[2] memory texts = ["one", "two"];
        bytes[] memory none;
        Hook memory made = Hook(9, hook);
        assembly {
            log4(0, 0, copied, list, texts, none)
            log1(0, 0, made)
        }
    }
    function read(Order calldata given, uint16[] calldata sizes, Point[2] calldata way, string calldata text) external {
        assembly {
            log4(0, 0, given, sizes.offset, sizes.length, way)
            log2(0, 0, text.offset, text.length)
        }
    }
    function nest(Order[] calldata givens, uint8[2][] calldata pairs, bytes[][2] calldata parts, Hook calldata other) external {
        assembly {
            log4(0, 0, givens.offset, givens.length, pairs.offset, pairs.length)
            log2(0, 0, parts, other)
        }
    }
}
`

const { output } = compileProject({ 'Values.sol': SOURCE })
const { abi, evm } = output.contracts['Values.sol']!['Values']!
const { ast } = output.sources['Values.sol']!

/** The contract as the node knows it. */
export const valuesContract = compiledContract(output, 'Values.sol', 'Values')

/** ethers has no function types. */
const ABI = new Interface(JSON.stringify(abi).replaceAll('"run","type":"function"', '"run","type":"bytes24"'))

const selectorOf = (name: string): string =>
  `0x${Object.entries((evm as any).methodIdentifiers as Record<string, string>).find(([signature]) => signature.startsWith(`${name}(`))![1]}`

const types = typesOf(valuesContract)

/** The type of a variable of the contract, by its name and, if it is a parameter, the function. */
export function typeNamed(name: string, functionName?: string): StorageType {
  const all = isAstNode(ast) ? nodesIn(ast) : []
  const scope =
    functionName === undefined
      ? undefined
      : all.find((node) => node.nodeType === 'FunctionDefinition' && textAt(node, 'name') === functionName)
  const found = (scope === undefined ? all : nodesIn(scope)).find(
    (node) =>
      node.nodeType === 'VariableDeclaration' &&
      textAt(node, 'name') === name &&
      node['stateVariable'] === (scope === undefined),
  )
  return types.typeOf(found!['typeName'] as any)!
}

/** Words of a log of the contract, and the machine at that instruction. */
export interface LoggedMoment {
  readonly words: readonly bigint[]
  readonly machine: MachineView
}

/** A new node with the contract, and a function that returns the moments of the logs of a call. */
export async function valuesNode() {
  const node = await freshNode()
  const [from] = await call(node, 'eth_accounts')
  const transact = async (transaction: object) =>
    call(node, 'eth_getTransactionReceipt', [
      await call(node, 'eth_sendTransaction', [{ from, gas: '0x600000', ...transaction }]),
    ])
  const { contractAddress: to } = await transact({ data: `0x${evm.bytecode.object}` })
  const slots = new Map<bigint, bigint>()
  return async (name: string, args: readonly unknown[]): Promise<readonly LoggedMoment[]> => {
    const data = `${selectorOf(name)}${ABI.encodeFunctionData(name, args).slice(10)}`
    const { transactionHash: hash } = await transact({ to, data })
    const { structLogs } = await call(node, 'debug_traceTransaction', [hash])
    for (const { op, stack } of structLogs)
      if (op === 'SSTORE') slots.set(BigInt(stack.at(-1)), BigInt(stack.at(-2)))
    return structLogs.flatMap((entry: any) =>
      entry.op.startsWith('LOG') ? momentOf(entry, { to, data, slots }) : [],
    )
  }
}

function momentOf(
  { op, stack, memory }: any,
  at: { to: string; data: string; slots: ReadonlyMap<bigint, bigint> },
): LoggedMoment {
  const topics = Number(op.slice(3))
  const words = stack
    .slice(-2 - topics, -2)
    .toReversed()
    .map(BigInt)
  const bytes = fromHex(`0x${memory.map((word: string) => word.replace('0x', '')).join('')}`)
  return {
    words,
    machine: machineWith({
      memory: bytes,
      calldata: fromHex(at.data),
      address: asAddress(at.to),
      storage: (slot) => at.slots.get(slot) ?? 0n,
    }),
  }
}

/** A machine with nothing but the given. */
export const machineWith = (given: Partial<MachineView>): MachineView => ({
  memory: new Uint8Array(),
  calldata: new Uint8Array(),
  storage: () => 0n,
  transient: () => 0n,
  keys: () => [],
  address: asAddress(`0x${'c0'.repeat(20)}`),
  ...given,
})

/** Values with their parts, as plain data: texts, lists, and members by name. */
export function plain(value: Value | UnknownValue | undefined): any {
  if (value === undefined) return undefined
  if (isUnknown(value)) return { unknown: value.unknown }
  const parts = value.parts?.()
  if (parts === undefined) return value.text
  if (value.text.startsWith('[')) return parts.map(([, part]) => plain(part))
  return Object.fromEntries(parts.map(([name, part]) => [name, plain(part)]))
}

export const BUYER = `0x${'ab'.repeat(20)}`

/** An order as an argument of a call, and as its values are shown. */
export const ORDER = {
  id: 5n,
  buyer: BUYER,
  status: 1,
  note: 'to the door',
  at: { x: -1n, y: 2n },
  sizes: [40n, 41n, 42n],
  way: [
    { x: 1n, y: 2n },
    { x: 3n, y: -4n },
  ],
  data: '0x00ff',
}
export const SHOWN_ORDER = {
  id: '5',
  buyer: BUYER,
  status: 'Status.Paid',
  note: '"to the door"',
  at: { x: '-1', y: '2' },
  sizes: ['40', '41', '42'],
  way: [
    { x: '1', y: '2' },
    { x: '3', y: '-4' },
  ],
  data: '0x00ff',
}
