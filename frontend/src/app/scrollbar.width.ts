/**
 * Stores the scrollbar's width in a CSS variable, and updates it when zooming changes it. Works before the body exists.
 */
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
