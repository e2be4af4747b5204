import { limits } from '@orange-id/contract/limits';
import { Form } from 'antd';
import Input from 'antd/es/input/Input';

/** The field a form of the panel begins with; it takes the focus when the form comes. */
export function EmailField({ inputClass }: { inputClass?: string }) {
  return (
    <Form.Item
      name="email"
      label="Email"
      normalize={(text: string) => text.trim()}
      rules={[
        { required: true, message: 'Enter your email' },
        { type: 'email', message: 'Enter an email like name@example.com' },
      ]}
    >
      <Input
        type="email"
        size="large"
        className={inputClass}
        autoComplete="username"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={limits.emailMaxCharacters}
        data-focus
      />
    </Form.Item>
  );
}
