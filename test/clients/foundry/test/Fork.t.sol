// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Counter} from "../src/Counter.sol";

/// What this test needs of Foundry's cheat codes.
interface Vm {
    function envAddress(string calldata name) external view returns (address);
    function rpc(string calldata method, string calldata params) external returns (bytes memory);
}

/// Tests of a counter that is deployed on the chain the tests are run on.
contract ForkTest {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    function testCountsOnWhereTheChainStands() external {
        Counter counter = Counter(vm.envAddress("COUNTER"));
        require(counter.number() == 7, "not the state of the chain");
        counter.set(8);
        require(counter.number() == 8, "not set");
    }

    function testAsksTheNode() external {
        require(vm.rpc("evm_snapshot", "[]").length > 0, "no answer");
    }
}
