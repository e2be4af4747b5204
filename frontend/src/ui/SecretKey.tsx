import { EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { CopyButton } from './CopyButton';
import { maskKey } from './mask.key';
import './secret-key.css';

interface SecretKeyProps {
  value: string;
  /** What it is, for the names of the buttons: `API key`. */
  label: string;
  isRevealed: boolean;
  onToggle: () => void;
}

/** A key, masked until it is revealed, with a copy button that says 'Copied!' for 1.5 s (spec §2). */
export function SecretKey({ value, label, isRevealed, onToggle }: SecretKeyProps) {
  return (
    <div className="secret-key">
      <code className="secret-key-text" translate="no">
        {isRevealed ? value : maskKey(value)}
      </code>
      <div className="secret-key-actions">
        <Button
          type="text"
          icon={isRevealed ? <EyeInvisibleOutlined /> : <EyeOutlined />}
          aria-label={`${isRevealed ? 'Hide' : 'Reveal'} ${label}`}
          aria-pressed={isRevealed}
          onClick={onToggle}
        >
          {isRevealed ? 'Hide' : 'Reveal'}
        </Button>
        <CopyButton text={value} label={label} />
      </div>
    </div>
  );
}
