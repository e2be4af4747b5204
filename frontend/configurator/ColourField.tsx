import { WarningOutlined } from '@ant-design/icons';
import { contrastOf, nearestReadable, textContrastMin } from '@orange-id/contract/contrast.rule';
import { Button, ColorPicker, Flex, Input } from 'antd';
import { useState } from 'react';
import { Problem, Reset } from './Setting';

interface ColourFieldProps {
  label: string;
  value: string;
  defaultValue: string;
  /** The colour that this one is read on, or that is read on it; `null` if no text is involved. */
  against: string | null;
  problem: string | undefined;
  onChange(colour: string): void;
}

/** One colour: what is wrong with its contrast stands next to it, with the nearest colour that passes. */
export function ColourField({ label, value, defaultValue, against, problem, onChange }: ColourFieldProps) {
  // What was typed and is no colour stays until the colour changes.
  const [typed, setTyped] = useState<{ text: string; at: string } | null>(null);
  const text = typed?.at === value ? typed.text : value;
  const isColour = hexIn(text) !== null;
  const contrast = against === null ? null : contrastOf(value, against);
  const isLow = contrast !== null && contrast < textContrastMin;
  const better = isLow ? nearestReadable(value, against as string) : null;
  return (
    <div className="field">
      <Flex justify="space-between" align="center" gap={8}>
        <span id={`colour-${label}`}>{label}</span>
        <Flex gap={4}>
          <Reset
            isSmall
            label={label}
            reset={value !== defaultValue && { to: defaultValue, act: () => onChange(defaultValue) }}
          />
          <ColorPicker
            value={value}
            disabledAlpha
            size="small"
            format="hex"
            disabledFormat
            aria-labelledby={`colour-${label}`}
            onChange={(colour) => onChange(colour.toHexString().slice(0, 7).toUpperCase())}
          />
          <Input
            className="hex"
            size="small"
            aria-label={`${label} as hex`}
            aria-invalid={!isColour}
            {...(!isColour && { status: 'error' as const })}
            spellCheck={false}
            value={text}
            onChange={({ target }) => {
              const hex = hexIn(target.value);
              setTyped({ text: target.value, at: hex ?? value });
              if (hex !== null) onChange(hex);
            }}
            onBlur={() => isColour && setTyped(null)}
          />
        </Flex>
      </Flex>
      <Problem text={isColour ? problem : 'Enter a colour such as #F37920.'} />
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

/** The colour in a text, as `#RRGGBB`; null without one. */
function hexIn(text: string): string | null {
  const hex = /^#?([0-9a-f]{6})$/i.exec(text.trim())?.[1];
  return hex === undefined ? null : `#${hex.toUpperCase()}`;
}
