import { LinkButton } from '../ui/LinkButton';
import './screens.css';

export interface PlainPageProps {
  title: string;
  help: string;
  note?: string;
  /** Where to go instead. */
  next: { label: string; to: string };
}

/** A page that so far says only what it is, how it stands, and where to go instead. */
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
