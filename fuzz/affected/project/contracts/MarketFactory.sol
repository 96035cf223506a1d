// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./Market.sol";

/// Creates markets at known addresses.
contract MarketFactory {
    event Created(Market market);

    Market[] public markets;

    function create(Token token, uint256 rate, bytes32 salt) external returns (Market market) {
        market = new Market{salt: salt}(token, msg.sender, rate);
        markets.push(market);
        emit Created(market);
    }

    function count() external view returns (uint256) {
        return markets.length;
    }
}
