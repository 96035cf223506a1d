// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Lets members in, and counts them.
contract Door {
    uint256 public visits;

    error MembershipEnded(address visitor, uint256 paidUntil);

    function pass(address visitor, uint256 paidUntil) external {
        if (paidUntil < block.timestamp) revert MembershipEnded(visitor, paidUntil);
        visits++;
    }
}
