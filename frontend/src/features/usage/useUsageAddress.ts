import { useMemo } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { readAddress, writeAddress, type UsageAddress, type UsageView } from './usage.view';

/** Set on history entries that this page made by opening a call, so that closing it goes back instead of on. */
const openedHere = { isCallOpenedHere: true };

/** What the address bar says now, which is ahead of what is drawn while a change is being drawn. */
const readNow = () => readAddress(new URLSearchParams(window.location.search));

/** The address of the page, read and written; every change keeps what it does not name. */
export function useUsageAddress() {
  const [query, setQuery] = useSearchParams();
  const navigate = useNavigate();
  const { state } = useLocation() as { state: Partial<typeof openedHere> | null };
  const text = query.toString();
  const address = useMemo(() => readAddress(new URLSearchParams(text)), [text]);
  const { view: found, isCompared } = address;
  // Opening a call or comparing asks for no other figures.
  const viewKey = writeAddress({ view: found, isCompared: true, call: null }).toString();
  const view = useMemo(() => readAddress(new URLSearchParams(viewKey)).view, [viewKey]);

  const go = (part: Partial<UsageAddress>, replace = false) =>
    setQuery(writeAddress({ ...readNow(), call: null, ...part }), { replace, preventScrollReset: true });
  return {
    ...address,
    view,
    /** Names the view: another one, another key. */
    viewKey,
    /** Changes the parts that are named; an empty filter is none. */
    show: (part: Partial<UsageView>) => go({ view: { ...readNow().view, ...part } }),
    compare: (next: boolean) => go({ isCompared: next, call: readNow().call }, true),
    /** Drops from the address what could not be understood. */
    tidy: () => go({ call: readNow().call }, true),
    /** The address with this call open, as a link relative to the page. */
    callHref: (call: number) => `?${writeAddress({ view, isCompared, call }).toString()}`,
    /** Drawn at once: an Escape that comes as soon as the address has the call would meet nobody to hear it. */
    openCall: (call: number) =>
      setQuery(writeAddress({ ...readNow(), call }), {
        state: openedHere,
        preventScrollReset: true,
        flushSync: true,
      }),
    closeCall: () => (state?.isCallOpenedHere ? void navigate(-1) : go({}, true)),
  };
}
