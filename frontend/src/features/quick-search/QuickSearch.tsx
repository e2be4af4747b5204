import { SearchOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useMemo, useState, type KeyboardEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { isComposing } from '@orange-id/contract/typed.key';
import { queryKeys } from '../../api/cache/query.keys';
import { getPosts } from '../../api/community/forum.calls';
import { useConfig } from '../../api/config/config.context';
import { useSavedKeys } from '../../api/keys/saved.keys';
import { useProjects } from '../../api/projects/get.projects';
import { useAuth } from '../../api/session/auth.context';
import {
  docsItems,
  findItems,
  keyItems,
  pageItems,
  postItems,
  projectItems,
  type SearchItem,
} from './search.items';
import searchFieldStyles from '../../ui/search-field.module.css';
import styles from './quick-search.module.css';

/** The content of the quick search: pages, projects, keys, endpoints and documentation. `onGo` closes it. */
export function QuickSearch({ onGo }: { onGo: () => void }) {
  return useAuth().isAuthenticated ? (
    <UserSearch onGo={onGo} />
  ) : (
    <Results items={pageItems(false)} onGo={onGo} />
  );
}

function UserSearch({ onGo }: { onGo: () => void }) {
  const projects = useProjects();
  const keys = useSavedKeys();
  const items = [...pageItems(true), ...projectItems(projects.data ?? []), ...keyItems(keys.data ?? [])];
  const failed = [projects.isError && 'projects', keys.isError && 'API keys'].filter(Boolean).join(' and ');
  const note = failed
    ? `Your ${failed} couldn’t be loaded, so they aren’t searched. Close this dialog and open it again to retry.`
    : projects.isPending || keys.isPending
      ? 'Loading your projects and API keys …'
      : null;
  return <Results items={items} note={note} onGo={onGo} />;
}

/** How many posts are listed, and from how many characters on and how long after the last key they are searched. */
const posts = { shown: 5, shortest: 3, typingMs: 250 } as const;

/** The posts of the community for a text; none while it is typed, or if the search fails. */
function useFoundPosts(text: string): SearchItem[] {
  const wanted = text.trim();
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(wanted), posts.typingMs);
    return () => clearTimeout(timer);
  }, [wanted]);
  const { data } = useQuery({
    queryKey: [...queryKeys.forum, 'found', settled],
    queryFn: ({ signal }) => getPosts({ q: settled, limit: posts.shown }, signal),
    enabled: settled.length >= posts.shortest,
    gcTime: 0,
  });
  return settled === wanted && settled.length >= posts.shortest ? postItems(data?.posts ?? []) : [];
}

interface ResultsProps {
  items: readonly SearchItem[];
  note?: string | null;
  onGo: () => void;
}

/** A combobox (WAI-ARIA): the focus stays in the field, and the arrow keys move through the list below it. */
function Results({ items, note = null, onGo }: ResultsProps) {
  const { publicUrl, identity } = useConfig();
  const navigate = useNavigate();
  const id = useId();
  const [text, setText] = useState('');
  const [place, setPlace] = useState(0);
  const documentation = useMemo(() => docsItems(publicUrl, identity.baseUrl), [publicUrl, identity.baseUrl]);
  const foundPosts = useFoundPosts(text);
  const found = [...findItems([...items, ...documentation], text), ...foundPosts];
  // Projects and keys arrive later than the pages.
  const active = Math.min(place, found.length - 1);

  const go = ({ to }: SearchItem) => {
    onGo();
    void navigate(to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    const chosen = found[active];
    const next = {
      ArrowDown: (active + 1) % found.length,
      ArrowUp: (active - 1 + found.length) % found.length,
      Home: 0,
      End: found.length - 1,
    }[event.key];
    if (event.key === 'Enter' && chosen) go(chosen);
    else if (next !== undefined && chosen) {
      setPlace(next);
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' });
    } else return;
    event.preventDefault();
  };

  const groups = [...new Set(found.map(({ group }) => group))];
  return (
    <>
      <div className={`${searchFieldStyles.root} ${styles.field}`}>
        <SearchOutlined aria-hidden />
        <input
          role="combobox"
          aria-label="Search pages, projects, keys and documentation"
          aria-expanded={found.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={found.length > 0 ? `${id}-${active}` : undefined}
          aria-autocomplete="list"
          placeholder="Search pages, projects, keys and documentation"
          autoComplete="off"
          autoFocus
          maxLength={100}
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setPlace(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id={`${id}-list`} className={styles.list} role="listbox" aria-label="Results">
        {groups.map((group, number) => (
          <div key={group} role="group" aria-labelledby={`${id}-group-${number}`}>
            <p id={`${id}-group-${number}`} className={styles.group}>
              {group}
            </p>
            {found.map(
              (item, index) =>
                item.group === group && (
                  <div
                    key={item.to + item.title}
                    id={`${id}-${index}`}
                    role="option"
                    aria-selected={index === active}
                    className={styles.item}
                    onMouseMove={() => setPlace(index)}
                    // The focus stays in the field.
                    onMouseDown={(event) => event.preventDefault()}
                    onClick={() => go(item)}
                  >
                    <span>{item.title}</span>
                    <span className="note">{item.hint}</span>
                  </div>
                ),
            )}
          </div>
        ))}
      </div>
      <p className={`${styles.note} note`} role="status">
        <span>{found.length === 0 ? `Nothing matches “${text.trim()}”. ` : ''}</span>
        <span>{note}</span>
      </p>
    </>
  );
}
