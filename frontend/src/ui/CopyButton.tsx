import { CheckOutlined, CopyOutlined } from '@ant-design/icons';
import { limits } from '@orange-id/contract/limits';
import { useEffect, useState } from 'react';
import { copyText } from '@orange-id/contract/copy.text';
import { LightButton, type ButtonLook } from './LightButton';
import { Tooltip } from './Tooltip';

interface CopyButtonProps extends Pick<ButtonLook, 'type' | 'size' | 'className'> {
  text: string;
  /** Names what is copied; the button's accessible name is `Copy {label}`. */
  label: string;
  /** How long 'Copied!' shows, in ms. */
  feedbackMs?: number;
  /** Shows only the icon; the accessible name stays. */
  iconOnly?: boolean;
  onCopied?: () => void;
}

/** Copies `text` and shows 'Copied!', or that copying failed, for `feedbackMs`. */
export function CopyButton({
  text,
  label,
  feedbackMs = limits.copyFeedbackMs,
  iconOnly = false,
  type = 'default',
  onCopied,
  ...rest
}: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'refused' | null>(null);

  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), feedbackMs);
    return () => clearTimeout(timer);
  }, [outcome, feedbackMs]);

  const copy = () =>
    copyText(text)
      .then(() => {
        setOutcome('copied');
        onCopied?.();
      })
      .catch(() => setOutcome('refused'));

  const word = outcome === 'copied' ? 'Copied!' : outcome === 'refused' ? 'Couldn’t copy' : 'Copy';
  return (
    <>
      <Tooltip text={iconOnly ? word : null}>
        <LightButton
          {...rest}
          type={type}
          icon={outcome === 'copied' ? <CheckOutlined /> : <CopyOutlined />}
          aria-label={outcome === null ? `Copy ${label}` : word}
          onClick={() => void copy()}
        >
          {iconOnly ? null : word}
        </LightButton>
      </Tooltip>
      <span className="visually-hidden" role="status">
        {outcome === null ? '' : word}
      </span>
    </>
  );
}
