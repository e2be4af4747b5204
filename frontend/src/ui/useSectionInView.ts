import { useEffect, useState } from 'react';

/** A section counts as in view once its top is this far below the top of the window, in px. */
const topPx = 160;

/** The id of the section that the reader has scrolled to; `null` above the first one, and before the page has hydrated. */
export function useSectionInView(sections: readonly { id: string }[]): string | null {
  const [current, setCurrent] = useState<string | null>(null);
  const ids = sections.map(({ id }) => id).join();
  useEffect(() => {
    let request = 0;
    const look = () => {
      request = 0;
      const isEnd = scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
      const passed = ids.split(',').filter((id) => {
        const { top, height } = document.getElementById(id)?.getBoundingClientRect() ?? { top: 0, height: 0 };
        // Without a height it is in a hidden tab.
        return height > 0 && (isEnd || top <= topPx);
      });
      setCurrent(passed.at(-1) ?? null);
    };
    // Measures once a frame, and first once the page is painted.
    const plan = () => (request ||= requestAnimationFrame(look));
    plan();
    window.addEventListener('scroll', plan, { passive: true });
    return () => {
      window.removeEventListener('scroll', plan);
      cancelAnimationFrame(request);
    };
  }, [ids]);
  return current;
}
