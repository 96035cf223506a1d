// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Counts one vote of each account.
contract Ballot {
    error AlreadyVoted(address account);

    event Voted(address indexed account, uint256 proposal);

    uint256[] public votes;
    mapping(address => bool) public hasVoted;

    constructor(uint256 proposals) {
        votes = new uint256[](proposals);
    }

    function vote(uint256 proposal) external {
        if (hasVoted[msg.sender]) revert AlreadyVoted(msg.sender);
        hasVoted[msg.sender] = true;
        votes[proposal]++;
        emit Voted(msg.sender, proposal);
    }

    function winner() external view returns (uint256 leading) {
        for (uint256 index = 1; index < votes.length; index++) {
            if (votes[index] > votes[leading]) leading = index;
        }
    }
}
