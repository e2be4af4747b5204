import { Tooltip } from '../ui/Tooltip';

/** A link of the spec's that has no address yet: it says so, and moves nothing. */
export function PlaceholderLink({ children }: { children: string }) {
  return (
    <Tooltip text="Not published yet">
      <a className="placeholder-link" role="link" aria-disabled="true" tabIndex={0}>
        {children}
      </a>
    </Tooltip>
  );
}
