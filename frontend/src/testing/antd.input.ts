import { Input } from 'antd';

/** The field that the widget imports alone: from the same build as its form, whose context it reads. */
// eslint-disable-next-line import-x/no-default-export -- stands for antd's module, which has a default export
export default Input;
