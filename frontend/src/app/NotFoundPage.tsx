import { Link, useLocation } from 'react-router-dom';
import { LinkButton } from '../ui/LinkButton';
import styles from './screens.module.css';

export function NotFoundPage() {
  const { pathname } = useLocation();
  return (
    <div className={styles.fullScreen}>
      <h1>Page Not Found</h1>
      <p className={styles.fullScreenWords}>
        There’s no page at <code>{pathname}</code>.
      </p>
      <LinkButton to="/" type="primary">
        Go home
      </LinkButton>
      <Link to="/community">Search the community</Link>
    </div>
  );
}
