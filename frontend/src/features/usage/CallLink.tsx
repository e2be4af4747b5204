import type { UsageRow } from '@orange-id/contract/usage.schema';
import type { ComponentProps, MouseEvent } from 'react';
import { endpointText } from '../../ui/call.text';
import { callName } from './usage.format';
import styles from './usage.module.css';

/** Whether the page handles a click; with a modifier the browser opens the link elsewhere. */
export const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;

/**
 * A call's method and path as a link to its details. A plain link whose clicks the page handles: at twenty new rows
 * every 100 ms, the router's own link would cost too much.
 */
export function CallLink({ row, ...link }: { row: UsageRow } & ComponentProps<'a'>) {
  return (
    <a className={styles.callLink} aria-label={callName(row)} {...link}>
      <code title={`${row.method} ${endpointText(row)}`}>
        <span className={styles.method}>{row.method}</span> {endpointText(row)}
      </code>
    </a>
  );
}
