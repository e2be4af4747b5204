import { createElement, useSyncExternalStore, type ComponentType, type FunctionComponent } from 'react';

/** A component whose code loads only when it is about to be needed. */
export interface OnDemand<Props> {
  /** Loads the code once; rejects if that fails, and the next call tries again. */
  fetch(): Promise<void>;
  /** Renders the component once its code has loaded, nothing before. */
  Part: FunctionComponent<Props>;
  /** A hook: whether the code has loaded. */
  useIsThere(): boolean;
}

/** Unlike React's `lazy`, it can retry after a failure and start to load before rendering. */
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
