/* global window, document, localStorage, requestAnimationFrame, MessageChannel, MutationObserver, Node, PerformanceObserver */

/** Runs in the page before its own code: records when each row was painted, and what blocked the page. */
export function watch() {
  const seen = { rows: {}, longTasks: [], longFrames: [] };
  window.seen = seen;
  const epoch = (time) => performance.timeOrigin + time;
  let fresh = [];
  const { port1, port2 } = new MessageChannel();
  // A message posted in a frame arrives after that frame is painted.
  port1.onmessage = () => {
    const at = epoch(performance.now());
    for (const origin of fresh) seen.rows[origin] ??= at;
    fresh = [];
  };
  const rowsIn = (node) => (node.matches('tr[data-seq]') ? [node] : node.querySelectorAll('tr[data-seq]'));
  new MutationObserver((changes) => {
    const isFirst = fresh.length === 0;
    for (const { addedNodes } of changes) {
      for (const node of addedNodes) {
        if (node.nodeType !== Node.ELEMENT_NODE) continue;
        for (const row of rowsIn(node)) fresh.push(row.querySelector('[data-cell="origin"]').textContent);
      }
    }
    if (isFirst && fresh.length > 0) requestAnimationFrame(() => port2.postMessage(null));
  }).observe(document, { childList: true, subtree: true });
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      seen.longTasks.push({ at: epoch(startTime), ms: Math.round(duration) });
    }
  }).observe({ type: 'longtask', buffered: true });
  // Reports which scripts a slow frame ran, and for how long.
  new PerformanceObserver((list) => {
    for (const { startTime, duration, scripts, renderStart, styleAndLayoutStart } of list.getEntries()) {
      seen.longFrames.push({
        at: epoch(startTime),
        ms: Math.round(duration),
        layoutMs: Math.round(startTime + duration - (styleAndLayoutStart || renderStart)),
        scripts: scripts.map((script) => ({
          ms: Math.round(script.duration),
          invoker: script.invoker,
          source: `${script.sourceURL.split('/').at(-1)}:${script.sourceFunctionName}`,
        })),
      });
    }
  }).observe({ type: 'long-animation-frame', buffered: true });
}

/** Runs in the page before its own code: stores the entries that a sign-in leaves in the browser. */
export function signIn({ accessToken, refreshToken }) {
  localStorage.setItem('accessToken', accessToken);
  localStorage.setItem('refreshToken', refreshToken);
  localStorage.setItem(
    'passport-token',
    JSON.stringify({ state: { accessToken, refreshToken }, version: 0 }),
  );
}
