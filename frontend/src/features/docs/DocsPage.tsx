import '../../ui/light-card.css';
import '../../ui/ui.css';
import { SearchOutlined } from '@ant-design/icons';
import { sectionText } from '@orange-id/contract/docs.blocks';
import { docsSections } from '@orange-id/contract/docs.content';
import { findInDocs, type DocsGroup } from '@orange-id/contract/docs.reference';
import { docsTabOf, type DocsTab } from '@orange-id/contract/docs.tabs';
import type { Project } from '@orange-id/contract/projects.schema';
import type { MeteredRouteId } from '@orange-id/contract/metered.paths';
import { useEffect, useLayoutEffect, useMemo, useState, type ComponentType } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { useConfig } from '../../api/config/config.context';
import { CodeKey, CodeProject } from '../../ui/DocsCode';
import { LightButton } from '../../ui/LightButton';
import { useHydrated } from '../../ui/useHydrated';
import { endpointOf, endpointParameter } from '@orange-id/contract/docs.url';
import type { ExampleKeyProps } from './ExampleKey';
import { DocsCatalogue, DocsReference } from './DocsReference';
import { DocsPanel, DocsTabs } from './DocsTabs';
import { DocsContents, DocsHeading, DocsSections } from '../../ui/DocsText';
import textStyles from '../../ui/docs-text.module.css';
import searchFieldStyles from '../../ui/search-field.module.css';
import styles from './docs.module.css';

export interface ExplorerProps {
  endpoint: MeteredRouteId;
  onEndpoint: (endpoint: MeteredRouteId) => void;
  /** Called with the id of the key that is chosen by name, or null. */
  onKey: (id: string | null) => void;
}

const catalogue = { id: 'overview-endpoints', title: 'Endpoints' };

/** Query parameter with the ID or name of the project whose values the code shows. */
const projectParameter = 'project';

/** Query parameter with the search text. */
const searchParameter = 'q';
const searchUrlDelayMs = 300;

interface DocsPageProps {
  Explorer: ComponentType<ExplorerProps>;
  ExampleKey: ComponentType<ExampleKeyProps>;
}

/**
 * The documentation: four tabs, selected by the hash of the URL. It is rendered at build time and hydrated, so its
 * first render depends only on the configuration. `Explorer` and `ExampleKey` load their own code.
 */
export function DocsPage({ Explorer, ExampleKey }: DocsPageProps) {
  const { publicUrl, identity } = useConfig();
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const isHydrated = useHydrated();
  const tab = isHydrated ? docsTabOf(hash) : 'overview';
  // Before hydration as in the prerendered page, which knows no hosted identity service.
  const identityUrl = isHydrated ? identity.baseUrl : publicUrl;
  const {
    overview: [firstCall, ...others],
    authentication,
  } = useMemo(() => docsSections(publicUrl, identityUrl), [publicUrl, identityUrl]);
  const [text, search] = useSearch(tab);
  const groups = useMemo(() => findInDocs(text), [text]);
  const sections = useMemo(() => {
    const words = text.trim().toLowerCase().split(/\s+/);
    return [firstCall, ...others, ...authentication].filter((section) => {
      const said = sectionText(section).toLowerCase();
      return text.trim() !== '' && words.every((word) => said.includes(word));
    });
  }, [text, firstCall, others, authentication]);
  // Kept in state, because the URLs of the other tabs don't contain it.
  const [endpoint, setEndpoint] = useState<MeteredRouteId>('walletBalance');
  const named = endpointOf(query);
  if (named !== null && named !== endpoint) setEndpoint(named);
  // The explorer stays mounted once it has been opened, so that its input survives a visit to another tab.
  const [isExplorerOpened, setExplorerOpened] = useState(false);
  if (isHydrated && tab === 'explorer' && !isExplorerOpened) setExplorerOpened(true);

  const [chosenKey, setChosenKey] = useState<string | null>(null);
  const [exampleKey, setExampleKey] = useState<string | null>(null);
  const [projects, setProjects] = useState<readonly Project[]>([]);
  const wanted = query.get(projectParameter);
  const exampleProject =
    projects.find(({ code, projectName }) => wanted === code || wanted === projectName) ??
    (projects.length === 1 ? projects[0] : undefined) ??
    null;

  // The attribute that `boot.ts` sets is needed only before hydration.
  useLayoutEffect(() => {
    if (isHydrated) delete document.documentElement.dataset.docsTab;
  }, [isHydrated]);

  // On the way from another page the router looks for the anchor before this page's code has loaded.
  const [arrival] = useState(isHydrated ? hash.slice(1) : '');
  useLayoutEffect(() => {
    // Newer browsers return a promise, which React would call as the effect's clean-up.
    void document.getElementById(arrival)?.scrollIntoView();
  }, [arrival]);

  return (
    <CodeKey value={exampleKey}>
      <div className={styles.root}>
        {isHydrated && <ExampleKey chosen={chosenKey} onKey={setExampleKey} onProjects={setProjects} />}
        <div className={`page-head ${styles.head}`}>
          <div className="page-head-words">
            <h1>Documentation</h1>
            <p className={styles.lead}>
              Call wallet and token endpoints with one API key, and watch your calls arrive live.
            </p>
          </div>
          <div className={`${searchFieldStyles.root} ${styles.search}`} role="search">
            <SearchOutlined aria-hidden />
            <input
              type="search"
              aria-label="Search documentation"
              placeholder="Search documentation"
              autoComplete="off"
              maxLength={100}
              disabled={!isHydrated}
              value={text}
              onChange={({ target }) => search(target.value)}
            />
          </div>
        </div>
        <DocsTabs tab={tab} />
        <DocsPanel name="overview" tab={tab}>
          <DocsContents links={[firstCall, catalogue, ...others]} />
          <div className={textStyles.text}>
            <DocsSections sections={[firstCall]} />
            <section id={catalogue.id} className={textStyles.section} aria-label={catalogue.title}>
              <DocsHeading {...catalogue} level={2} />
              <p>
                The API reads balances, transactions and tokens from Ethereum mainnet, connects wallets to
                your project, and records every call for you.
              </p>
              <DocsCatalogue />
            </section>
            <DocsSections sections={others} />
          </div>
        </DocsPanel>
        <DocsPanel name="authentication" tab={tab}>
          <DocsContents links={authentication} />
          <div className={textStyles.text}>
            {projects.length > 1 && (
              <label className={styles.project}>
                Code for
                <select
                  value={exampleProject?.code ?? ''}
                  onChange={({ target }) =>
                    void navigate(
                      { search: `?${new URLSearchParams({ [projectParameter]: target.value })}`, hash },
                      { replace: true, preventScrollReset: true },
                    )
                  }
                >
                  <option value="" disabled>
                    Choose a project
                  </option>
                  {projects.map(({ code, projectName }) => (
                    <option key={code} value={code}>
                      {projectName}
                    </option>
                  ))}
                </select>
              </label>
            )}
            <CodeProject value={exampleProject}>
              <DocsSections sections={authentication} />
            </CodeProject>
          </div>
        </DocsPanel>
        <DocsPanel name="reference" tab={tab}>
          <DocsContents links={groups.flatMap(({ endpoints }) => endpoints)} />
          <div className={textStyles.text}>
            <Found text={text} groups={groups} sections={sections} onClear={() => search('')} />
            <DocsReference groups={groups} />
          </div>
        </DocsPanel>
        <DocsPanel name="explorer" tab={tab}>
          {isExplorerOpened ? (
            <Explorer
              endpoint={endpoint}
              onKey={setChosenKey}
              onEndpoint={(endpoint) =>
                void navigate(
                  { search: `?${endpointParameter}=${endpoint}`, hash: 'explorer' },
                  { replace: true, preventScrollReset: true },
                )
              }
            />
          ) : (
            <p className={styles.lead}>The API Explorer sends calls from this page. It needs JavaScript.</p>
          )}
        </DocsPanel>
      </div>
    </CodeKey>
  );
}

/**
 * The search text and its setter. Typing opens the API reference, which shows the matches; `searchUrlDelayMs` later the
 * text is in the URL.
 */
function useSearch(tab: DocsTab) {
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const isHydrated = useHydrated();
  const inUrl = query.get(searchParameter) ?? '';
  const [text, setText] = useState('');
  const [written, setWritten] = useState('');
  const [read, setRead] = useState('');

  // The search in the URL has changed: on arrival, by Back or by a link. A search that this hook wrote is already
  // shown.
  if (isHydrated && inUrl !== read) {
    setRead(inUrl);
    if (inUrl !== written) setText(inUrl);
    setWritten(inUrl);
  }

  // Browsers limit how often a page may replace its URL.
  useEffect(() => {
    if (text === written) return;
    const timer = setTimeout(() => {
      setWritten(text);
      const search = text === '' ? '' : `?${new URLSearchParams({ [searchParameter]: text })}`;
      void navigate({ search, hash: 'reference' }, { replace: true, preventScrollReset: true });
    }, searchUrlDelayMs);
    return () => clearTimeout(timer);
  }, [text, written, navigate]);

  const search = (next: string) => {
    setText(next);
    if (tab !== 'reference') void navigate({ hash: 'reference' });
  };
  return [text, search] as const;
}

interface FoundProps {
  text: string;
  groups: readonly DocsGroup[];
  sections: readonly { id: string; title: string }[];
  onClear: () => void;
}

/** How many endpoints match the search, the sections of other tabs that do, and a button that clears it; empty without a search. */
function Found({ text, groups, sections, onClear }: FoundProps) {
  const isSearch = text.trim() !== '';
  const count = groups.reduce((sum, { endpoints }) => sum + endpoints.length, 0);
  return (
    <div className={styles.found}>
      <p role="status" aria-label="Search">
        {isSearch &&
          `${count === 0 ? 'No endpoint matches' : count === 1 ? '1 endpoint matches' : `${count} endpoints match`} “${text.trim()}”.`}
      </p>
      {sections.length > 0 && (
        <p className={styles.foundSections}>
          <span>See also: </span>
          {sections.map(({ id, title }, place) => (
            <span key={id}>
              <span>{place > 0 && ', '}</span>
              <Link to={{ hash: id }}>{title}</Link>
            </span>
          ))}
        </p>
      )}
      {isSearch && (
        <LightButton size="small" onClick={onClear}>
          Clear search
        </LightButton>
      )}
    </div>
  );
}
