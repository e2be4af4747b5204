/** The id of the template in the prerendered page that contains its scripts. */
export const waitingScriptsId = 'portal-scripts';

/**
 * Loads the scripts of a prerendered page after it is painted, because they would delay its first paint; at once if
 * they replace the page. Other pages have no such template.
 */
export function loadWaitingScripts({ isReplaced }: { isReplaced: boolean }): void {
  const load = () => {
    const template = document.querySelector<HTMLTemplateElement>(`#${waitingScriptsId}`);
    if (template) document.head.append(template.content);
  };
  if (isReplaced) document.addEventListener('DOMContentLoaded', load);
  else addEventListener('load', () => requestAnimationFrame(() => setTimeout(load)));
}
