import { useEffect } from 'react';

declare global {
  interface Window {
    /** What an analytics tag of the operator reads; nothing leaves the page without one. */
    dataLayer?: unknown[];
  }
}

/** Adds a page view to the analytics data layer once the page shows. The address has neither query nor anchor. */
export function usePageView(path: string, title: string): void {
  useEffect(() => {
    (window.dataLayer ??= []).push({
      event: 'page_view',
      page_path: path,
      page_location: `${location.origin}${path}`,
      page_title: title,
    });
  }, [path, title]);
}
