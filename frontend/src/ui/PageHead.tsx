import { Typography } from 'antd';
import type { ReactNode } from 'react';
import './ui.css';

interface PageHeadProps {
  title: string;
  /** One line of help under the title. */
  help?: ReactNode;
  /** The page's main action, on the right. */
  action?: ReactNode;
}

/** The head of a signed-in page: its only `h1`, a line of help and the main action. */
export function PageHead({ title, help, action }: PageHeadProps) {
  return (
    <div className="page-head">
      <div className="page-head-words">
        <h1>{title}</h1>
        {help && <Typography.Text type="secondary">{help}</Typography.Text>}
      </div>
      {action && <div className="page-head-action">{action}</div>}
    </div>
  );
}
