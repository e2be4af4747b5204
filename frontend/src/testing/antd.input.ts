import { Input } from 'antd';

/**
 * Replaces the module from which the widget imports `Input` alone, so that the input and the form share one build and
 * its React context.
 */
// eslint-disable-next-line import-x/no-default-export -- stands for antd's module, which has a default export
export default Input;
