/** The pairing library, a file of its own beside the widget: `walletconnect.js`. */
export { EthereumProvider } from '@walletconnect/ethereum-provider';
