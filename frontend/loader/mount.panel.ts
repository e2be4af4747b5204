import type { SignInMethodName } from '@orange-id/contract/sign-in.methods';
import type { OrangeIdError, OrangeIdUser } from './orange-id.types';
import { icons } from './panel.icons';
import { panelStyle } from './panel.style';

/** Who is signed in; `undefined` while that is not known. */
export type Shown = OrangeIdUser | null | undefined;

/** What a mounted button or panel shows and does. */
export interface PanelSource {
  read(): Shown;
  portal: string;
  /** The methods to offer; rejects if the portal refuses this page. The answer is kept unless `isAgain`. */
  getMethods(isAgain?: boolean): Promise<SignInMethodName[]>;
  signIn(options?: { method?: SignInMethodName }): Promise<unknown>;
  signOut(): Promise<void>;
  report(error: unknown): void;
  watch(render: () => void): () => void;
}

const order: readonly SignInMethodName[] = ['google', 'apple', 'email', 'wallet'];
const titles = { google: 'Google', apple: 'Apple', email: 'email', wallet: 'wallet' };

function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Built as elements, because a page may forbid HTML from text (Trusted Types). */
function icon(name: keyof typeof icons): SVGElement {
  const [svg, path] = ['svg', 'path'].map((tag) =>
    document.createElementNS('http://www.w3.org/2000/svg', tag),
  ) as [SVGElement, SVGElement];
  const size = name === 'mark' ? 32 : 24;
  svg.setAttribute('viewBox', `0 0 ${size} ${size}`);
  svg.setAttribute('aria-hidden', 'true');
  path.setAttribute('fill-rule', 'evenodd');
  path.setAttribute('d', icons[name]);
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
  root.adoptedStyleSheets = [panelStyle()];
  element.append(host);
  let methods: SignInMethodName[] = [];

  const alert = make('p', { role: 'alert' });
  const fail = (error: unknown) => (alert.textContent = (error as OrangeIdError).message);

  function button(children: (Node | string)[], act: () => Promise<unknown>, kind = ''): HTMLButtonElement {
    const made = make('button', { type: 'button', class: kind }, ...children);
    made.addEventListener('click', () => {
      alert.textContent = '';
      made.setAttribute('aria-busy', 'true');
      act()
        .catch((error: OrangeIdError) => {
          // Whoever closes the window knows that.
          if (error.code !== 'cancelled') fail(error);
          source.report(error);
        })
        .finally(() => made.removeAttribute('aria-busy'));
    });
    return made;
  }

  function signedOut(): Node[] {
    if (alert.dataset['refused']) return [alert, button(['Try again'], () => readMethods(true))];
    if (as === 'button') {
      return [button([icon('mark'), 'Sign in with Orange ID'], () => source.signIn(), 'main'), alert];
    }
    const buttons = order
      .filter((method) => methods.includes(method))
      .map((method) =>
        button([icon(method), `Continue with ${titles[method]}`], () => source.signIn({ method })),
      );
    const note = make('p', {}, `You sign in at ${new URL(source.portal).host}.`);
    return [make('h2', {}, 'Sign in'), ...buttons, alert, note];
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
    } else if (user === null) {
      content = signedOut();
      void readMethods();
    }
    root.replaceChildren(make('div', { class: as }, ...content));
    if (hadFocus) root.querySelector('button')?.focus();
  }

  /** Asks the portal which methods it has, and whether it lets this page sign people in at all. */
  async function readMethods(isAgain?: boolean): Promise<void> {
    const before = [methods.join(), alert.dataset['refused']].join();
    try {
      methods = await source.getMethods(isAgain);
      delete alert.dataset['refused'];
      if (isAgain) alert.textContent = '';
    } catch (error) {
      // Without an answer, the buttons still work: the portal's page says what is wrong.
      methods = ['email', 'wallet'];
      if ((error as OrangeIdError).code !== 'unreachable') {
        alert.dataset['refused'] = 'true';
        fail(error);
      }
    }
    if ([methods.join(), alert.dataset['refused']].join() !== before) render();
  }

  const stop = source.watch(render);
  render();
  return () => {
    stop();
    host.remove();
  };
}
