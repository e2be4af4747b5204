import { Tooltip } from '../ui/Tooltip';

/** The tooltip and note of links without a target. */
export const notPublished = 'Not published yet';

/** A link without a target yet: it says so, looks different from a real link, and does nothing. */
export function PlaceholderLink({ children }: { children: string }) {
  return (
    <Tooltip text={notPublished}>
      <a className="placeholder-link" role="link" aria-disabled="true" tabIndex={0}>
        {children}
      </a>
    </Tooltip>
  );
}
