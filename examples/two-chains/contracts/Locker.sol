// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Locks coins on the home chain, and gives them back a day after they were burned on the other one.
contract Locker {
    struct Withdrawal {
        address to;
        uint256 amount;
        uint256 due;
    }

    address public immutable relayer = msg.sender;
    mapping(uint256 => Withdrawal) public withdrawals;

    event Locked(address indexed from, uint256 amount);

    function lock() external payable {
        emit Locked(msg.sender, msg.value);
    }

    function announce(uint256 id, address to, uint256 amount) external {
        require(msg.sender == relayer, "only the relayer");
        withdrawals[id] = Withdrawal(to, amount, block.timestamp + 1 days);
    }

    function release(uint256 id) external {
        Withdrawal memory withdrawal = withdrawals[id];
        require(withdrawal.due != 0, "not announced");
        require(block.timestamp >= withdrawal.due, "too early");
        delete withdrawals[id];
        (bool ok,) = withdrawal.to.call{value: withdrawal.amount}("");
        require(ok, "the receiver refuses coins");
    }
}
