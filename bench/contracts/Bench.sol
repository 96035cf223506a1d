// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// A token of which the account that deploys it has everything.
contract Token is ERC20 {
    constructor() ERC20("Token", "TOK") {
        _mint(msg.sender, 1e24);
    }
}

/// Loops without and with hashes, and a loop that logs.
contract Loops {
    event Turn(address indexed caller, uint256 indexed number, uint256 square);

    function arithmetic(uint256 turns) external pure returns (uint256 sum) {
        unchecked {
            for (uint256 i = 1; i <= turns; i++) sum = (sum ^ i) * 0x9e3779b97f4a7c15 + (sum >> 7);
        }
    }

    function hashes(uint256 turns) external pure returns (bytes32 hash) {
        unchecked {
            for (uint256 i = 1; i <= turns; i++) {
                assembly ("memory-safe") {
                    mstore(0, hash)
                    mstore(32, i)
                    hash := keccak256(0, 64)
                }
            }
        }
    }

    function log(uint256 turns) external {
        for (uint256 i = 0; i < turns; i++) emit Turn(msg.sender, i, i * i);
    }
}

/// Two tokens with a pool of both, as Uniswap V2 has it.
contract Pair {
    ERC20 public immutable token0;
    ERC20 public immutable token1;
    uint112 private reserve0;
    uint112 private reserve1;
    uint32 private updatedAt;
    uint256 public cumulative0;
    uint256 public cumulative1;

    event Swap(address indexed sender, uint256 out0, uint256 out1, address indexed to);
    event Sync(uint112 reserve0, uint112 reserve1);

    constructor(ERC20 one, ERC20 other) {
        token0 = one;
        token1 = other;
    }

    function reserves() external view returns (uint112, uint112) {
        return (reserve0, reserve1);
    }

    function sync() external {
        update();
    }

    function swap(uint256 out0, uint256 out1, address to) external {
        (uint256 before0, uint256 before1) = (reserve0, reserve1);
        require(out0 < before0 && out1 < before1, "too much");
        if (out0 > 0) token0.transfer(to, out0);
        if (out1 > 0) token1.transfer(to, out1);
        update();
        require(uint256(reserve0) * reserve1 >= before0 * before1, "K");
        emit Swap(msg.sender, out0, out1, to);
    }

    function update() private {
        uint32 elapsed = uint32(block.timestamp) - updatedAt;
        if (elapsed > 0 && reserve0 > 0) {
            cumulative0 += ((uint256(reserve1) << 112) / reserve0) * elapsed;
            cumulative1 += ((uint256(reserve0) << 112) / reserve1) * elapsed;
        }
        reserve0 = uint112(token0.balanceOf(address(this)));
        reserve1 = uint112(token1.balanceOf(address(this)));
        updatedAt = uint32(block.timestamp);
        emit Sync(reserve0, reserve1);
    }
}

/// Finds the pair of two tokens and swaps.
contract Router {
    mapping(ERC20 => mapping(ERC20 => Pair)) public pairs;

    function add(Pair pair) external {
        pairs[pair.token0()][pair.token1()] = pair;
    }

    function swap(ERC20 from, ERC20 to, uint256 amount) external returns (uint256 bought) {
        Pair pair = pairs[from][to];
        (uint256 reserve0, uint256 reserve1) = pair.reserves();
        bought = (amount * 997 * reserve1) / (reserve0 * 1000 + amount * 997);
        from.transferFrom(msg.sender, address(pair), amount);
        pair.swap(0, bought, msg.sender);
    }
}

/// Deploys a router and a pair with liquidity. The account that deploys it gets tokens.
contract Market {
    Router public immutable router = new Router();
    Token public immutable token0 = new Token();
    Token public immutable token1 = new Token();

    constructor() {
        Pair pair = new Pair(token0, token1);
        router.add(pair);
        token0.transfer(address(pair), 1e23);
        token1.transfer(address(pair), 2e23);
        pair.sync();
        token0.transfer(msg.sender, 1e23);
    }
}

/// Numbers in slots that follow each other, and in slots that hashes place.
contract Slots {
    uint256[] private list;
    mapping(uint256 => uint256) private table;

    function addToList(uint256 count) external {
        for (uint256 i = 0; i < count; i++) list.push(list.length + 1);
    }

    function addToTable(uint256 from, uint256 count) external {
        for (uint256 i = from; i < from + count; i++) table[i] = i + 1;
    }

    function sumOfList() external view returns (uint256 sum) {
        for (uint256 i = 0; i < list.length; i++) sum += list[i];
    }

    function sumOfTable(uint256 count) external view returns (uint256 sum) {
        for (uint256 i = 0; i < count; i++) sum += table[i];
    }
}
