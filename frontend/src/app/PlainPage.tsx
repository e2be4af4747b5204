import { LinkButton } from '../ui/LinkButton';
import './screens.css';

export interface PlainPageProps {
  title: string;
  help: string;
  note?: string;
  /** Link to a page that is available. */
  next: { label: string; to: string };
}

/** A page that has only a title, a status and a link to another page. */
export function PlainPage({ title, help, note, next }: PlainPageProps) {
  return (
    <div className="plain-page">
      <h1>{title}</h1>
      <p>{help}</p>
      {note && <p>{note}</p>}
      <LinkButton to={next.to}>{next.label}</LinkButton>
    </div>
  );
}
