import { Input } from 'antd';

/**
 * Replaces the module from which the widget imports `Input` alone, so that the input and the form share one build and
 * its React context.
 */
// eslint-disable-next-line no-restricted-exports -- stands for antd's module, which has a default export
export default Input;
