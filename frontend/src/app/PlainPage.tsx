import './screens.css';

/** A page that so far says only what it is and how it stands. */
export function PlainPage({ title, help, note }: { title: string; help: string; note?: string }) {
  return (
    <div className="plain-page">
      <h1>{title}</h1>
      <p>{help}</p>
      {note && <p>{note}</p>}
    </div>
  );
}
