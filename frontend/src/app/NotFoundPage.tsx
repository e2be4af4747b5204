import { useLocation } from 'react-router-dom';
import { LinkButton } from '../ui/LinkButton';
import './screens.css';

export function NotFoundPage() {
  const { pathname } = useLocation();
  return (
    <div className="full-screen full-screen-inside">
      <h1>Page Not Found</h1>
      <p className="full-screen-words">
        There’s no page at <code>{pathname}</code>.
      </p>
      <LinkButton to="/" type="primary">
        Go home
      </LinkButton>
    </div>
  );
}
