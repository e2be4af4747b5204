/** Called by every text below whose script runs. This file is for tests alone. */
export const canary = '__ran';
/** No page of the portal has a reason to ask this host for anything. */
export const strangeHost = 'xss.example.com';

/** Text that is a script, an address or a mark where it is not shown as text. Each fits the shortest field there is. */
export const hostileTexts = [
  `<script>${canary}()</script>`,
  `</script><script>${canary}()</script>`,
  `</title><script>${canary}()</script>`,
  `<img src=x onerror=${canary}()>`,
  `<svg onload=${canary}()>`,
  `<iframe src=javascript:parent.${canary}()>`,
  `"><b class=injected onclick=${canary}()>`,
  `' autofocus onfocus=${canary}() x='`,
  `<a href=javascript:${canary}()>x</a>`,
  `<base href=//${strangeHost}>`,
  `<link rel=icon href=//${strangeHost}>`,
  `javascript:${canary}()`,
  `data:text/html,<script>${canary}()</script>`,
  `[a](javascript:${canary}())`,
  `![a](//${strangeHost}/a.png)`,
  `&lt;img src=x onerror=${canary}()&gt;`,
  `%3Cscript%3E${canary}()%3C/script%3E`,
  `{{constructor.constructor('${canary}()')()}}`,
  `\${${canary}()}`,
  `=HYPERLINK("//${strangeHost}")`,
] as const;

/**
 * The elements of `document` that run a script of their own, lead to one, or stand only in the texts above. It refers
 * to nothing outside itself, so that a browser test can run it in a page.
 */
export function scriptsInDocument(): string[] {
  return [...document.querySelectorAll('*')].flatMap((element) => {
    const sandbox = element.getAttribute('sandbox') ?? '';
    const attributes = [...element.attributes].filter(
      ({ name, value }) =>
        name.startsWith('on') ||
        // A mail in the mailbox: its frame runs no script, and what is in it is looked at too.
        (name === 'srcdoc' &&
          (sandbox.includes('allow-scripts') || !sandbox.startsWith('allow-top-navigation'))) ||
        (/^(href|src|action|formaction|data)$/.test(name) &&
          /^\s*(javascript|vbscript|data:text)/i.test(value)),
    );
    const isInjected =
      element.classList.contains('injected') || ['BASE', 'OBJECT', 'EMBED'].includes(element.tagName);
    return attributes.length > 0 || isInjected ? [element.outerHTML.slice(0, 200)] : [];
  });
}
