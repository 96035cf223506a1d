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
