import { useMemo } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { readAddress, writeAddress, type UsageAddress, type UsageView } from './usage.view';

/** The state of history entries that this page added by opening a call, so that closing the call goes back. */
const openedHere = { isCallOpenedHere: true };

/** The current URL, which is ahead of the rendered state while a change is being rendered. */
const readNow = () => readAddress(new URLSearchParams(window.location.search));

/** Reads and writes the page's URL; each change keeps the parts it does not name. */
export function useUsageAddress() {
  const [query, setQuery] = useSearchParams();
  const navigate = useNavigate();
  const { state } = useLocation() as { state: Partial<typeof openedHere> | null };
  const text = query.toString();
  const address = useMemo(() => readAddress(new URLSearchParams(text)), [text]);
  const { view: found, isCompared } = address;
  // Opening a call or comparing changes no figures, so `view` stays the same object.
  const viewKey = writeAddress({ view: found, isCompared: true, call: null }).toString();
  const view = useMemo(() => readAddress(new URLSearchParams(viewKey)).view, [viewKey]);

  const go = (part: Partial<UsageAddress>, replace = false) =>
    setQuery(writeAddress({ ...readNow(), call: null, ...part }), { replace, preventScrollReset: true });
  return {
    ...address,
    view,
    /** A key that changes with the view. */
    viewKey,
    /** Changes the named parts of the view; an empty value removes a filter. */
    show: (part: Partial<UsageView>) => go({ view: { ...readNow().view, ...part } }),
    compare: (next: boolean) => go({ isCompared: next, call: readNow().call }, true),
    /** Removes from the URL what could not be read. */
    tidy: () => go({ call: readNow().call }, true),
    /** The URL with this call open, as a link relative to the page. */
    callHref: (call: number) => `?${writeAddress({ view, isCompared, call }).toString()}`,
    /** Renders synchronously: otherwise no listener would handle an Escape right after the URL change. */
    openCall: (call: number) =>
      setQuery(writeAddress({ ...readNow(), call }), {
        state: openedHere,
        preventScrollReset: true,
        flushSync: true,
      }),
    closeCall: () => (state?.isCallOpenedHere ? void navigate(-1) : go({}, true)),
  };
}
