// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Tells the price of an item.
interface IPriced {
    event PriceChanged(uint256 indexed item, uint256 price);

    function priceOf(uint256 item) external view returns (uint256);
}
