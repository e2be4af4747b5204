import { enterEmail, isLocalPartTooLong } from '@orange-id/contract/email.rule';
import { limits } from '@orange-id/contract/limits';
import { Form } from 'antd';
import Input from 'antd/es/input/Input';

const tooLong = `Use at most ${limits.emailLocalPartMaxCharacters} characters before the @.`;

interface EmailFieldProps {
  /** The email is added to an account, so its length is limited. Older accounts may have longer ones. */
  isNew?: boolean;
  inputClass?: string;
}

/** The first field of a form in the panel; it takes the focus when the form appears. */
export function EmailField({ isNew = false, inputClass }: EmailFieldProps) {
  return (
    <Form.Item
      name="email"
      label="Email"
      normalize={(text: string) => text.trim()}
      rules={[
        { required: true, message: 'Enter your email.' },
        { type: 'email', message: `${enterEmail}.` },
        {
          validator: (_, value?: string) =>
            isNew && isLocalPartTooLong(value ?? '') ? Promise.reject(new Error(tooLong)) : Promise.resolve(),
        },
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
