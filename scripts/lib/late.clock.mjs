/**
 * Loaded before the portal (`node --import`), this sets its clock back by as much as the parent process says, so that a
 * script can make calls of yesterday.
 */
const now = Date.now;
let lateMs = 0;
Date.now = () => now() - lateMs;
process.on('message', (message) => {
  lateMs = message.lateMs;
  process.send({ lateMs });
});
// The parent may go; the portal ends as it always does.
process.channel?.unref();
