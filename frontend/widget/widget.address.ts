const script = typeof document === 'undefined' ? null : document.currentScript;

/** The URL this widget was loaded from. It is known only while the script runs, so it is read immediately. */
export const widgetAddress: string | null = script instanceof HTMLScriptElement ? script.src : null;
