/** Notes how wide a scrollbar is, for pages that keep its place free; zooming changes it. Works before there is a body. */
export function followScrollbarWidth(): void {
  const note = () => {
    const probe = document.createElement('div');
    probe.style.cssText = 'position:absolute;top:-100px;width:50px;height:50px;overflow:scroll';
    document.documentElement.append(probe);
    const width = probe.offsetWidth - probe.clientWidth;
    probe.remove();
    document.documentElement.style.setProperty('--scrollbar-width', `${width}px`);
  };
  note();
  window.addEventListener('resize', note);
}
