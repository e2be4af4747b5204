import { contrastOf, nearestReadable, textContrastMin } from '@orange-id/contract/contrast.rule';
import { Button, ColorPicker, Flex, Typography } from 'antd';

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
        <ColorPicker
          value={value}
          disabledAlpha
          showText
          size="small"
          format="hex"
          disabledFormat
          aria-labelledby={`colour-${label}`}
          onChange={(colour) => onChange(colour.toHexString().slice(0, 7).toUpperCase())}
        />
      </Flex>
      {better !== null && (
        <Flex className="low" role="status" align="center" gap={8} wrap>
          <Typography.Text type="warning">
            {`Contrast ${contrast?.toFixed(1)}:1, below ${textContrastMin}:1`}
          </Typography.Text>
          <Button size="small" onClick={() => onChange(better)}>
            {`Use ${better}`}
          </Button>
        </Flex>
      )}
    </div>
  );
}
