// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Finds extremes of a list. Contracts call this library at its address.
library Ranking {
    function highest(uint256[] storage values) public view returns (uint256 index) {
        for (uint256 at = 1; at < values.length; at++) {
            if (values[at] > values[index]) index = at;
        }
    }

    function sum(uint256[] storage values) public view returns (uint256 total) {
        for (uint256 at = 0; at < values.length; at++) {
            total += values[at];
        }
    }
}
