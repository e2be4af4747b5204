const script = typeof document === 'undefined' ? null : document.currentScript;

/** Where this widget was loaded from; known only while its script runs, so it is read at once. */
export const widgetAddress: string | null = script instanceof HTMLScriptElement ? script.src : null;
