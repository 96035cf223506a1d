// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./Token.sol";

/// A token with a maximum, which moves only while it is open.
contract Voucher is Token {
    uint256 public immutable maximum;
    bool public isClosed;

    constructor(uint256 maximum_) {
        maximum = maximum_;
    }

    function mint(address to, uint256 value) external override onlyOwner {
        require(totalSupply + value <= maximum, "more than the maximum");
        _mint(to, value);
    }

    function close() external onlyOwner {
        isClosed = true;
    }

    function _move(address from, address to, uint256 value) internal override {
        require(!isClosed, "closed");
        super._move(from, to, value);
    }
}
