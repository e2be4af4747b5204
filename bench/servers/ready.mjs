/** Reports to the benchmark that this server listens; it exits when its channel to the benchmark closes. */
export function ready(message = {}) {
  process.on('disconnect', () => process.exit());
  process.send(message);
}
