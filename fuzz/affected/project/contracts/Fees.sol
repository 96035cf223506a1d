// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Fees in hundredths of a per cent. Contracts contain this code.
library Fees {
    uint256 internal constant WHOLE = 10_000;

    function feeOf(uint256 price, uint256 rate) internal pure returns (uint256) {
        require(rate <= WHOLE, "rate is too high");
        uint256 fee = (price * rate) / WHOLE;
        return fee == 0 && rate > 0 ? 1 : fee;
    }
}
