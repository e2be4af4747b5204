import { createOrangeId } from './orange.id';

/**
 * Reads its own script element, sets the one global `OrangeID`, and mounts the elements that ask for it. A second copy
 * on the same page leaves the first one in place.
 */
function start(script: HTMLOrSVGScriptElement | null): void {
  const { project, callback } = script?.dataset ?? {};
  if (!(script instanceof HTMLScriptElement) || !project) {
    console.error('Orange ID: the script tag needs data-project, and no type="module".');
    return;
  }
  const portal = new URL(script.src).origin;
  window.OrangeID = createOrangeId({ portal, projectId: project, callback }, window);
  const mountAll = () => {
    for (const element of document.querySelectorAll('[data-orange-id]')) {
      const as = element.getAttribute('data-orange-id') === 'panel' ? 'panel' : 'button';
      window.OrangeID.mount(element, { as });
    }
  };
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', mountAll);
  else mountAll();
}

// The declared type says that the global exists, which it does once this script has run.
if (!(window as { OrangeID?: unknown }).OrangeID) start(document.currentScript);
