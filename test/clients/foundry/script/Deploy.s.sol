// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Counter, CounterFactory} from "../src/Counter.sol";

/// What these scripts need of Foundry's cheat codes.
interface Vm {
    function startBroadcast() external;
    function startBroadcast(uint256 privateKey) external;
    function stopBroadcast() external;
}

/// Without the script library of Foundry, which is not on npm: its base contract says no more than this.
abstract contract Script {
    bool public constant IS_SCRIPT = true;
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
}

/// Deploys a counter and counts.
contract Deploy is Script {
    function run() external returns (Counter counter) {
        vm.startBroadcast();
        counter = new Counter(7);
        counter.set(42);
        vm.stopBroadcast();
    }

    function runWithKey(uint256 privateKey) external returns (Counter counter) {
        vm.startBroadcast(privateKey);
        counter = new Counter(7);
        counter.set(43);
        vm.stopBroadcast();
    }
}

/// Sends more transactions than a pool of network 33 takes ahead of a nonce.
contract Many is Script {
    function run() external {
        vm.startBroadcast();
        Counter counter = new Counter(0);
        for (uint256 i = 1; i <= 24; i++) counter.set(i);
        vm.stopBroadcast();
    }
}

/// Sends a transaction that needs more gas on network 33 than on Ethereum.
contract CountUp is Script {
    function run() external {
        vm.startBroadcast();
        new Counter(0).countUp(30);
        vm.stopBroadcast();
    }
}

/// Lets a contract make another one.
contract Make is Script {
    function run() external returns (Counter made) {
        vm.startBroadcast();
        made = new CounterFactory().make(5);
        vm.stopBroadcast();
    }
}

/// Deploys with CREATE2, which forge does by the deterministic deployment proxy.
contract DeployWithSalt is Script {
    function run() external returns (Counter counter) {
        vm.startBroadcast();
        counter = new Counter{salt: bytes32(uint256(33))}(7);
        counter.set(44);
        vm.stopBroadcast();
    }
}
