// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Pays coins to one account, evenly over a year.
contract Vesting {
    uint256 public constant DURATION = 365 days;

    address public immutable beneficiary;
    uint256 public immutable start = block.timestamp;
    uint256 public released;

    error NotBeneficiary(address caller);

    event Released(uint256 amount);

    constructor(address to) payable {
        beneficiary = to;
    }

    function vested() public view returns (uint256) {
        uint256 total = address(this).balance + released;
        uint256 passed = block.timestamp - start;
        return passed < DURATION ? (total * passed) / DURATION : total;
    }

    function release() external {
        if (msg.sender != beneficiary) revert NotBeneficiary(msg.sender);
        uint256 amount = vested() - released;
        released += amount;
        emit Released(amount);
        (bool ok,) = beneficiary.call{value: amount}("");
        require(ok, "the beneficiary refuses coins");
    }
}
