// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A smart account whose one owner is a key: it takes that key's signatures as its own (ERC-1271).
contract OwnedAccount {
    address private immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (signature.length != 65) return 0xffffffff;
        address signer = ecrecover(
            hash,
            uint8(signature[64]),
            bytes32(signature[0:32]),
            bytes32(signature[32:64])
        );
        return signer != address(0) && signer == owner ? this.isValidSignature.selector : bytes4(0xffffffff);
    }
}

/// Deploys `OwnedAccount` where `addressOf` says, so that an account can sign before it exists (ERC-6492).
contract AccountFactory {
    function create(address owner) external returns (address) {
        return address(new OwnedAccount{salt: 0}(owner));
    }

    function addressOf(address owner) external view returns (address) {
        bytes memory code = abi.encodePacked(type(OwnedAccount).creationCode, abi.encode(owner));
        bytes32 digest = keccak256(abi.encodePacked(bytes1(0xff), address(this), bytes32(0), keccak256(code)));
        return address(uint160(uint256(digest)));
    }
}

/// An account that takes everything as signed once anybody has called `prepare`.
contract PreparedAccount {
    bool private isReady;

    function prepare() external {
        isReady = true;
    }

    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        return isReady ? this.isValidSignature.selector : bytes4(0xffffffff);
    }
}

/// An account that takes one signature only: the empty one, as those do whose owners approve a hash on the chain.
contract ApprovingAccount {
    function isValidSignature(bytes32, bytes calldata signature) external pure returns (bytes4) {
        return signature.length == 0 ? this.isValidSignature.selector : bytes4(0xffffffff);
    }
}

/// An account that sends whoever asks it to a web address (ERC-3668), which would confirm anything.
contract AskingAccount {
    error OffchainLookup(
        address sender,
        string[] urls,
        bytes callData,
        bytes4 callbackFunction,
        bytes extraData
    );

    string private url;

    constructor(string memory url_) {
        url = url_;
    }

    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        string[] memory urls = new string[](1);
        urls[0] = url;
        revert OffchainLookup(address(this), urls, "", this.confirm.selector, "");
    }

    function confirm(bytes calldata, bytes calldata) external pure returns (bytes4) {
        return AskingAccount.isValidSignature.selector;
    }
}
