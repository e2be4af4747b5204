import { readableHost } from '@orange-id/contract/readable.host';
import { Tooltip } from './Tooltip';

interface OriginTextProps {
  /** An allowed URL, or an origin. */
  origin: string;
  /** Whether the punycode stands beside the name instead of in its tooltip: where the user decides to trust it. */
  isWhole?: boolean;
}

/** A site with an international name in its own letters; the tooltip has the punycode that browsers send. */
export function OriginText({ origin, isWhole = false }: OriginTextProps) {
  const name = readableHost(origin);
  if (name === origin) return <span>{origin}</span>;
  if (isWhole)
    return (
      <span>
        <bdi dir="ltr">{name}</bdi> ({origin})
      </span>
    );
  return (
    <Tooltip text={origin}>
      {/* Focusable, so that the tooltip opens without a mouse. */}
      <bdi dir="ltr" tabIndex={0}>
        {name}
      </bdi>
    </Tooltip>
  );
}
