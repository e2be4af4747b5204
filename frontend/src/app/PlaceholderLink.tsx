import { Tooltip } from '../ui/Tooltip';

/** What stands beside links that lead nowhere yet. */
export const notPublished = 'Not published yet';

/** A link that has no address yet: it says so, looks unlike one that has, and moves nothing. */
export function PlaceholderLink({ children }: { children: string }) {
  return (
    <Tooltip text={notPublished}>
      <a className="placeholder-link" role="link" aria-disabled="true" tabIndex={0}>
        {children}
      </a>
    </Tooltip>
  );
}
