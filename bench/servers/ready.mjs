/** Tells the bench that this server listens; it ends when its channel to the bench closes. */
export function ready(message = {}) {
  process.on('disconnect', () => process.exit());
  process.send(message);
}
