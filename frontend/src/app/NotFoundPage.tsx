import { Typography } from 'antd';
import { useLocation } from 'react-router-dom';
import { LinkButton } from '../ui/LinkButton';

/** Any path that is no page (spec §2). */
export function NotFoundPage() {
  const { pathname } = useLocation();
  return (
    <div className="full-screen full-screen-inside">
      <Typography.Title level={1}>Page Not Found</Typography.Title>
      <Typography.Paragraph type="secondary" className="full-screen-words">
        There is no page at <Typography.Text code>{pathname}</Typography.Text>
      </Typography.Paragraph>
      <LinkButton to="/" type="primary">
        Go home
      </LinkButton>
    </div>
  );
}
