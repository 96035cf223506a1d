// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Sells one thing to the highest bidder of an hour. Who is outbid takes the coins back.
contract Auction {
    address public immutable seller = msg.sender;
    uint256 public immutable end = block.timestamp + 1 hours;
    address public leader;
    uint256 public highest;
    mapping(address => uint256) public refunds;

    error TooLow(uint256 bid, uint256 highest);
    error Ended(uint256 time);

    event Bid(address indexed bidder, uint256 amount);

    function bid() external payable {
        if (block.timestamp > end) revert Ended(end);
        if (msg.value <= highest) revert TooLow(msg.value, highest);
        refunds[leader] += highest;
        (leader, highest) = (msg.sender, msg.value);
        emit Bid(msg.sender, msg.value);
    }

    function takeBack() external {
        uint256 amount = refunds[msg.sender];
        refunds[msg.sender] = 0;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "the bidder refuses coins");
    }
}
