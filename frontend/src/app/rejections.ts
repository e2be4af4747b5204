/** Promise rejections nobody handled are logged and go no further. */
export function suppressRejections(): void {
  window.addEventListener('unhandledrejection', (event) => {
    console.error('Unhandled promise rejection:', event.reason);
    event.preventDefault();
  });
}
