/**
 * The id of the element in a prerendered page that lists its scripts as a JSON array of URLs: the entry first, then all
 * its imports.
 */
export const scriptListId = 'portal-scripts';

/** The shell around every page, and the page itself; each hydrates separately. */
type PagePart = 'shell' | 'page';

const tookOver = 'portal:took-over';
const signs = ['pointermove', 'pointerdown', 'keydown', 'scroll'] as const;

/**
 * Loads the scripts of a prerendered page: after it is painted, at the first sign of use, or at once if the page isn't
 * the one to show. A button clicked before they run is clicked again afterwards. Pages that aren't prerendered list no
 * scripts and load their own.
 */
export function bringScripts({ isReturning }: { isReturning: boolean }): void {
  const [entry, ...imports] = JSON.parse(
    document.getElementById(scriptListId)?.textContent ?? '[]',
  ) as string[];
  if (!entry) return;

  let isFetched = false;
  const fetchAll = () => {
    if (isFetched) return;
    isFetched = true;
    for (const href of imports) {
      document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
    }
    const script = Object.assign(document.createElement('script'), { type: 'module', src: entry });
    script.onerror = () => {
      // The page is readable without scripts; the next sign of use tries again.
      script.remove();
      isFetched = false;
    };
    document.head.append(script);
  };
  if (isReturning) return fetchAll();
  /** Browsers send a `pointermove` for a resting pointer when the page appears, which is no sign of use. */
  const onSign = (event: Event) => {
    const isResting = event.type === 'pointermove' && !movedBy(event as PointerEvent);
    if (!isResting) fetchAll();
  };

  const answering = new Set<PagePart>();
  let pressed: { button: Element; part: PagePart; event: MouseEvent } | null = null;
  const onClick = (event: MouseEvent) => {
    const button = (event.target as Element).closest('button');
    const part = button?.closest('main') ? 'page' : 'shell';
    if (button && !answering.has(part)) pressed = { button, part, event };
  };
  const onTakeOver = ({ detail: part }: CustomEvent<PagePart>) => {
    answering.add(part);
    signs.forEach((sign) => document.removeEventListener(sign, onSign));
    if (pressed?.part !== part) return;
    const { button, event } = pressed;
    pressed = null;
    // This click triggered the hydration, so the part receives it anyway.
    if (event.eventPhase !== Event.NONE) return;
    setTimeout(() =>
      button.dispatchEvent(
        new MouseEvent('click', { bubbles: true, cancelable: true, detail: event.detail }),
      ),
    );
  };
  signs.forEach((sign) => document.addEventListener(sign, onSign, { passive: true }));
  document.addEventListener('click', onClick, true);
  document.addEventListener(tookOver, onTakeOver as EventListener);
  addEventListener('load', () => requestAnimationFrame(() => setTimeout(fetchAll)), { once: true });
}

const movedBy = ({ movementX, movementY }: PointerEvent): boolean => movementX !== 0 || movementY !== 0;

/** Announces that a part of the prerendered page has hydrated and handles its own events. */
export function sayTookOver(part: PagePart): void {
  document.dispatchEvent(new CustomEvent(tookOver, { detail: part }));
}
