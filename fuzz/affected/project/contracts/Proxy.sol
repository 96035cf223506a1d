// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Runs the code of another contract on its own storage (EIP-1967).
contract Proxy {
    bytes32 private constant CODE = bytes32(uint256(keccak256("eip1967.proxy.implementation")) - 1);
    bytes32 private constant ADMIN = bytes32(uint256(keccak256("eip1967.proxy.admin")) - 1);

    constructor(address code) {
        write(ADMIN, msg.sender);
        write(CODE, code);
    }

    function upgradeTo(address code) external {
        require(msg.sender == read(ADMIN), "not the admin");
        require(code.code.length > 0, "no code");
        write(CODE, code);
    }

    fallback() external payable {
        (bool succeeds, bytes memory result) = read(CODE).delegatecall(msg.data);
        assembly {
            if iszero(succeeds) {
                revert(add(result, 32), mload(result))
            }
            return(add(result, 32), mload(result))
        }
    }

    function read(bytes32 slot) private view returns (address value) {
        assembly {
            value := sload(slot)
        }
    }

    function write(bytes32 slot, address value) private {
        assembly {
            sstore(slot, value)
        }
    }
}
