import type { ServerEvents } from '@orange-id/contract/socket.events';
import { live, network } from './network';

/** Mocks the live connection: it accepts a resume, and `say` sends an event of the server. */
export function answerLive() {
  const clients = new Set<{ send(frame: string): void }>();
  let isSilent = false;
  network.use(
    live.addEventListener('connection', ({ client }) => {
      if (isSilent) return;
      clients.add(client);
      client.send(
        `0${JSON.stringify({ sid: 'one', upgrades: [], pingInterval: 60_000, pingTimeout: 60_000 })}`,
      );
      client.addEventListener('message', ({ data }) => {
        const frame = String(data);
        const resume = /^42(\d+)\["resume"/.exec(frame);
        if (frame.startsWith('40')) client.send('40{"sid":"two"}');
        else if (resume) client.send(`43${resume[1]}[{"ok":true,"head":0}]`);
      });
    }),
  );
  return {
    /** Later connections get no response at all. */
    mute: () => void (isSilent = true),
    say<Name extends keyof ServerEvents>(name: Name, push: Parameters<ServerEvents[Name]>[0]): void {
      for (const client of clients) client.send(`42${JSON.stringify([name, push])}`);
    },
  };
}
