// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./Token.sol";

/// Holds tokens for a day.
contract Vault {
    event Deposited(address indexed account, uint256 value);

    Token public immutable token;
    mapping(address => uint256) public deposits;
    mapping(address => uint256) public unlockedAt;

    constructor(Token token_) {
        token = token_;
    }

    function deposit(uint256 value) external {
        deposits[msg.sender] += value;
        unlockedAt[msg.sender] = block.timestamp + 1 days;
        token.transferFrom(msg.sender, address(this), value);
        emit Deposited(msg.sender, value);
    }

    function withdraw() external {
        require(block.timestamp >= unlockedAt[msg.sender], "still locked");
        uint256 value = deposits[msg.sender];
        deposits[msg.sender] = 0;
        token.transfer(msg.sender, value);
    }
}
