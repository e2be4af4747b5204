// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A token (ERC-20 metadata only) that says of itself whatever it was deployed with.
contract PlainToken {
    string public name;
    string public symbol;
    uint8 public decimals;
    uint256 public totalSupply;

    constructor(string memory name_, string memory symbol_, uint8 decimals_, uint256 totalSupply_) {
        name = name_;
        symbol = symbol_;
        decimals = decimals_;
        totalSupply = totalSupply_;
    }
}

/// A token from before ERC-20 was final, whose name and symbol are 32 bytes each.
contract Bytes32Token {
    bytes32 public constant name = "Old Coin";
    bytes32 public constant symbol = "OLD";
    uint8 public constant decimals = 18;
    uint256 public constant totalSupply = 5 ether;
}

/// A token whose functions return exactly these bytes, well-formed or not.
contract RawToken {
    bytes private nameData;
    bytes private symbolData;
    bytes private decimalsData;
    bytes private supplyData;

    constructor(bytes memory name_, bytes memory symbol_, bytes memory decimals_, bytes memory supply_) {
        nameData = name_;
        symbolData = symbol_;
        decimalsData = decimals_;
        supplyData = supply_;
    }

    fallback(bytes calldata) external returns (bytes memory) {
        if (msg.sig == 0x06fdde03) return nameData;
        if (msg.sig == 0x95d89b41) return symbolData;
        if (msg.sig == 0x313ce567) return decimalsData;
        if (msg.sig == 0x18160ddd) return supplyData;
        revert();
    }
}

/// A price feed with Chainlink's interface and fixed results. All of them are part of its code, so that a copy of the
/// code at another address returns them too.
contract PriceFeed {
    int256 private immutable answer;
    uint256 private immutable updatedAt;
    uint8 public immutable decimals;
    bytes32 private immutable pair;

    constructor(int256 answer_, uint256 updatedAt_, uint8 decimals_, bytes32 pair_) {
        answer = answer_;
        updatedAt = updatedAt_;
        decimals = decimals_;
        pair = pair_;
    }

    function description() external view returns (string memory) {
        uint256 length = 0;
        while (length < 32 && pair[length] != 0) length++;
        bytes memory text = new bytes(length);
        for (uint256 i = 0; i < length; i++) text[i] = pair[i];
        return string(text);
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return (1, answer, updatedAt, updatedAt, 1);
    }
}
