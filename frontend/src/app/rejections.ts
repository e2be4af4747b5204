/** Promise rejections nobody handled are logged and go no further (spec §8). */
export function suppressRejections(): void {
  window.addEventListener('unhandledrejection', (event) => {
    console.error('Unhandled promise rejection:', event.reason);
    event.preventDefault();
  });
}
