/** The pairing library, built as a separate file next to the widget: `walletconnect.js`. */
export { EthereumProvider } from '@walletconnect/ethereum-provider';
