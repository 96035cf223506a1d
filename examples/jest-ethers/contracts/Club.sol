// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Door} from "./Door.sol";

/// Sells memberships of a year.
contract Club {
    uint256 public constant FEE = 1 ether;

    Door public immutable door = new Door();
    mapping(address => uint256) public paidUntil;

    error WrongFee(uint256 paid, uint256 fee);

    event Joined(address indexed member, uint256 until);

    function join() external payable {
        if (msg.value != FEE) revert WrongFee(msg.value, FEE);
        uint256 until = block.timestamp + 365 days;
        paidUntil[msg.sender] = until;
        emit Joined(msg.sender, until);
    }

    function enter() external {
        door.pass(msg.sender, paidUntil[msg.sender]);
    }
}
