/** Where the page drawn ahead names its scripts, a list of addresses in JSON: the entry first, then all it imports. */
export const scriptListId = 'portal-scripts';

/** What surrounds every page, and the page itself, whose code comes apart. */
type PagePart = 'shell' | 'page';

const tookOver = 'portal:took-over';
const signs = ['pointermove', 'pointerdown', 'keydown', 'scroll'] as const;

/**
 * Fetches the scripts of a page drawn ahead: once it is painted, at the first sign that somebody means to use it, or
 * at once when it is not the page to show. A button pressed before they run is pressed again when they do. Pages that
 * were not drawn ahead name no scripts and ask for them by themselves.
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
      // The page can be read all the same; the next sign tries again.
      script.remove();
      isFetched = false;
    };
    document.head.append(script);
  };
  if (isReturning) return fetchAll();
  /** Browsers send a `pointermove` for a pointer that rests where the page appears; it says nothing about the person. */
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
    // Taken over because of this very press, the part gets it by itself.
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

/** Says that a part of the page drawn ahead answers by itself from now on. */
export function sayTookOver(part: PagePart): void {
  document.dispatchEvent(new CustomEvent(tookOver, { detail: part }));
}
