// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Holds coins of a council, which waits two days between the proposal of a payment and the payment.
contract Treasury {
    struct Payment {
        address to;
        uint256 amount;
        uint256 due;
    }

    address public immutable council;
    Payment[] public payments;

    error NotCouncil(address caller);
    error TooEarly(uint256 due);

    event Proposed(uint256 indexed id, address to, uint256 amount);
    event Paid(uint256 indexed id);

    constructor(address owner) payable {
        council = owner;
    }

    function propose(address to, uint256 amount) external {
        if (msg.sender != council) revert NotCouncil(msg.sender);
        emit Proposed(payments.length, to, amount);
        payments.push(Payment(to, amount, block.timestamp + 2 days));
    }

    function pay(uint256 id) external {
        Payment memory payment = payments[id];
        if (block.timestamp < payment.due) revert TooEarly(payment.due);
        delete payments[id];
        emit Paid(id);
        (bool ok,) = payment.to.call{value: payment.amount}("");
        require(ok, "the receiver refuses coins");
    }
}
