/** Every text below calls this if its script runs. For tests only. */
export const canary = '__ran';
/** No page of the portal has a reason to contact this host. */
export const strangeHost = 'xss.example.com';

/** Texts that act as a script, a URL or markup if they are not rendered as text. Each fits the shortest field. */
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
 * The elements of `document` that run or link to an injected script, or exist only in the texts above. The function
 * refers to nothing outside itself, so that a browser test can run it in a page.
 */
export function scriptsInDocument(): string[] {
  return [...document.querySelectorAll('*')].flatMap((element) => {
    const sandbox = element.getAttribute('sandbox') ?? '';
    const attributes = [...element.attributes].filter(
      ({ name, value }) =>
        name.startsWith('on') ||
        // Accepts the frames of `/dev/mailbox`: their sandbox runs no script, and `expectClean` checks their content
        // separately.
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
