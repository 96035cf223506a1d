// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./Ranking.sol";

/// Counts one vote of each account until it ends.
contract Poll {
    error AlreadyVoted(address account);

    uint256[] private votes;
    uint256 public immutable endsAt;
    mapping(address => bool) public hasVoted;

    constructor(uint256 choices, uint256 duration) {
        votes = new uint256[](choices);
        endsAt = block.timestamp + duration;
    }

    function vote(uint256 choice) external {
        require(block.timestamp < endsAt, "has ended");
        if (hasVoted[msg.sender]) revert AlreadyVoted(msg.sender);
        hasVoted[msg.sender] = true;
        votes[choice]++;
    }

    function winner() external view returns (uint256) {
        require(Ranking.sum(votes) >= 2, "too few votes");
        return Ranking.highest(votes);
    }
}
