// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Holds the coins of a buyer, who releases them to the seller, or has them back after a week.
contract Escrow {
    address public immutable buyer;
    address public immutable seller;
    uint256 public immutable due = block.timestamp + 7 days;

    error NotBuyer(address caller);
    error NotDue(uint256 due);

    constructor(address from, address to) payable {
        (buyer, seller) = (from, to);
    }

    function release() external {
        if (msg.sender != buyer) revert NotBuyer(msg.sender);
        pay(seller);
    }

    function refund() external {
        if (block.timestamp < due) revert NotDue(due);
        pay(buyer);
    }

    function pay(address to) private {
        (bool ok,) = to.call{value: address(this).balance}("");
        require(ok, "coins are refused");
    }
}
