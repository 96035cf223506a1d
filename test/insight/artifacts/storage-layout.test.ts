/** Places of state variables, compared with the layout that solc writes. */

import { describe, expect, test } from '@jest/globals'
import { compileProject } from '../../support/artifact-projects.ts'
import { bothLayouts } from '../support/storage-layouts.ts'

const { output } = compileProject({
  'contracts/Types.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.31;
type Price is uint96;
type Id is bytes32;
uint256 constant SIZE = 3;
struct Point { int64 x; int64 y; bool isSet; }
enum Kind { None, Some }
interface Token { function move() external; }
library Sets { struct Set { bytes32[] items; mapping(bytes32 => uint256) index; } }
`,
  'contracts/Layout.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.31;
import { Price as Cost, Id, SIZE, Point, Kind, Token, Sets } from "./Types.sol";
import "./Types.sol" as Types;
contract Root { uint8 internal root; uint256 constant FIXED = 7; address internal immutable SELF = address(this); }
contract Left is Root { uint16 left; function() internal callback; uint8 after1; }
contract Right is Root { uint8 right; uint8[33] bytesOfRight; bool last; }
contract Layout is Left, Right {
    struct Node { Node[] children; mapping(address owner => Node) byOwner; uint8 a; uint128 b; uint128 c; Point at; bool z; }
    enum Large { A, B, C }
    bool flag; Cost cost; Types.Kind kind; Token token; Layout other; address payable payee; Large large;
    uint private transient guard; uint24 afterGuard; bool transient isLocked;
    function(uint256) external returns (bool) hook; uint8 afterHook;
    bytes1 one; bytes31 many; string text; bytes data;
    uint128[SIZE] shared; uint136[SIZE] own; Point[2][3] points; uint8[] list; bytes32[][4] lists; bytes7[9] odd;
    Node tree; Sets.Set set; int aliased; uint plain; uint8 tail; uint256[2 ** 200] huge; uint8 end;
    mapping(Kind => mapping(Id => Cost[2])) nested; mapping(string => uint8) named; mapping(Token => Point) byToken;
}
contract Based layout at 0x100 + 5 { uint8 a; uint256 b; }
contract ByName layout at SIZE { bool a; }
contract Namespaced layout at erc7201("example.main") {
    /// @custom:storage-location erc7201:openzeppelin.storage.ERC20
    struct ERC20Storage { mapping(address => uint256) balances; string name; }
    uint8 a;
}
contract Computed layout at SIZE + 1 { bool a; }
`,
})
const layouts = new Map(bothLayouts(output).map((both) => [both.name.split(':')[1], both]))

describe('the layout of the storage', () => {
  test.each(['Root', 'Left', 'Right', 'Layout', 'Based', 'ByName', 'Sets', 'Token'])(
    'of %s is that of solc',
    (name) => {
      const { computed, solc } = layouts.get(name)!
      expect(computed).toEqual(solc)
    },
  )

  test('has the namespaces of ERC-7201 beside the variables', () => {
    const { computed, namespaces, solc } = layouts.get('Namespaced')!
    expect(computed).toEqual(solc)
    // The slot in the source of OpenZeppelin's ERC20Upgradeable.
    const slot = BigInt('0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00')
    expect(namespaces![0]).toEqual([
      'ERC20Storage',
      'struct Namespaced.ERC20Storage',
      slot.toString(),
      0,
      '64',
    ])
    expect(namespaces!.map(([path]) => path)).toContain('ERC20Storage.name')
  })

  test('counts the slots of transient variables apart', () => {
    expect(layouts.get('Layout')!.transient).toEqual([
      ['guard', 'uint256', '0', 0, '32'],
      ['isLocked', 'bool', '1', 0, '1'],
    ])
  })

  test('is not known where the source computes its first slot', () => {
    expect(layouts.get('Computed')!.computed).toBeUndefined()
  })
})
