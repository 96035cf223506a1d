// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// The coins of the home chain on the side chain.
contract Minted {
    address public immutable relayer = msg.sender;
    mapping(address => uint256) public balanceOf;
    uint256 public burns;

    event Burned(uint256 indexed id, address indexed from, uint256 amount);

    function mint(address to, uint256 amount) external {
        require(msg.sender == relayer, "only the relayer");
        balanceOf[to] += amount;
    }

    function burn(uint256 amount) external {
        balanceOf[msg.sender] -= amount;
        emit Burned(++burns, msg.sender, amount);
    }
}
