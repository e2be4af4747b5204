/** Notes how much of a page its scrollbar takes, for the page that a dialog holds still; zooming changes it. */
export function followScrollbarWidth(): void {
  const note = () => {
    const probe = document.createElement('div');
    probe.style.cssText = 'position:absolute;top:-100px;width:50px;height:50px;overflow:scroll';
    document.body.append(probe);
    const width = probe.offsetWidth - probe.clientWidth;
    probe.remove();
    document.documentElement.style.setProperty('--scrollbar-width', `${width}px`);
  };
  note();
  window.addEventListener('resize', note);
}
