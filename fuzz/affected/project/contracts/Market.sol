// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./Fees.sol";
import "./IPriced.sol";
import "./Owned.sol";
import "./Token.sol";

/// Sells items for tokens. The owner gets a fee of each sale.
contract Market is Owned, IPriced {
    error NotForSale(uint256 item);

    event Sold(uint256 indexed item, address indexed buyer, uint256 price, uint256 fee);

    struct Item {
        address seller;
        uint256 price;
    }

    Token public immutable token;
    uint256 public rate;
    uint256 public sales;
    mapping(uint256 => Item) public items;

    constructor(Token token_, address owner_, uint256 rate_) Owned(owner_) {
        token = token_;
        rate = rate_;
    }

    function offer(uint256 item, uint256 price) external {
        require(price > 0, "no price");
        require(items[item].seller == address(0) || items[item].seller == msg.sender, "of another seller");
        items[item] = Item(msg.sender, price);
        emit PriceChanged(item, price);
    }

    function buy(uint256 item) external {
        Item memory bought = items[item];
        if (bought.seller == address(0)) revert NotForSale(item);
        delete items[item];
        sales += 1;
        uint256 fee = Fees.feeOf(bought.price, rate);
        token.transferFrom(msg.sender, bought.seller, bought.price - fee);
        token.transferFrom(msg.sender, owner, fee);
        emit Sold(item, msg.sender, bought.price, fee);
    }

    function changeRate(uint256 to) external onlyOwner {
        require(to < Fees.WHOLE / 2, "rate is too high");
        rate = to;
    }

    function priceOf(uint256 item) external view returns (uint256) {
        return items[item].price;
    }
}
