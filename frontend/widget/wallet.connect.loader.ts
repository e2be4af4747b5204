import type * as library from '@walletconnect/ethereum-provider';
import { widgetAddress } from './widget.address';

type Library = typeof library;
type Options = Parameters<Library['EthereumProvider']['init']>[0];

/** Replaces the pairing library in the widget's bundle: loads it from a file next to the widget when it is needed. */
export const EthereumProvider = {
  async init(options: Options): ReturnType<Library['EthereumProvider']['init']> {
    if (widgetAddress === null) throw new Error('The widget does not know where it was loaded from');
    const address = new URL('walletconnect.js', widgetAddress).href;
    const chunk = (await import(/* @vite-ignore */ address)) as Library;
    return chunk.EthereumProvider.init(options);
  },
};
