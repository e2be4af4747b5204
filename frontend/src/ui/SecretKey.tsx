import { EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { CopyValue } from './CopyValue';
import { maskKey } from './mask.key';

interface SecretKeyProps {
  value: string;
  /** Names the key for the buttons, such as `API key`. */
  label: string;
  isRevealed: boolean;
  onToggle: () => void;
  onCopied?: () => void;
}

/** A key with a copy button, masked until it is revealed. */
export function SecretKey({ value, label, isRevealed, onToggle, onCopied }: SecretKeyProps) {
  return (
    <CopyValue
      value={value}
      shown={isRevealed ? value : maskKey(value)}
      label={label}
      {...(onCopied ? { onCopied } : {})}
    >
      <Button
        type="text"
        icon={isRevealed ? <EyeInvisibleOutlined /> : <EyeOutlined />}
        aria-label={`${isRevealed ? 'Hide' : 'Reveal'} ${label}`}
        aria-pressed={isRevealed}
        onClick={onToggle}
      >
        {isRevealed ? 'Hide' : 'Reveal'}
      </Button>
    </CopyValue>
  );
}
