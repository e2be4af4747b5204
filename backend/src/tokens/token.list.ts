import type { Address } from 'viem';

export interface ListedToken {
  address: Address;
  name: string;
  symbol: string;
  decimals: number;
  /** Chainlink's feed for it, or for the asset that it represents: that of ether for WETH, of bitcoin for WBTC. */
  feed?: { pair: string; address: Address };
}

/** Where the list comes from, as `GET /api/v1/tokens` names it. Decision 45 says how it was checked. */
export const tokenListSource = {
  name: 'Aave token list',
  version: '3.0.162',
  url: 'https://www.npmjs.com/package/@bgd-labs/aave-address-book',
  license: 'MIT',
} as const;

/**
 * Well-known tokens of Ethereum mainnet. A feed must name its pair itself before a price is used, so that a wrong
 * address gives no price rather than a wrong one.
 */
export const tokenList: readonly ListedToken[] = [
  {
    address: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
    name: 'Wrapped Ether',
    symbol: 'WETH',
    decimals: 18,
    feed: { pair: 'ETH / USD', address: '0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419' },
  },
  {
    address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    name: 'USD Coin',
    symbol: 'USDC',
    decimals: 6,
    feed: { pair: 'USDC / USD', address: '0x8fFfFfd4AfB6115b954Bd326cbe7B4BA576818f6' },
  },
  {
    address: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
    name: 'Tether USD',
    symbol: 'USDT',
    decimals: 6,
    feed: { pair: 'USDT / USD', address: '0x3E7d1eAB13ad0104d2750B8863b489D65364e32D' },
  },
  {
    address: '0x6B175474E89094C44Da98b954EedeAC495271d0F',
    name: 'Dai Stablecoin',
    symbol: 'DAI',
    decimals: 18,
    feed: { pair: 'DAI / USD', address: '0xAed0c38402a5d19df6E4c03F4E2DceD6e29c1ee9' },
  },
  {
    address: '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599',
    name: 'Wrapped BTC',
    symbol: 'WBTC',
    decimals: 8,
    feed: { pair: 'BTC / USD', address: '0xF4030086522a5bEEa4988F8cA5B36dbC97BeE88c' },
  },
  {
    address: '0x514910771AF9Ca656af840dff83E8264EcF986CA',
    name: 'ChainLink Token',
    symbol: 'LINK',
    decimals: 18,
    feed: { pair: 'LINK / USD', address: '0x2c1d072e956AFFC0D435Cb7AC38EF18d24d9127c' },
  },
  {
    address: '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984',
    name: 'Uniswap',
    symbol: 'UNI',
    decimals: 18,
    feed: { pair: 'UNI / USD', address: '0x553303d460EE0afB37EdFf9bE42922D8FF63220e' },
  },
  {
    address: '0x7Fc66500c84A76Ad7e9c93437bFc5Ac33E2DDaE9',
    name: 'Aave Token',
    symbol: 'AAVE',
    decimals: 18,
    feed: { pair: 'AAVE / USD', address: '0x547a514d5e3769680Ce22B2361c10Ea13619e8a9' },
  },
  {
    address: '0xD533a949740bb3306d119CC777fa900bA034cd52',
    name: 'Curve DAO Token',
    symbol: 'CRV',
    decimals: 18,
    feed: { pair: 'CRV / USD', address: '0xCd627aA160A6fA45Eb793D19Ef54f5062F20f33f' },
  },
  {
    address: '0xC011a73ee8576Fb46F5E1c5751cA3B9Fe0af2a6F',
    name: 'Synthetix Network Token',
    symbol: 'SNX',
    decimals: 18,
    feed: { pair: 'SNX / USD', address: '0xDC3EA94CD0AC27d9A86C180091e7f78C683d3699' },
  },
  {
    address: '0xC18360217D8F7Ab5e7c516566761Ea12Ce7F9D72',
    name: 'Ethereum Name Service',
    symbol: 'ENS',
    decimals: 18,
    feed: { pair: 'ENS / USD', address: '0x5C00128d4d1c2F4f652C267d7bcdD7aC99C16E16' },
  },
  {
    address: '0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf',
    name: 'Coinbase Wrapped BTC',
    symbol: 'cbBTC',
    decimals: 8,
  },
  {
    address: '0x5A98FcBEA516Cf06857215779Fd812CA3beF1B32',
    name: 'Lido DAO Token',
    symbol: 'LDO',
    decimals: 18,
  },
  {
    address: '0x9f8F72aA9304c8B593d555F12eF6589cC3A579A2',
    name: 'Maker',
    symbol: 'MKR',
    decimals: 18,
  },
  {
    address: '0x6c3ea9036406852006290770BEdFcAbA0e23A0e8',
    name: 'PayPal USD',
    symbol: 'PYUSD',
    decimals: 6,
  },
  {
    address: '0x5f98805A4E8be255a32880FDeC7F6728C6568bA0',
    name: 'LUSD Stablecoin',
    symbol: 'LUSD',
    decimals: 18,
  },
];
