import { Button, Typography } from 'antd';
import { Link, useLocation } from 'react-router-dom';

/** Any path that is no page (spec §2). */
export function NotFoundPage() {
  const { pathname } = useLocation();
  return (
    <div className="full-screen full-screen-inside">
      <Typography.Title level={1}>Page Not Found</Typography.Title>
      <Typography.Paragraph type="secondary" className="full-screen-words">
        There is no page at <Typography.Text code>{pathname}</Typography.Text>
      </Typography.Paragraph>
      <Link to="/">
        <Button type="primary" tabIndex={-1}>
          Go home
        </Button>
      </Link>
    </div>
  );
}
