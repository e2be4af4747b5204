import { ExportOutlined } from '@ant-design/icons';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import './ui.css';

interface GoToProps {
  to: string;
  isExternal?: boolean;
  className?: string;
  onClick?: () => void;
  /** The value of the configuration without which the server leaves the link out of a prerendered page. */
  onlyIf?: string;
  children: ReactNode;
}

/** A link inside the portal, or to another site in a new tab, with an icon and text for screen readers. */
export function GoTo({ to, isExternal = false, className, onClick, onlyIf, children }: GoToProps) {
  if (!isExternal) {
    return (
      <Link to={to} className={className} onClick={onClick}>
        {children}
      </Link>
    );
  }
  return (
    <a data-if={onlyIf} href={to} target="_blank" rel="noreferrer" className={className} onClick={onClick}>
      {children} <ExportOutlined className="goto-mark" aria-hidden />
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  );
}
