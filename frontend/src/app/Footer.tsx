import { useConfig } from '../api/config.context';
import { GoTo } from '../ui/GoTo';
import { Logo } from '../ui/Logo';
import { integrationLinks, legalEntries, supportLinks, type NavLink } from './links';

/** The footer of public screens (spec §2). */
export function Footer() {
  const config = useConfig();
  const column = (title: string, links: NavLink[]) => (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {links.map((link) => (
          <li key={link.label}>
            <GoTo {...link}>{link.label}</GoTo>
          </li>
        ))}
      </ul>
    </section>
  );
  return (
    <footer className="footer">
      <div className="footer-inner">
        <div className="footer-brand">
          <Logo />
        </div>
        {column('Integration', integrationLinks)}
        {column('Support', supportLinks(config))}
        <section aria-label="Legal">
          <h2>Legal</h2>
          <ul>
            {legalEntries.map((entry) => (
              <li key={entry}>
                <a href="#" onClick={(event) => event.preventDefault()}>
                  {entry}
                </a>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </footer>
  );
}
