// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// A number, and an event for every change.
contract Counter {
    uint256 public number;

    event NumberSet(address indexed caller, uint256 number);

    error TooLarge(uint256 number, uint256 limit);

    constructor(uint256 initial) {
        number = initial;
    }

    function set(uint256 newNumber) external {
        if (newNumber > 1000) revert TooLarge(newNumber, 1000);
        number = newNumber;
        emit NumberSet(msg.sender, newNumber);
    }

    /// Writes one slot again and again, which costs more on network 33 than Ethereum's rules let a simulation expect.
    function countUp(uint256 times) external {
        for (uint256 i = 0; i < times; i++) number++;
    }
}

/// Makes a contract of its own.
contract CounterFactory {
    Counter public last;

    function make(uint256 initial) external returns (Counter) {
        last = new Counter(initial);
        return last;
    }
}
