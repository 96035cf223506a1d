// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./Fees.sol";

/// Shows the library Fees to its tests.
contract FeesProbe {
    function feeOf(uint256 price, uint256 rate) external pure returns (uint256) {
        return Fees.feeOf(price, rate);
    }
}
