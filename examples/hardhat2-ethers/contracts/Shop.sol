// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Token} from "./Token.sol";

/// Sells tickets, and takes them back for a day.
contract Shop {
    uint256 public constant PRICE = 100;

    struct Purchase {
        uint256 count;
        uint256 time;
    }

    Token public immutable token;
    mapping(address => Purchase) public purchases;

    event Sold(address indexed customer, uint256 count);

    constructor(Token money) {
        token = money;
    }

    function buy(uint256 count) external {
        purchases[msg.sender] = Purchase(purchases[msg.sender].count + count, block.timestamp);
        token.transferFrom(msg.sender, address(this), count * PRICE);
        emit Sold(msg.sender, count);
    }

    function giveBack() external {
        Purchase memory purchase = purchases[msg.sender];
        require(block.timestamp <= purchase.time + 1 days, "too late");
        delete purchases[msg.sender];
        token.transfer(msg.sender, purchase.count * PRICE);
    }
}
