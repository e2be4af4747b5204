import { Typography } from 'antd';

/** A page that so far says only what it is and how it stands. */
export function PlainPage({ title, help, note }: { title: string; help: string; note?: string }) {
  return (
    <div className="plain-page">
      <Typography.Title level={1}>{title}</Typography.Title>
      <Typography.Paragraph type="secondary" className="plain-page-words">
        {help}
      </Typography.Paragraph>
      {note && <Typography.Paragraph type="secondary">{note}</Typography.Paragraph>}
    </div>
  );
}
