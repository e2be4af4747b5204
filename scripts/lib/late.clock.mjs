/**
 * Loaded before the portal (`node --import`), this sets its clock back by the time that the parent process sends, so
 * that a script can make yesterday's calls.
 */
const now = Date.now;
let lateMs = 0;
Date.now = () => now() - lateMs;
process.on('message', (message) => {
  lateMs = message.lateMs;
  process.send({ lateMs });
});
// The parent may exit; the portal ends as usual.
process.channel?.unref();
