/** Arguments of calls in expressions: variables and literals of all types, and overloaded functions. */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { compileProject } from '../../support/artifact-projects.ts'
import { PATH, startMarket } from './market.ts'
import type { Opened } from './market.ts'
import { refusal } from '../../support/node.ts'

const SOURCE = `
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
contract Market {
    enum Phase { Open, Closed }
    struct Line { uint64 id; string note; int8[2] marks; }
    Line[] internal lines;
    uint256[] internal endless;
    mapping(uint256 => uint256) internal paid;
    Phase internal phase;
    constructor() {
        lines.push(Line(7, "seven", [int8(-1), 2]));
        assembly { sstore(endless.slot, 5000) }
    }
    function count(uint256 times) external {
        uint16[] memory numbers = new uint16[](3);
        for (uint16 i = 0; i < 3; i++) numbers[i] = i + 5;
        bytes memory data = hex"0102030405";
        string memory note = "a note of more than thirty-two characters";
        Line memory line = lines[0];
        phase = Phase.Closed;
    }
    function sum(uint16[] memory all) external pure returns (uint256 total) {
        for (uint256 i = 0; i < all.length; i++) total += all[i];
    }
    function lengthOf(string calldata text) external pure returns (uint256) { return bytes(text).length; }
    function hashOf(bytes calldata data) external pure returns (bytes32) { return keccak256(data); }
    function describe(Line calldata line) external pure returns (string memory, int8) {
        return (line.note, line.marks[0]);
    }
    function last(int8[2] calldata marks) external pure returns (int8) { return marks[1]; }
    function count(string[] calldata all) external pure returns (uint256) { return all.length; }
    function kind(uint8) external pure returns (string memory) { return "number"; }
    function kind(string calldata) external pure returns (string memory) { return "text"; }
    function kind(bytes4[] calldata) external pure returns (string memory) { return "list"; }
    function lineAt(uint256 index) external view returns (Line memory) { return lines[index]; }
    function halves(bytes2 both) external pure returns (bytes1[] memory all) {
        all = new bytes1[](2);
        (all[0], all[1]) = (both[0], both[1]);
    }
    function isClosed(Phase given) external pure returns (bool) { return given == Phase.Closed; }
}`

let scene: Awaited<ReturnType<typeof startMarket>>
let run: Opened
let step: number
beforeAll(async () => {
  scene = await startMarket({}, compileProject({ [PATH]: SOURCE }))
  run = await scene.record('count', [1])
  const line = 1 + SOURCE.split('\n').findIndex((text) => text.includes('phase = Phase.Closed'))
  step = await run.stepAt({ id: 1, kind: 'line', path: PATH, line })
})
afterAll(() => scene.end())

describe('a call takes', () => {
  test.each([
    ['this.sum(numbers)', '18'],
    ['this.sum([1, 2, numbers[0]])', '8'],
    ['this.sum([])', '0'],
    ['this.lengthOf(note)', '41'],
    ['this.lengthOf("äbc")', '4'],
    ['this.hashOf(data)', '0x7d87c5ea75f7378bb701e404c50639161af3eff66293e9f375b5f17eb50476f4'],
    ['this.hashOf(hex"")', '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
    ['this.describe(line)', '{ 0: "seven", 1: -1 }'],
    ['this.describe(lines[0])', '{ 0: "seven", 1: -1 }'],
    ['this.last(line.marks)', '2'],
    ['this.last([1, -128])', '-128'],
    ['this.count(["a", note])', '2'],
    ['this.kind(255)', '"number"'],
    ['this.kind("x")', '"text"'],
    ['this.kind([bytes4(0x01020304)])', '"list"'],
    ['this.isClosed(phase)', 'false'],
    ['this.isClosed(Phase.Closed)', 'true'],
    ['[3, 4][1]', '4'],
    ['this.lineAt(0)', '{ id: 7, note: "seven", marks: [-1, 2] }'],
    ['this.lineAt(0).marks[0] < 0', 'true'],
    ['this.lengthOf(this.lineAt(0).note)', '5'],
    ['this.describe(this.lineAt(0))', '{ 0: "seven", 1: -1 }'],
    ['this.halves(0x0102)', '[0x01, 0x02]'],
    ['phase == Market.Phase.Open', 'true'],
  ])('%s is %s', async (expression, expected) => {
    expect(await run.evaluate(step, expression)).toBe(expected)
  })
})

test.each([
  ['this.sum("a")', 'expected the arguments of sum(uint16[]), got "a" (string memory)'],
  ['this.sum([70000])', 'expected the arguments of sum(uint16[]), got [70000] (int_const[] memory)'],
  ['this.sum(data)', 'expected the arguments of sum(uint16[]), got 0x0102030405 (bytes memory)'],
  ['this.sum(paid)', /^expected the arguments of sum\(uint16\[\]\), got mapping/],
  ['this.sum(endless)', 'an array has more than 1024 items'],
  ['this.last([1])', 'expected the arguments of last(int8[2]), got [1] (int_const[] memory)'],
  ['this.describe(numbers)', /^expected the arguments of describe\(\(uint64,string,int8\[2\]\)\), got/],
  [
    'this.kind(256)',
    'expected the arguments of kind(uint8) or kind(bytes4[]) or kind(string), got 256 (int_const)',
  ],
  ['times.sum(numbers)', 'uint256 has no member sum'],
  ['Phase.Lost', 'there is no Phase here'],
])('%s is refused with what is wrong', async (expression, problem) => {
  const refused = await refusal(scene.node, 'dev_debugEvaluate', [run.summary.session, step, 0, expression])
  expect(refused.kind).toBe('invalidParams')
  expect(refused.message).toMatch(problem)
})
