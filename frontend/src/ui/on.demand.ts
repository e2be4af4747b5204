import { createElement, useSyncExternalStore, type ComponentType, type FunctionComponent } from 'react';

/** A component whose code is fetched only when somebody is about to need it. */
interface OnDemand<Props> {
  /** Fetches the code, once; rejects when it cannot be fetched, and then the next call tries again. */
  fetch(): Promise<void>;
  /** Draws the component once its code is there, nothing before. */
  Part: FunctionComponent<Props>;
  /** A hook: whether the code is there. */
  useIsThere(): boolean;
}

/** Unlike React's `lazy`, a fetch that failed once is no failure for good, and it can begin before anything is drawn. */
export function onDemand<Props extends object>(load: () => Promise<ComponentType<Props>>): OnDemand<Props> {
  let part: ComponentType<Props> | null = null;
  let fetching: Promise<void> | null = null;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const usePart = () =>
    useSyncExternalStore(
      subscribe,
      () => part,
      () => null,
    );
  return {
    fetch: () =>
      (fetching ??= load().then(
        (loaded) => {
          part = loaded;
          listeners.forEach((listener) => listener());
        },
        (error: unknown) => {
          fetching = null;
          throw error;
        },
      )),
    Part: function Part(props) {
      const there = usePart();
      return there && createElement(there, props);
    },
    useIsThere: () => usePart() !== null,
  };
}
