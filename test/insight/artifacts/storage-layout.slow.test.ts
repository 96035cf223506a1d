/** Places of state variables in all contracts of OpenZeppelin, and under older versions of solc. */

import { expect, test } from '@jest/globals'
import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { packagesFolder } from '../../support/packed-command.ts'
import { solcPackage } from '../../support/packages.ts'
import { NEWEST, compileNow, installedSolc } from '../../support/solc.ts'
import { bothLayouts } from '../support/storage-layouts.ts'

const settings = { outputSelection: { '*': { '*': ['storageLayout'], '': ['ast'] } } }

test('are those of solc in all contracts of OpenZeppelin', () => {
  const folder = dirname(createRequire(import.meta.url).resolve('@openzeppelin/contracts/package.json'))
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.sol'),
  )
  const sources = Object.fromEntries(
    paths.map((path) => [
      `@openzeppelin/contracts/${path}`,
      { content: readFileSync(join(folder, path), 'utf8') },
    ]),
  )
  const output = compileNow({ language: 'Solidity', sources, settings }, installedSolc(NEWEST))
  const layouts = bothLayouts(output)
  expect(layouts.length).toBeGreaterThan(250)
  expect(layouts.filter(({ solc }) => solc.length > 0).length).toBeGreaterThan(60)
  for (const { name, computed, solc } of layouts) expect([name, computed]).toEqual([name, solc])
  const namespaces = layouts.flatMap((one) => one.namespaces?.map(([path]) => path) ?? [])
  expect(new Set(namespaces)).toEqual(
    new Set([
      'InitializableStorage',
      'InitializableStorage._initialized',
      'InitializableStorage._initializing',
    ]),
  )
})

const TRANSIENT = `
type Price is uint96;
enum Kind { None, Some }
interface Token { function move() external; }
contract Root { uint256 a; bool transient isLocked; uint8 transient root; }
contract Left is Root { uint16 constant FIXED = 7; uint16 transient left; address transient owner; }
contract Right is Root { uint8 right; bytes31 transient many; bytes1 transient one; }
contract Mixed is Left, Right layout at 0x100 {
    mapping(uint256 => uint256) b; Kind transient kind; Price transient price; Token transient token; int64 transient last;
    function() internal transient callback; function() external transient hook; uint256 transient whole; bool transient end;
}
`
test('of transient variables are those of solc', () => {
  const sources = { 'Mixed.sol': { content: `pragma solidity ^0.8.31;${TRANSIENT}` } }
  const outputs = ['storageLayout', 'transientStorageLayout']
  const selected = { outputSelection: { '*': { '*': outputs, '': ['ast'] } } }
  const input = { language: 'Solidity', sources, settings: selected }
  const layouts = bothLayouts(compileNow(input, installedSolc(NEWEST)))
  for (const { name, transient, solcTransient, computed, solc } of layouts) {
    expect([name, transient]).toEqual([name, solcTransient])
    expect([name, computed]).toEqual([name, solc])
  }
  expect(layouts.find(({ name }) => name.endsWith(':Mixed'))?.transient).toHaveLength(14)
})

const OLD = `
library Sets { struct Set { bytes32[] items; mapping(bytes32 => uint256) index; } }
interface Token { function move() external; }
contract Root { uint8 root; uint256 constant FIXED = 7; enum Kind { None, Some } }
contract Left is Root { uint16 left; function() internal callback; }
contract Right is Root { uint8 right; uint8[33] bytesOfRight; bool last; }
contract Layout is Left, Right {
    struct Node { Node[] children; mapping(address => Node) byOwner; uint8 a; uint128 b; }
    uint constant SIZE = 3;
    bool flag; Kind kind; Token token; Layout other; address payable payee;
    function(uint256) external returns (bool) hook; string text; bytes data; byte one; bytes31 many;
    uint128[SIZE] shared; uint64[2][3] pairs; uint8[] list; bytes32[][4] lists;
    Node tree; Sets.Set set; int aliased; mapping(uint => mapping(address => Kind)) nested;
}
`
test.each(['0.5.17', '0.7.6'])('are those of solc %s', async (version) => {
  const folder = await packagesFolder(solcPackage(version))
  const solc = createRequire(join(folder, 'package.json'))('solc')
  const sources = { 'Layout.sol': { content: `pragma solidity >=0.5.13 <0.8.0;${OLD}` } }
  const layouts = bothLayouts(compileNow({ language: 'Solidity', sources, settings }, solc))
  for (const { name, computed, solc: written } of layouts) expect([name, computed]).toEqual([name, written])
})
