import { brandOrange } from '@orange-id/contract/brand.mark';
import type { PanelLook } from '@orange-id/contract/appearance.schema';
import type { SignInMethodName } from '@orange-id/contract/sign-in.methods';
import type { OrangeIdError, OrangeIdUser } from './orange-id.types';
import { make } from './make.element';
import { panelStyle } from './panel.style';

/** Who is signed in; `undefined` while that is not known. */
export type Shown = OrangeIdUser | null | undefined;

/** What a mounted button or panel shows and does. */
export interface PanelSource {
  read(): Shown;
  portal: string;
  /** What to show; rejects if the portal refuses this page. The answer is kept unless `isAgain`. */
  getLook(isAgain?: boolean): Promise<PanelLook>;
  signIn(options?: { method?: SignInMethodName }): Promise<unknown>;
  signOut(): Promise<void>;
  report(error: unknown): void;
  watch(render: () => void): () => void;
}

/** A path as an icon. Built as elements, because a page may forbid HTML from text (Trusted Types). */
function icon(shape: string, size = 24): SVGElement {
  const [svg, path] = ['svg', 'path'].map((tag) =>
    document.createElementNS('http://www.w3.org/2000/svg', tag),
  ) as [SVGElement, SVGElement];
  svg.setAttribute('viewBox', `0 0 ${size} ${size}`);
  svg.ariaHidden = 'true';
  path.setAttribute('d', shape);
  svg.append(path);
  return svg;
}

/**
 * Shows a button or a panel in an element, in a shadow root, so that neither the page's style nor the panel's affects
 * the other. It asks for no password and no signature: each button opens the portal's page.
 */
export function mountPanel(element: Element, as: 'button' | 'panel', source: PanelSource): () => void {
  const host = make('div');
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [panelStyle];
  element.append(host);
  let look: Partial<PanelLook> & Pick<PanelLook, 'methods'> = { methods: [] };

  const alert = make('p', { role: 'alert' });
  const fail = (error: unknown) => (alert.textContent = (error as OrangeIdError).message);

  function button(children: (Node | string)[], act: () => Promise<unknown>, kind = ''): HTMLButtonElement {
    const made = make('button', { type: 'button', class: kind }, ...children);
    made.addEventListener('click', () => {
      alert.textContent = '';
      made.ariaBusy = 'true';
      act()
        .catch((error: OrangeIdError) => {
          // Whoever closes the window knows that.
          if (error.code !== 'cancelled') fail(error);
          source.report(error);
        })
        .finally(() => (made.ariaBusy = null));
    });
    return made;
  }

  function signedOut(): Node[] {
    if (alert.dataset['refused']) return [alert, button(['Try again'], () => readLook(true))];
    if (as === 'button') {
      return [
        button([icon(brandOrange, 32), 'Sign in with Orange ID'], () => source.signIn(), 'main'),
        alert,
      ];
    }
    const buttons = look.methods.flatMap((method) => {
      const [text, above = ''] = look.buttons?.[method] ?? [`Continue with ${method}`];
      const kind = method === 'wallet' ? 'main' : '';
      const shape = look.icons?.[method] ?? '';
      const made = button([icon(shape), text as string], () => source.signIn({ method }), kind);
      return [make('p', { class: 'or' }, above), made];
    });
    const logo = look.logo ? [make('img', look.logo)] : [];
    const legal = (look.legal ?? []).map(([text, href]) =>
      href ? make('a', { href, target: '_blank' }, text as string) : (text as string),
    );
    const note = make('p', {}, `You sign in at ${new URL(source.portal).host}.`, ...legal);
    return [make('h2', {}, look.title ?? 'Sign in', ...logo), ...buttons, alert, note];
  }

  function render(): void {
    const user = source.read();
    const hadFocus = root.activeElement !== null;
    let content: Node[] = [];
    if (user) {
      const name = user.displayName || user.email || user.ethAddress;
      const who = make(
        'p',
        { class: 'who' },
        ...(name ? ['Signed in as ', make('b', {}, name)] : ['Signed in']),
      );
      content = [who, button(['Sign out'], source.signOut), alert];
    } else if (user === null) content = signedOut();
    if (user !== undefined) void readLook();
    root.replaceChildren(make('div', { class: as }, ...content));
    if (hadFocus) root.querySelector('button')?.focus();
  }

  /** Asks the portal what to show, and whether it lets this page sign people in at all. */
  async function readLook(isAgain?: boolean): Promise<void> {
    const shown = () => String(look.methods) + alert.dataset['refused'];
    const before = shown();
    try {
      look = await source.getLook(isAgain);
      delete alert.dataset['refused'];
      if (isAgain) alert.textContent = '';
    } catch (error) {
      // Without an answer, the buttons still work: the portal's page says what is wrong.
      look = { methods: ['email', 'wallet'] };
      if ((error as OrangeIdError).code !== 'unreachable') {
        alert.dataset['refused'] = 'true';
        fail(error);
      }
    }
    if (shown() !== before) render();
  }

  const stop = source.watch(render);
  render();
  return () => {
    stop();
    host.remove();
  };
}
