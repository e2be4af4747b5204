import { contrastOf, nearestReadable, textContrastMin } from '@orange-id/contract/contrast.rule';
import { WarningOutlined } from '@ant-design/icons';
import { Button, ColorPicker, Flex, Input } from 'antd';
import { useState } from 'react';

interface ColourFieldProps {
  label: string;
  value: string;
  /** The colour that this one is read on, or that is read on it; `null` if no text is involved. */
  against: string | null;
  onChange(colour: string): void;
}

/** One colour: what is wrong with its contrast stands next to it, with the nearest colour that passes. */
export function ColourField({ label, value, against, onChange }: ColourFieldProps) {
  const contrast = against === null ? null : contrastOf(value, against);
  const isLow = contrast !== null && contrast < textContrastMin;
  const better = isLow ? nearestReadable(value, against as string) : null;
  return (
    <div className="field">
      <Flex justify="space-between" align="center" gap={8}>
        <span id={`colour-${label}`}>{label}</span>
        <Flex gap={4}>
          <ColorPicker
            value={value}
            disabledAlpha
            size="small"
            format="hex"
            disabledFormat
            aria-labelledby={`colour-${label}`}
            onChange={(colour) => onChange(colour.toHexString().slice(0, 7).toUpperCase())}
          />
          <HexInput label={label} value={value} onChange={onChange} />
        </Flex>
      </Flex>
      {better !== null && (
        <Flex className="low" role="status" align="center" gap={8} wrap>
          <span className="warning">
            <WarningOutlined aria-hidden /> {`Contrast ${contrast?.toFixed(1)}:1, below ${textContrastMin}:1`}
          </span>
          <Button size="small" onClick={() => onChange(better)}>
            {`Use ${better}`}
          </Button>
        </Flex>
      )}
    </div>
  );
}

/** The colour as text, for a keyboard or a brand's style guide. What is no colour yet changes nothing. */
function HexInput({ label, value, onChange }: Pick<ColourFieldProps, 'label' | 'value' | 'onChange'>) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Input
      className="hex"
      size="small"
      aria-label={`${label} as hex`}
      maxLength={7}
      spellCheck={false}
      value={typed ?? value}
      onChange={({ target }) => {
        setTyped(target.value);
        const hex = /^#?([0-9a-f]{6})$/i.exec(target.value.trim())?.[1];
        if (hex !== undefined) onChange(`#${hex.toUpperCase()}`);
      }}
      onBlur={() => setTyped(null)}
    />
  );
}
