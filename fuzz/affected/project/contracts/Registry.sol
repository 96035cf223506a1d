// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Names of accounts, behind a proxy.
contract Registry {
    mapping(string => address) public accountOf;
    uint256 public count;

    function claim(string calldata name) external {
        require(bytes(name).length >= 3, "too short");
        require(accountOf[name] == address(0), "taken");
        accountOf[name] = msg.sender;
        count += 1;
    }
}
