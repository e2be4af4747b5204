/** Logs unhandled promise rejections and prevents the browser's default handling. */
export function suppressRejections(): void {
  window.addEventListener('unhandledrejection', (event) => {
    console.error('Unhandled promise rejection:', event.reason);
    event.preventDefault();
  });
}
