import { LinkButton } from '../ui/LinkButton';
import { useRouteHandle } from './useRouteHandle';
import styles from './screens.module.css';

interface PlainPageProps {
  help: string;
  note?: string;
  /** Link to a page that is available. */
  next: { label: string; to: string };
}

/** A page that has only a title, a status and a link to another page. */
export function PlainPage({ help, note, next }: PlainPageProps) {
  const { title } = useRouteHandle();
  return (
    <div className={styles.plainPage}>
      <h1>{title}</h1>
      <p>{help}</p>
      {note && <p>{note}</p>}
      <LinkButton to={next.to}>{next.label}</LinkButton>
    </div>
  );
}
