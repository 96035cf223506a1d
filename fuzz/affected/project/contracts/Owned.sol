// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Has an owner, who can hand it over.
abstract contract Owned {
    error NotOwner(address account);

    event OwnerChanged(address indexed from, address indexed to);

    address public owner;

    constructor(address owner_) {
        owner = owner_;
    }

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        _;
    }

    function changeOwner(address to) external onlyOwner {
        require(to != address(0), "no new owner");
        emit OwnerChanged(owner, to);
        owner = to;
    }
}
