// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Escrow} from "../src/Escrow.sol";

interface Vm {
    function startBroadcast() external;
}

/// Deploys an escrow with five coins. With forge-std, this contract is a `Script`, and needs no `Vm`.
contract Deploy {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    bool public constant IS_SCRIPT = true;

    function run(address buyer, address seller) external returns (Escrow) {
        vm.startBroadcast();
        return new Escrow{value: 5 ether}(buyer, seller);
    }
}
