/**
 * Loaded before the portal (`node --import`): sets the portal's clock back by the `lateMs` that the parent process
 * sends, so that a script can make yesterday's calls.
 */
const now = Date.now;
let lateMs = 0;
Date.now = () => now() - lateMs;
process.on('message', (message) => {
  lateMs = message.lateMs;
  process.send({ lateMs });
});
// The channel to the parent must not keep the portal running.
process.channel?.unref();
